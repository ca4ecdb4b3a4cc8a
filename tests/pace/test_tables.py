"""The small rules behind the moment of the next look, each at both sides of its limits."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from typing import Any

import numpy as np
import pytest

from webvigil.model.pace import PaceRecord, Shares, Steering
from webvigil.pace import words
from webvigil.pace.backoff import wait_after
from webvigil.pace.bea import Bea
from webvigil.pace.budget import Bucket, Demand, Prices, divided, price, threshold, trimmed, weight_of
from webvigil.pace.hints import Hints
from webvigil.pace.ideal import Ideal
from webvigil.pace.learned import Learned, LearnedState
from webvigil.pace.memory import Memory, read, written
from webvigil.pace.naive import next_look
from webvigil.pace.pacing import Pacing, Seen
from webvigil.pace.policy import DAY, HOUR, Bounds
from webvigil.pace.steering import (
    Budget,
    Made,
    drawn,
    host_price,
    is_time_to_price,
    left_for_best_effort,
    repriced,
    with_looks,
)

MINUTE = 60_000


@pytest.mark.parametrize(
    ("planned", "interval", "now", "next_at"),
    [
        (100, 10, 90, 110),
        (100, 10, 100, 110),
        (100, 10, 109, 110),
        (100, 10, 110, 120),
        (100, 10, 139, 140),
        (100, 1, 100, 101),
    ],
)
def test_looks_at_an_interval_keep_their_beat(planned: int, interval: int, now: int, next_at: int):
    assert next_look(planned, interval, now) == next_at


@pytest.mark.parametrize(
    ("failures", "interval", "passes", "wait"),
    [
        (1, 1, True, 10_000),
        (1, 10_001, True, 10_001),
        (1, 120_001, True, 120_000),
        (1, 120_001, False, 120_001),
        (1, DAY, False, HOUR),
        (2, DAY, True, 480_000),
        (3, 10_000, True, 160_000),
        (2, DAY, False, 4 * HOUR),
        (3, DAY, False, 6 * HOUR),
        (10_000, 1, True, 6 * HOUR),
    ],
)
def test_a_page_that_failed_is_tried_again_after_four_times_as_long(
    failures: int, interval: int, passes: bool, wait: int
):
    assert wait_after(failures, interval, passes=passes) == wait


@pytest.mark.parametrize(("shortest", "longest"), [(0, 5), (-1, 5), (6, 5)])
def test_bounds_leave_time_for_a_look(shortest: int, longest: int):
    with pytest.raises(ValueError, match=f"the bounds {shortest} to {longest} ms leave no time for a look"):
        Bounds(shortest, longest)
    assert Bounds() == Bounds(5_000, DAY)
    assert [Bounds(5, 7).wait(wait) for wait in (4.9, 5.4, 5.6, 7.1)] == [5, 5, 6, 7]
    assert Bounds(5, 5).wait(9) == 5


def test_the_oracle_looks_at_the_next_change_and_never_after_the_last():
    oracle = Ideal((10, 20))
    state = oracle.start(10)
    assert oracle.next_look(state, 10) == 20
    assert oracle.next_look(state, 25) == 25
    assert oracle.next_look(oracle.start(9), 9) == 10
    assert oracle.next_look(oracle.start(20), 20) > 10**15
    assert oracle.from_plain(oracle.as_plain(state)) == state


def test_the_policies_begin_with_the_values_of_the_thesis_and_the_settings():
    bea = Bea()
    assert (bea.alpha, bea.beta, bea.weight, bea.memory) == (6, 2, 0.6, 20)
    pacing = Pacing()
    assert (pacing.name, pacing.bounds, pacing.interval) == ("learned", Bounds(MINUTE, DAY), 5 * MINUTE)
    assert (pacing.typical_gap, pacing.least, pacing.confirm_after) == (0, 0.0, MINUTE)
    assert (pacing.second_look, pacing.price("any")) == (0, None)


# --- hints ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pings", "changed", "after"),
    [
        (0, False, (0.1, 1.9, 1.8, 0.2)),
        (0, True, (0.097, 2.843, 1.8, 0.2)),
        (1, False, (0.1, 1.9, 1.746, 1.194)),
        (1, True, (1.097, 1.843, 2.746, 0.194)),
        (5, True, (1.097, 1.843, 2.746, 0.194)),
    ],
)
def test_what_hints_earn_with_a_look(pings: int, changed: bool, after: tuple[float, ...]):
    found = Hints().after_look(pings, changed)
    told = (found.announced, found.unannounced, found.followed, found.unfollowed)
    assert told == pytest.approx(after)


def test_how_far_hints_are_believed():
    assert (Hints().recall, Hints().precision) == pytest.approx((0.05, 0.9))
    assert Hints(announced=100.0, unannounced=0.0).recall == 0.95
    assert Hints().threshold(1.9, 1) == pytest.approx(1.0 / 0.95)
    assert Hints().threshold(1.9, 0) == pytest.approx(2.0)
    assert Hints().threshold(1.9, 3) == 0.0


# --- the budget -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("priority", "sentinels", "weight"), [(1, 1, 1), (2, 3, 6), (0, 1, 0.01), (0.02, 0, 0.02), (-1, 2, 0.02)]
)
def test_what_the_delay_of_a_page_weighs(priority: float, sentinels: int, weight: float):
    assert weight_of(priority, sentinels) == pytest.approx(weight)
    assert Demand("a", 4.0, 9.0).share == 6.0


def test_a_price_follows_from_the_shares_and_the_looks():
    assert price(2.0, 4.0) == 0.5 * (HOUR / 2) ** 2
    assert price(2.0, 4.0, 3.0) == 1.5 * (HOUR / 2) ** 2
    assert threshold(8.0, 1.0, 4.0) == 2.0
    assert threshold(8.0, 1.0, 4.0, knob=0.25, typical=16.0) == 4.0
    assert [trimmed(2.0, late) for late in (0.0, 0.1, 0.5, 9.0, -0.5, -9.0)] == pytest.approx(
        [2 * exp(0.003 * late) for late in (0.0, 0.1, 0.5, 0.5, -0.5, -0.5)]
    )


@pytest.mark.parametrize(
    ("shares", "looks", "caps", "overall", "tight"),
    [
        ({"a": 8.0, "b": 2.0}, 100.0, {}, (10.0, 100.0), {}),
        ({"a": 8.0, "b": 2.0}, 100.0, {"a": 10.0}, (2.0, 90.0), {"a": (8.0, 10.0)}),
        ({"a": 8.0, "b": 2.0}, 100.0, {"a": 80.0}, (10.0, 100.0), {}),
        (
            {"a": 8.0, "b": 2.0},
            100.0,
            {"a": 10.0, "b": 1.0},
            (0.0, 89.0),
            {"a": (8.0, 10.0), "b": (2.0, 1.0)},
        ),
        ({"a": 8.0, "b": 2.0}, 100.0, {"a": 10.0, "b": 95.0}, (2.0, 90.0), {"a": (8.0, 10.0)}),
        ({"a": 8.0}, 10.0, {"a": 10.0}, (8.0, 10.0), {}),
    ],
)
def test_a_tight_host_leaves_the_rest_to_the_others(
    shares: dict[str, float],
    looks: float,
    caps: dict[str, float],
    overall: tuple[float, float],
    tight: dict[str, tuple[float, float]],
):
    found = divided(sum(shares.values()), shares, looks, caps)
    assert found == Prices(price(*overall), {host: price(*one) for host, one in tight.items()})
    assert found.at("elsewhere") == found.overall


def test_a_bucket_lets_the_looks_of_six_minutes_through_at_once():
    bucket = Bucket(60.0)
    assert bucket.next(1_000_000) == 1_000_000
    for number in range(1, 7):
        bucket = bucket.taken(1_000_000)
        assert bucket.full_at == 1_000_000 + number * MINUTE
        assert bucket.next(1_000_000) == 1_000_000
    assert bucket.taken(1_000_000).next(1_000_000) == 1_000_000 + MINUTE


# --- steering -------------------------------------------------------------------------------------------

ONE_A_MINUTE = Budget(overall=60.0)


@pytest.mark.parametrize(
    ("elapsed", "looks", "late", "change"),
    [
        (MINUTE, 1, 0.0, 0.0),
        (MINUTE, 0, 0.0, -0.5),
        (MINUTE, 2, 0.2, 0.1),
        (MINUTE, 2, 9.0, 0.5),
        (2 * MINUTE, 1, 0.0, -0.5),
        (4 * MINUTE, 2, 0.0, 0.0),
        (5 * MINUTE, 1, 0.1, -0.4),
    ],
)
def test_the_price_is_trimmed_by_the_looks_of_a_minute(elapsed: int, looks: int, late: float, change: float):
    before = Steering(trimmed_at=5, trim=1.0, looks=0, late=0.0, fixed=3)
    after = with_looks(before, Made(looks=looks, late=late, fixed=2), 5 + elapsed, ONE_A_MINUTE)
    assert after.trim == pytest.approx(exp(0.003 * change))
    assert (after.looks, after.late, after.fixed, after.trimmed_at) == (0, 0.0, 5, 5 + elapsed)


def test_within_a_minute_looks_are_summed_up():
    before = Steering(trimmed_at=5, trim=2.0, looks=1, late=0.5, fixed=3)
    after = with_looks(before, Made(looks=2, late=0.25, fixed=4), 4 + MINUTE, ONE_A_MINUTE)
    assert after == replace(before, looks=3, late=0.75, fixed=7)


@pytest.mark.parametrize(("trim", "looks"), [(0.25, 0), (4.0, 9)])
def test_a_trim_has_bounds(trim: float, looks: int):
    before = Steering(trimmed_at=0, trim=trim)
    assert with_looks(before, Made(looks=looks, late=float(looks)), MINUTE, ONE_A_MINUTE).trim == trim


@pytest.mark.parametrize(
    ("paid", "since", "is_time"), [(0.0, 0, True), (1.0, 599_999, False), (1.0, 600_000, True)]
)
def test_a_price_is_computed_anew_after_ten_minutes(paid: float, since: int, is_time: bool):
    assert is_time_to_price(Steering(price=paid, priced_at=7), 7 + since) is is_time


@pytest.mark.parametrize(
    ("priced_at", "known", "seen", "rate"),
    [(7, 0.0, 5, 10.0), (7, 20.0, 5, 15.0), (0, 20.0, 5, 20.0), (0, 0.0, 5, 0.0), (7, 20.0, 0, 10.0)],
)
def test_fixed_looks_come_out_of_the_budget(priced_at: int, known: float, seen: int, rate: float):
    before = Steering(priced_at=priced_at, fixed_rate=known, fixed=seen, trim=2.0)
    after = repriced(before, Shares(total=3.0, hosts={}), priced_at + HOUR // 2, ONE_A_MINUTE)
    assert (after.fixed_rate, after.fixed, after.priced_at) == (rate, 0, priced_at + HOUR // 2)
    assert after.price == pytest.approx(2.0 * price(3.0, 60.0 - rate))


def test_best_effort_rules_keep_a_twentieth_of_the_budget():
    assert [left_for_best_effort(ONE_A_MINUTE, rate) for rate in (0.0, 57.0, 58.0, 99.0)] == [60, 3, 3, 3]


def test_a_host_has_a_price_of_its_own_if_it_has_a_budget():
    assert host_price(2.0, Budget(host=4.0)) == price(2.0, 4.0)
    assert host_price(2.0, Budget(overall=4.0)) == 0.0
    shares = Shares(total=10.0, hosts={"a": 8.0})
    free = repriced(Steering(), shares, 5, Budget(overall=100.0))
    assert free.price == price(10.0, 100.0)
    capped = repriced(Steering(), shares, 5, Budget(overall=100.0, host=10.0))
    assert capped.price == price(2.0, 90.0)


@pytest.mark.parametrize(("wanted", "granted"), [(1, 1), (6, 6), (7, 7), (8, 7)])
def test_a_bucket_grants_looks_until_it_is_empty(wanted: int, granted: int):
    steering, found, wait = drawn(Steering(), wanted, 1_000_000, ONE_A_MINUTE)
    assert (found, wait, steering.full_at) == (granted, 0, 1_000_000 + granted * MINUTE)
    if granted == 7:
        later, none, wait = drawn(steering, 2, 1_000_000, ONE_A_MINUTE)
        assert (none, wait, later.full_at) == (0, MINUTE, 1_000_000 + 8 * MINUTE)
        assert drawn(later, 1, 1_000_000, ONE_A_MINUTE)[1:] == (0, 2 * MINUTE)


# --- the memory of a page -------------------------------------------------------------------------------


def kept(looked: int, **more: Any) -> PaceRecord:
    """A page that `bea` looks at every 100 s, last at this moment."""
    policy = Bea(bounds=Bounds(MINUTE, DAY))
    state = replace(policy.start(looked), interval=100_000)
    return PaceRecord(
        memory=written(Memory(policy="bea", state=policy.as_plain(state), version=3, **more)), pings=0
    )


@pytest.mark.parametrize(("ahead", "wait"), [(0, 100_000), (HOUR, 100_000), (HOUR + 1, MINUTE)])
def test_a_memory_from_the_future_is_dropped(ahead: int, wait: int):
    now = 10 * HOUR
    pace, told = Pacing(name="bea").after_look(kept(now + ahead), Seen(now=now, version=3), host="a")
    assert pace.next_at == now + wait
    assert told == (
        "looked at every 100 seconds for now" if wait == 100_000 else "looked at every minute for now"
    )


@pytest.mark.parametrize(
    ("followed", "unfollowed", "is_now"), [(1.8, 0.2, True), (1.0, 1.0, True), (0.99, 1.01, False)]
)
def test_a_hint_that_is_believed_is_followed_at_once(followed: float, unfollowed: float, is_now: bool):
    record = kept(HOUR, hints=Hints(followed=followed, unfollowed=unfollowed))
    assert Pacing(name="bea").hinted(record, HOUR + 5, host="a") == HOUR + (5 if is_now else 100_000)


def test_hints_are_remembered_from_the_first_on():
    pacing, now = Pacing(name="bea"), HOUR + 5
    without = read(pacing.after_look(kept(HOUR), Seen(now=now, version=3), host="a")[0].memory)
    assert without
    assert without.hints is None
    record = replace(kept(HOUR), pings=2)
    pace, _ = pacing.after_look(record, Seen(now=now, version=4), host="a")
    with_hints = read(pace.memory)
    assert with_hints
    assert with_hints.hints == Hints().after_look(2, True)
    assert (pace.pings, with_hints.version) == (2, 4)
    again = read(
        pacing.after_look(replace(record, memory=pace.memory, pings=0), Seen(now=now, version=4), host="a")[
            0
        ].memory
    )
    assert again
    assert again.hints == with_hints.hints


@pytest.mark.parametrize("least", [0.0, 2.0])
def test_a_look_waits_for_the_changes_that_its_price_asks_for(least: float):
    pacing = Pacing(price=lambda _: 1e9, least=least)
    assert pacing._wanted(1e-8, "a", 4.0) == max(threshold(1e9, 1e-8, 4.0), least)
    assert Pacing(least=least)._wanted(1e-8, "a", 4.0) == Pacing()._wanted(1e-8, "b", 1.0)


# --- in words -------------------------------------------------------------------------------------------


def changing(*, gap: float = HOUR, detected: int = 0, **more: Any) -> LearnedState:
    state = Learned().start(0)
    known = state.known
    belief = replace(known.rate.belief, shape=2.0, span=2.0 * gap)
    known = replace(known, rate=replace(known.rate, belief=belief), detected=detected, changes=5, **more)
    return replace(state, known=known)


@pytest.mark.parametrize(
    ("now", "said"),
    [(999, "nothing known of its changes yet"), (1_000, "no change seen in 1 second")],
)
def test_a_page_without_a_change_is_told_from_a_second_on(now: int, said: str):
    assert words.habit(Learned().start(0), now) == said


@pytest.mark.parametrize(
    ("weights", "silence", "said"),
    [
        ((1.0, 0.0, 0.0, 0.0), 0, "changes about every hour"),
        ((0.5, 0.25, 0.25, 0.0), 0, "changes about every hour"),
        ((0.25, 0.25, 0.5, 0.0), 0, "changes every 2 hours like clockwork"),
        ((0.25, 0.5, 0.25, 0.0), 0, "changes every 2 hours like clockwork"),
        ((1.0, 0.0, 0.0, 0.0), 3 * HOUR, "changes about every hour"),
        ((1.0, 0.0, 0.0, 0.0), 3 * HOUR + 1, "changes about every hour, but not for 3 hours"),
    ],
)
def test_a_page_is_regular_if_the_clocks_are_believed(
    weights: tuple[float, float, float, float], silence: int, said: str
):
    state = changing()
    known = replace(state.known, weights=weights, clock=replace(state.known.clock, period=2.0 * HOUR))
    assert words.habit(replace(state, known=known), silence) == said


@pytest.mark.parametrize(
    ("hours", "window"),
    [
        ({9: 1.0}, (9, 10)),
        ({5: 0.8, 15: 0.2}, (5, 6)),
        ({5: 0.75, 6: 0.25}, (5, 7)),
        ({23: 0.5, 0: 0.5}, (23, 1)),
        ({22: 0.5, 23: 0.5}, (22, 24)),
        ({0: 0.5, 8: 0.5}, (0, 9)),
        ({0: 0.5, 9: 0.5}, None),
    ],
)
def test_the_busy_hours_are_the_shortest_with_most_changes(
    hours: dict[int, float], window: tuple[int, int] | None
):
    shares = np.array([hours.get(hour, 0.0) for hour in range(24)])
    assert words._window(shares) == window
