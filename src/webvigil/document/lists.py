"""Lists and their items (C8). A list inside an item is a list of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from webvigil.document import arrays
from webvigil.document.arrays import Longs
from webvigil.document.derived import cached_property
from webvigil.document.ondemand import OnDemand
from webvigil.document.reading import OwnedTexts

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# No reader tells more of them apart, and each takes its time.
MOST = 5_000

_LISTS = ("ul", "ol", "dl", "menu", "dir")
_ITEMS = ("li", "dt", "dd")


class Item(NamedTuple):
    """One item; its text is without that of lists inside it."""

    text: str
    node: int


@dataclass(frozen=True, slots=True)
class ItemList:
    """`kind` is the name of the element: ul, ol, dl, menu."""

    node: int
    kind: str
    items: tuple[Item, ...]


class Lists(OnDemand[ItemList]):
    """All lists in document order; of a page made of lists the first."""

    def __init__(self, digest: PageDigest) -> None:
        is_list = digest.is_tag(_LISTS if digest.is_html else ())
        is_item = digest.is_tag(_ITEMS)
        nodes = is_list.nonzero()[0][:MOST]
        owner = arrays.enclosing(is_list, digest.sizes)
        last = int(nodes[-1]) if len(nodes) else -1
        items = (is_item & (owner >= 0) & (owner <= last)).nonzero()[0]
        self._nodes: list[int] = nodes.tolist()
        self._kinds = [digest.tag(node) for node in self._nodes]
        self._texts = OwnedTexts(digest, is_item) if len(items) else None
        self._items: list[int] = items.tolist()
        self._within = _runs(items, nodes, nodes + digest.sizes[nodes])
        homes = owner[items]
        order = homes.argsort(kind="stable")
        self._by_home: list[int] = items[order].tolist()
        self._own = _runs(homes[order], nodes, nodes + 1)
        super().__init__(len(nodes), self._list)

    @cached_property
    def nested(self) -> int:
        """How many items all lists have together, each with those of the lists in it."""
        return sum([end - start for start, end in self._within])

    def kind(self, place: int) -> str:
        return self._kinds[place]

    def node(self, place: int) -> int:
        return self._nodes[place]

    def texts_and_nodes(self, place: int, nested: bool) -> tuple[list[str], list[int]]:
        """The items of a list, with those of the lists in it or without, for who needs no more of them."""
        run = self._within[place] if nested else self._own[place]
        nodes = (self._items if nested else self._by_home)[slice(*run)]
        return self._texts.of_all(nodes) if self._texts else [], nodes

    def _list(self, place: int) -> ItemList:
        items = self._named(self._by_home[slice(*self._own[place])])
        return ItemList(self._nodes[place], self._kinds[place], tuple(items))

    def _named(self, nodes: list[int]) -> list[Item]:
        return list(map(Item, self._texts.of_all(nodes), nodes)) if self._texts else []


def _runs(numbers: Longs, starts: Longs, ends: Longs) -> list[tuple[int, int]]:
    """Where in ascending numbers those from each start up to its end stand."""
    first, last = numbers.searchsorted(starts), numbers.searchsorted(ends)
    return list(zip(first.tolist(), last.tolist(), strict=True))
