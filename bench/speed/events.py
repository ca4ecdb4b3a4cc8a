"""How long the event detector takes, against the limits that we hold it to, and why it counts in datetimes.

    python -m bench.speed.events [--json]

A ratio above 1 means that we are ahead.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from heapq import heapify, heapreplace
from typing import Any

from bench.speed.telling import tell
from webvigil.events import (
    Clock,
    Context,
    Detector,
    Pending,
    Periodic,
    Primitive,
    Rule,
    Runner,
    SystemClock,
    VirtualClock,
)

Row = dict[str, Any]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
MANY = 100_000

A, B, C = Primitive("a"), Primitive("b"), Primitive("c")


def rows() -> list[Row]:
    return [
        _row("raise an event that nobody hears, µs", _raising(Detector(VirtualClock(NOW))), 20, "limit"),
        _row("raise an event with one rule, µs", _raising(_detector(A)), 20, "limit"),
        _row("raise an event inside ten sequences, µs", _raising(_detector(*_ten())), 200, "limit"),
        _row("a period with one rule, µs", _periods(), 50, "limit"),
        _row("a year of hourly periods, s", _periods() * 8760 / 1e6, 1, "limit"),
        *_crowd(),
        _row(
            "heap of 100,000 datetimes with its arithmetic, µs",
            _datetimes(),
            _whole_numbers(),
            "whole numbers",
        ),
    ]


def _row(name: str, ours: float, peer: float, against: str) -> Row:
    return {
        "name": name,
        "ours": round(ours, 4),
        "peer": round(peer, 4),
        "against": against,
        "ratio": peer / ours,
    }


def _microseconds(act: Callable[[], object], times: int) -> float:
    """Returns the microseconds of CPU of one call of `act`, from the fastest of three rounds of `times`
    calls."""
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        for _ in range(times):
            act()
        best = min(best, time.process_time() - began)
    return best / times * 1e6


# --- Raising and periods ---------------------------------------------------------------------------


def _ten() -> list[Any]:
    return [A >> Primitive(f"b{number}") for number in range(10)]


def _detector(*events: Any) -> Detector:
    detector = Detector(VirtualClock(NOW))
    for number, event in enumerate(events):
        detector.add(Rule(name=f"{number}", event=event, action=id, context=Context.RECENT))
    return detector


def _raising(detector: Detector) -> float:
    return _microseconds(lambda: detector.raise_event("a", page=1), 20_000)


def _periods() -> float:
    clock = VirtualClock(NOW)
    detector = Detector(clock)
    detector.add(Rule(name="fetch", event=Periodic(A, HOUR, B), action=id))
    detector.raise_event("a")
    return _microseconds(lambda: clock.advance(100 * HOUR), 50) / 100


# --- A hundred thousand periodic events --------------------------------------------------------------


def _crowd() -> list[Row]:
    began = time.process_time()
    detector = _crowded(SystemClock())
    made = (time.process_time() - began) / MANY * 1e6
    share = asyncio.run(_share_of_a_core(detector))
    began = time.process_time()
    for rule in detector.rules():
        detector.remove(rule.name)
    removed = (time.process_time() - began) / MANY * 1e6
    return [
        _row("define and start one of 100,000 periodic events, µs", made, 500, "limit"),
        _row("100,000 hourly events, waiting, % of a core", share, 1, "limit"),
        _row("remove one of 100,000 periodic events, µs", removed, 100, "limit"),
    ]


def _crowded(clock: Clock) -> Detector:
    """Returns a detector with 100,000 hourly events, spread evenly over the hour: 28 are due each second."""
    detector, now = Detector(clock), clock.now()
    for number in range(MANY):
        event = Periodic(Primitive(f"start {number}"), HOUR, Primitive(f"end {number}"))
        detector.add(Rule(name=f"fetch {number}", event=event, action=id))
        detector.resume(Pending(event=event, at=now + timedelta(seconds=30) + HOUR * number / MANY))
    return detector


async def _share_of_a_core(detector: Detector, seconds: float = 5) -> float:
    due = detector.next_due()
    assert due is not None
    await asyncio.sleep(max((due - detector.clock.now()).total_seconds(), 0))
    runner = asyncio.create_task(Runner(detector).run())
    await asyncio.sleep(1)
    began = time.process_time()
    await asyncio.sleep(seconds)
    used = time.process_time() - began
    runner.cancel()
    return used / seconds * 100


# --- Why times are datetimes and not whole numbers -------------------------------------------------


def _heap(as_key: Callable[[datetime], Any]) -> list[tuple[Any, int]]:
    dice = random.Random(1)
    heap = [(as_key(NOW + HOUR * dice.random()), number) for number in range(MANY)]
    heapify(heap)
    return heap


def _datetimes() -> float:
    heap = _heap(lambda when: when)

    def step() -> datetime:
        due, number = heap[0]
        heapreplace(heap, (due + HOUR, number))
        return due

    return _microseconds(step, MANY)


def _whole_numbers() -> float:
    heap = _heap(lambda when: (when - EPOCH) // timedelta(microseconds=1))
    hour = HOUR // timedelta(microseconds=1)

    def step() -> datetime:
        due, number = heap[0]
        heapreplace(heap, (due + hour, number))
        return EPOCH + timedelta(microseconds=due)  # what an occurrence shows

    return _microseconds(step, MANY)


def main() -> None:
    tell(rows(), "{name:52} {ours:10.3f} {peer:10.3f} {against:14} {ratio:8.1f}")


if __name__ == "__main__":
    main()
