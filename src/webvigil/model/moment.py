"""Moments: whole milliseconds since 1970 inside the program, aware UTC datetimes where people see them.

The database, the leases and the schedule count in milliseconds, so that all machines and database engines
agree exactly.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

Millis = int

NEVER: Millis = 2**53
"""Later than every possible date, and still exact in every database and in JSON."""

QUARTER: Millis = 15 * 60_000
"""A quarter of an hour. The offsets of all time zones are whole numbers of quarters."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


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
