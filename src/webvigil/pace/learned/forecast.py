"""The state of a page in, how many changes will be pending (made but unseen) at a later moment out.

    pending(t) = Σ w·[F(t) − F(p) + λ·(I(t) − I(p) − F(p)·Δ)] / Σ w·(1 − F(p))

F is an expert's chance of a change by t, I its integral, p the last look and Δ the time since: the first
change comes as the expert says, more follow at the page's rate λ. The sum is divided by what was still
possible at p, since nothing had changed by then. The calendar does the same in warped time.
"""

from __future__ import annotations

from math import sqrt

from webvigil.pace.learned.calendar import HOURS
from webvigil.pace.learned.experts import NARROW, WIDE, heard, tail_share
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
        "_calendar",
        "_changed",
        "_clock",
        "_clock_within",
        "_edges",
        "_gaps_within",
        "_narrow",
        "_past",
        "_past_integral",
        "_possible",
        "_rate_within",
        "_tail",
        "_warped_looked",
        "_warped_moment",
        "_warped_origin",
        "_warped_past",
        "_week",
        "looked",
        "rate",
    )

    def __init__(self, state: LearnedState) -> None:
        known = state.known
        self._answers: dict[float, float] = {}  # a search that follows another asks about some moments again
        base, self._narrow, self._clock, self._calendar = heard(state)
        tail = tail_share(known) if known.gaps.seen else 1.0
        self._tail, self._boxes = base * tail, base * (1.0 - tail)
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
        if self._calendar:
            self._week = known.calendar.week
            self._warped_moment = warped = known.calendar.warped
            self._warped_origin = warped(known.changed)
            self._warped_looked = warped(looked)
            self._warped_past = self._rate_within(self._warped_looked - self._warped_origin)
            possible += self._calendar * (1.0 - self._warped_past[0])
        self._possible = max(possible, 1e-9)

    def pending(self, moment: float) -> float:
        """Returns the expected number of changes between the last look and `moment`."""
        if moment in self._answers:
            return self._answers[moment]
        past = self._past
        chance, integral = self._plain(moment)
        more = integral - self._past_integral - past * (moment - self.looked)
        count = chance - past + self.rate * more
        if self._calendar:
            count += self._calendar * self._warped(moment)
        self._answers[moment] = answer = count / self._possible
        return answer

    def first_with(self, wanted: float, soonest: float, latest: float) -> float:
        """Returns the first moment with `wanted` changes pending, between `soonest` and `latest`."""
        if wanted <= 0.0:
            return soonest
        if not self._calendar:
            return min(max(self._crossing(wanted, latest), soonest), latest)
        quietest = self._season(self._week.quietest)
        start = max(self._crossing(wanted * quietest, latest, within=HOUR), soonest)
        return self._scan(wanted, start, latest)

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

    def _warped(self, moment: float) -> float:
        """Returns the changes that the calendar expects between the last look and `moment`."""
        past, past_integral = self._warped_past
        warped = self._warped_moment(moment)
        chance, integral = self._rate_within(warped - self._warped_origin)
        more = integral - past_integral - past * (warped - self._warped_looked)
        return chance - past + self.rate * more

    def _season(self, rate: float) -> float:
        """Returns the factor of the threshold in an hour of this rate.

        In a busy hour more changes must be pending to be worth a look: the square-root law, hour by hour.
        """
        return sqrt(1.0 - self._calendar + self._calendar * rate)

    def _scan(self, wanted: float, start: float, latest: float) -> float:
        """Searches hour by hour. Within an hour the threshold is constant and `pending` only grows."""
        moment, here, rates = start, self.pending(start), self._week.rates
        while moment < latest:
            hour = int(moment // HOUR)
            threshold = wanted * self._season(rates[hour % HOURS])
            if here >= threshold:
                return moment
            end = min((hour + 1.0) * HOUR, latest)
            there = self.pending(end)
            if there >= threshold:
                return self._between(threshold, moment, here - threshold, end, there - threshold)
            moment, here = end, there
        return latest

    def _crossing(self, wanted: float, latest: float, within: float = 0.0) -> float:
        """Returns where the growing `pending` reaches a constant threshold; `latest` if it does not.

        With `within` a moment before that is enough, closer than this.
        """
        low, below = self.looked, -wanted
        high = min(latest, low + wanted / self.rate)
        above = self.pending(high) - wanted
        for _ in range(_STEPS):
            if above >= 0.0:
                return self._between(wanted, low, below, high, above, within)
            if high >= latest:
                break
            low, below = high, above
            high = min(latest, 2.0 * high - self.looked)
            above = self.pending(high) - wanted
        return latest

    def _between(
        self, wanted: float, low: float, below: float, high: float, above: float, within: float = 0.0
    ) -> float:
        """Finds the crossing by regula falsi (Illinois) between a moment that is too early and a late one.

        `below` and `above` are the differences to the threshold at `low` and `high`. With `within` the early
        moment is returned as soon as the late one is no farther than this.
        """
        for edge in self._edges:
            if low < edge < high:
                there = self.pending(edge) - wanted
                if there > 0.0:
                    high, above = edge, there
                else:
                    low, below = edge, there
        side = 0
        for _ in range(_STEPS):
            width = high - low
            if width <= within:
                return low
            middle = low - below * width / (above - below)
            if width <= _PRECISION * (high - self.looked):
                return middle
            # At least 2 % of the width is cut off in each round, so that a steep curve does not stall it.
            middle = min(max(middle, low + 0.02 * width), high - 0.02 * width)
            there = self.pending(middle) - wanted
            if abs(there) <= _PRECISION * wanted:
                return middle
            if there > 0.0:
                below = below / 2.0 if side > 0 else below
                high, above, side = middle, there, 1
            else:
                above = above / 2.0 if side < 0 else above
                low, below, side = middle, there, -1
        return high
