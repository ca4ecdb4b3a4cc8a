"""The four experts that foretell a page's next change, and the weight of each.

base      any page: the heavy tail of its rate, and wide boxes around the gaps remembered
narrow    a page with a few exact gaps: narrow boxes; needs the server's word on the moment of a change
clock     a page with one period
calendar  a page with busy and quiet hours: the heavy tail in warped time
"""

from __future__ import annotations

from webvigil.pace.learned.state import Known, LearnedState, Weights

# The half widths of the boxes, as shares of the gap. With 0.03 for the narrow ones the delay on the
# six-hourly job of bench/quality/pace.py is half as much again.
WIDE = 0.25
NARROW = 0.02

# The share of the base expert that stays with the heavy tail however many gaps are remembered.
_TAIL, _TAIL_DATED = 0.8, 0.7
# So many changes must have been seen before the calendar is asked.
_CALENDAR_AFTER = 8

# The weights at the start. The calendar starts higher than narrow and clock: its gain per change is small but
# steady (0.6 nats on the office page of bench/quality/pace.py), and with 0.005 it would never outweigh the
# pull back to the start. The same holds for the clock where changes have no dates; with
# 0.06 it would be heard too often on the random pages of the thesis.
_PRIOR: Weights = (0.92, 0.0, 0.03, 0.05)
_PRIOR_DATED: Weights = (0.94, 0.005, 0.005, 0.05)
# How a change moves the weights (see `reweighted`): the exponent of the weight so far; the density, relative
# to the rate, that even an expert who foretold nothing keeps; the share that returns to the start each time;
# the least news in a change (see `news`).
# bench/quality/pace.py covers them with all kinds of page.
_FAITH = 0.8
_FLOOR = 0.02
_RENEWAL = 0.1
_LEAST_NEWS = 0.5

# An expert with less weight than this moves no plan by more than the precision of a plan, so it is not asked.
# The clock costs most to ask where changes have no dates, so there it must have gained on its start.
_HEARD = 0.01
_CLOCK_HEARD = 0.03


def prior(dated: bool) -> Weights:
    """Returns the weights of the experts before any change; `dated` says whether the server tells times."""
    return _PRIOR_DATED if dated else _PRIOR


def tail_share(known: Known) -> float:
    """Returns the share of the base expert that goes to the heavy tail; the rest goes to remembered gaps."""
    gaps = known.gaps.weight
    share = _TAIL_DATED if known.dated else _TAIL
    return 1.0 - (1.0 - share) * gaps / (gaps + 3.0)


def knows_week(known: Known) -> bool:
    """Says whether enough changes were seen for the calendar to be asked."""
    return known.changes >= _CALENDAR_AFTER


def heard(state: LearnedState) -> Weights:
    """Returns the weights that count for a plan. Narrow and clock count only while the guard trusts them."""
    known = state.known
    base, narrow, clock, calendar = known.weights
    trusted = known.changes > 0 and state.guard.trusts
    return (
        base,
        narrow if trusted and narrow > _HEARD else 0.0,
        clock if trusted and clock > (_HEARD if known.dated else _CLOCK_HEARD) else 0.0,
        calendar if calendar > _HEARD and knows_week(known) else 0.0,
    )


def news(plain: float) -> float:
    """Returns how much a change tells of the experts, from 0 to 1; `plain` is the chance of its bracket.

    A bracket in which any page would have changed tells little, so it should not cost the experts for regular
    pages the trust that narrower brackets have earned.
    """
    return max(_LEAST_NEWS, 1.0 - plain)


def reweighted(weights: Weights, dated: bool, densities: Weights, rate: float, news: float = 1.0) -> Weights:
    """Returns the weights after a change, given the density that each expert had foretold for it.

    An expert who foretold the change gains. Pulls towards the start keep every expert between certainty and
    exclusion; they are weaker where a change has less `news`.
    """
    start = prior(dated)
    floor = _FLOOR * rate
    faith = 1.0 - (1.0 - _FAITH) * news
    renewal = _RENEWAL * news
    raw = [
        weight**faith * first ** (1.0 - faith) * max(density, floor)
        for weight, first, density in zip(weights, start, densities, strict=True)
    ]
    scale = (1.0 - renewal) / sum(raw)
    return (
        scale * raw[0] + renewal * start[0],
        scale * raw[1] + renewal * start[1],
        scale * raw[2] + renewal * start[2],
        scale * raw[3] + renewal * start[3],
    )


def densities_at(known: Known, moment: float) -> Weights:
    """Returns the density that each expert had foretold for a change at this very moment."""
    y = moment - known.changed
    gaps, plain = known.gaps, known.rate.belief.density(y)
    if not gaps.seen:
        return plain, 0.0, 0.0, plain
    tail = tail_share(known)
    base = tail * plain + (1.0 - tail) * gaps.density(y, WIDE)
    calendar = _calendar_density(known, moment) if knows_week(known) else plain
    return base, gaps.density(y, NARROW), known.clock.density(y), calendar


def densities_between(known: Known, low: float, high: float) -> Weights:
    """Returns the mean density that each expert had foretold for a change between two looks."""
    length = high - low
    base, clock, calendar = (
        (after - before) / length
        for before, after in zip(_chances(known, low), _chances(known, high), strict=True)
    )
    return base, 0.0, clock, calendar


def _chances(known: Known, moment: float) -> tuple[float, float, float]:
    """Returns the chance of a change by this moment, as foretold by base, clock and calendar."""
    y = moment - known.changed
    lomax, gaps = known.rate.belief, known.gaps
    plain = lomax.within(y)[0]
    if not gaps.seen:
        return plain, 0.0, plain
    tail = tail_share(known)
    base = tail * plain + (1.0 - tail) * gaps.within(y, WIDE)[0]
    calendar = plain
    if knows_week(known):
        warped = known.calendar.warped
        calendar = lomax.within(warped(moment) - warped(known.changed))[0]
    return base, known.clock.within(y)[0], calendar


def _calendar_density(known: Known, moment: float) -> float:
    """Returns the density that the calendar had foretold, converted from warped to plain time."""
    calendar = known.calendar
    warped = calendar.warped(moment) - calendar.warped(known.changed)
    return calendar.rate(moment) * known.rate.belief.density(warped)
