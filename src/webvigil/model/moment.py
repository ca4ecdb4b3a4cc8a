"""Moments: whole milliseconds since 1970 inside, aware UTC datetimes at the edges.

The database, the leases and the schedule count in milliseconds, so that every clock and every engine
agrees exactly; people and values that people see have datetimes.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

Millis = int

NEVER: Millis = 2**53
"""Later than every date there is, and still exact in every database and in JSON."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def as_datetime(moment: Millis) -> datetime:
    return _EPOCH + timedelta(milliseconds=moment)


def as_millis(time: datetime) -> Millis:
    return (time - _EPOCH) // timedelta(milliseconds=1)


def zone_named(name: str) -> ZoneInfo:
    """UTC for a name that this machine does not know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def on_clock(time: datetime, zone: tzinfo, form: str = "%Y-%m-%d %H:%M", *, named: bool = True) -> str:
    """As a clock in the zone shows it, with the name that the zone has then: `2026-11-16 09:30 CET`."""
    try:
        local = time.astimezone(zone)
    except OverflowError:  # beside the first or the last day that there is
        local = time.astimezone(UTC)
    return f"{local:{form}} {name_of_zone(local)}" if named else f"{local:{form}}"


def name_of_zone(time: datetime) -> str:
    """`CET`; where a zone has no letters for it, `UTC-03`."""
    name = time.tzname() or "UTC"
    return name if name.isalpha() else f"UTC{name}"


def span(interval: timedelta) -> Millis:
    return interval // timedelta(milliseconds=1)
