"""Queries for lists of sentinels or changes: which entries are wanted, and how many at a time.

Lists are newest first; the next piece of a list begins before the last id of the previous piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webvigil.model.contact import Order

# Larger than any id, and still exact in JSON and in every database.
LARGEST_ID = 2**53
FROM_THE_PAST_ON = -LARGEST_ID
PIECE = 50
LARGEST_PIECE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSentinels:
    """A query for sentinels. `words` must all occur in the name, the topic or the text. `pages` asks for
    sentinels that watch one of these pages, `host` for those that watch a page of this host (`Page.host`),
    `address` for those that watch a page at this address, however it is fetched, `trouble` for those with a
    page that failed last time or shows nothing of what is watched there.

    With an `order` the list is sorted as in a summary: by the newest change, or first by the user's priority
    or the topic. Such a list is read on with `skip`, not with `before`.
    """

    user: str | None = None
    words: str = ""
    state: str | None = None
    topic: str | None = None
    pages: tuple[int, ...] | None = None
    host: str | None = None
    address: str | None = None
    trouble: bool = False
    names: tuple[str, ...] | None = None
    order: Order | None = None
    before: int = LARGEST_ID
    skip: int = 0
    limit: int = PIECE


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedChanges:
    """A query for changes. With `after` FROM_THE_PAST_ON changes between versions of the past count, too
    (`model.past`); by default they do not, because they are no news. `sentinels` asks for the changes of
    several by their names."""

    user: str | None = None
    sentinel: str | None = None
    sentinels: tuple[str, ...] | None = None
    topic: str | None = None
    type: str | None = None
    page: int | None = None
    seen: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    after: int = 0
    before: int = LARGEST_ID
    limit: int = PIECE
