"""The formulas of the experts agree with plain numerical integration and exhaustive search (A3)."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.pace.learned.calendar import HOURS, Calendar, Week
from webvigil.pace.learned.forecast import Forecast
from webvigil.pace.learned.gaps import REMEMBERED, Gaps
from webvigil.pace.learned.lomax import Lomax
from webvigil.pace.learned.policy import Learned
from webvigil.pace.learned.state import LearnedState
from webvigil.pace.policy import HOUR, WEEK, Bounds, Observation
from webvigil.pace.simulate.bed import A_MONDAY, BEDS

positive = st.floats(0.5, 1e6)
shapes = st.floats(0.3, 40)


def integrated(value: Callable[[float], float], end: float, steps: int = 1500) -> float:
    at = (np.arange(steps) + 0.5) * end / steps
    return float(np.mean([value(float(y)) for y in at]) * end)


@settings(max_examples=15, deadline=None)
@given(shape=shapes, span=positive, y=positive)
def test_the_heavy_tail_is_consistent(shape: float, span: float, y: float):
    lomax = Lomax(shape, span)
    y = min(y, 8 * span / shape)
    chance, integral = lomax.within(y)
    assert chance == pytest.approx(integrated(lomax.density, y), rel=5e-3, abs=1e-6)
    assert integral == pytest.approx(integrated(lambda at: lomax.within(at)[0], y), rel=5e-3, abs=1e-6)


def test_the_heavy_tail_is_exact_where_the_formula_has_a_hole():
    near, at = Lomax(1.0 + 1e-9, 3.0).within(5.0), Lomax(1.0, 3.0).within(5.0)
    assert near == pytest.approx(at, rel=1e-6)
    assert Lomax(2.0, 3.0).within(-1.0) == (0.0, 0.0)


@settings(max_examples=40, deadline=None)
@given(gaps=st.lists(st.floats(1, 1e6), min_size=1, max_size=50), y=st.floats(0.1, 2e6), narrow=st.booleans())
def test_boxes_around_gaps_are_summed_rightly(gaps: list[float], y: float, narrow: bool):
    width = 0.03 if narrow else 0.25
    remembered = Gaps()
    for gap in gaps:
        remembered = remembered.with_gap(gap)
    newest_first = gaps[::-1][:REMEMBERED]
    weights = [0.97**age for age in range(len(newest_first))]
    chance = integral = 0.0
    for gap, weight in zip(newest_first, weights, strict=True):
        low, high = gap * (1 - width), gap * (1 + width)
        inside = min(max((y - low) / (high - low), 0.0), 1.0)
        chance += weight * inside
        integral += weight * (inside**2 * (high - low) / 2 + max(y - high, 0.0))
    found = remembered.within(y, width)
    assert found[0] == pytest.approx(chance / sum(weights), rel=1e-6, abs=1e-9)
    assert found[1] == pytest.approx(integral / sum(weights), rel=1e-6, abs=1e-6 * y)
    assert remembered.weight == pytest.approx(sum(weights))


def test_the_week_of_an_office_page_is_learnt():
    draw = random.Random(1)
    calendar = Calendar()
    for day in range(7 * 26):
        if day % 7 < 5:
            for _ in range(3):
                moment = A_MONDAY + day * 24 * HOUR + draw.uniform(9, 17) * HOUR
                calendar = calendar.with_changes(moment, moment, 0.0, 1.0)
    monday = A_MONDAY + 26 * WEEK
    office = np.mean([calendar.rate(monday + hour * HOUR) for hour in range(9, 17)])
    night = np.mean([calendar.rate(monday + hour * HOUR) for hour in range(6)])
    saturday = np.mean([calendar.rate(monday + (5 * 24 + hour) * HOUR) for hour in range(9, 17)])
    assert office > 3
    assert night < 0.3
    assert saturday < office / 4
    assert np.mean(calendar.week.rates) == pytest.approx(1.0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, HOURS - 1), st.floats(0, 20)), max_size=20), st.floats(0, 3 * WEEK))
def test_warped_time_runs_on_and_a_week_stays_a_week(counts: list[tuple[int, float]], moment: float):
    week = Week()
    for hour, count in counts:
        week = week.with_changes([(hour, count)])
    calendar = Calendar(week)
    assert calendar.warped(moment + WEEK) - calendar.warped(moment) == pytest.approx(WEEK)
    assert calendar.warped(moment + HOUR) > calendar.warped(moment)


def test_changes_of_unknown_hour_are_spread_but_none_is_lost():
    calendar = Calendar()
    for day in range(10):
        low = A_MONDAY + day * 24 * HOUR
        calendar = calendar.with_changes(low, low + 20 * HOUR, 2.0)
    assert sum(calendar.week.counts) + calendar.fresh == pytest.approx(20, rel=0.1)


def states(name: str, looks: int, dated: bool = True) -> tuple[Learned, LearnedState]:
    bed = BEDS[name]
    policy = Learned(bounds=bed.bounds)
    changes, seen = bed.drawn(0), 0
    state, now = policy.start(bed.start), bed.start
    for _ in range(looks):
        now = policy.next_look(state, now)
        before = seen
        while seen < len(changes) and changes[seen] <= now:
            seen += 1
        told = changes[seen - 1] if seen > before and dated else None
        state = policy.observed(state, Observation(now, seen > before, told))
    return policy, state


@pytest.mark.parametrize("name", ["RFast240", "CONST1000", "office-hours", "morning-paper"])
@pytest.mark.parametrize("dated", [True, False])
def test_the_plan_is_the_first_moment_worth_a_look(name: str, dated: bool):
    for looks in (5, 120):
        _, state = states(name, looks, dated)
        forecast = Forecast(state)
        bounds = Bounds(2_000, 4 * 24 * HOUR)
        for wanted in (0.3, 0.9, 2.0):
            soonest, latest = state.looked + bounds.shortest, state.looked + bounds.longest
            worth = partial(_threshold, forecast, state, wanted, longest=bounds.longest)
            planned = forecast.first_with(wanted, soonest, latest)
            grid = np.linspace(soonest, planned, 60)[:-1] if planned > soonest else []
            missed = [t for t in grid if forecast.pending(t) > 1.02 * worth(t)]
            assert not missed
            late = min(latest, planned + 0.01 * (planned - state.looked))
            assert late == latest or forecast.pending(late) >= 0.97 * worth(late)


def _threshold(forecast: Forecast, state: LearnedState, wanted: float, moment: float, longest: int) -> float:
    share = forecast._habits
    busy = state.known.habits.busy(state.known.detected, moment)
    left = 1 - (moment - state.looked) / longest
    return float(wanted * (1 - share + share * busy * left) ** 0.5)


def test_pending_only_grows():
    for name in ("Rand240", "six-hourly-job", "office-hours"):
        _, state = states(name, 120)
        forecast = Forecast(state)
        ahead = [forecast.pending(state.looked + wait) for wait in np.geomspace(1, 30 * 24 * HOUR, 200)]
        assert ahead[0] == pytest.approx(0, abs=1e-3)
        assert all(later >= earlier - 1e-9 for earlier, later in pairwise(ahead))
