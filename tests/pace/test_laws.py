"""What every policy promises, whatever a page does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.pace.bea import Bea
from webvigil.pace.ideal import Ideal
from webvigil.pace.learned import Learned
from webvigil.pace.naive import Naive, next_look
from webvigil.pace.policy import DAY, HOUR, Bounds, Observation

BOUNDS = Bounds(5_000, DAY)
POLICIES = {
    "naive": Naive(60_000),
    "bea": Bea(bounds=BOUNDS),
    "learned": Learned(bounds=BOUNDS),
    "learned in a fleet": Learned(bounds=BOUNDS, typical_gap=DAY, threshold=3.0),
    "learned for nothing": Learned(bounds=BOUNDS, threshold=0.0),
}

# A look: how much later than planned it was made, whether it found a change, and how the server dates it.
looks = st.tuples(
    st.sampled_from((0, 0, 0, 1, 60_000, 40 * HOUR)),
    st.booleans(),
    st.one_of(st.none(), st.floats(-0.5, 1.5)),
)
histories = st.lists(looks, max_size=60)


def lived(policy: Any, history: list[Any], start: int = 1_700_000_000_000, scale: int = 1) -> Any:
    """Returns the state after a history of looks, each made when the policy planned it or later."""
    state, now = policy.start(start), start
    for late, changed, dated in history:
        planned = policy.next_look(state, now)
        told = round(now + dated * (planned - now)) if dated is not None else None
        now = planned + late * scale
        state = policy.observed(state, Observation(now, changed, told))
    return state


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "naive"])
@settings(max_examples=25, deadline=None)
@given(history=histories)
def test_no_look_comes_too_soon_or_too_late(name: str, history: list[Any]):
    policy = POLICIES[name]
    state = lived(policy, history)
    planned = policy.next_look(state, state.looked)
    assert BOUNDS.shortest <= planned - state.looked <= BOUNDS.longest


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@settings(max_examples=25, deadline=None)
@given(history=histories, later=st.integers(0, 10 * DAY))
def test_what_is_overdue_is_due_at_once(policy: Any, history: list[Any], later: int):
    state = lived(policy, history)
    now = state.looked + later
    assert policy.next_look(state, now) == max(now, policy.next_look(state, state.looked))


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@settings(max_examples=25, deadline=None)
@given(history=histories)
def test_a_state_survives_the_store_and_stays_small(policy: Any, history: list[Any]):
    state = lived(policy, history)
    text = json.dumps(policy.as_plain(state), allow_nan=False)
    read = policy.from_plain(json.loads(text))
    assert read == state
    assert policy.next_look(read, state.looked) == policy.next_look(state, state.looked)
    assert len(text) < 5_000


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@settings(max_examples=20, deadline=None)
@given(history=histories)
def test_the_same_history_gives_the_same_plan(policy: Any, history: list[Any]):
    assert lived(policy, history) == lived(policy, history)


@settings(max_examples=40, deadline=None)
@given(history=st.lists(looks, max_size=40), scale=st.sampled_from((2, 60, 1000)))
def test_bea_does_not_know_how_long_a_second_is(history: list[Any], scale: int):
    plain = lived(Bea(bounds=BOUNDS), history, start=0)
    scaled_bounds = Bounds(BOUNDS.shortest * scale, BOUNDS.longest * scale)
    scaled = lived(Bea(bounds=scaled_bounds), history, start=0, scale=scale)
    # Rounding to whole milliseconds may make two equal intervals differ in one of the runs; such histories
    # are left out.
    if all(first == second // scale for first, second in zip(plain.history, scaled.history, strict=False)):
        assert scaled.interval == pytest.approx(plain.interval * scale, rel=0.001)


@settings(max_examples=40, deadline=None)
@given(
    gaps=st.lists(st.integers(10_000, 600_000), min_size=1, max_size=3), scale=st.sampled_from((2, 60, 1000))
)
def test_learned_does_not_know_how_long_a_second_is_before_it_knows_the_hours(gaps: list[int], scale: int):
    def wait(scale: int) -> float:
        policy = Learned(bounds=Bounds(5_000 * scale, DAY * scale))
        state, now = policy.start(0), 0
        for gap in gaps:
            now += gap * scale
            state = policy.observed(state, Observation(now, True, now - gap * scale // 3))
        return (policy.next_look(state, now) - now) / scale

    assert wait(scale) == pytest.approx(wait(1), rel=0.005, abs=1)


@pytest.mark.parametrize("policy", [POLICIES["bea"], POLICIES["learned"]], ids=["bea", "learned"])
def test_a_date_that_cannot_be_is_not_believed(policy: Any):
    now = 1_700_000_000_000
    undated = policy.observed(policy.start(now), Observation(now + HOUR, True))
    for told in (0, now - DAY, now + 2 * HOUR, 2**60):
        assert policy.observed(policy.start(now), Observation(now + HOUR, True, told)) == undated


def test_a_clock_that_stands_still_or_goes_back_does_no_harm():
    policy = Learned(bounds=BOUNDS)
    state = policy.start(DAY)
    for now in (DAY, DAY - HOUR, DAY):
        state = policy.observed(state, Observation(now, True, now))
        assert policy.next_look(state, now) > DAY


def test_bounds_without_time_for_a_look_are_refused():
    for shortest, longest in ((0, 10), (-1, 10), (11, 10)):
        with pytest.raises(ValueError, match="no time for a look"):
            Bounds(shortest, longest)


def test_the_grid_of_a_fixed_interval_is_kept_whatever_was_missed():
    assert next_look(100, 50, 100) == 150
    assert next_look(100, 50, 149) == 150
    assert next_look(100, 50, 150) == 200
    assert next_look(100, 50, 990) == 1000


def test_the_oracle_looks_when_the_page_changes():
    oracle = Ideal((10, 20, 45))
    state = oracle.start(0)
    seen = []
    while (now := oracle.next_look(state, state.looked)) < 1000:
        seen.append(now)
        state = oracle.observed(state, Observation(now, True, now))
    assert seen == [10, 20, 45]
    assert oracle.from_plain(oracle.as_plain(state)) == state
