"""Keeps a detector up with the real clock: sleeps until the earliest timer, or until one is set before it."""

from __future__ import annotations

import asyncio

from webvigil.events.detector import Detector

# Sleeping is timed by another clock than the one on the wall, which may be set, or go on while the machine
# was suspended. So it is looked at once in a while.
LONGEST_SLEEP = 30.0
# Timers may come late by that much, so that however many there are, they cost 20 awakenings a second at most
# (bench/speed/events.py, 100,000 hourly events). Occurrences carry the exact times.
SHORTEST_SLEEP = 0.05
# How many timers go off before others in the same loop have their turn.
BATCH = 256


class Runner:
    """`await runner.run()` until it is cancelled, in the loop in which the detector is used."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._wake = asyncio.Event()

    async def run(self) -> None:
        self._detector.on_sooner(self._wake.set)
        try:
            while True:
                gone_off = self._detector.catch_up(BATCH)
                self._wake.clear()
                await self._sleep(0 if gone_off == BATCH else self._until_next())
        finally:
            self._detector.on_sooner(None)

    async def _sleep(self, seconds: float) -> None:
        alarm = asyncio.get_running_loop().call_later(seconds, self._wake.set)
        try:
            await self._wake.wait()
        finally:
            alarm.cancel()

    def _until_next(self) -> float:
        due = self._detector.next_due()
        if due is None:
            return LONGEST_SLEEP
        return min(max((due - self._detector.clock.now()).total_seconds(), SHORTEST_SLEEP), LONGEST_SLEEP)
