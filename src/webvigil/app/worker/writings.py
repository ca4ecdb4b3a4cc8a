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

# Seconds between two looks at whether something was written. No task starts again sooner, so that a busy
# database does not wake every task with every transaction.
LOOK = 1.0
# Seconds after which a task looks for itself, whatever it was told. It bounds the delay if the machine slept
# or its clock was set, and renews the lease of a duty in time.
LONGEST = 10.0


class Writings:
    """Counts how often something was found to be written. `written` returns a text that changes with every
    transaction that writes."""

    def __init__(self, written: Callable[[], Awaitable[str]]) -> None:
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

    async def after(self, seen: int, longest: float = LONGEST) -> None:
        """Sleeps for a second, and then until something is written after `count` was `seen`, at most
        `longest` seconds in all."""
        end = time.monotonic() + longest
        await happens(self._over, min(LOOK, longest))
        while not self._over.is_set() and self.count == seen and (left := end - time.monotonic()) > 0:
            await happens(self._news, left)
