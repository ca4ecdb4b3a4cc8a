"""Lists and their items (C8). A list inside an item is a list of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webvigil.document import arrays
from webvigil.document.reading import owned_texts

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# No reader tells more of them apart, and each takes its time.
MOST = 10_000

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


def lists(digest: PageDigest) -> tuple[ItemList, ...]:
    """All lists in document order; of a page made of lists the first."""
    if not digest.is_html:
        return ()
    is_list, is_item = digest.is_tag(_LISTS), digest.is_tag(_ITEMS)
    texts = owned_texts(digest, is_item)
    owner = arrays.enclosing(is_list, digest.sizes)
    items: dict[int, list[Item]] = {}
    nodes = np.flatnonzero(is_list)[:MOST]
    found = np.flatnonzero(is_item & (owner <= nodes[-1])) if len(nodes) else nodes
    for home, node in zip(owner[found].tolist(), found.tolist(), strict=True):
        items.setdefault(home, []).append(Item(texts.get(node, ""), node))
    return tuple(ItemList(node, digest.tag(node), tuple(items.get(node, ()))) for node in nodes.tolist())
