"""The items of a long page in, instalments of limited length out, cut before headings (P1)."""

from __future__ import annotations

from collections.abc import Sequence

from webvigil.present.only import Item, Shown

# Blocks in one instalment that a server sends: a browser lays out such a part in well under a second.
SIZE = 1_000
# Blocks in one section of a file. A file holds all sections, and a browser lays out a section only when the
# reader comes to it. A step to the next change may cross two sections; at this size the reader does not
# notice.
SECTION = 200
# How many blocks beyond the wanted size are searched for a heading to cut at.
_SEARCHED = 200


def instalments(items: Sequence[Item], size: int = SIZE) -> list[Sequence[Item]]:
    """Cuts the items into instalments of about `size` items, in order. A short page is one instalment."""
    found, start = [], 0
    while len(items) - start > size + _SEARCHED:
        end = _cut(items, start + size)
        found.append(items[start:end])
        start = end
    return [*found, items[start:]]


def parts_of_changes(parts: Sequence[Sequence[Item]]) -> dict[int, int]:
    """Returns, by the number of each change, the index of the instalment in which the change begins."""
    return {
        item.number: number
        for number, part in enumerate(parts)
        for item in part
        if isinstance(item, Shown) and item.first
    }


def _cut(items: Sequence[Item], place: int) -> int:
    """Returns the index to cut at: the first heading from `place` on, or else the first item outside of a
    table, or else `place`."""
    near = range(place, min(place + _SEARCHED, len(items)))
    headed = next((one for one in near if _is_heading(items[one])), None)
    if headed is not None:
        return headed
    return next((one for one in near if not _is_row(items[one])), place)


def _is_heading(item: Item) -> bool:
    return isinstance(item, Shown) and item.step.block.is_heading


def _is_row(item: Item) -> bool:
    return isinstance(item, Shown) and item.step.block.is_row
