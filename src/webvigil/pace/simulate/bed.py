"""Test beds: pages whose changes are known, those of the thesis (VIG 4.8) and some that people watch.

A bed is a name and a way to draw the moments of changes. The same seed always draws the same page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, count, islice
from random import Random
from zoneinfo import ZoneInfo

from webvigil.model.moment import Millis
from webvigil.pace.policy import DAY, HOUR, WEEK, Bounds

SECOND: Millis = 1_000
MINUTE: Millis = 60_000
A_MONDAY: Millis = 1_704_067_200_000
"""Monday, 1 January 2024, 0:00 UTC: when the pages begin whose changes follow the calendar."""

Moments = Callable[[Random], Iterator[Millis]]
"""Draws the moments of the changes, one after the other, without end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bed:
    """A page to try policies on. `alpha` is the α that the experiment of the thesis uses for `bea`."""

    name: str
    about: str
    moments: Moments
    changes: int
    bounds: Bounds
    alpha: int = 6
    start: Millis = 0

    def drawn(self, seed: int) -> tuple[Millis, ...]:
        """Returns the moments of all changes, in order."""
        random = Random(f"{self.name} {seed}")  # noqa: S311 - a draw to be repeated, not a secret
        return tuple(islice(self.moments(random), self.changes))

    def begins(self, seed: int) -> Millis:
        """Returns when a policy begins to look at the page."""
        del seed  # drawn pages begin at the same moment
        return self.start


def _moments(gap: Callable[[Random], int]) -> Moments:
    """Makes a bed's changes of a function that draws gaps in whole seconds."""

    def moments(random: Random) -> Iterator[Millis]:
        return accumulate(iter(lambda: gap(random) * SECOND, None))

    return moments


def _fast(random: Random) -> int:
    return random.randint(2, 10)


def _constant(random: Random) -> int:
    return 5


def _mixed(random: Random) -> int:
    # The thesis does not say how often its page changes in which way. With these shares `naive` makes as many
    # looks as the thesis reports (800), and `bea` captures as many changes (224), both within 2 %.
    kind = random.random()
    if kind < 0.5:
        return random.randint(2, 10)
    return 5 if kind < 0.93 else random.randint(10, 30)


def _slow(random: Random) -> int:
    return random.randint(10, 30)


def _stepping(random: Random) -> Iterator[Millis]:
    """Yields changes with gaps of 5, 10 and 15 s: up and down by one step, one to three changes on each."""
    now, gap = 0, 5
    while True:
        # The thesis does not say how long its page stays on a step. With 7:3:5 `bea` comes nearest to the
        # results that the thesis reports (docs/decisions/when-to-look.md).
        for _ in range(random.choices((1, 2, 3), (7, 3, 5))[0]):
            now += gap * SECOND
            yield now
        gap = 10 if gap != 10 else random.choice((5, 15))


def _morning(random: Random) -> Iterator[Millis]:
    """Yields one edition a day at six o'clock, some minutes early or late."""
    day = A_MONDAY
    while True:
        yield day + 6 * HOUR + round(random.gauss(0, 10 * MINUTE))
        day += DAY


def _job(random: Random) -> Iterator[Millis]:
    """Yields the ends of a job that starts every six hours on the hour and takes one to three minutes."""
    run = A_MONDAY + 6 * HOUR
    while True:
        yield run + round(random.uniform(1, 3) * MINUTE)
        run += 6 * HOUR


def _weekly(random: Random) -> Iterator[Millis]:
    """Yields one issue a week, on Wednesday between nine and twenty past."""
    week = A_MONDAY + 2 * DAY
    while True:
        yield week + 9 * HOUR + round(random.uniform(0, 20) * MINUTE)
        week += WEEK


def _workdays(random: Random) -> Iterator[Millis]:
    """Yields one edition on each workday at seven o'clock, some minutes early or late."""
    for day in count():
        if day % 7 < 5:
            yield A_MONDAY + day * DAY + 7 * HOUR + round(random.gauss(0, 8 * MINUTE))


def _workday_job(random: Random) -> Iterator[Millis]:
    """Yields the ends of a job that starts every six hours on workdays and takes one to three minutes."""
    for run in count(1):
        if run // 4 % 7 < 5:
            yield A_MONDAY + run * 6 * HOUR + round(random.uniform(1, 3) * MINUTE)


def _local(random: Random) -> Iterator[Millis]:
    """Yields one edition a day, soon after six by a clock with daylight saving time."""
    morning = datetime(2024, 1, 1, 6, tzinfo=ZoneInfo("Europe/Berlin"))
    while True:
        yield round(morning.timestamp() * SECOND) + round(random.uniform(0, 10) * MINUTE)
        morning += timedelta(days=1)


def _loop(random: Random) -> Iterator[Millis]:
    """Yields the rounds of a program that rests for an hour and then works for up to two minutes."""
    now = A_MONDAY
    while True:
        now += HOUR + round(random.uniform(10, 120) * SECOND)
        yield now


def _odd(random: Random) -> Iterator[Millis]:
    """Yields the runs of a job with a period that nobody would call round."""
    run = A_MONDAY + random.randrange(HOUR)
    while True:
        run += 37 * MINUTE
        yield run + round(random.uniform(0, 30) * SECOND)


def _office(random: Random) -> Iterator[Millis]:
    """Yields random changes: one in two hours on workdays from nine to five, and almost none outside."""
    now = float(A_MONDAY)
    while True:
        now += random.expovariate(0.5 / HOUR)
        if random.random() < (1.0 if _at_work(now) else 0.02):
            yield round(now)


def _at_work(moment: float) -> bool:
    day, hour = divmod((moment - A_MONDAY) % (7 * DAY), DAY)
    return day < 5 and 9 * HOUR <= hour < 17 * HOUR


def _quick(name: str, about: str, moments: Moments, changes: int, alpha: int = 6) -> Bed:
    """Makes a page of the thesis, which changes within seconds and follows no calendar."""
    bounds = Bounds(2 * SECOND, DAY)
    return Bed(name=name, about=about, moments=moments, changes=changes, bounds=bounds, alpha=alpha)


def _daily(name: str, about: str, moments: Moments, changes: int) -> Bed:
    """Makes a page that follows the calendar and changes within hours or days."""
    bounds = Bounds(MINUTE, 2 * DAY)
    return Bed(name=name, about=about, moments=moments, changes=changes, bounds=bounds, start=A_MONDAY)


THESIS = (
    _quick("RFast240", "fast and random: every 2 to 10 s", _moments(_fast), 240),
    _quick("Cons240", "constant: every 5 s", _moments(_constant), 240),
    _quick("Rand240", "random: often 2 to 10 s, often 5 s, sometimes 10 to 30 s", _moments(_mixed), 240),
    _quick(
        "CONST1000", "constant for a while, then a step up or down: 5, 10, 15 s", _stepping, 1000, alpha=4
    ),
    _quick("RAND1000", "random: every 10 to 30 s", _moments(_slow), 1000, alpha=4),
)
REALISTIC = (
    _daily("morning-paper", "one edition a day, at six in the morning", _morning, 120),
    _daily("six-hourly-job", "a report written four times a day", _job, 360),
    _daily("office-hours", "changes at random while people are at work", _office, 720),
)
CLOCKS = (
    _daily("weekly", "one issue a week, on Wednesday at nine", _weekly, 60),
    _daily("workday-paper", "one edition on each workday, at seven in the morning", _workdays, 120),
    _daily("workday-job", "a report written four times on each workday", _workday_job, 240),
    _daily("local-paper", "one edition a day at six by a clock with daylight saving time", _local, 240),
    _daily("hourly-loop", "work, an hour of rest, and work again", _loop, 300),
    _daily("odd-job", "every 37 minutes", _odd, 300),
)
BEDS = {bed.name: bed for bed in (*THESIS, *REALISTIC, *CLOCKS)}
