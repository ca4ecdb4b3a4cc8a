"""Requests to one host come one after the other, and a host that is not there is left alone (F4)."""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractAsyncContextManager

import pytest

from webvigil.discover.crawler import turns
from webvigil.discover.crawler.turns import Turns
from webvigil.errors import HostBusy, HostUnreachable, PageError, PageRefused, PageUnreachable

GONE = "the host is not there"
BUSY = "the host asks to be left alone"


class Clock:
    """Time passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.slept.append(round(seconds, 6))
            self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(turns.time, "monotonic", lambda: made.now)
    monkeypatch.setattr(turns.asyncio, "sleep", made.sleep)
    return made


def busy(seconds: float) -> HostBusy:
    return HostBusy("busy", wait=int(seconds * 1000))


def took(queue: Turns, *errors: PageError | None, host: str = "e.org") -> list[str]:
    """Takes one turn for each error, and returns why the host is left alone after each."""

    async def one(error: PageError | None) -> str:
        try:
            async with queue.turn(host):
                if error:
                    raise error
        except PageError:
            pass
        return queue.left_alone(host)

    async def all_of_them() -> list[str]:
        return [await one(error) for error in errors]

    return asyncio.run(all_of_them())


def test_a_pause_is_kept_between_two_requests_to_a_host_and_to_no_other(clock: Clock):
    queue = Turns(lambda host: 3.0)
    assert queue.is_free("e.org")
    took(queue, None)
    assert (queue.is_free("e.org"), queue.is_free("other.org")) == (False, True)
    took(queue, None, host="other.org")
    assert clock.slept == []
    took(queue, None, None)
    assert clock.slept == [3.0, 3.0]
    clock.now += 3.0
    assert queue.is_free("e.org")


def test_a_host_that_is_not_there_twice_in_a_row_is_left_alone_for_ten_minutes(clock: Clock):
    queue = Turns(lambda host: 0.0)
    gone = HostUnreachable("no route")
    assert took(queue, gone, None, gone, PageUnreachable("404"), gone) == [""] * 5
    assert took(queue, gone) == [GONE]
    assert took(Turns(lambda host: 0.0), None, gone, gone) == ["", "", GONE]
    clock.now += 599.9
    assert queue.left_alone("e.org") == GONE
    clock.now += 0.1
    assert queue.left_alone("e.org") == ""
    assert took(queue, gone, gone) == ["", GONE]


def test_a_host_that_is_left_alone_is_not_asked(clock: Clock):
    queue = Turns(lambda host: 0.0)
    took(queue, HostUnreachable("no route"), HostUnreachable("no route"))

    async def ask() -> None:
        async with queue.turn("e.org"):
            pytest.fail("it is asked")

    with pytest.raises(PageUnreachable, match=GONE):
        asyncio.run(ask())
    assert queue.left_alone("other.org") == ""


@pytest.mark.parametrize(("asked", "rest"), [(0.0, 10.0), (4.0, 4.0), (60.0, 60.0)])
def test_a_busy_host_rests_as_long_as_it_says(clock: Clock, asked: float, rest: float):
    queue = Turns(lambda host: 1.0)
    assert took(queue, busy(asked), None) == ["", ""]
    assert clock.slept == [rest]


def test_a_pause_is_kept_though_a_busy_host_asks_for_less(clock: Clock):
    took(Turns(lambda host: 7.0), busy(4.0), None)
    assert clock.slept == [7.0]


@pytest.mark.parametrize(("asked", "until"), [(60.5, 600.0), (900.0, 900.0)])
def test_a_host_that_asks_for_a_long_rest_is_left_alone_at_once(clock: Clock, asked: float, until: float):
    queue = Turns(lambda host: 0.0)
    assert took(queue, busy(asked)) == [BUSY]
    clock.now += until - 0.5
    assert queue.left_alone("e.org") == BUSY
    clock.now += 0.5
    assert queue.left_alone("e.org") == ""


def test_a_host_that_is_busy_again_and_again_is_left_alone_the_fourth_time(clock: Clock):
    queue = Turns(lambda host: 0.0)
    assert took(queue, busy(1), None, busy(1), busy(1)) == [""] * 4
    assert took(queue, busy(1)) == [BUSY]
    clock.now += 600.0
    assert took(queue, busy(1), busy(1), busy(1), busy(1)) == ["", "", "", BUSY]


def test_another_error_tells_nothing_of_the_host(clock: Clock):
    assert took(Turns(lambda host: 0.0), *[PageRefused("no")] * 5) == [""] * 5


def test_others_who_ask_the_host_are_waited_for(clock: Clock):
    waits, reserved = [2.0, 5.0, 0.0], list[tuple[str, float]]()

    async def reserve(host: str, seconds: float) -> float:
        reserved.append((host, seconds))
        return waits.pop(0)

    took(Turns(lambda host: 3.0, reserve=reserve), None)
    assert clock.slept == [2.0, 5.0]
    assert reserved == [("e.org", 3.0)] * 3


@pytest.mark.parametrize("at_a_time", [1, 2])
def test_so_many_requests_are_under_way_to_a_host_and_no_more(at_a_time: int):
    queue = Turns(lambda host: 0.0, at_a_time=at_a_time) if at_a_time > 1 else Turns(lambda host: 0.0)
    assert asyncio.run(inside_at_once([queue.turn("e.org") for _ in range(at_a_time + 1)])) == at_a_time


async def inside_at_once(rooms: list[AbstractAsyncContextManager[None]]) -> int:
    tasks = [asyncio.ensure_future(one.__aenter__()) for one in rooms]
    await asyncio.wait(tasks, timeout=0.05)
    inside = sum(one.done() for one in tasks)
    for one in tasks:
        one.cancel()
    return inside


def test_a_host_is_not_free_while_a_request_to_it_is_under_way():
    async def during() -> tuple[bool, bool]:
        queue = Turns(lambda host: 0.0)
        async with queue.turn("e.org"):
            within = queue.is_free("e.org")
        return within, queue.is_free("e.org")

    assert asyncio.run(during()) == (False, True)


def test_the_forms_of_a_host_are_asked_one_after_the_other():
    queue = Turns(lambda host: 0.0)
    assert asyncio.run(inside_at_once([queue.probing("e.org") for _ in range(2)])) == 1


def test_hosts_with_nothing_pending_are_forgotten_when_there_are_very_many(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(turns, "_REMEMBERED", 3)
    queue = Turns(lambda host: 5.0 if host == "slow.org" else 0.0)
    took(queue, HostUnreachable("no"), HostUnreachable("no"), host="gone.org")
    took(queue, None, host="slow.org")
    took(queue, HostUnreachable("no"), host="once.org")
    took(queue, None, host="new.org")
    assert queue.left_alone("gone.org") == GONE
    assert not queue.is_free("slow.org")
    assert took(queue, HostUnreachable("no"), host="once.org") == [""], "its first failure is forgotten"


def test_a_turn_takes_the_time_of_this_machine():
    begun = time.monotonic()
    took(Turns(lambda host: 0.05), None, None)
    assert time.monotonic() - begun >= 0.05
