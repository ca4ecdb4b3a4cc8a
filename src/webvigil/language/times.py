"""Dates, times and intervals as people write them in, Python's datetime and timedelta out, and back.

    12/02/2026   12/02/26   2026-12-02   2026-12-02T10:30+01:00   December 2, 2026   12-2-2026-10-30-EST
    2 day   1 hour 30 minutes

A date without a zone stays without one: it means the user's zone. A time in a region (`Europe/Berlin`)
becomes a time with the offset of that day. A text that cannot be read raises ValueError with the reason.
"""

from __future__ import annotations

import calendar
import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

LONGEST = timedelta(days=36525)
TOO_LONG = "an interval lasts at most 100 years"

_SECONDS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}
_SHORT = {"sec": "second", "min": "minute", "hr": "hour"}
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]

_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?:[ \t]+(.+))?")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T|[ \t]+)(.+))?", re.IGNORECASE)
_WEBCQ = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4}|\d\d)(?:-(\d{1,2})-(\d{1,2})(?:-(.+))?)?")
_MONTH_FIRST = re.compile(r"([a-z]+)\.?\s+(\d{1,2}),?\s+(\d{4})(?:\s+(.+))?", re.IGNORECASE)
_DAY_FIRST = re.compile(r"(\d{1,2})\.?\s+([a-z]+)\.?,?\s+(\d{4})(?:\s+(.+))?", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?\s*(.*)")
_OFFSET = re.compile(r"([-+])(\d\d):?(\d\d)(?::(\d\d))?")

# The abbreviations of zones that texts in the WebCQ form use. Such abbreviations are ambiguous in general
# (CST is used in America and in China), so no others are accepted.
_ZONES = {"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
_ZERO = {"Z", "UTC", "GMT"}

# --- intervals ------------------------------------------------------------------------------------


def interval(number: int, unit: str) -> timedelta:
    name = unit.lower().removesuffix("s")
    seconds = number * _SECONDS[_SHORT.get(name, name)]
    if seconds > LONGEST.total_seconds():
        raise ValueError(TOO_LONG)
    return timedelta(seconds=seconds)


def interval_text(length: timedelta) -> str:
    """Returns the interval in the largest unit that needs no fraction: `36 hour`, `2 day`. Raises ValueError
    for fractions of a second and for more than 100 years."""
    seconds, fraction = divmod(length, timedelta(seconds=1))
    if fraction or not timedelta(0) < length <= LONGEST:
        raise ValueError(f"an interval has whole seconds and lasts at most 100 years, not {length}")
    unit = next(name for name, size in _SECONDS.items() if seconds % size == 0)
    return f"{seconds // _SECONDS[unit]} {unit}"


def clock_text(minutes: int, last: int = 24 * 60 - 1) -> str:
    """Returns a time of day such as `7:30`. Raises ValueError for more minutes than `last`."""
    if not 0 <= minutes <= last:
        raise ValueError(f"{minutes} minutes after midnight are no time of day")
    return f"{minutes // 60}:{minutes % 60:02}"


# --- moments --------------------------------------------------------------------------------------


def moment(text: str) -> datetime:
    for form, reading in _FORMS:
        if match := form.fullmatch(text):
            return reading(*match.groups())
    raise ValueError("write it as 12/31/2026, 2026-12-31 or December 31, 2026")


def moment_text(time: datetime) -> str:
    if time.tzinfo is None and time == datetime(time.year, time.month, time.day):  # noqa: DTZ001 - the user's zone
        return f"{time.month:02}/{time.day:02}/{time.year:04}"
    return time.isoformat()


def later(time: datetime, plus: timedelta) -> datetime:
    """Returns `time + plus`, in UTC if it has a zone. Raises ValueError beyond the year 9999, where the
    calendar of Python ends."""
    try:
        return (time + plus).astimezone(UTC) if time.tzinfo else time + plus
    except (OverflowError, ValueError) as error:
        raise ValueError("the calendar ends with the year 9999") from error


def _american(month: str, day: str, year: str, clock: str | None) -> datetime:
    if int(month) > 12 >= int(day):
        raise ValueError(f"the month comes first: {day}/{month}/{year}")
    return _at(_year(year), int(month), int(day), clock)


def _iso(year: str, month: str, day: str, clock: str | None) -> datetime:
    return _at(int(year), int(month), int(day), clock)


def _webcq(
    month: str, day: str, year: str, hour: str | None, minute: str | None, zone: str | None
) -> datetime:
    clock = f"{hour}:{int(minute or 0):02} {zone or ''}" if hour else None
    return _at(_year(year), int(month), int(day), clock)


def _month_first(name: str, day: str, year: str, clock: str | None) -> datetime:
    return _at(int(year), _month(name), int(day), clock)


def _day_first(day: str, name: str, year: str, clock: str | None) -> datetime:
    return _at(int(year), _month(name), int(day), clock)


_FORMS = (
    (_AMERICAN, _american),
    (_ISO, _iso),
    (_WEBCQ, _webcq),
    (_MONTH_FIRST, _month_first),
    (_DAY_FIRST, _day_first),
)


def _year(digits: str) -> int:
    """Returns the year. Two digits mean 1969 to 2068, as in POSIX."""
    if len(digits) == 4:
        return int(digits)
    return int(digits) + (1900 if int(digits) > 68 else 2000)


def _month(name: str) -> int:
    found = [at for at, month in enumerate(_MONTHS, 1) if month.lower().startswith(name.lower())]
    if len(name) < 3 or not found:
        raise ValueError(f"there is no month {name}")
    return found[0]


def _at(year: int, month: int, day: int, clock: str | None) -> datetime:
    if not 1 <= month <= 12:
        raise ValueError(f"there is no month {month}")
    if year == 0:
        raise ValueError("there is no year 0")
    last = calendar.monthrange(year, month)[1]
    if not 1 <= day <= last:
        raise ValueError(f"{_MONTHS[month - 1]} {year} has {last} days")
    date = datetime(year, month, day)  # noqa: DTZ001 - without a zone it means the user's
    return _with_clock(date, clock.strip()) if clock and clock.strip() else date


def _with_clock(date: datetime, clock: str) -> datetime:
    match = _CLOCK.fullmatch(clock)
    if not match:
        raise ValueError(f"{clock} is not a time of day")
    hour, minute, second, fraction, zone = match.groups()
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        raise ValueError(f"{clock} is not a time of day")
    microsecond = int((fraction or "").ljust(6, "0"))
    time = date.replace(hour=int(hour), minute=int(minute), second=int(second or 0), microsecond=microsecond)
    return _in_zone(time, zone) if zone else time


def _in_zone(time: datetime, zone: str) -> datetime:
    if match := _OFFSET.fullmatch(zone):
        return time.replace(tzinfo=_offset(*match.groups()))
    if zone.upper() in _ZERO:
        return time.replace(tzinfo=UTC)
    if zone.upper() in _ZONES:
        return time.replace(tzinfo=timezone(timedelta(hours=_ZONES[zone.upper()])))
    return _in_region(time, zone)


def _offset(sign: str, hours: str, minutes: str, seconds: str | None) -> timezone:
    length = timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds or 0))
    if length >= timedelta(days=1) or int(minutes) > 59:
        raise ValueError(f"there is no zone {sign}{hours}:{minutes}")
    return timezone(-length if sign == "-" else length)


def _in_region(time: datetime, zone: str) -> datetime:
    try:
        region = ZoneInfo(zone)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"there is no time zone {zone}") from error
    local = time.replace(tzinfo=region)
    if later(local, timedelta(0)).astimezone(region).replace(tzinfo=None) != time:
        raise ValueError(f"{time:%H:%M} is skipped on that day in {zone}, where the clocks go forward")
    return time.replace(tzinfo=timezone(local.utcoffset() or timedelta(0)))
