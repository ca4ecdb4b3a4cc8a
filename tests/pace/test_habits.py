"""The habits of a page are learnt: its busy hours, and the bursts after a change."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.pace.learned import Learned, LearnedState
from webvigil.pace.learned.calendar import HOURS, Calendar, Week
from webvigil.pace.learned.experts import heard, prior, reweighted
from webvigil.pace.learned.habits import AGES, CLASSES, Bursts, Habits
from webvigil.pace.learned.lomax import Lomax
from webvigil.pace.policy import DAY, HOUR, WEEK, Bounds, Observation
from webvigil.pace.simulate.bed import A_MONDAY, MINUTE
from webvigil.pace.words import habit

BOUNDS = Bounds(MINUTE, 2 * DAY)


def in_bursts(bursts: int, seed: int = 1) -> list[int]:
    """Draws a page at which somebody works once in six days, and then saves every two hours."""
    draw, changes, now = Random(seed), [], float(A_MONDAY)
    for _ in range(bursts):
        now += draw.expovariate(1 / (6 * DAY))
        for _ in range(20):
            now += draw.uniform(1, 3) * HOUR
            changes.append(round(now))
    return changes


def watched(changes: list[int], dated: bool) -> LearnedState:
    policy = Learned(bounds=BOUNDS, threshold=0.5)
    state, now, seen = policy.start(A_MONDAY), A_MONDAY, 0
    while seen < len(changes):
        now = policy.next_look(state, now)
        before = seen
        while seen < len(changes) and changes[seen] <= now:
            seen += 1
        told = changes[seen - 1] if dated and seen > before else None
        state = policy.observed(state, Observation(now, seen > before, told))
    return state


@pytest.mark.parametrize("dated", [True, False], ids=["dated", "undated"])
def test_a_page_in_bursts_is_known_to_be_busy_soon_after_a_change(dated: bool):
    factors = watched(in_bursts(20), dated).known.habits.bursts.factors
    early, late = (np.searchsorted(AGES, age) for age in (DAY, 4 * DAY))
    assert max(factors[:early]) > 2
    assert factors[late] < 0.5


def test_a_page_without_habits_is_as_busy_at_each_age():
    draw, changes, now = Random(2), [], float(A_MONDAY)
    for _ in range(200):
        now += draw.expovariate(1 / (8 * HOUR))
        changes.append(round(now))
    factors = watched(changes, dated=False).known.habits.bursts.factors
    assert all(0.5 < factor < 2.0 for factor in factors)


factors = st.lists(st.floats(0, 30), min_size=CLASSES, max_size=CLASSES).map(tuple)


@settings(max_examples=20, deadline=None)
@given(
    found=factors,
    expected=factors,
    counts=st.lists(st.floats(0, 20), min_size=HOURS, max_size=HOURS).map(tuple),
    waits=st.lists(st.floats(1, 3 * DAY), min_size=3, max_size=3),
)
def test_own_time_is_the_sum_of_its_parts(
    found: tuple[float, ...], expected: tuple[float, ...], counts: tuple[float, ...], waits: list[float]
):
    habits = Habits(Lomax(1.0, HOUR), Calendar(Week(counts)), Bursts(found, expected))
    since = float(A_MONDAY)
    low = since + waits[0]
    middle = low + waits[1]
    high = middle + waits[2]
    parts = habits.own_time(since, low, middle) + habits.own_time(since, middle, high)
    assert habits.own_time(since, low, high) == pytest.approx(parts)


def test_hours_at_which_nobody_has_watched_yet_are_as_busy_as_the_others():
    monday = A_MONDAY // HOUR
    week = Week(begun=monday, settled=monday)
    for hour in range(monday, monday + 3 * 24, 2):
        week = week.with_changes([(hour, 1.0)])
    rates = np.array(week.rates).reshape(7, 24)
    by_day = rates.mean(axis=1)  # from Thursday on
    assert by_day == pytest.approx(np.ones(7), rel=0.15)
    late = Week(week.counts, week.settled, begun=monday - 2 * HOURS)
    assert np.array(late.rates).reshape(7, 24).mean(axis=1)[:4].max() < 0.6


def test_habits_take_no_weight_from_a_clock():
    """A clock foretells the minute, habits the hour, the base expert little."""
    weights = prior(dated=False)
    for _ in range(12):
        weights = reweighted(weights, False, (1.0, 0.0, 60.0, 20.0), 1.0)
    without = prior(dated=False)
    for _ in range(12):
        without = reweighted(without, False, (1.0, 0.0, 60.0, 1.0), 1.0)
    assert weights[2] == pytest.approx(without[2])
    assert weights[2] > 0.85


def test_habits_that_foretell_nothing_lose_their_weight():
    weights = prior(dated=False)
    for _ in range(12):
        weights = reweighted(weights, False, (1.0, 0.0, 0.0, 0.1), 1.0)
    assert weights[3] < 0.2


def test_regular_experts_are_heard_after_a_change_alone():
    state = Learned(bounds=BOUNDS).start(A_MONDAY)
    for changes, narrow_and_clock in ((0, (0.0, 0.0)), (1, (0.4, 0.3))):
        known = replace(state.known, changes=changes, weights=(0.2, 0.4, 0.3, 0.1))
        assert heard(replace(state, known=known)) == (pytest.approx(0.3), *narrow_and_clock, 0.0)


def test_habits_are_not_heard_in_the_first_days():
    policy = Learned(bounds=BOUNDS)
    state = policy.start(A_MONDAY)
    for number in range(1, 40):
        state = policy.observed(state, Observation(A_MONDAY + 2 * number * HOUR, True))
        assert (heard(state)[3] > 0) == (2 * number >= 72)
        assert sum(heard(state)) == pytest.approx(1.0, abs=0.03)


def test_a_state_of_an_older_version_is_read():
    policy = Learned(bounds=BOUNDS)
    state = watched(in_bursts(4), dated=False)
    plain = json.loads(json.dumps(policy.as_plain(state)))
    del plain["habits"]
    old = policy.from_plain(plain)
    assert old.known.habits.rate == state.known.rate.belief
    assert old.known.habits.bursts == Bursts()
    assert old.looked < policy.next_look(old, old.looked) <= old.looked + BOUNDS.longest
    later = policy.observed(old, Observation(old.looked + WEEK, True))
    assert policy.from_plain(json.loads(json.dumps(policy.as_plain(later)))) == later


def test_counts_that_no_page_can_have_are_refused():
    policy = Learned(bounds=BOUNDS)
    plain = policy.as_plain(watched(in_bursts(4), dated=False))
    begun, shape, span, found, expected = plain["habits"]
    for wrong in ([begun, -shape, span, found, expected], [begun, shape, span, [-1.0, *found[1:]], expected]):
        with pytest.raises(ValueError, match="no page can have"):
            policy.from_plain({**plain, "habits": wrong})


def test_a_page_whose_changes_all_were_within_the_last_hour_has_no_hours_of_its_own():
    policy = Learned(bounds=BOUNDS)
    state = policy.start(A_MONDAY)
    later = A_MONDAY + 4 * DAY
    for minute in range(1, 9):
        seen = later + minute * MINUTE
        state = policy.observed(state, Observation(seen, True, seen))
        assert habit(state, seen)  # without a warning about a division by nothing


@pytest.mark.parametrize(
    ("days", "on_workdays"),
    [((0, 1, 2, 3, 4), True), ((0, 1, 2, 3, 4, 5), False), ((0, 1, 2, 3, 4, 6), False)],
)
def test_a_page_that_also_changes_on_a_day_of_the_weekend_keeps_no_workdays(
    days: tuple[int, ...], on_workdays: bool
):
    draw = Random(5)
    changes = [
        A_MONDAY + week * WEEK + day * DAY + round(draw.uniform(9, 13) * HOUR)
        for week in range(14)
        for day in days
    ]
    told = habit(watched(changes, dated=True), changes[-1] + HOUR)
    assert ("on workdays" in told) is on_workdays, told
