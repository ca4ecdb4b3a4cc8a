"""The runner: sets off a detector's timers by the real clock, and sleeps until the next one is due."""

from __future__ import annotations

import asyncio

from webvigil.events.detector import Detector

# Sleeping is timed by the monotonic clock. The wall clock may be set, or go on while the machine is
# suspended, so it is looked at again after this many seconds at the latest.
LONGEST_SLEEP = 30.0
# Timers may be late by this many seconds, so that however many there are, they wake the runner at most 20
# times a second (bench/speed/events.py, 100,000 hourly events). Occurrences carry the exact times.
SHORTEST_SLEEP = 0.05
# How many timers go off in a row before other tasks of the same loop have their turn.
BATCH = 256


class Runner:
    """Keeps a detector up with the real clock, in the event loop in which the detector is used."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Sets off timers as they become due, until it is cancelled."""
        self._detector.on_sooner(self._wake.set)
        try:
            while True:
                gone_off = self._detector.catch_up(BATCH)
                # Timers that were set while catching up are seen by _until_next.
                self._wake.clear()
                await self._sleep(0 if gone_off == BATCH else self._until_next())
        finally:
            self._detector.on_sooner(None)

    async def _sleep(self, seconds: float) -> None:
        """Sleeps so many seconds, or until a timer is set that is due before all others."""
        alarm = asyncio.get_running_loop().call_later(seconds, self._wake.set)
        try:
            await self._wake.wait()
        finally:
            alarm.cancel()

    def _until_next(self) -> float:
        """Returns how many seconds to sleep until the next timer is due."""
        due = self._detector.next_due()
        if due is None:
            return LONGEST_SLEEP
        return min(max((due - self._detector.clock.now()).total_seconds(), SHORTEST_SLEEP), LONGEST_SLEEP)
