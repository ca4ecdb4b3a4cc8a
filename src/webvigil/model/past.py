"""The past of a page: versions that a user brought from a web archive, and the changes between them.

Such a version has a negative number: -1 is the newest, and the numbers fall towards the past. So the numbers
of versions that we fetched ourselves stay as they are, and all numbers ascend with time. The changes between
them have negative ids for the same reason. Only the user who brought them sees them, because nobody else
knows whether the archive tells the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webvigil.model.change import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class PastVersion:
    """A version from an archive, stored in the page repository, before it has a number."""

    fetched_at: datetime
    url: str
    status: int
    signature: str
    object: str
    size: int
    base: str = ""
    stored: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PastChange:
    """A change that a sentinel would have found between two versions of the past."""

    sentinel: int
    old_version: int
    new_version: int
    found_at: datetime
    findings: tuple[Finding, ...]
