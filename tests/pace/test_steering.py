"""Many workers keep to one budget of looks, in the flow and on a virtual clock (A4)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pace.world import DAY, HOUR, MINUTE, MONDAY, ScriptedPage, World
from webvigil.app.worker.budget import Pace
from webvigil.model.moment import Millis
from webvigil.model.pace import Shares, Steering
from webvigil.pace.budget import BUCKET, REPRICED, TRIMMED, price
from webvigil.pace.pacing import Pacing
from webvigil.pace.policy import Bounds
from webvigil.pace.steering import Budget, Made, drawn, is_time_to_price, repriced, with_looks

BUDGET = Budget(overall=600)
BOUNDS = Bounds(MINUTE, 2 * DAY)


class TestPrice:
    def test_it_is_reckoned_at_once_and_then_every_ten_minutes(self):
        steering = Steering()
        assert is_time_to_price(steering, MONDAY)
        steering = repriced(steering, Shares(total=1e-3, hosts={}), MONDAY, BUDGET)
        assert steering.price == pytest.approx(price(1e-3, 600))
        assert not is_time_to_price(steering, MONDAY + REPRICED - 1)
        assert is_time_to_price(steering, MONDAY + REPRICED)

    def test_looks_that_no_price_moves_come_out_of_the_budget_first(self):
        steering = Steering(price=1.0, priced_at=MONDAY, trimmed_at=MONDAY)
        steering = with_looks(steering, Made(fixed=50), MONDAY + 1, BUDGET)
        steering = repriced(steering, Shares(total=1e-3, hosts={}), MONDAY + REPRICED, BUDGET)
        assert steering.fixed_rate == pytest.approx(300)
        assert steering.price == pytest.approx(price(1e-3, 300))

    def test_however_many_those_are_something_is_left(self):
        steering = Steering(price=1.0, priced_at=MONDAY, trimmed_at=MONDAY, fixed=10_000)
        steering = repriced(steering, Shares(total=1e-3, hosts={}), MONDAY + REPRICED, BUDGET)
        assert steering.price == pytest.approx(price(1e-3, 30))

    def test_late_looks_raise_it_and_unused_ones_lower_it(self):
        start = Steering(price=1.0, priced_at=MONDAY, trimmed_at=MONDAY)
        minute = MONDAY + TRIMMED
        assert with_looks(start, Made(looks=10, late=4.0), minute, BUDGET).trim > 1.0
        assert with_looks(start, Made(looks=10), minute, BUDGET).trim == 1.0
        assert with_looks(start, Made(looks=2), minute, BUDGET).trim < 1.0

    def test_it_never_runs_away(self):
        steering = Steering(price=1.0, priced_at=MONDAY, trimmed_at=MONDAY)
        for step in range(1, 20_000):
            steering = with_looks(steering, Made(), MONDAY + step * TRIMMED, BUDGET)
        assert steering.trim == 0.25

    def test_hosts_with_a_tight_budget_leave_the_rest_to_the_others(self):
        both = Budget(overall=600, host=60)
        shares = Shares(total=2e-3, hosts={"a": 1e-3, "b": 1e-6})
        steering = repriced(Steering(), shares, MONDAY, both)
        assert steering.price == pytest.approx(price(1e-3, 540))


@settings(max_examples=50, deadline=None)
@given(wishes=st.lists(st.integers(0, HOUR), min_size=1, max_size=300), batch=st.integers(1, 10))
def test_the_shared_bucket_lets_no_more_through_than_the_budget(wishes: list[int], batch: int):
    steering, made, kept = Steering(), [], 0
    for wish in sorted(wishes):
        if kept:
            kept -= 1
            made.append(wish)
            continue
        steering, granted, wait = drawn(steering, batch, wish, BUDGET)
        assert bool(granted) != bool(wait)
        kept = max(0, granted - 1)
        made.append(wish + wait)
    made.sort()
    for first in range(len(made)):
        for last in range(first, len(made)):
            allowed = 600 * (made[last] - made[first] + BUCKET) / HOUR
            assert last - first + 1 <= allowed + 2 + batch


def fleet(pages: int, days: int, *, hosts: int = 5) -> dict[str, ScriptedPage]:
    """Returns pages that change once in 2 hours to once in 5 days, on several hosts."""
    random.seed(7)
    found = {}
    for number in range(pages):
        gap = 2 * HOUR * 2 ** (number % 7)
        moments, now = [], MONDAY
        while now < MONDAY + days * DAY:
            now += round(random.expovariate(1 / gap)) + 1
            moments.append(now // 1000 * 1000)
        found[f"http://h{number % hosts}.test/{number}"] = ScriptedPage(moments)
    return found


def run(budget: Budget, pages: dict[str, ScriptedPage], days: int, *, workers: int = 1) -> World:
    world = World(Pacing(bounds=BOUNDS), budget)
    world.pages.update(pages)
    others = [Pace(world.knowledge, Pacing(bounds=BOUNDS), budget) for _ in range(workers - 1)]
    for number, url in enumerate(pages):
        world.watch(f"s{number}", url)
    paces = [world.pace, *others]

    def turn(step: int) -> None:
        for pace in paces:
            pace.turn()
        world.pace = paces[step % len(paces)]

    for step, moment in enumerate(range(MONDAY + MINUTE, MONDAY + days * DAY, 5 * MINUTE)):
        world.at(moment, lambda step=step: turn(step))
    world.run(MONDAY + days * DAY)
    return world


def looks_between(world: World, start: Millis, end: Millis, host: str = "") -> int:
    return sum(
        start <= at < end and host in url and result.look.decision != "postponed"
        for at, url, result in world.looks
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("workers", [1, 3])
def test_the_flow_keeps_to_its_budget_and_spends_it(workers: int):
    days, pages = 6, fleet(40, 6)
    world = run(Budget(overall=20), pages, days, workers=workers)
    # The first days are left out: a new page is looked at whatever the price.
    settled = MONDAY + 2 * DAY
    used = looks_between(world, settled, MONDAY + days * DAY) / (24 * (days - 2))
    assert 0.8 * 20 <= used <= 1.05 * 20
    for hour in range(48, 24 * days):
        assert looks_between(world, MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR) <= 20 + 2 + 1


def test_a_budget_goes_where_changes_are():
    days, pages = 6, fleet(42, 6)
    world = run(Budget(overall=20), pages, days)
    looks = {url: len(world.looks_at(url)) for url in pages}
    busy = [looks[url] for number, url in enumerate(pages) if number % 7 == 0]
    calm = [looks[url] for number, url in enumerate(pages) if number % 7 == 6]
    assert sum(busy) > 2.5 * sum(calm)


def test_more_sentinels_and_priority_get_more_of_it():
    days = 6
    world = World(Pacing(bounds=BOUNDS), Budget(overall=12))
    world.pages.update(fleet(20, days, hosts=1))
    alike = list(world.pages)
    moments = world.pages[alike[0]].changes
    for number, url in enumerate(alike):
        world.pages[url] = ScriptedPage(moments)
        world.watch(f"s{number}", url, priority=15 if number == 0 else 0)
    for extra in range(15):
        world.watch(f"extra{extra}", alike[1])
    for moment in range(MONDAY + MINUTE, MONDAY + days * DAY, 5 * MINUTE):
        world.at(moment, world.pace.turn)
    world.run(MONDAY + days * DAY)
    looks = [len(world.looks_at(url)) for url in alike]
    usual = sum(looks[2:]) / len(looks[2:])
    assert looks[0] > 2 * usual
    assert looks[1] > 2 * usual


def test_a_host_with_a_budget_of_its_own_is_spared():
    days = 6
    pages = fleet(20, days, hosts=2)
    free = run(Budget(), pages, days)
    capped = run(Budget(host=1), pages, days)
    start, end = MONDAY + 2 * DAY, MONDAY + days * DAY
    hours = 24 * (days - 2)
    assert looks_between(free, start, end, "h0.") / hours > 1.7
    assert looks_between(capped, start, end, "h0.") / hours <= 1.15


def test_who_must_wait_is_told_in_the_log():
    world = World(Pacing(bounds=BOUNDS), Budget(overall=2))
    pages = fleet(40, 3)
    world.pages.update(pages)
    for number, url in enumerate(pages):
        world.watch(f"s{number}", url)
    world.run(MONDAY + 3 * DAY)  # no worker computes a price here, so only the bucket limits the looks
    told = [look["reason"] for url in pages for look in world.log(url) if look["decision"] == "postponed"]
    assert told
    assert all(reason.startswith("the budget of looks is used up; tried again in ") for reason in told)


def test_without_a_budget_nothing_is_steered():
    world = run(Budget(), fleet(3, 1), 1)
    assert world.knowledge.paces.steering() == Steering()


def test_steering_that_a_newer_version_wrote_can_be_read(tmp_path):
    from webvigil.store.sql.knowledge import SqlKnowledge

    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'w.sqlite3'}")
    knowledge.paces.steer(lambda old: replace(old, price=2.0))
    knowledge.journal.remember("steering", '{"price": 3.0, "mood": "calm"}')
    assert knowledge.paces.steering() == Steering(price=3.0)
    knowledge.close()
