"""How many changes were found when in, the squares of a calendar of the last year out: one for each day.

A bigger square means more changes, so that the calendar can be read without colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

WEEKS = 53
_CELL, _PITCH, _HEAD = 11, 14, 18
_SIZES = (5, 8, 11)  # Sides of the squares for one, two, and three or more changes.
_LISTED = 60
_DAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
_ENOUGH = 7  # With fewer changes nothing is said about days of the week.


@dataclass(frozen=True, slots=True)
class Square:
    """A day with changes: the upper left corner, the side, and what to say about the day."""

    x: float
    y: float
    side: int
    says: str


@dataclass(frozen=True, slots=True)
class Calendar:
    """`empty` and `unseen` are the paths of all days without changes, and of all days before the first look.
    `rows` are the newest days with changes and how many there were; `busiest` is a day of the week."""

    squares: tuple[Square, ...]
    empty: str
    unseen: str
    months: tuple[tuple[int, str], ...]
    today: tuple[int, int]
    rows: tuple[tuple[date, int], ...]
    days: int
    changes: int
    first: date
    busiest: str = ""
    width: int = WEEKS * _PITCH
    height: int = _HEAD + 7 * _PITCH + 2

    @property
    def says(self) -> str:
        """Returns the calendar in one sentence for people who do not see it."""
        days = "1 day" if self.days == 1 else f"{self.days} days"
        changes = "1 change" if self.changes == 1 else f"{self.changes:,} changes"
        return f"{changes} on {days} in the last year" + (f", most on {self.busiest}" if self.busiest else "")


def since_of(now: datetime) -> datetime:
    """Returns a moment before the first day that a calendar shows."""
    return now - timedelta(weeks=WEEKS, days=1)


def calendar(rhythm: Mapping[datetime, int], first: datetime, now: datetime, zone: tzinfo) -> Calendar:
    """Returns the calendar of the changes in `rhythm`, which counts them by the quarter of an hour. `first`
    is the first look. Days are those of `zone`."""
    today = now.astimezone(zone).date()
    begin = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    counts: Counter[date] = Counter()
    for at, count in rhythm.items():
        counts[at.astimezone(zone).date()] += count
    shown = {day: count for day, count in sorted(counts.items()) if begin <= day <= today}
    began = min([first.astimezone(zone).date(), *shown])
    days = [begin + timedelta(days=number) for number in range((today - begin).days + 1)]
    return Calendar(
        squares=tuple(_square(day, begin, count) for day, count in shown.items()),
        empty="".join(_box(day, begin) for day in days if began <= day and day not in shown),
        unseen="".join(_dot(day, begin) for day in days if day < began),
        months=tuple(_months(days, begin)),
        today=_corner(today, begin),
        rows=tuple(reversed(shown.items()))[:_LISTED],
        days=len(shown),
        changes=sum(shown.values()),
        first=began,
        busiest=_busiest(shown),
    )


def _corner(day: date, begin: date) -> tuple[int, int]:
    week, place = divmod((day - begin).days, 7)
    return week * _PITCH, _HEAD + place * _PITCH


def _square(day: date, begin: date, count: int) -> Square:
    x, y = _corner(day, begin)
    side = _SIZES[min(count, len(_SIZES)) - 1]
    shift = (_CELL - side) / 2
    return Square(x + shift, y + shift, side, f"{day:%a} {day.day} {day:%b %Y}: {count}")


def _box(day: date, begin: date) -> str:
    x, y = _corner(day, begin)
    return f"M{x + 1} {y + 1}h{_CELL - 2}v{_CELL - 2}h{2 - _CELL}z"


def _dot(day: date, begin: date) -> str:
    x, y = _corner(day, begin)
    return f"M{x + _CELL // 2} {y + _CELL // 2}h1"


def _months(days: Iterable[date], begin: date) -> Iterable[tuple[int, str]]:
    """Yields the name of each month above the week in which its first day lies. A month whose name would run
    out of the picture is left out."""
    for day in days:
        x = _corner(day, begin)[0]
        if day.day == 1 and x <= (WEEKS - 2) * _PITCH:
            yield x, f"{day:%b}"


def _busiest(shown: Mapping[date, int]) -> str:
    counts: Counter[int] = Counter()
    for day, count in shown.items():
        counts[day.weekday()] += count
    top = counts.most_common(2)
    if sum(counts.values()) < _ENOUGH or (len(top) == 2 and top[0][1] == top[1][1]):
        return ""
    return _DAYS[top[0][0]]
