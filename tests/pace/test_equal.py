"""The outcome at a given number of looks is taken from outcomes with about as many (A5)."""

from __future__ import annotations

import pytest

from webvigil.pace.simulate.equal import at_looks
from webvigil.pace.simulate.play import Outcome


def outcome(cycles: float, delay: float, captured: float = 90.0) -> Outcome:
    return Outcome(
        changes=100, captured=captured, cycles=cycles, mean_delay=delay, convergence={"1": captured / 2}
    )


def test_between_two_prices_the_delay_follows_the_looks():
    # The delay is inverse to the looks: 10,000 / looks.
    found = at_looks([outcome(95, 10_000 / 95, 80), outcome(105, 10_000 / 105, 90)], 100)
    assert found.cycles == 100
    assert found.mean_delay == pytest.approx(100)
    assert found.changes == pytest.approx(100)
    assert 84 < found.captured < 86
    assert found.convergence["1"] == pytest.approx(found.captured / 2)
    assert found.convergence["lower"] == 0


def test_one_price_that_is_off_by_chance_moves_the_delay_by_its_share():
    around = [outcome(looks, 10_000 / looks) for looks in (92, 96, 104, 108)]
    found = at_looks([*around, outcome(100, 110)], 100)
    assert found.mean_delay == pytest.approx(100 * 1.1**0.2, rel=0.001)


def test_prices_with_far_more_or_fewer_looks_do_not_count():
    near = [outcome(95, 10_000 / 95), outcome(105, 10_000 / 105)]
    assert at_looks([*near, outcome(50, 7), outcome(200, 7)], 100) == at_looks(near, 100)


def test_where_no_price_is_near_the_two_on_either_side_count():
    found = at_looks([outcome(25, 400), outcome(50, 200), outcome(200, 50), outcome(400, 25)], 100)
    assert found.mean_delay == pytest.approx(100)
    assert found.cycles == 100


def test_a_line_needs_prices_on_both_sides():
    near = [outcome(88, 110), outcome(90, 100), outcome(98, 102)]
    found = at_looks([*near, outcome(130, 75)], 100)
    assert found == at_looks([outcome(98, 102), outcome(130, 75)], 100)
    assert 75 < found.mean_delay < 102


def test_where_every_price_makes_more_looks_or_every_price_fewer_the_nearest_is_told():
    assert at_looks([outcome(130, 70), outcome(110, 90)], 100) == outcome(110, 90)
    assert at_looks([outcome(90, 120), outcome(80, 130)], 100) == outcome(90, 120)


def test_a_page_whose_changes_are_seen_at_once_has_no_delay():
    assert at_looks([outcome(90, 0.0), outcome(110, 0.0)], 100).mean_delay == pytest.approx(0, abs=1e-8)
