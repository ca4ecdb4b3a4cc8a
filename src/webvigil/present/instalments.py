"""A long page in, instalments out: so many blocks at a time, cut before a heading where there is one (P1)."""

from __future__ import annotations

from collections.abc import Sequence

from webvigil.present.only import Item, Shown

SIZE = 1_000  # blocks; a browser lays out a part of this size in well under a second
# In a file, where all parts are there and one is laid out when it is reached: a step from change to change
# may reach two of them, and has to feel like none.
SECTION = 200
_SEARCHED = 200


def instalments(items: Sequence[Item], size: int = SIZE) -> list[Sequence[Item]]:
    """All of it in order; a short page is one instalment."""
    found, start = [], 0
    while len(items) - start > size + _SEARCHED:
        end = _cut(items, start + size)
        found.append(items[start:end])
        start = end
    return [*found, items[start:]]


def parts_of_changes(parts: Sequence[Sequence[Item]]) -> dict[int, int]:
    """In which instalment each change begins, by its number."""
    return {
        item.number: number
        for number, part in enumerate(parts)
        for item in part
        if isinstance(item, Shown) and item.first
    }


def _cut(items: Sequence[Item], place: int) -> int:
    """Before the nearest heading behind the place, and never inside of a table if that can be helped."""
    near = range(place, min(place + _SEARCHED, len(items)))
    headed = next((one for one in near if _is_heading(items[one])), None)
    if headed is not None:
        return headed
    return next((one for one in near if not _is_row(items[one])), place)


def _is_heading(item: Item) -> bool:
    return isinstance(item, Shown) and item.step.block.is_heading


def _is_row(item: Item) -> bool:
    return isinstance(item, Shown) and item.step.block.is_row
