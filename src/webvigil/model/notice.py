"""Notices and receipts: a notice is a message for one contact of one user, a receipt proves its delivery.

Notices to the same contact stand in queues, and each queue is delivered in order. Immediate notices,
best-effort notices, notices gathered for a summary and notices that wait for a number of changes have
separate queues, so that none of them waits for another.
"""

from __future__ import annotations

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
    """A message for one contact. `dedup` identifies the notice for ever: the store writes the same notice
    once, and receivers may drop a repeat.

    `every` (an interval) or `needs` (a number of changes) say that the notice waits, to be delivered together
    with others.
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
        """Says whether the notice waits to be delivered together with others."""
        return bool(self.every or self.needs)

    @property
    def queue(self) -> str:
        """Returns the key of the notice's queue: a hash of user, contact, lane and, for counted notices, the
        sentinel."""
        counted = self.sentinel if self.lane == COUNTED else ""
        place = json.dumps([self.user, self.channel, self.address, self.lane, counted, self.needs])
        import hashlib

        return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:40]

    def at_once(self) -> Notice:
        """Returns the same notice, without waiting for others."""
        lane = BEST_EFFORT if self.lane == BEST_EFFORT else AT_ONCE
        return replace(self, lane=lane, every=0, needs=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Proof that a channel delivered a notice; `reference` is the channel's own name for the message."""

    dedup: str
    delivered_at: datetime
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A notice in the outbox that no worker is delivering now; `since` is when it was written."""

    id: int
    since: Millis
    due: Millis
    notice: Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRecord:
    """The state of a notice as shown to people: pending, held, merged (into another notice), delivered or
    given up."""

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
class Stuck:
    """The notices of one contact that could not be delivered: how many, and the error of the newest. They
    were given up, or they are tried again."""

    channel: str
    address: str
    count: int
    error: str
    given_up: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How often the user was told about a sentinel, and when last."""

    count: int
    last: datetime
