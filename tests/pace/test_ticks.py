"""The phase of a clock is learnt from looks alone, where no server tells when a page changed (A3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pace.test_learned import watched
from webvigil.pace.learned import Learned, LearnedState
from webvigil.pace.learned.ticks import Ticks, truncated
from webvigil.pace.policy import DAY, HOUR, WEEK, Bounds, Observation
from webvigil.pace.simulate.bed import A_MONDAY, BEDS, MINUTE, SECOND
from webvigil.pace.simulate.experiment import Options, experiment

BOUNDS = Bounds(MINUTE, 2 * DAY)
DAYS = [A_MONDAY + day * DAY for day in range(140)]
UNTOLD = Options(last_modified=False)


def normal(mean: float, width: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda at: np.exp(-0.5 * ((at - mean) / width) ** 2) / (width * (2 * np.pi) ** 0.5)


@settings(max_examples=40, deadline=None)
@given(mean=st.floats(-50, 50), width=st.floats(0.5, 20), low=st.floats(-60, 60), length=st.floats(0.5, 80))
def test_what_a_bracket_leaves_of_a_forecast(mean: float, width: float, low: float, length: float):
    at = low + (np.arange(20_000) + 0.5) * length / 20_000
    density = normal(mean, width)(at)
    share = float(density.mean() * length)
    found, middle, variance = truncated(mean, width**2, low, low + length)
    assert found == pytest.approx(share, abs=1e-5)
    if share > 1e-4:
        weights = density / density.sum()
        expected = float((weights * at).sum())
        assert middle == pytest.approx(expected, abs=1e-2 * width)
        assert variance == pytest.approx(
            float((weights * (at - expected) ** 2).sum()), rel=0.05, abs=1e-3 * width**2
        )


def after(brackets: Iterable[tuple[float, float]], plain: float = 0.3) -> tuple[Ticks, float]:
    """Returns the ticks after changes in these brackets, and from when their times count."""
    ticks, origin, gaps = Ticks(), 0.0, [0.0]
    for low, high in brackets:
        middle = (low + high) / 2
        gaps.append(middle - origin)
        ticks = ticks.bracketed(low - origin, high - origin, gaps[1:], plain)
        origin = middle
    return ticks, origin


def grid(changes: Iterable[float], looks: float) -> list[tuple[float, float]]:
    """Returns the brackets of changes at a page that is looked at on a grid."""
    return [(change // looks * looks, change // looks * looks + looks) for change in changes]


def test_brackets_close_in_on_the_period_and_the_phase():
    """The page changes every 61 minutes and is looked at every 7."""
    ticks, origin = after(grid((61.0 * MINUTE * n for n in range(1, 41)), 7 * MINUTE))
    due = 41 * 61 * MINUTE - origin
    assert ticks.period == pytest.approx(61 * MINUTE, rel=0.002)
    assert ticks.within(due + 90 * SECOND)[0] - ticks.within(due - 90 * SECOND)[0] > 0.8


@pytest.mark.parametrize(
    ("unit", "many"),
    [
        (SECOND, (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60)),
        (MINUTE, (2, 3, 5, 10, 15, 20, 30, 60)),
        (HOUR, (2, 3, 4, 6, 8, 12, 24, 168)),
    ],
)
def test_a_period_that_people_set_is_known_exactly_after_a_few_coarse_looks(unit: int, many: tuple[int, ...]):
    for one in many:
        period = float(one * unit)
        ticks, _ = after(grid((period * (number + 0.37) for number in range(1, 15)), period / 4.7))
        assert ticks.period == period
    ticks, _ = after(grid((7.0 * unit * (number + 0.37) for number in range(1, 15)), 7.0 * unit / 4.7))
    assert ticks.period != 7 * unit, "nobody sets every seven"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("changes", [1, 2, 3, 12, 60])
def test_the_forecast_is_consistent(changes: int):
    ticks, _ = after(grid((HOUR * n + 13.0 * MINUTE for n in range(1, changes + 1)), 11 * MINUTE))
    at = np.linspace(0, 6 * HOUR, 40_000)
    step = at[1] - at[0]
    density = np.array([ticks.density(float(y + step / 2)) for y in at])
    chances, integrals = np.array([ticks.within(float(y)) for y in at]).T
    halfway = np.array([ticks.within(float(y + step / 2))[0] for y in at])
    # Some of the forecast of a young clock may lie before the last change.
    assert (chances - chances[0])[1:] == pytest.approx(np.cumsum(density)[:-1] * step, abs=1e-4)
    assert (integrals - integrals[0])[1:] == pytest.approx(np.cumsum(halfway)[:-1] * step, rel=1e-3, abs=step)
    assert chances[-1] == pytest.approx(1.0, abs=0.1)
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(chances))


def workdays(weeks: int) -> list[float]:
    """Returns the changes of a page that changes at seven on workdays, counted from a Monday."""
    return [day * DAY + 7.0 * HOUR for day in range(7 * weeks) if day % 7 < 5]


def chance_within(ticks: Ticks, origin: float, moment: float, margin: float = HOUR) -> float:
    """Returns the chance that the next change is no farther from this moment than the margin."""
    y = moment - origin
    return ticks.within(y + margin)[0] - ticks.within(y - margin)[0]


def test_the_days_on_which_ticks_are_left_out_are_learnt():
    changes = workdays(9)
    friday, origin = after(grid(changes[:40], HOUR), plain=0.05)
    assert friday.period == pytest.approx(DAY, rel=0.01)
    assert chance_within(friday, origin, changes[39] + DAY) < 0.2
    assert chance_within(friday, origin, changes[40]) > 0.7
    monday, origin = after(grid(changes[:41], HOUR), plain=0.05)
    assert chance_within(monday, origin, changes[41]) > 0.9


@pytest.mark.parametrize("hour", [0, 12, 23])
def test_a_tick_at_any_hour_keeps_its_day(hour: int):
    """The page changes a little before or after an hour of each workday, in turns."""
    changes = [
        day * DAY + hour * HOUR + (20.0 if day % 2 else -20.0) * MINUTE for day in range(1, 64) if day % 7 < 5
    ]
    friday = max(place for place in range(44) if changes[place + 1] - changes[place] > 2 * DAY)
    ticks, origin = after(grid(changes[: friday + 1], HOUR), plain=0.05)
    assert chance_within(ticks, origin, changes[friday] + DAY, 2 * HOUR) < 0.2
    assert chance_within(ticks, origin, changes[friday + 1], 2 * HOUR) > 0.7


def test_a_lost_clock_remembers_its_days():
    """The editor moves the hour of the edition from seven to noon."""
    changes = [*workdays(8), *(change + 5 * HOUR for change in workdays(11)[40:])]
    ticks, origin = after(grid(changes[:50], HOUR), plain=0.05)
    assert ticks.changes < 10  # since the last start
    assert chance_within(ticks, origin, changes[49] + DAY, 3 * HOUR) < 0.2
    assert chance_within(ticks, origin, changes[50], 3 * HOUR) > 0.6


def test_a_clock_of_another_period_forgets_the_days():
    changes = [*workdays(8), *(56.0 * DAY + HOUR * n for n in range(1, 30))]
    ticks, _ = after(grid(changes, 5 * MINUTE), plain=0.05)
    assert ticks.period == pytest.approx(HOUR, rel=0.01)
    assert min(ticks.days.chances) > 0.8


def test_a_clock_that_was_believed_twice_as_fast_is_found_out():
    early = grid((3.0 * HOUR * n for n in range(1, 7)), 20 * MINUTE)
    later = grid((18.0 * HOUR + 6 * HOUR * n for n in range(1, 25)), 20 * MINUTE)
    ticks, _ = after([*early, *later], plain=0.1)
    assert ticks.period == pytest.approx(6 * HOUR, rel=0.01)


def delays(changes: Sequence[int], looks: Sequence[int]) -> list[float]:
    """Returns in minutes how long each change waited for a look."""
    places = np.searchsorted(looks, changes)
    return [(looks[place] - change) / MINUTE for place, change in zip(places, changes, strict=True)]


def seen_alone(changes: list[int]) -> tuple[LearnedState, list[int]]:
    return watched(Learned(bounds=BOUNDS), changes, changes[-1] + DAY, A_MONDAY, dated=False)


@pytest.mark.parametrize(
    ("period", "most"), [(37 * MINUTE, 4), (6 * HOUR, 30), (DAY, 90), (WEEK, 12 * 60)], ids=str
)
def test_a_page_like_clockwork_is_looked_at_soon_after_its_time(period: int, most: float):
    changes = [A_MONDAY + 11 * MINUTE + period * n for n in range(1, 61)]
    _, looks = seen_alone(changes)
    assert np.mean(delays(changes[-20:], looks)) < most
    assert sum(look > changes[-20] for look in looks) < 20 * max(2.5, 1.5 * period / (2 * DAY))


def test_a_job_that_rests_at_the_weekend_is_expected_on_monday():
    ticks = range(4 * 7 * 12)
    changes = [A_MONDAY + 11 * MINUTE + 6 * HOUR * tick for tick in ticks if tick // 4 % 7 < 5]
    state, looks = seen_alone(changes)
    assert state.known.clock.ticks.changes > 100  # since the last start
    assert np.mean(delays(changes[-20 * 4 :], looks)) < 30


def test_an_hour_of_daylight_saving_is_followed():
    """The pages are as in Berlin: from day 90 on they change an hour earlier, from day 120 on as before."""
    summer, winter = [], []
    for hour in (5, 7, 9, 11):
        changes = [
            day + hour * HOUR - (HOUR if 90 <= number < 120 else 0)
            for number, day in enumerate(DAYS, start=0)
        ]
        _, looks = seen_alone(changes[:-1])
        waited = delays(changes[:-1], looks)
        summer += waited[100:120]
        winter += waited[130:]
    assert np.mean(summer) < 60
    assert np.mean(winter) < 60


def test_a_page_that_stops_being_a_clock_is_watched_like_any_other():
    draw = Random(4)
    changes = [A_MONDAY + 4 * HOUR * n for n in range(1, 60)]
    for _ in range(60):
        changes.append(changes[-1] + round(draw.expovariate(1 / (4 * HOUR))) + 1)
    state, looks = seen_alone(changes)
    assert state.known.weights[2] < 0.3
    assert np.mean(delays(changes[-40:], looks)) < 240


def test_a_page_twice_as_fast_as_our_looks_is_found_out_without_dates():
    """The page changes every 3 h. Looked at every 6 h, it seems to be a clock of 6 h."""
    policy = Learned(bounds=BOUNDS)
    state, now = policy.start(A_MONDAY), A_MONDAY
    for _ in range(30):
        for wait in (6 * HOUR - 10 * MINUTE, 10 * MINUTE):  # the last look before each change that we see
            now += wait
            state = policy.observed(state, Observation(now, wait == 10 * MINUTE))
    assert state.known.weights[2] > 0.5
    for _ in range(120):
        last, now = now, policy.next_look(state, now)
        changed = now // (3 * HOUR) > last // (3 * HOUR)
        state = policy.observed(state, Observation(now, changed))
    assert state.known.clock.period == pytest.approx(3 * HOUR, rel=0.02)


def test_a_state_of_an_older_version_is_read():
    policy = Learned(bounds=BOUNDS)
    changes = [A_MONDAY + 6 * HOUR * n for n in range(1, 30)]
    state, _ = seen_alone(changes)
    plain = json.loads(json.dumps(policy.as_plain(state)))
    del plain["ticks"]
    plain["clock"] = [6.0 * HOUR, 0.3, 5.9 * HOUR, 6.1 * HOUR]
    old = policy.from_plain(plain)
    planned = policy.next_look(old, old.looked)
    assert BOUNDS.shortest <= planned - old.looked <= BOUNDS.longest
    learnt = policy.observed(old, Observation(planned + HOUR, True))
    assert policy.from_plain(policy.as_plain(learnt)) == learnt
    assert learnt.known.clock.ticks.hands


def test_a_clock_of_a_version_that_knew_no_days_is_read():
    """Such a state has the chance of each of the next four ticks instead."""
    policy = Learned(bounds=BOUNDS)
    state, _ = seen_alone([A_MONDAY + 6 * HOUR * n for n in range(1, 30)])
    plain = json.loads(json.dumps(policy.as_plain(state)))
    hands, *_, evidence, changes = plain["ticks"]
    plain["ticks"] = [hands, [0.94, 0.03, 0.02, 0.01], evidence, changes]
    old = policy.from_plain(plain)
    assert old.known.clock.ticks.hands == state.known.clock.ticks.hands
    planned = policy.next_look(state, state.looked)
    assert policy.next_look(old, old.looked) == pytest.approx(planned, abs=10 * MINUTE)


def test_a_period_learnt_without_dates_outlasts_the_first_date():
    """The first date comes after a pause, so the gap to the change before it means nothing."""
    changes = [A_MONDAY + HOUR * n for n in range(1, 100)]
    state, _ = seen_alone(changes)
    policy, now = Learned(bounds=BOUNDS), changes[-1] + 30 * DAY
    for told in (None, now + HOUR):
        now += HOUR + MINUTE
        state = policy.observed(state, Observation(now, True, told))
    assert state.known.clock.period < 3 * HOUR  # and not the 15 days to the middle of the pause


@pytest.mark.parametrize("gap", [1, 2, 3 * SECOND, 400 * DAY])
def test_any_gap_makes_a_clock(gap: int):
    policy = Learned(bounds=Bounds(1, 1000 * DAY))
    state, now = policy.start(0), 0
    for _ in range(12):
        now += gap
        state = policy.observed(state, Observation(now, True))
        assert now < policy.next_look(state, now) <= now + 1000 * DAY


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "most"),
    [("six-hourly-job", 0.25), ("morning-paper", 0.25), ("weekly", 0.3), ("workday-paper", 0.25)],
    ids=str,
)
def test_changes_wait_a_quarter_as_long_as_with_bea_at_equal_looks(name: str, most: float):
    bed, seeds = BEDS[name], range(50, 52)
    bea, ours = (experiment(bed, policy, seeds, UNTOLD) for policy in ("bea", "learned"))
    assert ours.cycles <= bea.cycles
    assert ours.mean_delay < most * bea.mean_delay
