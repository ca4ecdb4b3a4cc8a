"""The state of a page in, how many changes will be pending (made but unseen) at a later moment out.

    pending(t) = Σ w·[F(t) − F(p) + λ·(I(t) − I(p) − F(p)·Δ)] / Σ w·(1 − F(p))

F is an expert's chance of a change by t, I its integral, p the last look and Δ the time since: the first
change comes as the expert says, more follow at the page's rate λ. The sum is divided by what was still
possible at p, since nothing had changed by then. The habits expect changes at an even rate in the own time
of the page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from math import sqrt

from webvigil.pace.learned.calendar import HOURS
from webvigil.pace.learned.experts import HEARD, NARROW, WIDE, heard, tail_share
from webvigil.pace.learned.habits import AGES
from webvigil.pace.learned.state import LearnedState
from webvigil.pace.policy import HOUR

# A plan is exact to this share of the wait; finding it closer costs time and gains nothing. The part `speed`
# of bench/quality/pace.py holds the time per decision.
_PRECISION = 0.002
_STEPS = 40  # the most rounds of the search


class Forecast:
    """A state prepared for one decision: it is built once and asked about a handful of moments."""

    __slots__ = (
        "_answers",
        "_boxes",
        "_changed",
        "_clock",
        "_clock_within",
        "_edges",
        "_gaps_within",
        "_habits",
        "_known",
        "_narrow",
        "_past",
        "_past_integral",
        "_possible",
        "_rate_within",
        "_tail",
        "_unit",
        "looked",
        "rate",
    )

    def __init__(self, state: LearnedState) -> None:
        known = state.known
        self._answers: dict[float, float] = {}  # a search that follows another asks about some moments again
        base, self._narrow, self._clock, self._habits = heard(state)
        # Boxes of so little weight that they are not heard leave it to the tail.
        boxes = base * (1.0 - tail_share(known)) if known.gaps.seen else 0.0
        self._boxes = boxes if boxes > HEARD else 0.0
        self._tail = base - self._boxes
        self._changed = known.changed
        self.looked = looked = float(state.looked)
        self.rate = known.rate.per_milli(looked - known.detected)
        self._rate_within = known.rate.belief.within
        self._gaps_within = known.gaps.within
        self._clock_within = known.clock.teller.within
        # Where the forecast of a clock is steep: a search that starts there is short.
        self._edges = [known.changed + edge for edge in known.clock.edges] if self._clock > 0.3 else []
        self._past, self._past_integral = self._plain(looked)
        possible = base + self._narrow + self._clock - self._past
        if self._habits:
            self._known = known
            since, habits = known.detected, known.habits
            silence = habits.own_time(since, since, looked)
            alive = self._habits * habits.alive(silence)
            self._unit = alive * habits.per_milli(silence)  # changes in a millisecond of own time
            possible += alive
        self._possible = max(possible, 1e-9)

    def pending(self, moment: float) -> float:
        """Returns the expected number of changes between the last look and `moment`."""
        count = self._count(moment)
        if self._habits:
            known = self._known
            count += self._unit * known.habits.own_time(known.detected, self.looked, moment)
        return count / self._possible

    def _count(self, moment: float) -> float:
        """Returns the changes that the experts in plain time expect between the last look and `moment`."""
        if moment in self._answers:
            return self._answers[moment]
        past = self._past
        chance, integral = self._plain(moment)
        more = integral - self._past_integral - past * (moment - self.looked)
        self._answers[moment] = answer = chance - past + self.rate * more
        return answer

    def first_with(self, wanted: float, soonest: float, latest: float) -> float:
        """Returns the first moment with `wanted` changes pending, between `soonest` and `latest`."""
        if wanted <= 0.0:
            return soonest
        if not self._habits:
            return min(max(self._crossing(wanted, latest), soonest), latest)
        return self._scan(wanted, soonest, latest)

    def _plain(self, moment: float) -> tuple[float, float]:
        """Returns the weighted chance and integral of the experts that live in plain time."""
        y = moment - self._changed
        one, its = self._rate_within(y)
        chance, integral = self._tail * one, self._tail * its
        if self._boxes:
            one, its = self._gaps_within(y, WIDE)
            chance, integral = chance + self._boxes * one, integral + self._boxes * its
        if self._narrow:
            one, its = self._gaps_within(y, NARROW)
            chance, integral = chance + self._narrow * one, integral + self._narrow * its
        if self._clock:
            one, its = self._clock_within(y)
            chance, integral = chance + self._clock * one, integral + self._clock * its
        return chance, integral

    def _scan(self, wanted: float, soonest: float, latest: float) -> float:
        """Searches hour by hour and age by age; within each the threshold is constant.

        In a busy hour more changes must be pending to be worth a look: the square-root law, hour by hour. A
        look that comes just before the one that the longest wait asks for gains little, so the threshold
        falls until then.
        """
        share, looked, longest = self._habits, self.looked, latest - self.looked
        scale, unit = wanted * self._possible, self._unit
        own = bound = 0.0
        sure = looked  # up to this moment the experts in plain time expect no more than `bound` changes
        for begin, end, busy in self._pieces(latest):
            threshold = scale * sqrt(1.0 - share + share * busy * (latest - begin) / longest)
            later = own + unit * busy * (end - begin)
            if end > soonest:
                if end > sure:
                    sure = self._ahead(end, latest)
                    bound = self._count(sure)
                if bound + later >= threshold and self._count(end) + later >= threshold:
                    return self._within(threshold - own, max(begin, soonest), end, unit * busy, begin)
            own = later
        return latest

    def _pieces(self, latest: float) -> Iterator[tuple[float, float, float]]:
        """Yields the time from the last look on in pieces of one hour and one age, and how busy each is."""
        habits, since = self._known.habits, self._known.detected
        rates, factors = habits.calendar.week.rates, habits.bursts.factors
        begin = self.looked
        age = bisect_right(AGES, begin - since)
        while begin < latest:
            hour = int(begin // HOUR)
            end = min((hour + 1.0) * HOUR, latest)
            busy = rates[hour % HOURS] * factors[age]
            if age < len(AGES) and since + AGES[age] <= end:
                end = since + AGES[age]
                age += 1
            yield begin, end, busy
            begin = end

    def _ahead(self, moment: float, latest: float) -> float:
        """Returns a later moment up to which the experts in plain time are asked at once.

        That is the next edge of a clock, where their forecast is steep; without a clock, twice the wait.
        """
        for edge in self._edges:
            if moment <= edge < latest:
                return edge
        return min(2.0 * moment - self.looked + HOUR, latest)

    def _within(self, wanted: float, low: float, high: float, unit: float, begin: float) -> float:
        """Finds the crossing where own time runs evenly: the habits expect `unit` changes a millisecond."""

        def off(moment: float) -> float:
            return self._count(moment) + unit * (moment - begin) - wanted

        below = off(low)
        if below >= 0.0:
            return low
        return self._between(off, abs(wanted), low, below, high, off(high))

    def _crossing(self, wanted: float, latest: float) -> float:
        """Returns where the growing `pending` reaches a constant threshold; `latest` if it does not."""
        wanted *= self._possible

        def off(moment: float) -> float:
            return self._count(moment) - wanted

        low, below = self.looked, -wanted
        high = min(latest, low + wanted / self.rate)
        above = off(high)
        for _ in range(_STEPS):
            if above >= 0.0:
                return self._between(off, wanted, low, below, high, above)
            if high >= latest:
                break
            low, below = high, above
            high = min(latest, 2.0 * high - self.looked)
            above = off(high)
        return latest

    def _between(
        self,
        off: Callable[[float], float],
        wanted: float,
        low: float,
        below: float,
        high: float,
        above: float,
    ) -> float:
        """Finds the crossing by regula falsi (Illinois) between a moment that is too early and a late one.

        `off` says how far the changes pending at a moment are from the wanted number; `below` and `above` say
        that for `low` and `high`.
        """
        for edge in self._edges:
            if low < edge < high:
                there = off(edge)
                if there > 0.0:
                    high, above = edge, there
                else:
                    low, below = edge, there
        side = 0
        for _ in range(_STEPS):
            width = high - low
            middle = low - below * width / (above - below)
            if width <= _PRECISION * (high - self.looked):
                return middle
            # At least 2 % of the width is cut off in each round, so that a steep curve does not stall it.
            middle = min(max(middle, low + 0.02 * width), high - 0.02 * width)
            there = off(middle)
            if abs(there) <= _PRECISION * wanted:
                return middle
            if there > 0.0:
                below = below / 2.0 if side > 0 else below
                high, above, side = middle, there, 1
            else:
                above = above / 2.0 if side < 0 else above
                low, below, side = middle, there, -1
        return high
