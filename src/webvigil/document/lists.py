"""A page in, its lists and their items out (C8). A list inside an item is a list of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from webvigil.document import arrays
from webvigil.document.arrays import Longs
from webvigil.document.ondemand import OnDemand
from webvigil.document.reading import OwnedTexts
from webvigil.model.memo import cached_property

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# The most lists of a page. No reader tells more of them apart, and each takes time.
MOST = 5_000

LISTS = ("ul", "ol", "dl", "menu", "dir")
_ITEMS = ("li", "dt", "dd")


class Item(NamedTuple):
    """One item of a list. Its text does not include the lists inside it."""

    text: str
    node: int


@dataclass(frozen=True, slots=True)
class ItemList:
    """One list. `kind` is the name of its element: ul, ol, dl, menu or dir."""

    node: int
    kind: str
    items: tuple[Item, ...]


class Lists(OnDemand[ItemList]):
    """The lists of a page in document order, at most `MOST`. Each is made on first use."""

    def __init__(self, digest: PageDigest) -> None:
        is_list = digest.is_tag(LISTS if digest.is_html else ())
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
        """The sum of the items of all lists, where the items of an inner list count for the outer lists
        too."""
        return sum([end - start for start, end in self._within])

    def kind(self, place: int) -> str:
        return self._kinds[place]

    def node(self, place: int) -> int:
        return self._nodes[place]

    def texts_and_nodes(self, place: int, nested: bool) -> tuple[list[str], list[int]]:
        """Returns the texts and the nodes of a list's items, with those of inner lists if `nested`. This is
        cheaper than making the list."""
        run = self._within[place] if nested else self._own[place]
        nodes = (self._items if nested else self._by_home)[slice(*run)]
        return self._texts.of_all(nodes) if self._texts else [], nodes

    def _list(self, place: int) -> ItemList:
        items = self._named(self._by_home[slice(*self._own[place])])
        return ItemList(self._nodes[place], self._kinds[place], tuple(items))

    def _named(self, nodes: list[int]) -> list[Item]:
        return list(map(Item, self._texts.of_all(nodes), nodes)) if self._texts else []


def count(digest: PageDigest) -> int:
    """Returns how many lists `Lists` has, which takes a fraction of the time of finding their items."""
    return min(len(digest.nodes_of(*LISTS)), MOST) if digest.is_html else 0


def _runs(numbers: Longs, starts: Longs, ends: Longs) -> list[tuple[int, int]]:
    """Returns for each start and end which run of the ascending numbers lies between them."""
    first, last = numbers.searchsorted(starts), numbers.searchsorted(ends)
    return list(zip(first.tolist(), last.tolist(), strict=True))
