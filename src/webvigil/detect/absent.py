"""A change type and two pages in, a note out if neither page has the table, list or value it names.

A mistyped name would otherwise seem to be a table that never changes.
"""

from __future__ import annotations

from collections.abc import Callable

from webvigil.detect import carried, lists, tables, value
from webvigil.document import PageDigest
from webvigil.model.sentinel import ChangeType


def absence(old: PageDigest, new: PageDigest, change: ChangeType) -> str:
    """Returns a note if neither page has what the change type names; "" if one has it, or if nothing is
    named."""
    look = _LOOKS.get(change.kind)
    if look is None or look(old, change) or look(new, change):
        return ""
    return f"there is no such {change.kind} on either page"


_LOOKS: dict[str, Callable[[PageDigest, ChangeType], bool]] = {
    "table": lambda page, change: carried.find(page, tables.grids(page), change) is not None,
    "list": lambda page, change: carried.find(page, lists.grids(page), change) is not None,
    "value": lambda page, change: bool(value.found(page, change)),
}
