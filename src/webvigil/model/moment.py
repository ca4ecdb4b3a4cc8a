"""Moments and spans: whole milliseconds inside the program, datetimes (UTC) and words where people see them.

The database, the leases and the schedule count in milliseconds since 1970, so that all machines and database
engines agree exactly.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

Millis = int

NEVER: Millis = 2**53
"""Later than every possible date, and still exact in every database and in JSON."""

HOUR: Millis = 3_600_000
DAY: Millis = 24 * HOUR

QUARTER: Millis = 15 * 60_000
"""A quarter of an hour. The offsets of all time zones are whole numbers of quarters."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = (
    (7 * DAY, "week"),
    (DAY, "day"),
    (HOUR, "hour"),
    (60_000, "minute"),
    (1_000, "second"),
)
# A span is told in a unit only if it has at least this many of them, so that 90 minutes are not "2 hours".
_LEAST = 1.75


def as_datetime(moment: Millis) -> datetime:
    return _EPOCH + timedelta(milliseconds=moment)


def as_millis(time: datetime) -> Millis:
    return (time - _EPOCH) // timedelta(milliseconds=1)


def zone_named(name: str) -> ZoneInfo:
    """Returns the time zone of that name, or UTC if this machine does not know the name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def on_clock(time: datetime, zone: tzinfo, form: str = "%Y-%m-%d %H:%M", *, named: bool = True) -> str:
    """Returns the time as a clock in the zone shows it, with the zone's abbreviation at that time:
    `2026-11-16 09:30 CET`."""
    try:
        local = time.astimezone(zone)
    except OverflowError:  # the local time would lie before year 1 or after year 9999
        local = time.astimezone(UTC)
    return f"{local:{form}} {name_of_zone(local)}" if named else f"{local:{form}}"


def name_of_zone(time: datetime) -> str:
    """Returns the zone's abbreviation such as `CET`, or `UTC-03` for a zone that has none."""
    name = time.tzname() or "UTC"
    return name if name.isalpha() else f"UTC{name}"


def span(interval: timedelta) -> Millis:
    return interval // timedelta(milliseconds=1)


def in_words(span: float) -> str:
    """Returns a span of milliseconds as people would say it."""
    for size, name in _UNITS:
        count = round(span / size)
        if span >= _LEAST * size or (count == 1 and abs(span - size) <= 0.1 * size):
            return f"{count} {name}" + ("s" if count != 1 else "")
    return "1 second" if span >= 1_000 else "a moment"


def every(span: float) -> str:
    """Returns a phrase such as `every hour` or `every 6 hours`."""
    words = in_words(span)
    return "every " + (words.removeprefix("1 ") if words.startswith("1 ") else words)
