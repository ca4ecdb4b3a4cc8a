"""Moments: whole milliseconds since 1970 inside, aware UTC datetimes at the edges.

The database, the leases and the schedule count in milliseconds, so that every clock and every engine
agrees exactly; people and values that people see have datetimes.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

Millis = int

NEVER: Millis = 2**53
"""Later than every date there is, and still exact in every database and in JSON."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def as_datetime(moment: Millis) -> datetime:
    return _EPOCH + timedelta(milliseconds=moment)


def as_millis(time: datetime) -> Millis:
    return (time - _EPOCH) // timedelta(milliseconds=1)


def span(interval: timedelta) -> Millis:
    return interval // timedelta(milliseconds=1)
