"""Is what a change type names on a page at all? A name that was mistyped would never change."""

from __future__ import annotations

from collections.abc import Callable

from webvigil.detect import carried, lists, tables, value
from webvigil.document import PageDigest
from webvigil.model.sentinel import ChangeType


def absence(old: PageDigest, new: PageDigest, change: ChangeType) -> str:
    """Says that neither page has it; "" where one has, or where nothing is named."""
    look = _LOOKS.get(change.kind)
    if look is None or look(old, change) or look(new, change):
        return ""
    return f"there is no such {change.kind} on either page"


_LOOKS: dict[str, Callable[[PageDigest, ChangeType], bool]] = {
    "table": lambda page, change: carried.find(page, tables.grids(page), change) is not None,
    "list": lambda page, change: carried.find(page, lists.grids(page), change) is not None,
    "value": lambda page, change: bool(value.found(page, change)),
}
