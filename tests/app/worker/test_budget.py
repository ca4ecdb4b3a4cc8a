"""A worker keeps to the budget of looks: which looks count, which are drawn, and which have to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.app.settings import read_settings
from webvigil.app.worker import budget as module
from webvigil.app.worker.budget import Pace, budget_of, pacing_of
from webvigil.errors import SettingRefused
from webvigil.model.pace import Shares, Steering
from webvigil.pace.learned import ALONE
from webvigil.pace.pacing import Pacing
from webvigil.pace.policy import DAY, HOUR
from webvigil.pace.steering import Budget, host_price

NOW = 1_700_000_000_000
MINUTE = 60_000


class Paces:
    """What workers share about the paces, in memory."""

    def __init__(self, price: float = 0.0, **more: Any) -> None:
        self.steering = Steering(price=price, priced_at=NOW, trimmed_at=NOW, **more)
        self.asked: list[int | str] = []

    def steer(self, change: Callable[[Steering], Steering]) -> Steering:
        self.steering = change(self.steering)
        return self.steering

    def shares(self, hosts: int) -> Shares:
        self.asked.append(hosts)
        return Shares(total=1e-3, hosts={})

    def host_share(self, host: str) -> float:
        self.asked.append(host)
        return 1e-4


def pace(paces: Paces, **limits: float) -> Pace:
    store: Any = SimpleNamespace(paces=paces, schedule=SimpleNamespace(now=lambda: NOW))
    return Pace(store, budget=Budget(**limits))


def due(*watches: tuple[bool, int], at: int = NOW, wish: str = "", latest: Any = 1, paced: Any = True) -> Any:
    """Returns a page that is due. Each of its watches is best-effort or at an interval, and has a time."""
    return SimpleNamespace(
        page=SimpleNamespace(host="a.test"),
        watches=[SimpleNamespace(on_change=one, next_at=when) for one, when in watches],
        due=at,
        wish=wish,
        latest=latest,
        pace=paced,
    )


LEARNED = due((True, NOW))


def wait(paced: Pace, page: Any, now: int = NOW) -> int:
    return asyncio.run(paced.wait(page, now))


def settings(**given: str) -> Any:
    return read_settings(given, environment={})


def test_the_settings_say_how_pages_are_paced():
    made = pacing_of(
        settings(
            shortest_wait="2", longest_wait="3600", default_interval="7", confirm_after="1.5", second_look="9"
        )
    )
    assert (made.bounds.shortest, made.bounds.longest) == (2_000, 3_600_000)
    assert (made.interval, made.confirm_after, made.second_look) == (7_000, 1_500, 9_000)
    assert pacing_of(settings(default_interval="0")).interval == 5 * MINUTE
    with pytest.raises(SettingRefused, match=r"^shortest_wait and longest_wait: "):
        pacing_of(settings(shortest_wait="10", longest_wait="5"))
    budget = budget_of(settings(looks_per_hour="60", host_looks_per_hour="6"))
    assert (budget.overall, budget.host) == (60, 6)


def test_a_budget_gives_looks_a_price():
    free, whole, host = pace(Paces()), pace(Paces(), overall=60), pace(Paces(), host=6)
    assert (free.is_bounded, whole.is_bounded, host.is_bounded) == (False, True, False)
    assert free.pacing == Pacing()
    assert (whole.pacing.least, whole.pacing.typical_gap) == (0.0, DAY)
    assert (host.pacing.least, host.pacing.typical_gap) == (ALONE, Pacing().typical_gap)


def test_without_a_budget_nothing_waits_and_nothing_is_counted():
    paces = Paces()
    free = pace(paces)
    free.looked(LEARNED, SimpleNamespace(pace=None), NOW)
    free.turn()
    assert wait(free, LEARNED) == 0
    assert (paces.asked, paces.steering) == ([], Paces().steering)


@pytest.mark.parametrize(
    ("page", "counted"),
    [
        (LEARNED, (1, 0)),
        (due((True, NOW), wish="now"), (0, 1)),
        (due((True, NOW), latest=None), (0, 1)),
        (due((True, NOW), paced=None), (0, 1)),
        (due((True, NOW), (False, NOW)), (0, 1)),
        (due((True, NOW), (False, NOW + 1)), (1, 0)),
    ],
)
def test_a_look_counts_as_drawn_or_as_fixed(page: Any, counted: tuple[int, int]):
    paces = Paces(price=1.0)
    one = pace(paces, overall=60)
    one.looked(page, SimpleNamespace(pace=SimpleNamespace(next_at=NOW + MINUTE)), NOW)
    one.turn()
    assert (paces.steering.looks, paces.steering.fixed) == counted
    one.turn()
    assert (paces.steering.looks, paces.steering.fixed) == counted, "reported once"
    one.looked(page, SimpleNamespace(pace=None), NOW)
    one.turn()
    assert paces.steering.fixed == counted[1] + 1


@pytest.mark.parametrize(
    ("planned", "next_at", "late"),
    [
        (NOW, NOW + 100, 0.0),
        (NOW - 25, NOW + 100, 0.25),
        (NOW - 100, NOW + 100, 1.0),
        (NOW - 101, NOW + 100, 1.0),
        (NOW - 1, NOW, 1.0),
        (NOW - 1, NOW + 2, 0.5),
        (NOW - 1, NOW - 9, 1.0),
        (NOW, NOW, 0.0),
    ],
)
def test_a_look_is_late_by_a_part_of_its_interval(planned: int, next_at: int, late: float):
    paces = Paces(price=1.0)
    one = pace(paces, overall=60)
    result: Any = SimpleNamespace(pace=SimpleNamespace(next_at=next_at))
    for number in (1, 2):
        one.looked(due((True, planned), (True, planned + 5)), result, NOW)
        assert one._made.late == late * number
    one.turn()
    assert paces.steering.late == late * 2


def test_the_price_is_computed_where_it_is_time():
    fresh = Paces(price=1.0)
    pace(fresh, overall=60).turn()
    assert fresh.asked == []
    for limits, hosts in (({"overall": 60.0}, 0), ({"overall": 60.0, "host": 6.0}, 10_000)):
        paces = Paces()
        one = pace(paces, **limits)
        one.turn()
        assert paces.asked == [hosts]
        assert one.pacing.price is not None
        assert one.pacing.price("a.test") == paces.steering.price > 0


def test_looks_are_drawn_for_two_seconds_and_at_most_a_hundred():
    for overall, drawn in ((60.0, 1), (3 * HOUR / 1000, 6), (200 * HOUR / 1000, 100)):
        paces = Paces(price=1.0)
        one = pace(paces, overall=overall)
        assert wait(one, LEARNED) == 0
        assert one._drawn == drawn - 1
        taken = paces.steering
        for _ in range(drawn - 1):
            assert wait(one, LEARNED) == 0
        assert (one._drawn, paces.steering) == (0, taken)


def test_a_look_waits_until_one_comes_free():
    one = pace(Paces(price=1.0, full_at=NOW + HOUR), overall=60)
    waits = [wait(one, LEARNED) for _ in range(3)]
    assert waits[0] > 0
    assert [later - sooner for sooner, later in pairwise(waits)] == [MINUTE, MINUTE]
    assert wait(one, due((True, NOW - 1))) == 0, "it had to wait already"
    assert wait(one, due((True, NOW), wish="now")) == 0


def test_the_price_of_a_host_is_known_for_ten_minutes(monkeypatch: pytest.MonkeyPatch):
    paces = Paces()
    one = pace(paces, host=6)
    price = one.pacing.price
    assert price is not None
    assert price("a.test") is None
    for now, asked in ((NOW, 1), (NOW + 10 * MINUTE - 1, 1), (NOW + 10 * MINUTE, 2)):
        assert wait(one, LEARNED, now) == 0
        assert paces.asked == ["a.test"] * asked
    assert price("a.test") == host_price(1e-4, Budget(host=6)) > 0
    unknown = pace(paces, host=6)
    assert wait(unknown, due((True, NOW), paced=None)) == 0
    assert len(paces.asked) == 2, "a page without a pace needs no price"
    monkeypatch.setattr(module, "_REMEMBERED", 1)
    one._learn_host("b.test", NOW)
    assert [*one._hosts] == ["b.test"]
