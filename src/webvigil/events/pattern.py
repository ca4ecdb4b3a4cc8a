"""Times that recur by the calendar and the wall clock: every day at 9:00, the first of each month.

A part that is None matches any value. The wall clock is that of a time zone. When the clock is put forward, a
time that it leaps over counts as the moment of the leap; when it is put back, a time that it shows twice
counts the first time only. So a daily event happens once on every day.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from webvigil.errors import EventRefused
from webvigil.events.expression import Expression
from webvigil.model.wall_clock import moment_of

Part = int | tuple[int, ...] | None

RANGES = {
    "month": (1, 12),
    "day": (1, 31),
    "weekday": (0, 6),
    "hour": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
}
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
# How far ahead a matching day is searched for. The rarest day, a 29th of February on a given weekday, is at
# most 40 years away (across 2100, which has no such day).
FARTHEST = timedelta(days=41 * 366)
# The search ends a month before the last day that a date can name, so that adding a month never overflows.
END_OF_TIME = date.max - 31 * DAY


@dataclass(frozen=True, slots=True)
class Pattern(Expression):
    """An event that happens whenever the wall clock shows such a time. Weekdays count from 0, Monday."""

    month: Part = None
    day: Part = None
    weekday: Part = None
    hour: Part = None
    minute: Part = 0
    second: Part = 0
    zone: str = "UTC"

    def __post_init__(self) -> None:
        for part in RANGES:
            object.__setattr__(self, part, _checked(part, getattr(self, part)))
        _zone(self.zone)
        # A pattern such as 30 February is refused here, because nobody would notice that it never happens.
        if next(self._days(date(2000, 1, 1)), None) is None:
            raise EventRefused(f"no day of any year is {self}")

    def after(self, moment: datetime) -> datetime | None:
        """Returns the first such time later than `moment`, in UTC; None if there is none."""
        zone = _zone(self.zone)
        for shown in self._shown(moment.astimezone(zone).replace(tzinfo=None)):
            happens = moment_of(shown, zone)
            if happens > moment:
                return happens
        return None

    def __str__(self) -> str:
        parts = [f"{part} {_as_text(value)}" for part in RANGES if (value := getattr(self, part)) is not None]
        return f"every [{', '.join(parts)}] {self.zone}"

    def _shown(self, start: datetime) -> Iterator[datetime]:
        """Yields what the wall clock shows at each such time, from `start` on."""
        earliest: time | None = start.time()
        for day in self._days(start.date()):
            earliest = earliest if day == start.date() else time.min
            while earliest is not None and (found := self._time_from(earliest)) is not None:
                yield datetime.combine(day, found)
                earliest = _second_later(found)

    def _days(self, start: date) -> Iterator[date]:
        """Yields the days that match, from `start` on, as far as `FARTHEST`."""
        day, last = start, min(start, END_OF_TIME - FARTHEST) + FARTHEST
        while day < last:
            if not _fits(self.month, day.month):
                day = _next_month(day)
                continue
            if _fits(self.day, day.day) and _fits(self.weekday, day.weekday()):
                yield day
            day += DAY

    def _time_from(self, earliest: time) -> time | None:
        """Returns the first matching time of a day that is not before `earliest`; None if there is none."""
        for hour in _values("hour", self.hour, earliest.hour):
            low_minute = earliest.minute if hour == earliest.hour else 0
            for minute in _values("minute", self.minute, low_minute):
                same = (hour, minute) == (earliest.hour, earliest.minute)
                # Patterns have whole seconds: with a fraction gone by, the earliest is the next second.
                low_second = earliest.second + (earliest.microsecond > 0) if same else 0
                for second in _values("second", self.second, low_second):
                    return time(hour, minute, second)
        return None


def _checked(part: str, value: Part) -> tuple[int, ...] | None:
    """Returns a part as a sorted tuple of values. Raises EventRefused for values out of range."""
    if value is None:
        return None
    values = tuple(sorted({value} if isinstance(value, int) else set(value)))
    low, high = RANGES[part]
    if not values or values[0] < low or values[-1] > high:
        raise EventRefused(f"a {part} lies between {low} and {high}, not {value}")
    return values


def _fits(values: Part, value: int) -> bool:
    return values is None or (isinstance(values, tuple) and value in values)


def _values(part: str, values: Part, low: int) -> range | tuple[int, ...]:
    """Returns the values of a part from `low` on."""
    if isinstance(values, tuple):
        return values[bisect_left(values, low) :]
    return range(low, RANGES[part][1] + 1)


def _next_month(day: date) -> date:
    return (day.replace(day=1) + 31 * DAY).replace(day=1)


def _second_later(shown: time) -> time | None:
    """Returns the time one second later, None after the last second of a day."""
    following = datetime.combine(date.min, shown) + SECOND
    return following.time() if following.date() == date.min else None


def _as_text(value: tuple[int, ...]) -> str:
    return "/".join(map(str, value))


def _zone(name: str) -> ZoneInfo:
    """Returns the time zone of that name. Raises EventRefused if there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:
        raise EventRefused(f"there is no time zone {name!r}") from error
