"""The four experts that foretell a page's next change, and the weight of each.

base      any page: the heavy tail of its rate, and wide boxes around the gaps remembered
narrow    a page with a few exact gaps: narrow boxes; needs the server's word on the moment of a change
clock     a page with one period
habits    a page with busy and quiet hours, and with bursts: an even rate in its own time
"""

from __future__ import annotations

from webvigil.pace.learned.state import Known, LearnedState, Weights
from webvigil.pace.policy import DAY, HOUR

# The half widths of the boxes, as shares of the gap. With 0.03 for the narrow ones the delay on the
# six-hourly job of bench/quality/pace.py is half as much again.
WIDE = 0.25
NARROW = 0.02

# The share of the base expert that stays with the heavy tail however many gaps are remembered.
_TAIL, _TAIL_DATED = 0.8, 0.7
# So many changes must have been seen, in so much time, before the habits are asked. With eight changes and a
# week the delay on recorded pages is longer by 0.03 of that of `bea`.
_HABITS_AFTER = (4, 3 * DAY)

# The weights at the start: of base and habits together, narrow and clock, and how the first two share theirs.
# The clock starts higher where changes have no dates: its gain per change is small there, and the pull back
# to the start would keep it down; with 0.06 it would be heard too often on the random pages of the thesis.
# With 0.7 for the habits the delay on recorded pages is longer by 0.02 of that of `bea`.
_REGULAR = (0.968, 0.0, 0.032)
_REGULAR_DATED = (0.9894, 0.0053, 0.0053)
_HABITUAL = (0.15, 0.85)
# How a change moves the weights (see `_contest`): the exponent of the weight so far; the density, relative
# to the rate, that even an expert who foretold nothing keeps; the share that returns to the start each time;
# the least news in a change (see `news`).
# bench/quality/pace.py covers them with all kinds of page.
_FAITH = 0.8
_FLOOR = 0.02
_RENEWAL = 0.095
_LEAST_NEWS = 0.5

# An expert with less weight than this moves no plan by more than the precision of a plan, so it is not asked.
# The clock costs most to ask where changes have no dates, so there it must have gained on its start. Habits
# have at most a tenth beside a clock that is sure; there the base expert speaks for them.
HEARD = 0.01
_CLOCK_HEARD = 0.03
_HABITS_HEARD = 0.1


def prior(dated: bool) -> Weights:
    """Returns the weights of the experts before any change; `dated` says whether the server tells times."""
    any_page, narrow, clock = _REGULAR_DATED if dated else _REGULAR
    return any_page * _HABITUAL[0], narrow, clock, any_page * _HABITUAL[1]


def tail_share(known: Known) -> float:
    """Returns the share of the base expert that goes to the heavy tail; the rest goes to remembered gaps."""
    gaps = known.gaps.weight
    share = _TAIL_DATED if known.dated else _TAIL
    return 1.0 - (1.0 - share) * gaps / (gaps + 3.0)


def knows_habits(known: Known) -> bool:
    """Says whether enough changes were seen, in enough time, for the habits to be asked."""
    watched = known.detected - HOUR * known.habits.calendar.week.begun
    return known.changes >= _HABITS_AFTER[0] and watched >= _HABITS_AFTER[1]


def heard(state: LearnedState) -> Weights:
    """Returns the weights that count for a plan. Narrow and clock count only while the guard trusts them.

    The base expert speaks for habits that are not known yet.
    """
    known = state.known
    base, narrow, clock, habits = known.weights
    trusted = known.changes > 0 and state.guard.trusts
    if habits <= _HABITS_HEARD or not knows_habits(known):
        base, habits = base + habits, 0.0
    return (
        base,
        narrow if trusted and narrow > HEARD else 0.0,
        clock if trusted and clock > (HEARD if known.dated else _CLOCK_HEARD) else 0.0,
        habits,
    )


def news(plain: float) -> float:
    """Returns how much a change tells of the experts, from 0 to 1; `plain` is the chance of its bracket.

    A bracket in which any page would have changed tells little, so it should not cost the experts for regular
    pages the trust that narrower brackets have earned.
    """
    return max(_LEAST_NEWS, 1.0 - plain)


def reweighted(weights: Weights, dated: bool, densities: Weights, rate: float, news: float = 1.0) -> Weights:
    """Returns the weights after a change, given the density that each expert had foretold for it.

    An expert who foretold the change gains. Narrow and clock compete with the base expert alone, and then the
    habits compete with the base expert for the weight that the first two leave: habits know a change to the
    hour at best, so they must not take weight from a clock that knows the minute.
    """
    base, narrow, clock, habits = weights
    floor = _FLOOR * rate
    regular = _REGULAR_DATED if dated else _REGULAR
    others, narrow, clock = _contest((base + habits, narrow, clock), regular, densities[:3], floor, news)
    base, habits = _contest((base, habits), _HABITUAL, (densities[0], densities[3]), floor, news)
    return others * base, narrow, clock, others * habits


def _contest(
    weights: tuple[float, ...],
    start: tuple[float, ...],
    densities: tuple[float, ...],
    floor: float,
    news: float,
) -> list[float]:
    """Returns the weights of some experts after a change; they sum up to 1. No density is below the `floor`.

    Pulls towards the start keep every expert between certainty and exclusion; they are weaker where a change
    has less `news`.
    """
    faith = 1.0 - (1.0 - _FAITH) * news
    renewal = _RENEWAL * news
    raw = [
        weight**faith * first ** (1.0 - faith) * max(density, floor)
        for weight, first, density in zip(weights, start, densities, strict=True)
    ]
    scale = (1.0 - renewal) / sum(raw)
    return [scale * one + renewal * first for one, first in zip(raw, start, strict=True)]


def densities_at(known: Known, moment: float) -> Weights:
    """Returns the density that each expert had foretold for a change at this very moment."""
    y = moment - known.changed
    gaps, plain = known.gaps, known.rate.belief.density(y)
    if not gaps.seen:
        return plain, 0.0, 0.0, plain
    tail = tail_share(known)
    base = tail * plain + (1.0 - tail) * gaps.density(y, WIDE)
    habits = _not_yet(known) * _habits_density(known, moment) if knows_habits(known) else base
    return base, gaps.density(y, NARROW), known.clock.density(y), habits


def densities_between(known: Known, low: float, high: float) -> Weights:
    """Returns the mean density that each expert had foretold for a change between two looks."""
    length, changed = high - low, known.changed
    base = (_base_chance(known, high) - _base_chance(known, low)) / length
    if not known.gaps.seen:
        return base, 0.0, 0.0, base
    clock = (known.clock.within(high - changed)[0] - known.clock.within(low - changed)[0]) / length
    habits = _not_yet(known) * _habits_chance(known, low, high) / length if knows_habits(known) else base
    return base, 0.0, clock, habits


def _not_yet(known: Known) -> float:
    """Returns the chance that the base expert gave to no change before the look that found the last one.

    The habits count from that look, the base expert from the change. With this factor they compete fairly.
    """
    return 1.0 - _base_chance(known, known.detected)


def _base_chance(known: Known, moment: float) -> float:
    """Returns the chance of a change by this moment, as foretold by the base expert."""
    y = moment - known.changed
    plain = known.rate.belief.within(y)[0]
    if not known.gaps.seen:
        return plain
    tail = tail_share(known)
    return tail * plain + (1.0 - tail) * known.gaps.within(y, WIDE)[0]


def _habits_chance(known: Known, low: float, high: float) -> float:
    """Returns the chance of a change between two looks, as foretold by the habits."""
    habits, since = known.habits, known.detected
    silence = habits.own_time(since, since, low)
    return habits.alive(silence) - habits.alive(silence + habits.own_time(since, low, high))


def _habits_density(known: Known, moment: float) -> float:
    """Returns the density that the habits had foretold, converted from own to plain time."""
    habits, since = known.habits, known.detected
    silence = habits.own_time(since, since, moment)
    rate = habits.rate.shape / (habits.rate.span + silence)
    return habits.busy(since, moment) * rate * habits.alive(silence)
