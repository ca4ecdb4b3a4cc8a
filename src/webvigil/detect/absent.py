"""Is what a change type names on a page at all? A name that was mistyped would never change."""

from __future__ import annotations

from webvigil.detect.registry import PRESENCE
from webvigil.document import PageDigest
from webvigil.model.sentinel import ChangeType


def absence(old: PageDigest, new: PageDigest, change: ChangeType) -> str:
    """Says that neither page has it; "" where one has, or where nothing is named."""
    is_there = PRESENCE.get(change.kind)
    if is_there is None or is_there(old, change) or is_there(new, change):
        return ""
    return f"there is no such {change.kind} on either page"
