"""Many ask for the same at the same time; it is done once, and all get the answer (R5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class SingleFlight(Generic[Key, Result]):
    def __init__(self) -> None:
        self._under_way: dict[Key, asyncio.Task[Result]] = {}

    async def do(self, key: Key, work: Callable[[], Awaitable[Result]]) -> Result:
        """One who gives up waiting does not stop the work for the others."""
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.ensure_future(_run(work))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(task)

    def _ended(self, key: Key, task: asyncio.Task[Result]) -> None:
        self._under_way.pop(key, None)
        if not task.cancelled():
            task.exception()  # looked at, in case all who asked have given up


async def _run(work: Callable[[], Awaitable[Result]]) -> Result:
    return await work()
