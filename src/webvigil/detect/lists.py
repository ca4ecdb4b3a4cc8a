"""One list: items that came, went, changed or moved (C8). A definition list is a table of two columns."""

from __future__ import annotations

from webvigil.detect.carried import meant
from webvigil.detect.grids import Grid, Line, Place
from webvigil.detect.remembered import remembered
from webvigil.detect.tables import changes
from webvigil.document import PageDigest
from webvigil.document.lists import ItemList
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType

_TERMS = ("term", "description")


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return changes(old, new, meant(old, new, grids(old), grids(new), change))


@remembered
def grids(digest: PageDigest) -> list[Grid]:
    return [_grid(digest, number, found) for number, found in enumerate(digest.lists, 1)]


def _grid(digest: PageDigest, number: int, found: ItemList) -> Grid:
    is_terms = found.kind == "dl"
    return Grid(
        node=found.node,
        name=f"list {number}",
        caption="",
        header=_TERMS if is_terms else (),
        lines=tuple(_definitions(digest, found) if is_terms else _items(found)),
        line_name="item",
    )


def _items(found: ItemList) -> list[Line]:
    return [Line((Place(item.text, item.node),), item.node) for item in found.items]


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
    return [Line(tuple(line), line[0].node) for line in lines]
