"""The worker loop: claim due pages, check them, hand the results back; deliver what is in the outbox.

The loop alone catches everything: an error nobody foresaw is logged, the page is tried again later, and
the others go on.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from webvigil.app.keeper import Keeper
from webvigil.app.pacing import Pace
from webvigil.errors import PageUnreachable, StoreBusy, StoreError, WebVigilError
from webvigil.fetch.manners import Visit
from webvigil.flow import Stages, check, failed, postponed, put_off
from webvigil.model.moment import Millis
from webvigil.model.work import CheckResult, Claim, DuePage, HostAfter
from webvigil.notify.channel import Channel
from webvigil.notify.deliver import deliver_due
from webvigil.store.promises import Knowledge

_log = logging.getLogger("webvigil.worker")

PAGES_AT_A_TIME = 20
LONGEST_SLEEP: Millis = 1_000
BUSY_WAIT = 2.0
PACE_TURN = 5.0
# What was found is told when the visit ends, so a visit to a host that wants long rests ends early.
LONGEST_VISIT = 10.0


class Worker:
    def __init__(
        self,
        knowledge: Knowledge,
        stages: Stages,
        channels: Mapping[str, Channel],
        *,
        concurrency: int = 16,
        lease: Millis = 30_000,
        delay: Callable[[str], Millis] = lambda _: 0,
        chance: Callable[[], float] = random.random,
        pace: Pace | None = None,
    ) -> None:
        """`delay` tells the rest between two requests that a host itself asks for."""
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self._knowledge = knowledge
        self._stages = stages
        self._channels = channels
        self._concurrency = concurrency
        self._lease = lease
        self._delay = delay
        self._chance = chance
        self._pace = pace or Pace(knowledge)
        self._stopping = asyncio.Event()
        self._visits: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        """Finish what is under way, start nothing new."""
        self._stopping.set()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._visit_hosts())
            group.create_task(self._deliver())
            group.create_task(self._keep_lives())
            group.create_task(self._keep_pace())

    async def _visit_hosts(self) -> None:
        while not self._stopping.is_set():
            try:
                await self._claim_and_visit()
            except StoreBusy as error:
                _log.warning("%s", error)
                await self._sleep(BUSY_WAIT)
            except Exception:
                _log.exception("the worker met an error it did not expect")
                await self._sleep(BUSY_WAIT)
        if self._visits:
            await asyncio.wait(self._visits)

    async def _claim_and_visit(self) -> None:
        free = self._concurrency - len(self._visits)
        claims = await asyncio.to_thread(self._claim, free) if free else []
        for claim in claims:
            task = asyncio.create_task(self._visit(claim))
            self._visits.add(task)
            task.add_done_callback(self._visits.discard)
        if not claims:
            await self._rest()

    def _claim(self, hosts: int) -> list[Claim]:
        schedule = self._knowledge.schedule
        return schedule.claim(self.name, hosts=hosts, pages=PAGES_AT_A_TIME, lease=self._lease)

    async def _rest(self) -> None:
        """Until the next page is due, a visit ends, or a second has passed: somebody else may add work."""
        wait = await asyncio.to_thread(self._knowledge.schedule.next_at)
        seconds = min(LONGEST_SLEEP if wait is None else max(wait, 20), LONGEST_SLEEP) / 1000
        if self._visits and len(self._visits) >= self._concurrency:
            await asyncio.wait(self._visits, return_when=asyncio.FIRST_COMPLETED)
        else:
            await self._sleep(seconds)

    async def _visit(self, claim: Claim) -> None:
        renewing = asyncio.create_task(self._renew(claim))
        try:
            results, after = await self._checked(claim)
            done = await asyncio.to_thread(self._knowledge.schedule.finish, claim, results, after)
            if not done:
                _log.warning("%s was taken over by another worker; its results are dropped", claim.name)
        except* WebVigilError as trouble:
            _log.warning("%s: %s", claim.name, trouble.exceptions[0])
        except* Exception:
            _log.exception("visiting %s met an error nobody expected", claim.name)
        finally:
            renewing.cancel()
            with suppress(asyncio.CancelledError):
                await renewing

    async def _checked(self, claim: Claim) -> tuple[list[CheckResult], HostAfter]:
        """The due pages of one host, few at a time and each some time after the other, as it likes best."""
        visit = Visit(claim.failures)
        results: list[CheckResult] = []
        left = list(claim.pages)
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
                last = time.monotonic()
                under_way.create_task(self._check_one(claim, left.pop(0), visit, results, slots))
        after = visit.after(int(self._gap(claim) * 1000), self._chance())
        if visit.over:
            results += [postponed(due, claim.now, after.rest) for due in left]
        return results, after

    async def _check_one(
        self,
        claim: Claim,
        due: DuePage,
        visit: Visit,
        results: list[CheckResult],
        slots: asyncio.Semaphore,
    ) -> None:
        result = await self._check(due, claim.now)
        visit.saw(result)
        results.append(result)
        slots.release()

    async def _keep_distance(self, claim: Claim, last: float) -> None:
        """What a host asks for may be learnt while we wait, or while its first page is fetched."""
        while (rest := last + self._gap(claim) - time.monotonic()) > 0 and not self._stopping.is_set():
            await self._sleep(rest)

    def _is_late(self, end: float) -> bool:
        return self._stopping.is_set() or time.monotonic() > end

    def _gap(self, claim: Claim) -> float:
        return max(claim.delay, self._delay(claim.name)) / 1000

    async def _check(self, due: DuePage, now: Millis) -> CheckResult:
        try:
            if wait := await self._pace.wait(due, now):
                return put_off(due, now, wait)
            result = await check(due, now, self._stages, self._chance(), self._pace.pacing)
            self._pace.looked(due, result, now)
            return result
        except StoreError:
            raise
        except Exception as error:
            _log.exception("checking %s met an error nobody expected", due.page.url)
            return failed(due, now, PageUnreachable(f"internal error: {type(error).__name__}"), 0)

    async def _renew(self, claim: Claim) -> None:
        while True:
            await asyncio.sleep(self._lease / 3000)
            with suppress(StoreBusy):
                if not await asyncio.to_thread(self._knowledge.schedule.renew, claim, lease=self._lease):
                    return

    async def _deliver(self) -> None:
        while not self._stopping.is_set():
            try:
                taken = await deliver_due(self._knowledge.outbox, self._channels, self.name)
            except StoreBusy as error:
                _log.warning("%s", error)
                taken = 0
            except Exception:
                _log.exception("delivering notices met an error nobody expected")
                taken = 0
            if not taken:
                await self._sleep(LONGEST_SLEEP / 1000)

    async def _keep_lives(self) -> None:
        """Every second; where a turn fails, the next keeper starts from what is written."""
        keeper = Keeper(self._knowledge)
        while not self._stopping.is_set():
            try:
                await asyncio.to_thread(keeper.turn)
            except StoreBusy as error:
                _log.warning("%s", error)
                keeper = Keeper(self._knowledge)
            except Exception:
                _log.exception("keeping lives met an error nobody expected")
                keeper = Keeper(self._knowledge)
            await self._sleep(LONGEST_SLEEP / 1000)

    async def _keep_pace(self) -> None:
        while not self._stopping.is_set():
            try:
                await asyncio.to_thread(self._pace.turn)
            except StoreBusy as error:
                _log.warning("%s", error)
            except Exception:
                _log.exception("keeping to the budget of looks met an error nobody expected")
            await self._sleep(PACE_TURN)

    async def _sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)
