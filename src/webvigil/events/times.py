"""Checks of times and intervals on their way in: all times in this package are aware datetimes in UTC.

Whole numbers would not be faster: turning a datetime into a number costs more than the heap gains by it
(bench/speed/events.py).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from webvigil.errors import EventRefused

ZERO = timedelta(0)


def in_utc(time: datetime) -> datetime:
    """Returns the time in UTC. Raises EventRefused for a time without a zone."""
    if time.tzinfo is None:
        raise EventRefused(f"the time {time} has no time zone; write it as {time}+00:00")
    return time.astimezone(UTC)


def positive(interval: timedelta) -> timedelta:
    """Returns the interval itself. Raises EventRefused unless it is longer than zero."""
    if interval <= ZERO:
        raise EventRefused(f"an interval must be longer than nothing, not {interval}")
    return interval


def later(time: datetime, interval: timedelta) -> datetime | None:
    """Adds an interval to a time. Returns None beyond the last day that a datetime can name."""
    try:
        return time + interval
    except OverflowError:
        return None
