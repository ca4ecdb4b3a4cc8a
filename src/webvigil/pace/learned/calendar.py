"""The week of a page: the times of its changes in, how busy each hour of its week is out.

The rate of each of the 168 hours of a week is learnt from coarse to fine: the hour of the day, then that on
workdays or weekends, then the day of the week, each drawn towards the coarser rate until enough changes were
seen. Time is then warped so that it runs fast in busy hours and almost stands still in quiet ones; in warped
time the page is a page like any other. Old weeks fade with a half-life of eight weeks.

The changes of the current hour are counted when it is over, so that the week of a fast page is not computed
anew at every change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from webvigil.pace.policy import HOUR, WEEK

HOURS = 168
# After so many hours a change counts half: a page may get other office hours within a season. The case
# office-hours of bench/quality/pace.py shows what another value does.
_HALF_LIFE = 8 * HOURS
_SHRINKING = (0.6, 1.2, 4.0)
"""The imaginary changes by which each finer level is drawn towards the coarser one. The case office-hours of
bench/quality/pace.py covers them."""
_BLUR = 0.2
"""The share of its changes that each hour gives to the hour before and to the hour after. Without it hours
whose changes are never seen, only guessed by the week so far, would fall and fall."""
_FEW = 0.05
"""Fewer changes of unknown hour than this are counted in the last possible hour instead of being spread."""

# Days count from the epoch, which began on a Thursday: the third and fourth day are the weekend.
_WEEKEND = np.array([day in (2, 3) for day in range(7)])


@dataclass(frozen=True)
class Week:
    """Changes by hour of the week (UTC, from the epoch); older ones are faded to the hour `settled`.

    The page has been watched since the hour `begun`.
    """

    counts: tuple[float, ...] = (0.0,) * HOURS
    settled: int = 0
    begun: int = 0

    def with_changes(self, changes: list[tuple[int, float]]) -> Week:
        """Returns the week with further changes; `changes` has pairs (hour since the epoch, count), in order.

        All counts so far are faded to the last of these hours.
        """
        newest = changes[-1][0]
        counts = np.array(self.counts) * 0.5 ** ((newest - self.settled) / _HALF_LIFE)
        for hour, count in changes:
            counts[hour % HOURS] += count
        return Week(
            tuple(counts.round(3).tolist()), newest, self.begun
        )  # three digits keep the stored state short

    @cached_property
    def rates(self) -> list[float]:
        """Returns how busy each hour of the week is; the mean is 1."""
        plain = np.array(self.counts)
        blurred = plain + _BLUR * (np.roll(plain, 1) + np.roll(plain, -1) - 2.0 * plain)
        counts = blurred.reshape(7, 24)
        expected = self._watched * counts.sum() / self._watched.sum()
        rates = _shrunk(counts.sum(axis=0), expected.sum(axis=0), _SHRINKING[0]) * np.ones((7, 1))
        for days in (_WEEKEND, ~_WEEKEND):
            due = (rates * expected)[days].sum(axis=0)
            rates[days] *= _shrunk(counts[days].sum(axis=0), due, _SHRINKING[1])
        due = (rates * expected).sum(axis=1, keepdims=True)
        rates *= _shrunk(counts.sum(axis=1, keepdims=True), due, _SHRINKING[2])
        return list((rates / rates.mean()).ravel().tolist())

    @property
    def _watched(self) -> np.ndarray:
        """Returns 1 for each hour of the week in which the page was watched, 0 for those still to come."""
        watched = np.ones(HOURS)
        newest = max(self.settled, self.begun)
        watched[np.arange(newest + 1, self.begun + HOURS) % HOURS] = 0.0
        return watched.reshape(7, 24)

    @cached_property
    def warp(self) -> list[float]:
        """Returns the warped time from the start of the week to the start of each hour."""
        return [0.0, *(np.cumsum(self.rates) * HOUR).tolist()]


@dataclass(frozen=True, slots=True)
class Calendar:
    """The week of a page, and the changes of the current hour (`fresh`), which are not counted in it yet."""

    week: Week = field(default_factory=Week)
    hour: int = 0
    fresh: float = 0.0

    def with_changes(self, low: float, high: float, spread: float, certain: float = 0.0) -> Calendar:
        """Returns the calendar after further changes between two moments.

        `spread` changes are somewhere between `low` and `high`, `certain` ones at `high`. Where the hour is
        not known, changes are spread by the week as known so far. Otherwise the last change before a nightly
        look would make the page seem busiest at the end of the day (docs/decisions/when-to-look.md).
        """
        first, hour = int(low // HOUR), int(high // HOUR)
        if spread < _FEW or first == hour or hour == self.hour:
            passed, here = [], certain + spread
        else:
            *passed, (_, share) = self._shares(max(low, high - WEEK), high)
            passed, here = [(place, spread * part) for place, part in passed], certain + spread * share
        if hour == self.hour and not passed:
            return Calendar(self.week, hour, round(self.fresh + here, 3))
        if self.fresh:
            passed = [(self.hour, self.fresh), *passed]
        return Calendar(self.week.with_changes(passed) if passed else self.week, hour, round(here, 3))

    def _shares(self, low: float, high: float) -> list[tuple[int, float]]:
        """Returns the hours from `low` to `high`, each with its share of the changes in between."""
        total = max(self.warped(high) - self.warped(low), 1e-9)
        hours = range(int(low // HOUR), int(high // HOUR) + 1)
        edges = [low, *(hour * float(HOUR) for hour in hours[1:]), high]
        warped = [self.warped(edge) for edge in edges]
        return [(hour, (warped[i + 1] - warped[i]) / total) for i, hour in enumerate(hours)]

    def rate(self, moment: float) -> float:
        """Returns how busy the hour of this moment is."""
        return self.week.rates[int(moment // HOUR) % HOURS]

    def warped(self, moment: float) -> float:
        """Returns the moment on a clock that runs as fast as the page is busy."""
        hour = int(moment // HOUR)
        weeks, place = divmod(hour, HOURS)
        week = self.week
        return weeks * WEEK + week.warp[place] + (moment - hour * HOUR) * week.rates[place]


def _shrunk(count: np.ndarray, expected: np.ndarray | float, pseudo: float) -> np.ndarray:
    """Returns the ratio of counted to expected changes, drawn towards 1 by `pseudo` imaginary changes."""
    return np.asarray((count + pseudo) / (expected + pseudo))
