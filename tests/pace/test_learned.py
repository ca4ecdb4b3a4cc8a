"""How the policy `learned` behaves on pages of kinds that people know (A3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from random import Random

import pytest

from webvigil.pace.learned import Learned, LearnedState
from webvigil.pace.policy import DAY, HOUR, WEEK, Bounds, Observation
from webvigil.pace.simulate.bed import A_MONDAY, BEDS, MINUTE, SECOND

SECONDS = Bounds(2 * SECOND, DAY)
MINUTES = Bounds(MINUTE, 7 * DAY)


def watched(
    policy: Learned, changes: Sequence[int], end: int, start: int = 0, dated: bool = True
) -> tuple[LearnedState, list[int]]:
    """Looks at a page as the policy plans, and returns the last state and the moments of all looks."""
    state, now, seen, looks = policy.start(start), start, 0, []
    while (now := policy.next_look(state, now)) < end:
        looks.append(now)
        before = seen
        while seen < len(changes) and changes[seen] <= now:
            seen += 1
        told = changes[seen - 1] if seen > before and dated else None
        state = policy.observed(state, Observation(now, seen > before, told))
    return state, looks


def test_a_clockwork_page_is_looked_at_right_after_it_changed():
    changes = [day * DAY + 6 * HOUR for day in range(1, 30)]
    _, looks = watched(Learned(bounds=MINUTES), changes, changes[-1] + HOUR)
    assert any(0 <= look - changes[-1] < 20 * MINUTE for look in looks)
    assert sum(look > changes[-8] for look in looks) <= 12


def test_a_page_that_fell_silent_is_left_alone_more_and_more():
    draw = Random(5)
    changes = list(accumulate(round(draw.expovariate(1 / HOUR)) for _ in range(60)))
    _, looks = watched(Learned(bounds=MINUTES), changes, changes[-1] + 60 * DAY)
    silent = [look for look in looks if look > changes[-1] + 6 * HOUR]
    waits = [later - earlier for earlier, later in pairwise(silent)]
    assert len(silent) < 60
    assert waits[-1] > 2 * DAY
    assert waits[-1] > 10 * waits[0]


def test_a_page_twice_as_fast_as_our_looks_is_found_out():
    """The page changes every 5 s. Looked at every 10 s, it seems to be a clock of 10 s."""
    policy = Learned(bounds=SECONDS)
    state = policy.start(0)
    for now in range(11 * SECOND, 200 * SECOND, 10 * SECOND):
        state = policy.observed(state, Observation(now, True, now - SECOND))
    assert sum(state.known.weights[1:3]) > 0.5
    now, periods = state.looked, []
    for _ in range(40):
        now = policy.next_look(state, now)
        last = now // (5 * SECOND) * 5 * SECOND
        changed = last > state.looked
        state = policy.observed(state, Observation(now, changed, last if changed else None))
        periods.append(round(state.known.clock.period))
    assert 5 * SECOND in periods[:15]
    assert periods[-1] == 5 * SECOND


def test_a_page_that_changes_its_pace_is_followed():
    draw = Random(2)
    slow = [round(draw.expovariate(1 / (2 * HOUR))) for _ in range(60)]
    fast = [round(draw.expovariate(1 / (10 * MINUTE))) for _ in range(600)]
    changes = list(accumulate([*slow, *fast]))
    policy = Learned(bounds=MINUTES)
    before, _ = watched(policy, changes, changes[59])
    after, _ = watched(policy, changes, changes[-1])
    assert policy.rate(before) * HOUR == pytest.approx(0.5, rel=0.5)
    assert policy.rate(after) * HOUR == pytest.approx(6, rel=0.6)


def test_an_office_page_is_left_alone_at_night():
    draw = Random(3)
    changes = [
        round(A_MONDAY + day * DAY + draw.uniform(9, 17) * HOUR)
        for day in range(20 * 7)
        if day % 7 < 5
        for _ in range(4)
    ]
    changes.sort()
    _, looks = watched(Learned(bounds=MINUTES), changes, A_MONDAY + 20 * WEEK, start=A_MONDAY)
    late = [(look - A_MONDAY) % WEEK for look in looks if look > A_MONDAY + 14 * WEEK]
    working = [look for look in late if look < 5 * DAY and 9 * HOUR <= look % DAY < 19 * HOUR]
    # Ten hours on five days are 30 % of a week, so evenly spread looks would give 0.3.
    assert len(working) > 0.5 * len(late)


def test_a_higher_price_means_fewer_looks():
    bed = BEDS["RFast240"]
    changes = bed.drawn(1)
    counts = [
        len(watched(Learned(bounds=bed.bounds, threshold=threshold), changes, changes[-1])[1])
        for threshold in (0.4, 0.8, 1.6)
    ]
    assert counts[0] > 1.3 * counts[1] > 1.3 * 1.3 * counts[2]


def test_a_fleet_page_starts_at_the_fleet_s_pace():
    hasty, calm = Learned(bounds=MINUTES), Learned(bounds=MINUTES, typical_gap=DAY)
    assert hasty.next_look(hasty.start(0), 0) < 10 * MINUTE
    assert calm.next_look(calm.start(0), 0) > 4 * HOUR


def test_a_server_may_stop_and_start_to_tell_dates():
    policy = Learned(bounds=SECONDS)
    state, now = policy.start(0), 0
    for look in range(80):
        now = max(policy.next_look(state, now), now + 30 * SECOND)
        told = now - SECOND if look // 10 % 2 else None
        state = policy.observed(state, Observation(now, True, told))
        assert sum(state.known.weights) == pytest.approx(1.0)
        assert state.known.dated is bool(look // 10 % 2)
    assert state.known.changes == 80


@pytest.mark.parametrize(("value", "is_sound"), [(0.0, True), (1e20, True), (1e40, False), (-1e-9, False)])
def test_a_state_with_numbers_that_no_page_can_have_is_refused(value: float, is_sound: bool):
    policy = Learned()
    plain = policy.as_plain(policy.observed(policy.start(0), Observation(HOUR, True)))
    plain["hour"][0] = value
    if is_sound:
        assert policy.as_plain(policy.from_plain(plain)) == plain
    else:
        with pytest.raises(ValueError, match="numbers that no page can have"):
            policy.from_plain(plain)
