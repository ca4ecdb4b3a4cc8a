"""Results on their way to the database: gathered over hosts and written together.

One transaction takes what has come within 50 ms, or 500 results. A visit counts as under way until it is
written, so that a slow database slows down the visits and nothing piles up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from webvigil.app.worker.leases import Leases
from webvigil.errors import PageUnreachable, StoreBusy
from webvigil.flow import failed
from webvigil.model.work import CheckResult, Visited

_log = logging.getLogger("webvigil.worker")

MOST_RESULTS = 500
GATHERED_FOR = 0.05
BUSY_WAIT = 0.5

Write = Callable[[Sequence[Visited]], Awaitable[list[bool]]]


@dataclass(frozen=True)
class _Waiting:
    visited: Visited
    written: asyncio.Future[bool] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Finishing:
    def __init__(self, write: Write, leases: Leases) -> None:
        self._write = write
        self._leases = leases
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()

    async def finished(self, visited: Visited) -> bool:
        """Returns when it is written; False if the lease was lost."""
        waiting = _Waiting(visited)
        self._queue.put_nowait(waiting)
        return await waiting.written

    async def run(self) -> None:
        while True:
            batch = await self._gather()
            for waiting, done in zip(batch, await self._written(batch), strict=True):
                if not waiting.written.done():
                    waiting.written.set_result(done)

    async def _gather(self) -> list[_Waiting]:
        batch = [await self._queue.get()]
        loop = asyncio.get_running_loop()
        end = loop.time() + GATHERED_FOR
        while _size(batch) < MOST_RESULTS:
            if self._queue.empty():
                try:
                    batch.append(await asyncio.wait_for(self._queue.get(), end - loop.time()))
                except TimeoutError:
                    break
            else:
                batch.append(self._queue.get_nowait())
        return batch

    async def _written(self, batch: list[_Waiting]) -> list[bool]:
        visits = [waiting.visited for waiting in batch]
        try:
            return await self._patiently(visits)
        except Exception:
            _log.exception("%d visits cannot be written together; one by one", len(visits))
            return [await self._alone(visited) for visited in visits]

    async def _patiently(self, visits: list[Visited]) -> list[bool]:
        """While the database is away the results are kept as long as a lease is."""
        while True:
            try:
                return await self._write(visits)
            except StoreBusy as error:
                if not any(self._leases.trusted(visited.claim) for visited in visits):
                    _log.warning("%s; what %d visits found is dropped", error, len(visits))
                    return [False] * len(visits)
                await asyncio.sleep(BUSY_WAIT)

    async def _alone(self, visited: Visited) -> bool:
        """What the database does not take must not keep others from being written, whatever the reason is."""
        try:
            return (await self._patiently([visited]))[0]
        except Exception:
            _log.exception("what was found on %s cannot be written", visited.claim.name)
        try:
            return (await self._patiently([_as_failures(visited)]))[0]
        except Exception:
            _log.exception("%s cannot be given back", visited.claim.name)
            return False


def _as_failures(visited: Visited) -> Visited:
    known = {due.id: due for due in visited.claim.pages}
    error = PageUnreachable("what was found cannot be stored")
    return replace(
        visited,
        results=tuple(
            failed(known[result.page], visited.claim.now, error, 0) if _says_much(result) else result
            for result in visited.results
        ),
    )


def _says_much(result: CheckResult) -> bool:
    """One that does not cannot be at fault."""
    return bool(result.version or result.changes or result.notices)


def _size(batch: list[_Waiting]) -> int:
    return sum(len(waiting.visited.results) for waiting in batch)
