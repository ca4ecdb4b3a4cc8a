"""One visit to a host: its due pages are checked, few at a time and with pauses, as the host allows."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import replace

from webvigil.app.operating.metrics import Metrics
from webvigil.app.waiting import happens
from webvigil.app.worker.budget import Pace
from webvigil.app.worker.leases import Leases
from webvigil.app.worker.schedules import scheduled
from webvigil.app.worker.threads import carried
from webvigil.errors import PageUnreachable, StoreError
from webvigil.fetch.manners import Visit
from webvigil.flow import (
    Stages,
    check,
    failed,
    not_kept,
    outside_hours,
    postponed,
    put_off,
    with_failure_told,
)
from webvigil.model.moment import Millis
from webvigil.model.work import CheckResult, Claim, DuePage, Visited
from webvigil.rules.fetch import due_watches

_log = logging.getLogger("webvigil.worker")

# Seconds after which a visit ends, even if pages are left. Results are written when a visit ends, so those of
# a host that wants long pauses must not wait for all its pages.
LONGEST_VISIT = 10.0
_KEEPING = "keeping versions"
# Pause of a host after trouble with our own store.
REST_IN_TROUBLE: Millis = 5_000
# The page that met the trouble waits longer than its host, so that the other pages come first.
WAIT_IN_TROUBLE: Millis = 30_000
_OUR_FAULT = "the page could not be looked at because of a fault in WebVigil; its log tells the operator more"


class _Visit(Visit):
    """The state of a visit."""

    interrupted = False
    """Set by trouble with our own store. The remaining pages stay due."""


class Visiting:
    """Visits hosts for a worker."""

    def __init__(
        self,
        stages: Stages,
        leases: Leases,
        stopping: asyncio.Event,
        pace: Pace,
        *,
        delay: Callable[[str], Millis],
        chance: Callable[[], float],
        metrics: Metrics,
    ) -> None:
        """`delay` tells the pause between two requests that a host itself asks for."""
        self._stages = stages
        self._leases = leases
        self._stopping = stopping
        self._pace = pace
        self._delay = delay
        self._chance = chance
        self._metrics = metrics

    async def visit(self, claim: Claim) -> Visited:
        """Checks the due pages of a claimed host and returns their results. For each page a free slot is
        awaited first, then the pause; the request follows at once, so that requests are never closer than the
        pause."""
        visit = _Visit(claim.failures)
        results: list[CheckResult] = []
        # States come first: a visit ends when a page finds its host down, which is what they are to tell.
        left = sorted(claim.pages, key=lambda due: due.page.render != "status")
        slots = asyncio.Semaphore(max(1, claim.concurrency))
        last = time.monotonic()
        end = last + LONGEST_VISIT
        async with asyncio.TaskGroup() as under_way:
            while left:
                await slots.acquire()
                if len(left) < len(claim.pages):
                    await self._keep_distance(claim, last)
                    if visit.over or self._is_late(end):
                        break
                if visit.interrupted or not self._leases.trusted(claim):
                    break
                last = time.monotonic()
                under_way.create_task(self._check_one(claim, left.pop(0), visit, results, slots))
        after = visit.after(int(self._gap(claim) * 1000), self._chance())
        if visit.over:
            results += [self._postponed(due, claim.now, after.rest) for due in left]
        if visit.interrupted:
            after = replace(after, rest=max(after.rest, REST_IN_TROUBLE))
        return Visited(claim=claim, results=tuple(results), after=after)

    async def _check_one(
        self,
        claim: Claim,
        due: DuePage,
        visit: _Visit,
        results: list[CheckResult],
        slots: asyncio.Semaphore,
    ) -> None:
        """Checks one page and adds its result. Trouble with the store interrupts the whole visit, because the
        next page would meet it, too."""
        try:
            result = await self._check(due, claim.now)
        except StoreError as error:
            _log.warning("Interrupted the visit to host %s, the store is in trouble: %s", claim.name, error)
            visit.interrupted = True
            results.append(not_kept(due, claim.now, WAIT_IN_TROUBLE))
            if not error.transient:
                self._metrics.met(_KEEPING, str(error))
        else:
            visit.saw(result)
            results.append(result)
            if result.look.decision == "new version":
                self._metrics.went_well(_KEEPING)
        slots.release()

    async def _check(self, due: DuePage, now: Millis) -> CheckResult:
        """Checks one page, or puts it off to keep to the budget. An unexpected error becomes a failed look of
        this page alone."""
        due = scheduled(due)
        if postponed_to_hours := outside_hours(due, now):
            return postponed_to_hours
        try:
            if wait := await self._pace.wait(due, now):
                return put_off(due, now, wait)
            self._metrics.started(due, len(due_watches(due.watches, now)))
            result = await carried(check(due, now, self._stages, self._chance(), self._pace.pacing))
            self._pace.looked(due, result, now)
            return result
        except StoreError:
            raise
        except Exception:
            _log.exception("Checking %s failed with an unexpected error.", due.page.url)
            unforeseen = PageUnreachable(_OUR_FAULT)
            result = failed(due, now, unforeseen, 0)
            return with_failure_told(result, due, self._stages, str(unforeseen))

    def _postponed(self, due: DuePage, now: Millis, rest: Millis) -> CheckResult:
        result = postponed(due, now, rest)
        return with_failure_told(result, due, self._stages, "its host does not answer")

    async def _keep_distance(self, claim: Claim, last: float) -> None:
        """Waits until the pause since the last request is over. The pause is computed again and again,
        because a host may ask for a longer one while its first page is fetched."""
        while (rest := last + self._gap(claim) - time.monotonic()) > 0 and not self._stopping.is_set():
            await happens(self._stopping, rest)

    def _is_late(self, end: float) -> bool:
        return self._stopping.is_set() or time.monotonic() > end

    def _gap(self, claim: Claim) -> float:
        return max(claim.delay, self._delay(claim.name)) / 1000
