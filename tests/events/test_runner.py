"""The runner on the real clock: it sleeps until the earliest timer is due (E6)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

from webvigil.events import Detector, Occurrence, Periodic, Plus, Primitive, Rule, Runner, SystemClock

A, B = Primitive("a"), Primitive("b")
MOMENT = timedelta(milliseconds=20)
DEADLINE = 60


def with_runner(story: Callable[[Detector, list[Occurrence]], Awaitable[None]]) -> list[Occurrence]:
    async def run() -> list[Occurrence]:
        seen: list[Occurrence] = []
        detector = Detector(SystemClock())
        running = asyncio.create_task(Runner(detector).run())
        async with asyncio.timeout(DEADLINE):
            await story(detector, seen)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return seen

    return asyncio.run(run())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


def test_periods_come_by_the_real_clock() -> None:
    async def story(detector: Detector, seen: list[Occurrence]) -> None:
        detector.add(Rule(name="watch", event=Periodic(A, MOMENT, B), action=seen.append))
        detector.raise_event("a")
        await until(lambda: len(seen) >= 5)
        detector.raise_event("b")
        number = len(seen)
        await asyncio.sleep(3 * MOMENT.total_seconds())
        assert len(seen) == number

    seen = with_runner(story)
    start = seen[0].constituents[0].end
    assert all((told.end - start) % MOMENT == timedelta(0) for told in seen)


def test_a_sleeping_runner_wakes_for_an_earlier_timer() -> None:
    async def story(detector: Detector, seen: list[Occurrence]) -> None:
        detector.add(Rule(name="far", event=Plus(B, timedelta(hours=1)), action=seen.append))
        detector.add(Rule(name="near", event=Plus(A, MOMENT), action=seen.append))
        detector.raise_event("b")
        await asyncio.sleep(0.05)
        detector.raise_event("a")
        await until(lambda: bool(seen))

    assert [told.name for told in with_runner(story)] == ["(a + 0:00:00.020000)"]


def test_others_have_their_turn_while_many_timers_go_off() -> None:
    turns: list[int] = []

    async def story(detector: Detector, seen: list[Occurrence]) -> None:
        for number in range(1000):
            detector.add(
                Rule(name=f"{number}", event=Plus(A, MOMENT + number * MOMENT / 1000), action=seen.append)
            )
        detector.raise_event("a")
        time.sleep(0.1)  # blocks the loop until all timers are due
        while len(seen) < 1000:
            turns.append(len(seen))
            await asyncio.sleep(0)

    with_runner(story)
    assert any(0 < turn < 1000 for turn in turns)


def test_a_failing_rule_does_not_stop_the_runner() -> None:
    async def story(detector: Detector, seen: list[Occurrence]) -> None:
        def fail(_: Occurrence) -> None:
            raise OSError("broken")

        detector.add(Rule(name="broken", event=Periodic(A, MOMENT, B), action=fail))
        detector.add(Rule(name="sound", event=Periodic(A, MOMENT, B), action=seen.append))
        detector.raise_event("a")
        await until(lambda: len(seen) >= 3)

    assert len(with_runner(story)) >= 3


def test_a_waiting_runner_costs_nothing() -> None:
    async def story(detector: Detector, seen: list[Occurrence]) -> None:
        for number in range(2000):
            event = Periodic(A, timedelta(hours=1), B, name=f"{number}")
            detector.add(Rule(name=f"{number}", event=event, action=seen.append))
        detector.raise_event("a")
        await asyncio.sleep(0.1)
        began = time.thread_time()  # of this thread only: other tests may have left threads running
        await asyncio.sleep(0.5)
        assert time.thread_time() - began < 0.1

    assert with_runner(story) == []
