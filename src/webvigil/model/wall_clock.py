"""A time on the wall clock of a zone in, the moment at which the clock shows it out.

When a clock is put forward, it leaps over some times: each of them counts as the moment of the leap. When a
clock is put back, it shows some times twice.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_SECOND = timedelta(seconds=1)


def moment_of(wall: datetime, zone: ZoneInfo, fold: int = 0) -> datetime:
    """Returns the moment, in UTC, at which the clock of the zone shows this time. Of a time that the clock
    shows twice `fold` 0 means the first moment, 1 the second."""
    one, other = (wall.replace(tzinfo=zone, fold=each).astimezone(UTC) for each in (0, 1))
    moment = other if fold else one
    if moment.astimezone(zone).replace(tzinfo=None) == wall:
        return moment
    # The clock leaps over this time. Fold 1 means the offset after the leap, which gives a moment before the
    # leap; fold 0 the other way round.
    return leap(other, one, zone)


def leap(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """Returns the first moment between the two at which the zone has the offset that it has at `after`.
    Clocks leap at whole seconds."""
    offset = after.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + (after - before) // (2 * _SECOND) * _SECOND
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return after
