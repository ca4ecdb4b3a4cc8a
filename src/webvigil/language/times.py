"""Dates, times and intervals as people write them.

`12/02/2026`, `12/02/26`, `2026-12-02`, `2026-12-02T10:30+01:00`, `December 2, 2026`, `12-2-2026-10-30-EST`;
`2 day`, `1 hour 30 minutes`. A date without a zone stays without one: it means the user's.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

_UNITS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}
_SHORT = {"sec": "second", "min": "minute", "hr": "hour"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
LONGEST = timedelta(days=36525)

_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?:[ \t]+(.+))?")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:(?:T|[ \t]+)(.+))?", re.IGNORECASE)
_WORDS = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})(?:\s+(.+))?", re.IGNORECASE)
_WEBCQ = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4}|\d\d)(?:-(\d{1,2})-(\d{1,2})(?:-(.+))?)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?\s*(.*)")
_OFFSET = re.compile(r"([-+])(\d\d):?(\d\d)")

# The zones of the sources' time; the names are ambiguous in general, so there are no more of them.
_ZONES = {"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}


def interval(number: int, unit: str) -> timedelta:
    """Raises ValueError for what no clock can wait for."""
    name = unit.lower().removesuffix("s")
    seconds = number * _UNITS[_SHORT.get(name, name)]
    if not 0 < seconds <= LONGEST.total_seconds():
        raise ValueError("an interval lasts at least 1 second and at most 100 years")
    return timedelta(seconds=seconds)


def interval_text(length: timedelta) -> str:
    seconds, rest = divmod(length, timedelta(seconds=1))
    if rest or not timedelta(0) < length <= LONGEST:
        raise ValueError(f"an interval of {length} cannot be written: whole seconds, at most 100 years")
    name = next(unit for unit, size in _UNITS.items() if seconds % size == 0)
    return f"{seconds // _UNITS[name]} {name}"


def moment(text: str) -> datetime:
    """Raises ValueError that says what is wrong with it."""
    for form, reading in ((_AMERICAN, _american), (_ISO, _iso), (_WORDS, _in_words), (_WEBCQ, _webcq)):
        if match := form.fullmatch(text):
            return reading(*match.groups())
    raise ValueError("is not a date")


def moment_text(time: datetime) -> str:
    if time.tzinfo is None and time == time.replace(hour=0, minute=0, second=0, microsecond=0):
        return f"{time.month:02}/{time.day:02}/{time.year:04}"
    return time.isoformat()


def _american(month: str, day: str, year: str, clock: str | None) -> datetime:
    return _at(_year(year), int(month), int(day), clock)


def _iso(year: str, month: str, day: str, clock: str | None) -> datetime:
    return _at(int(year), int(month), int(day), clock)


def _in_words(name: str, day: str, year: str, clock: str | None) -> datetime:
    if name[:3].lower() not in _MONTHS:
        raise ValueError(f"{name} is not a month")
    return _at(int(year), _MONTHS.index(name[:3].lower()) + 1, int(day), clock)


def _webcq(
    month: str, day: str, year: str, hour: str | None, minute: str | None, zone: str | None
) -> datetime:
    clock = f"{hour}:{int(minute or 0):02} {zone or ''}" if hour else None
    return _at(_year(year), int(month), int(day), clock)


def _year(digits: str) -> int:
    """Two digits mean 1969 to 2068, as in POSIX."""
    if len(digits) == 4:
        return int(digits)
    return int(digits) + (1900 if int(digits) > 68 else 2000)


def _at(year: int, month: int, day: int, clock: str | None) -> datetime:
    date = datetime(year, month, day)  # noqa: DTZ001 - without a zone it means the user's
    return _with_clock(date, clock.strip()) if clock and clock.strip() else date


def _with_clock(date: datetime, clock: str) -> datetime:
    match = _CLOCK.fullmatch(clock)
    if not match:
        raise ValueError(f"{clock} is not a time of day")
    hour, minute, second, fraction, zone = match.groups()
    time = date.replace(
        hour=int(hour),
        minute=int(minute),
        second=int(second or 0),
        microsecond=int((fraction or "").ljust(6, "0")),
    )
    return _in_zone(time, zone) if zone else time


def _in_zone(time: datetime, zone: str) -> datetime:
    if match := _OFFSET.fullmatch(zone):
        sign, hours, minutes = match.groups()
        length = timedelta(hours=int(hours), minutes=int(minutes))
        return time.replace(tzinfo=timezone(-length if sign == "-" else length))
    if zone.upper() in {"Z", "UTC", "GMT"}:
        return time.replace(tzinfo=UTC)
    if zone.upper() in _ZONES:
        return time.replace(tzinfo=timezone(timedelta(hours=_ZONES[zone.upper()])))
    return _in_region(time, zone)


def _in_region(time: datetime, zone: str) -> datetime:
    try:
        region = ZoneInfo(zone)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"{zone} is not a time zone") from error
    local = time.replace(tzinfo=region)
    if local.astimezone(UTC).astimezone(region).replace(tzinfo=None) != time:
        raise ValueError(f"{time:%H:%M} does not exist on that day in {zone}: the clocks go forward")
    return time.replace(tzinfo=timezone(local.utcoffset() or timedelta(0)))
