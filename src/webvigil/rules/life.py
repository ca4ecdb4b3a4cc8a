"""The life of one sentinel as pure functions: its record and something that happens in, its next record out.

A life span has two boundaries. Each boundary is a time point, known at once, or an event in the life of
another sentinel (`start(s)`, `end(s)`, `during(s)`), known when it happens. No function here reads a clock:
the time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from webvigil.model.life import Crossing, LifeEvent, LifeRecord, warning_before
from webvigil.model.sentinel import AtEvent, AtTime, LifeSpan, Sentinel, TimePoint

# A sentinel without a To clause lives for a year (L4).
A_YEAR = timedelta(days=365)
ENDLESS = datetime.max.replace(tzinfo=UTC)

Boundary = Literal["start", "end"]
OtherLife = Callable[[str], LifeRecord | None]
"""A function that returns the life of another sentinel of the same user by its name, or None if there is no
such sentinel."""


@dataclass(frozen=True, slots=True)
class Life:
    """The name and life spans of a sentinel, the zone of its dates, and the record of where it stands."""

    name: str
    spans: tuple[LifeSpan, ...]
    zone: tzinfo
    record: LifeRecord

    @property
    def awaited(self) -> AtEvent | None:
        """The event that the sentinel waits for; None if the time of the next boundary is known, or there is
        no next boundary."""
        point = self._point()
        return point if isinstance(point, AtEvent) and self.record.next_at is None else None

    def _point(self) -> TimePoint | None:
        record = self.record
        if record.over or record.failure:
            return None
        span = self.spans[record.span]
        return span.end if record.within else span.start


def newborn(
    sentinel: Sentinel, zone: tzinfo, now: datetime, others: OtherLife
) -> tuple[Life, list[LifeEvent]]:
    """Returns the life of a sentinel installed now, with its first events. It starts at once unless its From
    clause says otherwise."""
    life = Life(sentinel.name, spans_of(sentinel), zone, LifeRecord(installed_at=now))
    return pass_boundaries(_aim_at_start(life, now, others), now, others)


def spans_of(sentinel: Sentinel) -> tuple[LifeSpan, ...]:
    return sentinel.life or (LifeSpan(),)


def pass_boundaries(life: Life, now: datetime, others: OtherLife) -> tuple[Life, list[LifeEvent]]:
    """Crosses every boundary that is due by now, each at the time when it was due, and returns the events."""
    events: list[LifeEvent] = []
    while life.record.next_at is not None and life.record.next_at <= now:
        life, more = _cross(life, life.record.next_at, others)
        events += more
    return life, events


def heard(life: Life, at: datetime) -> Life:
    """Sets the next boundary, because the awaited event has happened at that time."""
    assert life.awaited is not None
    return _with(life, next_at=_later(at, life.awaited.plus))


def failed(life: Life, at: datetime, reason: str) -> tuple[Life, list[LifeEvent]]:
    """Ends the life for good with a reason, as an event that the user is told of."""
    gone = _with(life, failure=reason, within=False, next_at=None)
    return gone, [LifeEvent(sentinel=life.name, what=Crossing.FAILED, at=at, reason=reason)]


def in_vain(life: Life, over: Life, at: datetime) -> tuple[Life, list[LifeEvent]]:
    """Handles that the awaited start will never come, because the other sentinel has ended. A life that
    should have ended with that start ends now; a life that should have begun with it fails."""
    awaited = life.awaited
    assert awaited is not None
    if not life.record.within:
        return failed(life, at, f"the sentinel {over.name!r} that it waits for has ended")
    return _with(life, next_at=max(at, _later(over.record.started_at or at, awaited.plus))), []


def warned(life: Life, at: datetime) -> tuple[Life, list[LifeEvent]]:
    return _with(life, warned=True), [LifeEvent(sentinel=life.name, what=Crossing.EXPIRING, at=at)]


def named_in(life: Life) -> list[str]:
    """Returns the names of the sentinels whose events are boundaries of this life."""
    points = [point for span in life.spans for point in (span.start, span.end)]
    return [point.sentinel for point in points if isinstance(point, AtEvent)]


def boundary_of(awaited: AtEvent) -> Boundary:
    """Returns which boundary of the other sentinel is awaited: `during` waits for its start."""
    return "end" if awaited.event == "end" else "start"


def warning_time(life: Life) -> datetime | None:
    """Returns when to warn the user of the end: before it by a tenth of the last span, at most a week.
    Returns None if no warning is due in this span."""
    last = life.record.span == len(life.spans) - 1
    return warning_before(life.record) if last else None


def _cross(life: Life, at: datetime, others: OtherLife) -> tuple[Life, list[LifeEvent]]:
    if life.record.within:
        return _end(life, at, others)
    started = _with(life, within=True, started_at=at, next_at=None, warned=False)
    return _aim_at_end(started, at, others), [LifeEvent(sentinel=life.name, what=Crossing.STARTED, at=at)]


def _end(life: Life, at: datetime, others: OtherLife) -> tuple[Life, list[LifeEvent]]:
    events = [LifeEvent(sentinel=life.name, what=Crossing.ENDED, at=at)]
    next_span = life.record.span + 1
    if next_span < len(life.spans):
        ended = _with(life, within=False, ended_at=at, next_at=None, span=next_span)
        return _aim_at_start(ended, at, others), events
    over = _with(life, within=False, ended_at=at, next_at=None, over=True)
    return over, [*events, LifeEvent(sentinel=life.name, what=Crossing.EXPIRED, at=at)]


def _aim_at_start(life: Life, now: datetime, others: OtherLife) -> Life:
    point = life.spans[life.record.span].start
    if isinstance(point, AtEvent):
        return _with(life, next_at=_event_time(point, now, others))
    return _with(life, next_at=max(now, time_of(point or AtTime(), life.record.installed_at, life.zone)))


def _aim_at_end(life: Life, started: datetime, others: OtherLife) -> Life:
    point = life.spans[life.record.span].end
    if point is None:
        return _with(life, next_at=_later(started, A_YEAR))
    if isinstance(point, AtEvent):
        return _with(life, next_at=_last_event_time(point, started, others))
    return _with(life, next_at=max(started, time_of(point, life.record.installed_at, life.zone)))


def _last_event_time(point: AtEvent, started: datetime, others: OtherLife) -> datetime | None:
    """Returns when this span ends if the event that ends it has happened already and will not happen again,
    because the other sentinel has ended or has its event at this very moment. Returns None if the event is
    still to come."""
    other = others(point.sentinel)
    if other is None:
        return None
    happened = other.ended_at if point.event == "end" else other.started_at
    if happened is not None and (other.over or happened == started):
        return max(started, _later(happened, point.plus))
    return None


def _event_time(point: AtEvent, now: datetime, others: OtherLife) -> datetime | None:
    """Returns when this span starts if the event that starts it has happened: an event of this very moment
    counts, and `during` counts while the other sentinel is active. Returns None if the event is still to
    come."""
    other = others(point.sentinel)
    if other is None:
        return None
    if point.event == "during" and other.within:
        return _later(now, point.plus)
    happened = other.ended_at if point.event == "end" else other.started_at
    if happened is not None and happened <= now <= _later(happened, point.plus):
        return _later(happened, point.plus)
    return None


def time_of(point: AtTime, installed_at: datetime, zone: tzinfo) -> datetime:
    """Returns a time point in UTC. A time without a zone is in the user's zone; a time in the hour that a
    clock change skips falls an hour later."""
    time = point.time or installed_at
    aware = time if time.tzinfo else _in_zone(time, zone)
    return _later(aware.astimezone(UTC), point.plus)


def _in_zone(time: datetime, zone: tzinfo) -> datetime:
    try:
        return time.replace(tzinfo=zone).astimezone(UTC)
    # Dates near year 1 or 9999 leave the range of datetime when they are moved to UTC.
    except OverflowError:
        return time.replace(tzinfo=UTC)


def _later(time: datetime, by: timedelta) -> datetime:
    return ENDLESS if by > ENDLESS - time else time + by


def _with(life: Life, **changes: object) -> Life:
    return replace(life, record=replace(life.record, **changes))  # type: ignore[arg-type]
