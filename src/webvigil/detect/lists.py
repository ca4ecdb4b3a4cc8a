"""One list: items that came, went, changed or moved (C8).

The items of a list inside an item belong to it too. A definition list is a table of two columns.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from webvigil.detect import carried
from webvigil.detect.grids import Grid, Line, Place, line
from webvigil.detect.remembered import remembered
from webvigil.detect.tables import changes
from webvigil.document import PageDigest
from webvigil.document.lists import Item, ItemList
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType

_TERMS = ("term", "description")
# Lists in lists in lists: beyond so many items in all, each list has only its own.
_MOST_ITEMS = 200_000


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return changes(old, new, carried.meant(old, new, grids(old), grids(new), change))


def letters(old: PageDigest, new: PageDigest, change: ChangeType) -> int:
    """How much is written in the list, in both versions."""
    return carried.letters(carried.meant(old, new, grids(old), grids(new), change))


@remembered
def grids(digest: PageDigest) -> list[Grid]:
    nested = _nested(digest)
    return [_grid(digest, number, found, nested[number - 1]) for number, found in enumerate(digest.lists, 1)]


def _nested(digest: PageDigest) -> list[Sequence[Item]]:
    """Per list its items with those of the lists in it, in document order."""
    items = sorted((item for found in digest.lists for item in found.items), key=lambda item: item.node)
    nodes = [item.node for item in items]
    starts = [bisect_left(nodes, found.node) for found in digest.lists]
    ends = [bisect_left(nodes, found.node + int(digest.sizes[found.node])) for found in digest.lists]
    if sum(ends) - sum(starts) > _MOST_ITEMS:
        return [found.items for found in digest.lists]
    return [items[start:end] for start, end in zip(starts, ends, strict=True)]


def _grid(digest: PageDigest, number: int, found: ItemList, items: Sequence[Item]) -> Grid:
    is_terms = found.kind == "dl"
    return Grid(
        node=found.node,
        name=f"list {number}",
        caption="",
        header=_TERMS if is_terms else (),
        lines=tuple(_definitions(digest, found) if is_terms else _items(items)),
        line_name="item",
    )


def _items(items: Sequence[Item]) -> list[Line]:
    return [Line((Place(text, node),), node, (text,)) for text, node in items]


def _definitions(digest: PageDigest, found: ItemList) -> list[Line]:
    """One line per term, with what is said about it; a description without a term has a line of its own."""
    lines: list[list[Place]] = []
    for item in found.items:
        place = Place(item.text, item.node)
        if digest.tag(item.node) == "dt" or not lines:
            lines.append([place] if digest.tag(item.node) == "dt" else [Place("", item.node), place])
        elif len(lines[-1]) == 1:
            lines[-1].append(place)
        else:
            first = lines[-1][1]
            lines[-1][1] = Place(f"{first.text} / {item.text}", first.node)
    return [line(places, places[0].node) for places in lines]
