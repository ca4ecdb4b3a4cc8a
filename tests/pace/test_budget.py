"""A budget of looks goes where it saves the most waiting (A4), and hints count as they deserve (F8)."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.pace.budget import (
    BUCKET,
    Bucket,
    Demand,
    divided,
    price,
    prices,
    threshold,
    trimmed,
    weight_of,
)
from webvigil.pace.hints import Hints
from webvigil.pace.policy import DAY, HOUR
from webvigil.pace.simulate.fleet import LOOKS_PER_PAGE, drawn_fleet, run_fleet

demands = st.lists(
    st.builds(
        Demand,
        host=st.sampled_from("abc"),
        rate=st.floats(1e-10, 1e-4),
        weight=st.floats(0.1, 100),
    ),
    min_size=1,
    max_size=20,
)


def looks_per_hour(page: Demand, price: float) -> float:
    """Returns how often a page is looked at: when `threshold` changes are pending, which come at its rate."""
    return page.rate / threshold(price, page.rate, page.weight) * HOUR


def delay(pages: list[Demand], looks: np.ndarray) -> float:
    weighed = np.array([page.weight * page.rate for page in pages])
    return float(np.sum(weighed / looks / 2))


@settings(max_examples=50, deadline=None)
@given(pages=demands, budget=st.floats(1, 1e5), seed=st.integers(0, 10**6))
def test_no_other_division_of_the_budget_waits_less(pages: list[Demand], budget: float, seed: int):
    one = prices(pages, budget, {}).overall
    looks = np.array([looks_per_hour(page, one) for page in pages])
    assert looks.sum() == pytest.approx(budget)
    best = delay(pages, looks)
    random = np.random.default_rng(seed)
    for _ in range(20):
        other = looks * random.lognormal(0, 0.5, len(pages))
        assert delay(pages, other * budget / other.sum()) >= best * (1 - 1e-9)


@settings(max_examples=50, deadline=None)
@given(
    pages=demands, budget=st.floats(1, 1e4), caps=st.dictionaries(st.sampled_from("ab"), st.floats(0.1, 1e4))
)
def test_no_budget_is_exceeded(pages: list[Demand], budget: float, caps: dict[str, float]):
    found = prices(pages, budget, caps)
    used = dict.fromkeys("abc", 0.0)
    for page in pages:
        used[page.host] += looks_per_hour(page, found.at(page.host))
    assert sum(used.values()) <= budget * (1 + 1e-6)
    for host, cap in caps.items():
        assert used[host] <= cap * (1 + 1e-6)
        # A host whose own budget is not used up has the same price as all others.
        assert used[host] == pytest.approx(cap) or found.at(host) == found.overall


def test_more_sentinels_and_more_priority_are_looked_at_sooner():
    rate = 1 / DAY
    waits = [
        threshold(1e6, rate, weight_of(priority, sentinels))
        for priority, sentinels in ((1, 1), (1, 4), (4, 4))
    ]
    assert waits == pytest.approx([waits[0], waits[0] / 2, waits[0] / 4])


def test_the_knob_gives_fast_pages_more():
    fast = 10 / DAY
    delays, captures = (threshold(1e6, fast, 1, knob=knob, typical=1 / DAY) for knob in (0.5, 0.25))
    assert captures < delays
    assert threshold(1e6, 1 / DAY, 1, knob=0.25, typical=1 / DAY) == threshold(1e6, 1 / DAY, 1)


def test_lateness_raises_the_price_and_slack_lowers_it():
    assert trimmed(1.0, 0.2) > 1.0 > trimmed(1.0, -0.2)
    assert trimmed(1.0, 1000.0) == trimmed(1.0, 0.5)
    assert price(1e-3, 100, trim=2.0) == 2 * price(1e-3, 100)


@settings(max_examples=50, deadline=None)
@given(wishes=st.lists(st.integers(0, HOUR), max_size=200))
def test_the_bucket_keeps_the_budget_in_every_window(wishes: list[int]):
    bucket, made = Bucket(600.0), []
    for wish in sorted(wishes):
        now = bucket.next(max(wish, made[-1] if made else 0))
        assert now >= wish
        bucket = bucket.taken(now)
        made.append(now)
    for first in range(len(made)):
        for last in range(first, len(made)):
            allowed = 600 * (made[last] - made[first] + BUCKET) / HOUR
            assert last - first + 1 <= allowed + 2


def test_a_source_that_announces_every_change_spares_the_looks():
    hints = Hints()
    for _ in range(60):
        hints = hints.after_look(pings=1, changed=True)
    assert hints.recall > 0.9
    assert hints.precision > 0.9
    assert hints.threshold(0.9, pings=0) > 8
    assert hints.threshold(0.9, pings=1) == pytest.approx(0, abs=0.5)


def test_a_source_that_cries_wolf_is_not_listened_to():
    hints = Hints()
    for look in range(60):
        hints = hints.after_look(pings=1, changed=False).after_look(pings=0, changed=look % 2 == 0)
    assert hints.precision < 0.1
    assert hints.recall < 0.1
    assert hints.threshold(0.9, pings=1) == pytest.approx(0.9, rel=0.15)


def test_what_a_source_earned_survives_the_store():
    hints = Hints().after_look(pings=2, changed=True)
    assert Hints.from_plain(json.loads(json.dumps(hints.as_plain()))) == hints


def test_a_fleet_waits_less_than_half_of_uniform_at_the_same_budget():
    pages, days = 150, 12
    fleet = drawn_fleet(pages, days, seed=4)
    looks = LOOKS_PER_PAGE * pages
    uniform, bea, learned = (
        run_fleet(fleet, policy, days=days, warm_up=4, looks_per_hour=looks)
        for policy in ("uniform", "bea", "learned")
    )
    assert learned.looks <= looks * 24 * days + looks / 10
    assert learned.captured > uniform.captured
    assert learned.mean_delay < 0.55 * uniform.mean_delay
    assert learned.mean_delay < 0.45 * bea.mean_delay


def test_hosts_that_ask_for_more_than_all_were_said_to_ask_for_have_their_own_prices():
    found = divided(1.0, {"a": 9.0, "b": 3.0}, 10.0, {"a": 10.0, "b": 5.0})
    assert found.hosts == {"a": price(9.0, 10.0), "b": price(3.0, 5.0)}
    assert divided(4.0, {"a": 4.0, "b": 3.0}, 10.0, {"a": 4.0}).overall == 0.0
