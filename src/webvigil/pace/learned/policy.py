"""The policy `learned`: look when the expected number of changes not yet seen has reached its price (A3).

Four small experts foretell the next change (`experts`), their mixture says how many changes are pending
(`forecast`), and the threshold says when that is worth a look. `drift` notices that a page has become another
one, `guard` that a page only seems regular.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt

from webvigil.model.moment import Millis
from webvigil.pace.learned import experts
from webvigil.pace.learned.calendar import Calendar, Week
from webvigil.pace.learned.clock import Clock
from webvigil.pace.learned.drift import Rate
from webvigil.pace.learned.forecast import Forecast
from webvigil.pace.learned.gaps import Gaps
from webvigil.pace.learned.guard import Early, Guard
from webvigil.pace.learned.habits import Habits, above_one
from webvigil.pace.learned.lomax import Lomax
from webvigil.pace.learned.state import Known, LearnedState, as_plain, from_plain
from webvigil.pace.policy import HOUR, Bounds, Observation, Plain

ALONE = sqrt(2 * 0.40)
"""How many changes must be pending to be worth a look, for a page that shares its looks with no other: the
threshold at a price of 0.40, with which it makes up to a sixth fewer looks than `bea` on the thesis' pages
(docs/decisions/when-to-look.md)."""

# How many changes the first guess of a rate counts for: half a change, so that the first one outweighs it.
_COLD_SHAPE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The policy and its settings.

    `typical_gap` is the gap that a page of which nothing is known is believed to have; 0 stands for the
    shortest wait.
    """

    bounds: Bounds = field(default_factory=Bounds)
    typical_gap: Millis = 0
    threshold: float = ALONE

    def start(self, now: Millis) -> LearnedState:
        cold = Lomax(_COLD_SHAPE, _COLD_SHAPE * (self.typical_gap or self.bounds.shortest))
        known = Known(
            detected=now,
            changed=now,
            dated=True,
            changes=0,
            rate=Rate(cold, cold),
            weights=experts.prior(dated=True),
            gaps=Gaps(),
            clock=Clock(),
            habits=Habits(cold, Calendar(Week(begun=now // HOUR))),
        )
        return LearnedState(now, Guard(), known)

    def observed(self, state: LearnedState, seen: Observation) -> LearnedState:
        """Returns the state after a look. A look in vain changes only the guard and the time of the look."""
        guard = state.guard if state.guard.early is Early.NO else self._judged(state, seen)
        if not seen.changed or seen.now <= state.looked:
            return LearnedState(max(seen.now, state.looked), guard, state.known)
        known = _after_change(state, seen)
        regular = known.weights[1] + known.weights[2] > 0.5  # narrow and clock
        return LearnedState(seen.now, guard.after_change(regular), known)

    def next_look(self, state: LearnedState, now: Millis) -> Millis:
        return max(now, self._early(state) if state.guard.early is not Early.NO else self._planned(state))

    def rate(self, state: LearnedState) -> float:
        """Returns the changes per millisecond, as far as is known."""
        return state.known.rate.per_milli(state.looked - state.known.detected)

    def as_plain(self, state: LearnedState) -> Plain:
        return as_plain(state)

    def from_plain(self, plain: Plain) -> LearnedState:
        return from_plain(plain)

    def _planned(self, state: LearnedState) -> Millis:
        """Returns when the expected number of pending changes reaches the threshold, within the bounds."""
        soonest, latest = state.looked + self.bounds.shortest, state.looked + self.bounds.longest
        return round(Forecast(state).first_with(self.threshold, soonest, latest))

    def _early(self, state: LearnedState) -> Millis:
        """Returns the time of the look before the plan that the guard asks for."""
        plan = self._planned(state)
        soonest = state.looked + self.bounds.shortest
        origin = state.known.changed
        gap = state.known.gaps.largest_below(0.8 * (plan - origin))
        if state.guard.early is Early.GAP and gap and origin + gap > soonest:
            return round(origin + gap * (1.0 + experts.NARROW / 2))
        return max(soonest, round(state.looked + state.guard.share * (plan - state.looked)))

    def _judged(self, state: LearnedState, seen: Observation) -> Guard:
        """Returns the guard after a look that it asked for. A look that came late was no early look."""
        if seen.now > state.looked + 0.95 * (self._planned(state) - state.looked):
            return replace(state.guard, early=Early.NO)
        return state.guard.judged(seen.changed, Forecast(state).pending(seen.now))


def _after_change(state: LearnedState, seen: Observation) -> Known:
    """Returns what is known after a look that found a change.

    If the server's time of the change lies between the two looks, the change is dated; otherwise it is taken
    to be in the middle between them.
    """
    known = state.known
    low, high = float(state.looked), float(seen.now)
    told = seen.last_modified
    dated = told is not None and low < told <= high
    moment = float(told) if told is not None and dated else (low + high) / 2.0
    gap = moment - known.changed
    rate = known.rate.per_milli(low - known.detected)
    hiding = known.weights[0] + known.weights[3]  # the chance that the page is not regular
    hidden = hiding * above_one(rate * (high - low))
    gaps = known.gaps.with_gap(gap)
    foretold = experts.densities_at(known, moment) if dated else experts.densities_between(known, low, high)
    plain = foretold[0] * (high - low)  # the chance that the expert for any page gave to (low, high]
    news = 1.0 if dated else experts.news(plain)
    return Known(
        detected=seen.now,
        changed=moment,
        dated=dated,
        changes=known.changes + 1,
        rate=_rate_dated(known, low, moment, high)
        if dated
        else known.rate.with_gap(gap, 1.0 + hidden, high - known.detected),
        weights=experts.reweighted(known.weights, dated, foretold, rate, news),
        gaps=gaps,
        clock=known.clock.told(gap)
        if dated
        else known.clock.bracketed(low - known.changed, high - known.changed, gaps.seen, plain),
        habits=known.habits.dated(known.detected, low, moment, high, hiding)
        if dated
        else known.habits.bracketed(known.detected, low, high, hiding),
    )


def _rate_dated(known: Known, low: float, moment: float, high: float) -> Rate:
    """Returns the rate after a dated change: one change in the time that is known.

    Between the last look and the change there may have been others, unless the page is regular: that time
    tells nothing. The rest has seen this one change and no other (docs/decisions/when-to-look.md).
    """
    elapsed = high - known.detected
    unknown = moment - low
    aware = elapsed - (known.weights[0] + known.weights[3]) * unknown
    aware = max(aware, 0.001 * elapsed)
    return known.rate.with_gap(aware, 1.0, aware)
