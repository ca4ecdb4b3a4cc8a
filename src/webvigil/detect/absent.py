"""A change type and two pages in, a note out if neither page has the table, list or value it names.

A mistyped name would otherwise seem to be a table that never changes.
"""

from __future__ import annotations

from webvigil.detect.registry import functions_of
from webvigil.document import PageDigest
from webvigil.model.sentinel import ChangeType


def absence(old: PageDigest, new: PageDigest, change: ChangeType) -> str:
    """Returns a note if neither page has what the change type names; "" if one has it, or if nothing is
    named."""
    is_there = functions_of(change.kind).is_there
    if is_there is None or is_there(old, change) or is_there(new, change):
        return ""
    return f"there is no such {change.kind} on either page"
