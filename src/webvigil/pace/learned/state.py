"""What `learned` remembers of a page: frozen values, and their form as plain JSON values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webvigil.model.moment import Millis
from webvigil.pace.learned.calendar import HOURS, Calendar, Week
from webvigil.pace.learned.clock import Clock
from webvigil.pace.learned.drift import Rate
from webvigil.pace.learned.gaps import Gaps
from webvigil.pace.learned.guard import Early, Guard
from webvigil.pace.learned.habits import Bursts, Habits
from webvigil.pace.learned.lomax import Lomax
from webvigil.pace.learned.ticks import Days, Hand, Ticks

# More than any rate, gap or period, in milliseconds; a variance is below its square.
_HUGE = 1e18

Weights = tuple[float, float, float, float]
"""The weight of each expert: base, narrow, clock, habits. They sum up to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the changes seen so far have taught. A look in vain leaves it as it is.

    `detected` is the look that found the last change, `changed` when that change was made, `dated` whether
    the server told that time.
    """

    detected: Millis
    changed: float
    dated: bool
    changes: int
    rate: Rate
    weights: Weights
    gaps: Gaps
    clock: Clock
    habits: Habits


@dataclass(frozen=True, slots=True)
class LearnedState:
    """The time of the last look, the guard, and what is known of the page."""

    looked: Millis
    guard: Guard
    known: Known


def as_plain(state: LearnedState) -> dict[str, Any]:
    """Returns a state as JSON values. Only hours of the week with changes are written."""
    known, guard, habits = state.known, state.guard, state.known.habits
    week, bursts, belief, twin = habits.calendar.week, habits.bursts, known.rate.belief, known.rate.twin
    return {
        "looked": state.looked,
        "guard": [guard.early, guard.looks, guard.calm, guard.since, guard.surprise],
        "detected": known.detected,
        "changed": known.changed,
        "dated": known.dated,
        "changes": known.changes,
        "rate": [belief.shape, belief.span, twin.shape, twin.span, known.rate.evidence],
        "weights": list(known.weights),
        "gaps": list(known.gaps.seen),
        "clock": [known.clock.period, known.clock.spread, known.clock.early, known.clock.late],
        "ticks": _plain_ticks(known.clock.ticks),
        "week": [[hour, count] for hour, count in enumerate(week.counts) if count],
        "hour": [week.settled, habits.calendar.hour, habits.calendar.fresh],
        "habits": [
            week.begun,
            habits.rate.shape,
            habits.rate.span,
            list(bursts.found),
            list(bursts.expected),
        ],
    }


def from_plain(plain: dict[str, Any]) -> LearnedState:
    """Returns the state that `as_plain` has written. Raises ValueError for numbers that it never writes."""
    early, *guard = plain["guard"]
    known = _known(plain)
    if not _sound(known):
        raise ValueError("numbers that no page can have")
    return LearnedState(plain["looked"], Guard(Early(early), *guard), known)


def _sound(known: Known) -> bool:
    """Says whether rates, gaps, periods and weights are such as pages have. A wrong sign stalls searches."""
    rate, hands, habits = known.rate, known.clock.ticks.hands, known.habits
    above_zero = (
        rate.belief.shape,
        rate.belief.span,
        rate.twin.shape,
        rate.twin.span,
        habits.rate.shape,
        habits.rate.span,
        *known.gaps.seen,
        *(value for hand in hands for value in (hand.weight, hand.period)),
    )
    not_below = (
        *known.weights,
        *filter(None, habits.calendar.week.counts),  # most hours of a week are 0
        habits.calendar.week.settled,
        habits.calendar.week.begun,
        habits.calendar.hour,
        habits.calendar.fresh,
        *habits.bursts.found,
        *habits.bursts.expected,
        *known.clock.ticks.days.brought,
        *known.clock.ticks.days.ticks,
        known.clock.ticks.days.now,
        *(value for hand in hands for value in (hand.spread, hand.doubt)),
    )
    return all(0.0 < value < _HUGE for value in above_zero) and all(
        0.0 <= value < _HUGE**2 for value in not_below
    )


def _known(plain: dict[str, Any]) -> Known:
    shape, span, twin_shape, twin_span, evidence = plain["rate"]
    base, narrow, clock, habits = plain["weights"]
    period, spread, early, late = plain["clock"]
    rate = Rate(Lomax(shape, span), Lomax(twin_shape, twin_span), evidence)
    return Known(
        detected=plain["detected"],
        changed=plain["changed"],
        dated=plain["dated"],
        changes=plain["changes"],
        rate=rate,
        weights=(base, narrow, clock, habits),
        gaps=Gaps(tuple(plain["gaps"])),
        clock=Clock(period, spread, early, late, _ticks(plain.get("ticks"))),  # older versions wrote no ticks
        habits=_habits(plain["week"], plain["hour"], plain.get("habits"), rate.belief),
    )


def _plain_ticks(ticks: Ticks) -> list[Any] | None:
    if not ticks.hands:
        return None
    days = ticks.days
    hands = [
        [hand.weight, hand.at, hand.period, hand.spread, hand.shared, hand.doubt] for hand in ticks.hands
    ]
    return [hands, list(days.brought), list(days.ticks), days.now, ticks.evidence, ticks.changes]


def _ticks(plain: list[Any] | None) -> Ticks:
    if plain is None:
        return Ticks()
    hands, *days, evidence, changes = plain
    known = _days(*days) if len(days) == 3 else Days()  # older versions knew no days
    return Ticks(tuple(Hand(*hand) for hand in hands), known, evidence, changes)


def _days(brought: list[float], ticks: list[float], now: float) -> Days:
    return Days(tuple(brought), tuple(ticks), now)


def _habits(pairs: list[list[float]], hour: list[Any], plain: list[Any] | None, rate: Lomax) -> Habits:
    counts = [0.0] * HOURS
    for place, count in pairs:
        counts[int(place)] = count
    # Older versions knew only the week.
    begun, shape, span, *bursts = plain or (0, rate.shape, rate.span)
    settled, now, fresh = hour
    calendar = Calendar(Week(tuple(counts), settled, begun), now, fresh)
    return Habits(Lomax(shape, span), calendar, Bursts(*map(tuple, bursts)))
