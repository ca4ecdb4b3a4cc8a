"""A notice: something to tell one contact of one user; a receipt: proof that it was handed over.

Notices to the same contact stand in queues, and each queue is worked off in order. What is told at once, what
is told when there is time, what is gathered for a summary and what is counted have queues of their own, so
that none of them waits for another.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from webvigil.model.moment import Millis

AT_ONCE = ""
BEST_EFFORT = "best effort"
GATHERED = "every"
COUNTED = "changes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """`dedup` identifies it for ever: the same notice is written once, and receivers may drop a repeat.

    `every` (an interval) and `needs` (a number of changes) say that it waits for others to be told with.
    """

    dedup: str
    user: str
    channel: str
    address: str
    subject: str
    body: dict[str, Any] = field(default_factory=dict)
    sentinel: str = ""
    lane: str = AT_ONCE
    every: Millis = 0
    needs: int = 0

    @property
    def waits(self) -> bool:
        return bool(self.every or self.needs)

    @property
    def queue(self) -> str:
        counted = self.sentinel if self.lane == COUNTED else ""
        place = json.dumps([self.user, self.channel, self.address, self.lane, counted, self.needs])
        return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:40]

    def at_once(self) -> Notice:
        """The same, waiting for nobody."""
        lane = BEST_EFFORT if self.lane == BEST_EFFORT else AT_ONCE
        return replace(self, lane=lane, every=0, needs=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    dedup: str
    delivered_at: datetime
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A notice in the outbox that nobody is at work on; `since` is when it was written."""

    id: int
    since: Millis
    due: Millis
    notice: Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRecord:
    """What became of a notice, for people: pending, held, merged (into another), delivered or given up."""

    id: int
    notice: Notice
    state: str
    attempts: int
    error: str
    created_at: datetime
    due: datetime | None
    settled_at: datetime | None
    merged_into: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How often, and when last, somebody was told about a sentinel."""

    count: int
    last: datetime
