"""Results of visits in, rows in the database out: gathered over hosts and written together.

One transaction takes all results of 50 ms, or 500 results. A visit counts as under way until it is written,
so that a slow database slows the visits down and nothing piles up (docs/decisions/0002-leases.md).
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

# Results in one transaction, and seconds in which they are gathered.
MOST_RESULTS = 500
GATHERED_FOR = 0.05
# Seconds until the next attempt while the database does not answer.
BUSY_WAIT = 0.5

Write = Callable[[Sequence[Visited]], Awaitable[list[bool]]]


@dataclass(frozen=True)
class _Waiting:
    visited: Visited
    written: asyncio.Future[bool] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Finishing:
    """Gathers the results of visits and writes them in batches."""

    def __init__(self, write: Write, leases: Leases) -> None:
        self._write = write
        self._leases = leases
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()

    async def finished(self, visited: Visited) -> bool:
        """Queues the results of a visit and returns when they are written; False if the lease was lost, so
        that they were dropped."""
        waiting = _Waiting(visited)
        self._queue.put_nowait(waiting)
        return await waiting.written

    async def run(self) -> None:
        """Writes batches until cancelled."""
        while True:
            batch = await self._gather()
            for waiting, done in zip(batch, await self._written(batch), strict=True):
                if not waiting.written.done():
                    waiting.written.set_result(done)

    async def _gather(self) -> list[_Waiting]:
        """Waits for a first visit, and returns it with all that come within `GATHERED_FOR` seconds, up to
        `MOST_RESULTS`."""
        batch = [await self._queue.get()]
        loop = asyncio.get_running_loop()
        end = loop.time() + GATHERED_FOR
        while _size(batch) < MOST_RESULTS:
            if self._queue.empty():
                try:
                    async with asyncio.timeout_at(end):
                        batch.append(await self._queue.get())
                except TimeoutError:
                    break
            else:
                batch.append(self._queue.get_nowait())
        return batch

    async def _written(self, batch: list[_Waiting]) -> list[bool]:
        """Writes a batch; if that fails, each visit by itself, so that one faulty result does not harm the
        others."""
        visits = [waiting.visited for waiting in batch]
        try:
            return await self._patiently(visits)
        except Exception:
            _log.exception(
                "Cannot write the results of %d visits together, writing them one by one.", len(visits)
            )
            return [await self._alone(visited) for visited in visits]

    async def _patiently(self, visits: list[Visited]) -> list[bool]:
        """Writes results, and tries again while the database does not answer and a lease is still trusted.
        Results without a trusted lease are dropped."""
        while True:
            try:
                return await self._write(visits)
            except StoreBusy as error:
                if not any(self._leases.trusted(visited.claim) for visited in visits):
                    _log.warning(
                        "Dropped the results of %d visits, their leases ended: %s", len(visits), error
                    )
                    return [False] * len(visits)
                await asyncio.sleep(BUSY_WAIT)

    async def _alone(self, visited: Visited) -> bool:
        """Writes the results of one visit. If the database refuses them, the pages are written as failed
        instead, so that this visit does not keep others from being written."""
        try:
            return (await self._patiently([visited]))[0]
        except Exception:
            _log.exception(
                "Cannot write the results of host %s, writing its pages as failed.", visited.claim.name
            )
        try:
            return (await self._patiently([_as_failures(visited)]))[0]
        except Exception:
            _log.exception(
                "Cannot give host %s back, it is free again when its lease ends.", visited.claim.name
            )
            return False


def _as_failures(visited: Visited) -> Visited:
    """Returns the visit with every result that carries something turned into a failed look, so that the page
    is tried again later."""
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
    """Tells whether a result carries a version, changes or notices. A result without them cannot be what the
    database refused."""
    return bool(result.version or result.changes or result.notices)


def _size(batch: list[_Waiting]) -> int:
    return sum(len(waiting.visited.results) for waiting in batch)
