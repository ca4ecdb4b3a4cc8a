"""The habits of a page: its changes in, how busy the page is at each hour and each age out.

A page is busy at some hours of the week (`calendar`), and many pages are busiest soon after a change: one
correction follows another. The age is the time since the look that found the last change. For each class of
ages we count the changes that came and those that were expected by the rate and the hour alone; their ratio
is how busy the page is at that age.

Both together warp time: it runs fast in busy hours and soon after a change. In that time, which we call the
own time of the page, the page changes at an even rate, and that rate does not rise in a burst.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import expm1

from webvigil.pace.learned.calendar import Calendar
from webvigil.pace.learned.lomax import Lomax

# The ages at which one class ends and the next begins: one minute, two, four and so on up to 45 days.
AGES = tuple(60_000.0 * 2.0**power for power in range(17))
CLASSES = len(AGES) + 1
# The numbers here were chosen on 31 recorded histories and judged on others (docs/decisions/when-to-look.md).
#
# The imaginary changes by which each age is drawn towards the mean rate, and what a change leaves of the
# counts before it.
_IMAGINED, _FADING = 2.0, 0.99
# What a change leaves of the changes and the time from which the rate is taken.
_FORGETTING = 0.93


@dataclass(frozen=True)
class Bursts:
    """For each class of ages, how many changes were found, and how many were expected without bursts."""

    found: tuple[float, ...] = (0.0,) * CLASSES
    expected: tuple[float, ...] = (0.0,) * CLASSES

    @cached_property
    def factors(self) -> list[float]:
        """Returns how busy the page is at each age; 1 is as busy as in the mean."""
        return [
            (found + _IMAGINED) / (expected + _IMAGINED)
            for found, expected in zip(self.found, self.expected, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Habits:
    """The week and the bursts of a page, and its rate in its own time."""

    rate: Lomax
    calendar: Calendar = field(default_factory=Calendar)
    bursts: Bursts = field(default_factory=Bursts)

    def own_time(self, since: float, low: float, high: float) -> float:
        """Returns the own time of the page between two moments; the look at `since` found its last change."""
        warped, factors = self.calendar.warped, self.bursts.factors
        return sum(
            factors[age] * (warped(end) - warped(begin)) for age, begin, end in _pieces(since, low, high)
        )

    def busy(self, since: float, moment: float) -> float:
        """Returns how busy the page is at this moment; 1 is as busy as in the mean."""
        return self.calendar.rate(moment) * self.bursts.factors[_age(since, moment)]

    def per_milli(self, silence: float) -> float:
        """Returns the changes per millisecond of own time. They fall when the silence grows beyond a gap."""
        shape, span = self.rate.shape, self.rate.span
        return shape / (span + max(0.0, silence - span / shape))

    def alive(self, silence: float) -> float:
        """Returns the chance that no change comes within this own time."""
        return float((self.rate.span / (self.rate.span + silence)) ** self.rate.shape)

    def bracketed(self, since: float, low: float, high: float, hiding: float) -> Habits:
        """Returns the habits after a change somewhere in (low, high]; the look at `since` found the last one.

        `hiding` is the chance that the page is not regular: only then others may hide behind this one.
        """
        rate = self._rate(since, low)
        own = self.own_time(since, low, high)
        changes = 1.0 + hiding * above_one(rate * own)
        return Habits(
            self._believed(changes, self.own_time(since, since, high)),
            self.calendar.with_changes(low, high, changes),
            self._bursts(since, high, rate, self._spread(since, low, high, changes)),
        )

    def dated(self, since: float, low: float, moment: float, high: float, hiding: float) -> Habits:
        """Returns the habits after a look at `high` found a change that was made at this moment.

        Others may hide between the look at `low` and the moment. So that time tells nothing of the rate, as
        far as the page is not regular (`hiding`).
        """
        rate = self._rate(since, low)
        own = self.own_time(since, low, moment)
        hidden = hiding * rate * own
        found = self._spread(since, low, moment, hidden)
        age = _age(since, moment)
        return Habits(
            self._believed(1.0, max(self.own_time(since, since, high) - hiding * own, 0.001 * own)),
            self.calendar.with_changes(low, moment, hidden, 1.0),
            self._bursts(since, high, rate, {**found, age: found.get(age, 0.0) + 1.0}),
        )

    def _rate(self, since: float, looked: float) -> float:
        return self.per_milli(self.own_time(since, since, looked))

    def _believed(self, changes: float, own: float) -> Lomax:
        """Returns the rate after so many changes in this own time."""
        return Lomax(_FORGETTING * self.rate.shape + changes, _FORGETTING * self.rate.span + own)

    def _spread(self, since: float, low: float, high: float, changes: float) -> dict[int, float]:
        """Returns how many changes came at each age, where all that is known is that they came in between."""
        factors = self.bursts.factors
        own = {age: factors[age] * time for age, time in self._lasted(since, low, high).items()}
        scale = changes / max(sum(own.values()), 1e-9)
        return {age: scale * time for age, time in own.items()}

    def _bursts(self, since: float, high: float, rate: float, found: Mapping[int, float]) -> Bursts:
        """Returns the bursts after changes at these ages; `rate` were expected in a millisecond."""
        expected = {age: rate * time for age, time in self._lasted(since, since, high).items()}
        return Bursts(_counted(self.bursts.found, found), _counted(self.bursts.expected, expected))

    def _lasted(self, since: float, low: float, high: float) -> dict[int, float]:
        """Returns how long each class of ages lasted, on a clock that runs as fast as the week is busy."""
        warped = self.calendar.warped
        return {age: warped(end) - warped(begin) for age, begin, end in _pieces(since, low, high)}


def _pieces(since: float, low: float, high: float) -> Iterator[tuple[int, float, float]]:
    """Yields each class of ages between two moments, with the moments at which it begins and ends."""
    age = _age(since, low)
    while low < high:
        end = min(since + AGES[age], high) if age < len(AGES) else high
        yield age, low, end
        age, low = age + 1, end


def _age(since: float, moment: float) -> int:
    return bisect_right(AGES, moment - since)


def above_one(expected: float) -> float:
    """Returns the expected number of changes beyond the first, given that there was at least one."""
    return expected / -expm1(-expected) - 1.0 if expected > 1e-9 else 0.0


def _counted(counts: tuple[float, ...], further: Mapping[int, float]) -> tuple[float, ...]:
    """Returns faded counts with further ones; three digits keep the stored state short."""
    return tuple(round(_FADING * count + further.get(age, 0.0), 3) for age, count in enumerate(counts))
