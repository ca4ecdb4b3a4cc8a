"""Times are aware datetimes in UTC, inside and out; this is where they come in.

Whole numbers would not be faster: turning a datetime into a number costs more than the heap gains by it
(bench/speed/events.py).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from webvigil.errors import EventRefused

ZERO = timedelta(0)


def in_utc(time: datetime) -> datetime:
    if time.tzinfo is None:
        raise EventRefused(f"the time {time} has no time zone; write it as {time}+00:00")
    return time.astimezone(UTC)


def positive(interval: timedelta) -> timedelta:
    if interval <= ZERO:
        raise EventRefused(f"an interval must be longer than nothing, not {interval}")
    return interval


def later(time: datetime, interval: timedelta) -> datetime | None:
    """None is never: after the last day that a datetime can name."""
    try:
        return time + interval
    except OverflowError:
        return None
