"""When a schedule wants its next look: hours, times of the day or a cron expression in, moments out.

Hours and times are those of the clock in the user's time zone, also when that clock is put forward or back:

- A time of day that is skipped (2:30 when the clock goes from 2:00 to 3:00) means the moment of the jump.
- A time of day that comes twice means the first one.
- A moment lies within hours if the clock shows a time within them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from webvigil.model.moment import NEVER, Millis, as_datetime, as_millis, span, zone_named
from webvigil.model.schedule import Schedule
from webvigil.model.sentinel import (
    ALWAYS,
    MINUTES_OF_A_DAY,
    FetchAt,
    FetchCron,
    FetchEvery,
    FetchOnChange,
    FetchWhen,
    Hours,
)
from webvigil.model.wall_clock import leap, moment_of

_DAY = timedelta(days=1)
# Hours that do not come within so many days never come: the same day of a week comes 57 times in this time.
_FURTHEST = 400
# Looks from which the shortest wait between two looks is taken.
_SAMPLE = 200
_FIELDS = ("minute", "hour", "day of the month", "month", "day of the week")
_SAMPLED_FROM = datetime(2024, 1, 1, tzinfo=UTC)


def next_look(schedule: Schedule, planned: Millis, now: Millis, best_effort: Millis = NEVER) -> Millis:
    """Returns the first moment after now at which the schedule wants a look. `planned` is the look that was
    planned before, from which an interval counts; `best_effort` is the time that the pace of the page
    proposes for a look on change."""
    zone = zone_named(schedule.zone)
    match schedule.fetch:
        case FetchEvery(interval, hours):
            return _opening(hours, zone, _step(planned, interval, now, zone))
        case FetchOnChange(hours):
            return _opening(hours, zone, best_effort)
        case FetchAt(times, days):
            found = (at for at in _times(times, days, zone, as_datetime(now)) if at > as_datetime(now))
            return as_millis(next(found))
        case FetchCron(expression):
            return _next_of_cron(expression, zone, now)


def is_open(schedule: Schedule, at: Millis) -> bool:
    """Says whether a look may be made at this moment. Times of the day and cron expressions say when a look
    is due and forbid no later look."""
    hours = _hours_of(schedule.fetch)
    return hours == ALWAYS or _is_within(hours, as_datetime(at).astimezone(zone_named(schedule.zone)))


def opening(schedule: Schedule, at: Millis) -> Millis:
    """Returns the first moment from `at` on at which a look may be made."""
    return _opening(_hours_of(schedule.fetch), zone_named(schedule.zone), at)


def next_looks(schedule: Schedule, due: Millis, count: int) -> list[Millis]:
    """Returns the looks that the schedule wants from the moment on at which its page is due. Another sentinel
    may have made the page due. Looks on change are planned one by one."""
    if isinstance(schedule.fetch, FetchOnChange):
        return [at for at in [opening(schedule, due)] if at < NEVER]
    found = [next_look(schedule, due, due - 1)]
    while len(found) < count and found[-1] < NEVER:
        found.append(next_look(schedule, found[-1], found[-1]))
    return [one for one in found if one < NEVER]


def shortest_wait(fetch: FetchWhen) -> Millis:
    """Returns the shortest time between two looks; 0 for looks on change. The looks of the first year or so
    stand for all."""
    match fetch:
        case FetchOnChange():
            return 0
        case FetchEvery(interval):
            return span(interval)
        case FetchAt(times, days):
            looks: Iterator[datetime] = _times(times, days, zone_named("UTC"), _SAMPLED_FROM)
        case FetchCron(expression):
            looks = CronSim(expression, _SAMPLED_FROM)
    waits = [later - sooner for sooner, later in pairwise(islice(looks, _SAMPLE))]
    return span(min(waits, default=_DAY))


def trouble_with_cron(expression: str) -> str:
    """Says what is wrong with a cron expression; "" if it can be followed."""
    if len(expression.split()) != len(_FIELDS):
        return (
            f"it has {len(expression.split())} fields, and a cron expression has five: {', '.join(_FIELDS)}"
        )
    try:
        looks = CronSim(expression, _SAMPLED_FROM)
    except ValueError:  # Python reads no numbers with thousands of digits
        return "it has a number that is too large"
    except CronSimError as error:
        return f"its {str(error).removeprefix('Bad ').replace('-', ' ')} cannot be read"
    return "" if next(looks, None) else "no day fits it"


def _hours_of(fetch: FetchWhen) -> Hours:
    return fetch.hours if isinstance(fetch, FetchEvery | FetchOnChange) else ALWAYS


# --- steps of an interval -----------------------------------------------------------------------------


def _step(planned: Millis, interval: timedelta, now: Millis, zone: ZoneInfo) -> Millis:
    """Returns the first step after now of the grid that begins with the planned look. Whole days are counted
    by the calendar, so that a daily look stays at its hour when the clock changes."""
    if planned > now:
        return planned
    if interval % _DAY:
        length = span(interval)
        return planned + ((now - planned) // length + 1) * length
    wall = as_datetime(planned).astimezone(zone).replace(tzinfo=None)
    # Two clock changes could lie between both moments, so that the last step is looked for from a day before.
    passed = max(0, (as_datetime(now) - as_datetime(planned) - _DAY) // interval)
    while (found := moment_of(wall + passed * interval, zone)) <= as_datetime(now):
        passed += 1
    return as_millis(found)


# --- hours --------------------------------------------------------------------------------------------


def _is_within(hours: Hours, local: datetime) -> bool:
    minute, day = local.hour * 60 + local.minute, local.weekday()
    spans = hours.between or ((0, MINUTES_OF_A_DAY),)
    return any(_is_in_span(start, end, minute, day, hours.days) for start, end in spans)


def _is_in_span(start: int, end: int, minute: int, day: int, days: tuple[int, ...]) -> bool:
    if start < end:
        return start <= minute < end and _is_on(day, days)
    return (minute >= start and _is_on(day, days)) or (minute < end and _is_on((day - 1) % 7, days))


def _is_on(day: int, days: tuple[int, ...]) -> bool:
    return not days or day in days


def _opening(hours: Hours, zone: ZoneInfo, at: Millis) -> Millis:
    """Returns the first moment from `at` on that lies within the hours."""
    if at >= NEVER or hours == ALWAYS or _is_within(hours, as_datetime(at).astimezone(zone)):
        return at
    first = as_datetime(at)
    for offset in range(-1, _FURTHEST):
        day = first.astimezone(zone).date() + offset * _DAY
        for moment in _beginnings(hours, day, zone):
            if moment >= first and _is_within(hours, moment.astimezone(zone)):
                return as_millis(moment)
    return NEVER


@lru_cache(1024)
def _beginnings(hours: Hours, day: date, zone: ZoneInfo) -> tuple[datetime, ...]:
    """Returns the moments of a day at which hours can begin, in order: where the clock shows the begin of a
    span, at midnight, and where the clock jumps."""
    starts = {0, *(start for start, _ in hours.between)}
    walls = [datetime.combine(day, datetime.min.time()) + timedelta(minutes=start) for start in starts]
    twice = {moment_of(wall, zone, fold=fold) for wall in walls for fold in (0, 1)}
    return tuple(sorted(twice | _jumps(day, zone)))


def _jumps(day: date, zone: ZoneInfo) -> set[datetime]:
    """Returns the moments of this day at which the clock of the zone jumps."""
    before = datetime(day.year, day.month, day.day, tzinfo=UTC) - _DAY
    found = {
        leap(start, start + _DAY, zone)
        for start in (before, before + _DAY, before + 2 * _DAY)
        if _offset(start, zone) != _offset(start + _DAY, zone)
    }
    return {one for one in found if one.astimezone(zone).date() == day}


def _offset(moment: datetime, zone: ZoneInfo) -> timedelta | None:
    return moment.astimezone(zone).utcoffset()


# --- times of the day ---------------------------------------------------------------------------------


def _times(
    times: tuple[int, ...], days: tuple[int, ...], zone: ZoneInfo, start: datetime
) -> Iterator[datetime]:
    """Yields the moments of these times from the day before `start` on, in order."""
    day = start.astimezone(zone).date() - _DAY
    while True:
        if _is_on(day.weekday(), days):
            midnight = datetime.combine(day, datetime.min.time())
            yield from sorted({moment_of(midnight + timedelta(minutes=one), zone) for one in times})
        day += _DAY


# --- cron ---------------------------------------------------------------------------------------------


def _next_of_cron(expression: str, zone: ZoneInfo, now: Millis) -> Millis:
    """Returns the first look after now. In an hour that comes twice the times of its first half are named
    again, and are left out."""
    try:
        looks = (one.astimezone(UTC) for one in CronSim(expression, as_datetime(now).astimezone(zone)))
        found = next((one for one in looks if one > as_datetime(now)), None)
    except (CronSimError, ValueError):  # verification refuses such a text
        return NEVER
    return as_millis(found) if found else NEVER
