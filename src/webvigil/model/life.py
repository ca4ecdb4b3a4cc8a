"""The life of a sentinel as stored values: where the sentinel stands after a restart, and what happened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from webvigil.model.notice import Notice
from webvigil.model.sentinel import State, is_never

# A user is warned before the end of a life by a tenth of its last span, at most a week.
WARNING_PART = 10
LONGEST_WARNING = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeRecord:
    """Where a sentinel stands. `span` is the number of the life span that it is in or waits for. `next_at` is
    when it crosses the next boundary: the end if `within` a span, otherwise the start. `next_at` is None
    while the sentinel waits for an event of another sentinel."""

    installed_at: datetime
    span: int = 0
    within: bool = False
    next_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    warned: bool = False
    over: bool = False
    failure: str = ""


def rests_until(life: LifeRecord, until: datetime) -> bool:
    """Says whether nothing happens in this life by itself before that time: no boundary, no warning. A life
    that waits for an event of another sentinel does not rest."""
    if life.over or life.failure:
        return True
    if life.next_at is None:
        return False
    return (warning_before(life) or life.next_at) > until


def warning_before(life: LifeRecord) -> datetime | None:
    """Returns when the user is warned of the end of this span, if it is the last one. Returns None outside of
    a span, without a known end, and after the warning."""
    if not (life.within and life.next_at and life.started_at) or life.warned:
        return None
    return life.next_at - min(LONGEST_WARNING, (life.next_at - life.started_at) / WARNING_PART)


def is_endless(life: LifeRecord) -> bool:
    """Says whether the sentinel is in a life span that never ends."""
    return life.within and life.next_at is not None and is_never(life.next_at)


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
    """An event in a sentinel's life. `at` is when the event was due, even if it was noticed later."""

    sentinel: str
    what: Crossing
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivingSentinel:
    """The facts about a sentinel that the process which moves lives forward needs."""

    id: int
    user: str
    zone: str
    name: str
    text: str
    enabled: bool
    life: LifeRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeStep:
    """One move of a sentinel's life from one record to the next, with its events and notices. `user` is the
    owner of the sentinel; the journal tells it."""

    sentinel: int
    user: str = ""
    before: LifeRecord
    after: LifeRecord
    events: tuple[LifeEvent, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeNews:
    """The sentinels that were changed or removed in the knowledge base since a revision. Of changed ones that
    rest for longer than was asked for, only the ids are in `resting`."""

    revision: int
    changed: tuple[LivingSentinel, ...]
    removed: tuple[int, ...]
    resting: tuple[int, ...] = ()
