"""Which sentinels or changes somebody wants to see, and how many of them at a time.

Lists are newest first; the next piece of one begins before the last id of the piece at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webvigil.model.contact import Order

LARGEST_ID = 2**53
PIECE = 50
LARGEST_PIECE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSentinels:
    """`words`: all of them in the name, the topic or the text. `trouble`: a page that failed
    last time, or shows nothing of what is watched there.

    In an `order` of a summary those that changed last stand first, or where the user's priority or the topic
    comes before that; such a list is gone through by `skip`, not by `before`.
    """

    user: str | None = None
    words: str = ""
    state: str | None = None
    topic: str | None = None
    trouble: bool = False
    names: tuple[str, ...] | None = None
    order: Order | None = None
    before: int = LARGEST_ID
    skip: int = 0
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
