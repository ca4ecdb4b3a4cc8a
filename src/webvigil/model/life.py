"""Where a sentinel stands in its life: all that must be known to go on after a restart, and what happened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from webvigil.model.notice import Notice
from webvigil.model.sentinel import State


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeRecord:
    """`span` is the life span it is in or waits for. `next_at` is when it crosses the next boundary (its
    start, or its end when `within`); None while it waits for an event of another sentinel."""

    installed_at: datetime
    span: int = 0
    within: bool = False
    next_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    warned: bool = False
    over: bool = False
    failure: str = ""


def state_of(life: LifeRecord, *, enabled: bool) -> State:
    if life.failure:
        return State.FAILED
    if life.over:
        return State.EXPIRED
    if not enabled:
        return State.DISABLED
    return State.ACTIVE if life.within else State.WAITING


class Crossing(StrEnum):
    STARTED = "SentinelStarted"
    ENDED = "SentinelEnded"
    EXPIRING = "SentinelExpiring"
    EXPIRED = "SentinelExpired"
    FAILED = "SentinelFailed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeEvent:
    """Something in a sentinel's life, at the time it was due (however late we came to see it)."""

    sentinel: str
    what: Crossing
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivingSentinel:
    """A sentinel as the keeper of lives needs it."""

    id: int
    user: str
    zone: str
    name: str
    text: str
    enabled: bool
    life: LifeRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeStep:
    """A sentinel moves on from one record to the next."""

    sentinel: int
    before: LifeRecord
    after: LifeRecord
    events: tuple[LifeEvent, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeNews:
    """What has changed in the knowledge base since a revision."""

    revision: int
    changed: tuple[LivingSentinel, ...]
    removed: tuple[int, ...]
