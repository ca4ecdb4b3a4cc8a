"""The policy `bea` is the algorithm of the thesis (A1), and its experiments give the same results (M1)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.pace.bea import Bea
from webvigil.pace.policy import DAY, Bounds, Observation
from webvigil.pace.simulate.bed import BEDS
from webvigil.pace.simulate.experiment import Options, experiment
from webvigil.pace.simulate.thesis import REPORTED


class Tuning:
    """The program of VIG 6.3, written as the thesis writes it, with variables that change."""

    def __init__(self, p_min: int, alpha: int, beta: int, w: float, size: int) -> None:
        self.p_min, self.alpha, self.beta, self.w, self.size = p_min, alpha, beta, w, size
        self.current = float(p_min)
        self.history: list[int] = []
        self.left = alpha
        self.constant_cycles = 0

    def learn(self, change: bool, interval: int) -> float:
        if not change:
            self.left -= 1
            if self.left == 0:
                self.current, self.left = 2 * self.current, self.alpha
            return self.current
        self.left = self.alpha
        self.history.append(interval)
        if len(self.history) > self.size:
            self.history.pop(0)
        if len(self.history) > 1 and self.history[-1] == self.history[-2]:
            if self.constant_cycles == self.beta:
                self.constant_cycles = 0
                self.current = self.estimate()
            else:
                self.constant_cycles += 1
                self.current = float(self.history[-1])
        else:
            self.current = self.estimate()
        return self.current

    def estimate(self) -> float:
        mean = sum(self.history) / len(self.history)
        return max(mean * self.w if mean >= self.current else mean, self.p_min)


tunings = st.tuples(st.integers(1, 7), st.integers(1, 6), st.integers(1, 25))
found = st.lists(st.one_of(st.none(), st.sampled_from((5_000, 10_000)), st.integers(1, 60_000)), max_size=80)


@settings(max_examples=200, deadline=None)
@given(tuning=tunings, found=found)
def test_bea_plans_as_the_program_in_the_thesis(tuning: tuple[int, int, int], found: list[int | None]):
    alpha, beta, size = tuning
    policy = Bea(alpha=alpha, beta=beta, memory=size, bounds=Bounds(2_000, 10**15))
    program = Tuning(2_000, alpha, beta, 0.6, size)
    state = policy.start(0)
    for gap in found:
        now = state.looked + 10**9
        told = None if gap is None else state.changed + gap
        state = policy.observed(state, Observation(now, gap is not None, told))
        # The program lets a constant interval be shorter than its Pmin; ours never is.
        expected = max(program.learn(gap is not None, gap or 0), program.p_min)
        assert state.interval == pytest.approx(expected, abs=1)
        program.current = state.interval  # in whole milliseconds, so that rounding errors do not add up


def test_a_page_that_does_not_change_is_looked_at_half_as_often_after_alpha_looks():
    policy = Bea(alpha=3, bounds=Bounds(2_000, 10_000))
    state = policy.start(0)
    waits = []
    for _ in range(12):
        now = policy.next_look(state, state.looked)
        waits.append(now - state.looked)
        state = policy.observed(state, Observation(now, changed=False))
    assert waits == [2_000] * 3 + [4_000] * 3 + [8_000] * 3 + [10_000] * 3


def test_a_dynamic_page_is_timed_by_the_looks():
    policy = Bea(bounds=Bounds(2_000, DAY))
    state = policy.observed(policy.start(0), Observation(10_000, True))
    state = policy.observed(state, Observation(20_000, True))
    assert state.history == (10_000, 10_000)
    assert policy.next_look(state, 20_000) == 30_000


@pytest.mark.parametrize(
    ("told", "moment"),
    [(None, 10_000), (4_000, 4_000), (10_000, 10_000), (1_000, 10_000), (500, 10_000), (10_001, 10_000)],
)
def test_last_modified_is_believed_if_it_lies_between_the_last_change_and_now(told: int | None, moment: int):
    state = Bea(bounds=Bounds(2_000, DAY)).start(1_000)
    assert Bea().observed(state, Observation(10_000, True, told)).changed == moment


# Means over 40 pages with their tolerances, as in REPRODUCED of bench/quality/pace.py.
@pytest.mark.parametrize(
    ("case", "captured", "cycles"),
    [
        ("Cons240", (240, 0), (295, 0)),
        ("RFast240", (214, 3), (342, 8)),
        ("CONST1000", (888, 6), (1226, 15)),
        ("RAND1000", (976, 5), (1590, 15)),
    ],
)
def test_the_experiments_come_out_as_they_should(
    case: str, captured: tuple[int, int], cycles: tuple[int, int]
):
    outcome = experiment(BEDS[case], "bea", range(40))
    assert outcome.captured == pytest.approx(captured[0], abs=captured[1])
    assert outcome.cycles == pytest.approx(cycles[0], abs=cycles[1])


@pytest.mark.parametrize("case", ["RFast240", "Cons240", "Rand240", "CONST1000", "RAND1000"])
def test_the_thesis_reports_nearly_the_same(case: str):  # M1
    outcome = experiment(BEDS[case], "bea", range(10))
    captured, cycles = REPORTED[case, "bea"]
    assert outcome.captured == pytest.approx(captured, rel=0.06)
    assert outcome.cycles == pytest.approx(cycles, rel=0.09)


def test_more_patience_captures_more_and_costs_more():  # VIG Table 4.6
    two, four = (experiment(BEDS["RAND1000"], "bea", range(3), Options(alpha=alpha)) for alpha in (2, 4))
    assert two.captured < four.captured
    assert two.cycles < four.cycles


def test_a_state_is_written_down_with_every_field_and_found_again():
    policy = Bea(alpha=2, bounds=Bounds(2_000, DAY))
    state = policy.start(1_000)
    for now, changed in ((4_000, True), (9_000, True), (12_000, False)):
        state = policy.observed(state, Observation(now=now, changed=changed))
    plain = policy.as_plain(state)
    assert set(plain) == {"looked", "changed", "interval", "history", "unchanged", "constant"}
    assert (plain["looked"], plain["unchanged"], len(plain["history"])) == (12_000, 1, 2)
    assert policy.from_plain({**plain, "history": list(plain["history"])}) == state


def test_a_look_that_is_late_comes_now():
    policy = Bea(bounds=Bounds(2_000, DAY))
    state = policy.start(1_000)
    assert [policy.next_look(state, now) for now in (1_000, 3_000, 9_000)] == [3_000, 3_000, 9_000]
