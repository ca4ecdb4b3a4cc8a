"""Lets tasks with nothing to do sleep until something is written to the database, by this process or another.

One task looks once a second whether anything was written, which takes the database a few microseconds. Tasks
that found nothing to do wait here, instead of asking the database the same question every second.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from webvigil.app.waiting import happens
from webvigil.errors import WebVigilError
from webvigil.model.moment import Millis

# Seconds between two looks at whether something was written. No task starts again sooner, so that a busy
# database does not wake every task with every transaction.
LOOK = 1.0
# Seconds after which a task looks for itself, whatever it was told: a third of the lease of its duty, which
# renews the lease in time, within these bounds. The upper one bounds the delay if the machine slept or its
# clock was set.
LONGEST, MOST = 10.0, 30.0


class Writings:
    """Counts how often something was found to be written. `written` returns a text that changes with every
    transaction that writes; `lease` is the lease of the duties of tasks that sleep here."""

    def __init__(self, written: Callable[[], Awaitable[str]], lease: Millis = 0) -> None:
        self.longest = min(max(LONGEST, lease / 3000), MOST)
        self._written = written
        self._known: str | None = None
        self._news = asyncio.Event()
        self._over = asyncio.Event()
        self.count = 0

    async def watch(self, heard: Callable[[], None] = lambda: None) -> None:
        """Looks once a second until cancelled, and calls `heard` if something was written. While the database
        cannot be asked, tasks are woken as if something was."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                found: str | None = await self._written()
            except WebVigilError:
                found = None
            if found is None or found != self._known:
                self._known = found
                self.tell()
                heard()

    def tell(self) -> None:
        """Wakes the tasks that sleep."""
        self.count += 1
        self._news.set()
        self._news.clear()

    def stop(self) -> None:
        """Wakes everybody who sleeps here, and lets nobody sleep any more."""
        self._over.set()
        self.tell()

    def rest(self, seconds: float | None) -> float:
        """Returns how many seconds a task sleeps that has something to do after so many, or never."""
        return self.longest if seconds is None else min(self.longest, max(LOOK, seconds))

    async def after(self, seen: int, longest: float | None = None) -> None:
        """Sleeps for a second, and then until something is written after `count` was `seen`, at most
        `longest` seconds in all."""
        longest = self.longest if longest is None else longest
        end = time.monotonic() + longest
        await happens(self._over, min(LOOK, longest))
        while not self._over.is_set() and self.count == seen and (left := end - time.monotonic()) > 0:
            await happens(self._news, left)
