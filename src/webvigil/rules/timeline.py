"""The future of sentinels' lives if nobody interferes: the same rules, on a clock that runs ahead."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, tzinfo

from webvigil.events import VirtualClock
from webvigil.model.life import LifeEvent, is_endless
from webvigil.model.moment import on_clock
from webvigil.model.sentinel import AtEvent, AtTime
from webvigil.rules.life import Life
from webvigil.rules.life_rules import Lives, Step

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def timeline(lives: Iterable[Life], now: datetime, until: datetime) -> list[LifeEvent]:
    """Returns the events between now and `until`, in order. `lives` are all sentinels of one user, because
    they may depend on each other."""
    events: list[LifeEvent] = []

    def collect(step: Step) -> None:
        events.extend(step.events)

    clock = VirtualClock(now)
    # All lives belong to one user, so the name of the owner does not matter.
    Lives(clock, collect).take_up("", lives)
    clock.advance(to=until)
    return events


def what_comes_next(life: Life) -> str:
    """Returns a sentence about the next boundary and its reason, with times in the zone of the sentinel's
    dates."""
    record = life.record
    if record.failure:
        return f"failed: {record.failure}"
    if record.over:
        return f"ended {_time(record.ended_at, life.zone)}"
    if is_endless(record):
        return "never ends"
    boundary = "ends" if record.within else "starts"
    if record.next_at is None:
        assert life.awaited is not None
        return f"{boundary} with {_event(life.awaited)}, which has not happened yet"
    return f"{boundary} {_time(record.next_at, life.zone)} ({_reason(life)})"


def _reason(life: Life) -> str:
    span = life.spans[life.record.span]
    point = span.end if life.record.within else span.start
    clause = "To" if life.record.within else "From"
    if point is None:
        return "a year after its start" if life.record.within else "at once"
    if isinstance(point, AtEvent):
        return f"{clause} {_event(point)}"
    return f"{clause} {_point(point, life.zone)}"


def _event(point: AtEvent) -> str:
    return f"{point.event}({point.sentinel}){_plus(point)}"


def _point(point: AtTime, zone: tzinfo) -> str:
    return ("Now" if point.time is None else _time(point.time, zone)) + _plus(point)


def _plus(point: AtEvent | AtTime) -> str:
    """Returns the interval behind a time or an event, in the largest unit without a fraction: ` + 2 days`."""
    seconds = int(point.plus.total_seconds())
    if not seconds:
        return ""
    size, unit = next(one for one in _UNITS if seconds % one[0] == 0)
    return f" + {seconds // size} {unit}" + ("s" if seconds != size else "")


def _time(time: datetime | None, zone: tzinfo) -> str:
    """Returns the time for people. A time that was written without a zone is shown without one."""
    if time is None:
        return ""
    return on_clock(time, zone) if time.tzinfo else f"{time:%Y-%m-%d %H:%M}"
