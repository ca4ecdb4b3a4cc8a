"""Two pages and the id of a list in, the items that came, went, changed or moved out (C8).

The items of a list inside an item belong to the outer list, too. A definition list is a table of two columns.
"""

from __future__ import annotations

from collections.abc import Sequence

from webvigil.detect import carried
from webvigil.detect.grids import Grid
from webvigil.detect.tables import both_links, changes
from webvigil.detect.tables import note as note
from webvigil.document import PageDigest
from webvigil.document.lists import Item, ItemList
from webvigil.document.lists import count as count_lists
from webvigil.document.ondemand import OnDemand
from webvigil.document.tables import EvenRows, Place, Row, lone_rows
from webvigil.model.change import ObjectChange
from webvigil.model.memo import remembered
from webvigil.model.sentinel import ChangeType

_TERMS = ("term", "description")
# If nested lists have more items than this in all, each list has only its own items: otherwise every level
# would repeat the items of all levels below it.
_MOST_ITEMS = 200_000


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    pairs = carried.meant(old, new, grids(old), grids(new), change)
    return changes(old, new, pairs, both_links(old, new, change, ("li", "dt", "dd")))


def letters(old: PageDigest, new: PageDigest, change: ChangeType) -> int:
    """Returns how many characters the list has, in both versions together."""
    return carried.letters(carried.meant(old, new, grids(old), grids(new), change))


def is_there(digest: PageDigest, change: ChangeType) -> bool:
    """Tells whether the list is on the page. A list that is named by its number is counted, not read."""
    if 1 <= carried.number_of(change) <= count_lists(digest):
        return True
    return carried.find(digest, grids(digest), change) is not None


@remembered
def grids(digest: PageDigest) -> Sequence[Grid]:
    nested = digest.lists.nested <= _MOST_ITEMS
    return OnDemand(len(digest.lists), lambda place: _grid(digest, place, nested))


def _grid(digest: PageDigest, place: int, nested: bool) -> Grid:
    is_terms = digest.lists.kind(place) == "dl"
    return Grid(
        node=digest.lists.node(place),
        name=f"list {place + 1}",
        caption="",
        header=_TERMS if is_terms else (),
        lines=_definitions(digest, digest.lists[place]) if is_terms else _items(digest, place, nested),
        line_name="item",
    )


def _items(digest: PageDigest, place: int, nested: bool) -> EvenRows:
    return lone_rows(*digest.lists.texts_and_nodes(place, nested))


def _definitions(digest: PageDigest, found: ItemList) -> list[Row]:
    """Returns one line for each term with its descriptions. A description without a term has a line of its
    own."""
    lines: list[tuple[Place, list[Item]]] = []
    for item in found.items:
        is_term = digest.tag(item.node) == "dt"
        if is_term or not lines:
            lines.append((Place(item.text if is_term else "", item.node), []))
        if not is_term:
            lines[-1][1].append(item)
    return [_described(*line) for line in lines]


def _described(term: Place, descriptions: list[Item]) -> Row:
    """Returns the line of a term. Its descriptions are one cell."""
    if not descriptions:
        return Row((term.node,), term.node, (term.text,))
    text = " / ".join([one.text for one in descriptions])
    return Row((term.node, descriptions[0].node), term.node, (term.text, text))
