"""Many equal calls at the same time in, one execution and its result for all callers out (R5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class SingleFlight(Generic[Key, Result]):
    """Runs equal calls (those with the same key) once for all who wait for the result."""

    def __init__(self) -> None:
        self._under_way: dict[Key, asyncio.Task[Result]] = {}

    async def do(self, key: Key, work: Callable[[], Awaitable[Result]]) -> Result:
        """Returns the result of `work`, which is shared with all callers of the same key. A caller that is
        cancelled does not stop the work for the others."""
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.ensure_future(_run(work))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(task)

    def _ended(self, key: Key, task: asyncio.Task[Result]) -> None:
        self._under_way.pop(key, None)
        if not task.cancelled():
            task.exception()  # marks the error as seen: asyncio warns otherwise if all callers were cancelled


async def _run(work: Callable[[], Awaitable[Result]]) -> Result:
    return await work()
