"""Which sentinels or changes somebody wants to see, and how many of them at a time.

Lists are newest first; the next piece of one begins before the last id of the piece at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

LARGEST_ID = 2**53
PIECE = 50
LARGEST_PIECE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSentinels:
    """`words`: all of them in the name, the topic or the text. `trouble`: a page that failed last time."""

    user: str | None = None
    words: str = ""
    state: str | None = None
    topic: str | None = None
    trouble: bool = False
    before: int = LARGEST_ID
    limit: int = PIECE


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedChanges:
    user: str | None = None
    sentinel: str | None = None
    topic: str | None = None
    type: str | None = None
    page: int | None = None
    seen: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    after: int = 0
    before: int = LARGEST_ID
    limit: int = PIECE
