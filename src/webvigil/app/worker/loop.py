"""The worker loop: claims due pages, checks them, writes the results, and delivers notices from the outbox.

Any number of workers run on one database. Leases tell which worker visits which host, and a task that is done
once for all is a duty that one worker holds. The loop catches everything: an unexpected error is logged, the
page is tried again later, and other pages are not affected.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Protocol, TypeVar

from webvigil.app.operating.metrics import Metrics, MetricsStore, timed
from webvigil.app.waiting import happens
from webvigil.app.worker.budget import Pace, PaceStore
from webvigil.app.worker.duties import Duty
from webvigil.app.worker.finish import Finishing
from webvigil.app.worker.following import Following
from webvigil.app.worker.keeper import Keeper, KeeperStore
from webvigil.app.worker.leases import Leases
from webvigil.app.worker.visit import LONGEST_VISIT, Visiting
from webvigil.app.worker.writings import Writings
from webvigil.errors import WebVigilError
from webvigil.flow import Stages
from webvigil.model.moment import Millis, in_words
from webvigil.model.work import CheckResult, Claim, Visited
from webvigil.store.promises import Clock, Duties

_log = logging.getLogger("webvigil.worker")

T = TypeVar("T")

# Pages of one host that are claimed together, if a visit comes to so many. A claim and the writing of its
# results take as long as a dozen looks at pages that have not changed, however many pages there are.
PAGES_AT_A_TIME = 100
_LONGEST_VISIT: Millis = int(LONGEST_VISIT * 1000)
# The longest sleep of the task that claims pages, which is woken when something is written.
LONGEST_REST: Millis = 10_000
# Seconds until the next attempt after trouble, and between two turns of the pace and of the clock.
BUSY_WAIT = 2.0
PACE_TURN = 5.0
CLOCK_TURN = 5.0
# Threads for database calls: one for each task of the loop, such as claiming, writing and renewing. They are
# apart from the threads that compare documents, so that a database call never waits for a comparison.
STORE_THREADS = 6


class WorkerStore(KeeperStore, MetricsStore, PaceStore, Protocol):
    """The parts of the knowledge base that the loop of a worker needs."""

    clock: Clock
    duties: Duties


class Worker:
    """One worker: runs until `stop` is called."""

    def __init__(
        self,
        knowledge: WorkerStore,
        stages: Stages,
        tell: Callable[[str], Awaitable[int]],
        *,
        concurrency: int = 16,
        lease: Millis = 30_000,
        delay: Callable[[str], Millis] = lambda _: 0,
        chance: Callable[[], float] = random.random,
        pace: Pace | None = None,
        metrics: Metrics | None = None,
        following: Following | None = None,
        duty_lease: Millis = 0,
        wrote: Callable[[Sequence[CheckResult]], None] = lambda _: None,
        writings: Writings | None = None,
    ) -> None:
        """`tell` starts the delivery of due notices and returns how many they are; `delay` tells the pause
        between two requests that a host itself asks for; `duty_lease` is the lease of duties, that of hosts
        if it is 0; `wrote` is called with results after they were written; tasks sleep in `writings`."""
        self.name = f"{socket.gethostname()[:60]}:{os.getpid()}:{secrets.token_hex(4)}"
        self.metrics = metrics or Metrics(knowledge)
        self._knowledge = knowledge
        self._tell = tell
        self._wrote = wrote
        self._concurrency = concurrency
        self._lease = lease
        self._duty_lease = duty_lease or lease
        self._pace = pace or Pace(knowledge)
        self._following = following or Following()
        self._stopping = asyncio.Event()
        self._woken = asyncio.Event()
        self._to_tell = asyncio.Event()
        self.writings = writings or Writings(
            partial(self._in_store, knowledge.schedule.written), self._duty_lease
        )
        self._visits: set[asyncio.Task[None]] = set()
        self._store = ThreadPoolExecutor(STORE_THREADS, thread_name_prefix="webvigil-store")
        self._leases = Leases(lease)
        self._finishing = Finishing(self._write, self._leases)
        self._visiting = Visiting(
            stages,
            self._leases,
            self._stopping,
            self._pace,
            delay=delay,
            chance=chance,
            metrics=self.metrics,
        )

    @property
    def idle(self) -> bool:
        """True if no host is being visited."""
        return not self._visits

    def stop(self) -> None:
        """Makes the worker start nothing new and finish the work under way."""
        self._stopping.set()
        self._woken.set()
        self._to_tell.set()
        self.writings.stop()

    async def run(self) -> None:
        """Works until `stop` is called, and then until all visits under way are written."""
        _log.info("Worker %s is at work.", self.name)
        with self._store, self._listening() as trusted:
            watching = self.writings.watch(self._woken.set)
            helpers = [asyncio.create_task(one) for one in (self._finishing.run(), self._renew(), watching)]
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._visit_hosts(min(max(trusted, LONGEST_REST), self._lease)))
                    group.create_task(self._deliver())
                    group.create_task(self._keep_lives())
                    group.create_task(self._follow_links())
                    group.create_task(self._keep_pace())
                    group.create_task(self._keep_clock())
            finally:
                for helper in helpers:
                    helper.cancel()
                await asyncio.gather(*helpers, return_exceptions=True)

    # --- Visits ------------------------------------------------------------------------------------

    async def _visit_hosts(self, longest_sleep: Millis) -> None:
        while not self._stopping.is_set():
            self.metrics.alive()
            await self._unless_trouble("claiming pages", self._claim_and_visit(longest_sleep))
        if self._visits:
            await asyncio.wait(self._visits)

    async def _claim_and_visit(self, longest_sleep: Millis) -> None:
        """Claims as many hosts as there are free places, starts the visits, and waits until more can be
        done."""
        self._woken.clear()
        free = self._concurrency - len(self._visits)
        claims = await self._claim(free) if free else []
        for claim in claims:
            task = asyncio.create_task(self._visit(claim))
            self._visits.add(task)
            task.add_done_callback(self._ended)
        if len(claims) < free:
            await self._wait(await self._next_at(longest_sleep))
        else:
            await self._wait(longest_sleep)

    async def _claim(self, hosts: int) -> list[Claim]:
        """Claims due pages of at most `hosts` hosts. The time is taken before the database is asked, because
        the lease begins there."""
        asked_at = time.monotonic()
        claim = partial(self._knowledge.schedule.claim, self.name)
        with timed(self.metrics.claim):
            claims = await self._in_store(
                partial(claim, hosts=hosts, pages=PAGES_AT_A_TIME, lease=self._lease, within=_LONGEST_VISIT)
            )
        self._leases.took(claims, asked_at)
        return claims

    async def _next_at(self, longest_sleep: Millis) -> Millis:
        """Returns the milliseconds until the next page is due, at least 20: a page that is due now may have
        just been claimed by another worker, and asking again at once would spin."""
        wait = await self._in_store(self._knowledge.schedule.next_at)
        return longest_sleep if wait is None else min(max(wait, 20), longest_sleep)

    async def _visit(self, claim: Claim) -> None:
        """Visits a host and waits until the results are written. Errors are logged and never end the
        worker."""
        try:
            visited = await self._visiting.visit(claim)
            if not await self._finishing.finished(visited):
                self.metrics.dropped.inc(len(visited.results))
                _log.warning(
                    "Dropped the results of host %s: it was taken over by another worker.", claim.name
                )
            self.metrics.went_well("visiting")
        except* WebVigilError as trouble:
            self._met("visiting", trouble.exceptions[0], f"visiting host {claim.name}")
        except* Exception:
            _log.exception("Visiting host %s failed with an unexpected error.", claim.name)
        finally:
            self._leases.gave_back(claim)

    def _ended(self, visit: asyncio.Task[None]) -> None:
        self._visits.discard(visit)
        self.metrics.visiting(len(self._visits))
        self._woken.set()

    async def _write(self, visits: Sequence[Visited]) -> list[bool]:
        with timed(self.metrics.finish):
            done = await self._in_store(partial(self._knowledge.schedule.finish_all, visits))
        for visited, written in zip(visits, done, strict=True):
            if written:
                self.metrics.wrote(visited.results)
                self._wrote(visited.results)
                if any(map(_is_told, visited.results)):
                    self._to_tell.set()
        return done

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._leases.between_renewals)
            await self._unless_trouble("renewing leases", self._leases.renewed(self._renewed))

    async def _renewed(self, claims: list[Claim]) -> list[Claim]:
        return await self._in_store(partial(self._knowledge.schedule.renew, *claims, lease=self._lease))

    # --- The rest ----------------------------------------------------------------------------------

    async def _deliver(self) -> None:
        while not self._stopping.is_set():
            seen = self.writings.count
            self._to_tell.clear()
            taken = await self._unless_trouble("delivering notices", self._tell(self.name))
            self.metrics.notices.inc(taken or 0)
            if not taken and not self._stopping.is_set():
                await self._until_told(seen)

    async def _until_told(self, seen: int) -> None:
        """Sleeps until the next notice is due, or this worker writes one, or something is written elsewhere
        after `seen`."""
        wait = await self._unless_trouble(
            "delivering notices", self._in_store(self._knowledge.outbox.next_at)
        )
        rest = asyncio.create_task(self.writings.after(seen, self.writings.rest(_seconds(wait))))
        called = asyncio.create_task(self._to_tell.wait())
        try:
            await asyncio.wait((rest, called), return_when=asyncio.FIRST_COMPLETED)
        finally:
            rest.cancel()
            called.cancel()

    async def _keep_lives(self) -> None:
        """Advances the lives of sentinels when one is due or a sentinel has changed, if this worker holds the
        duty. After trouble a new keeper starts from what is written."""
        duty = Duty("lives", self.name, self._knowledge.duties, lease=self._duty_lease)
        keeper = Keeper(self._knowledge)
        while not self._stopping.is_set():
            seen = self.writings.count
            kept = await self._unless_trouble("keeping lives", self._in_store(partial(_turn, duty, keeper)))
            keeper = keeper if kept else Keeper(self._knowledge)
            await self.writings.after(seen, self.writings.rest(keeper.rest() if kept else None))
        await self._unless_trouble("laying down a duty", self._in_store(duty.lay_down))

    async def _follow_links(self) -> None:
        """Makes sentinels with a depth watch the pages that links lead to, if this worker holds the duty."""
        duty = Duty("links", self.name, self._knowledge.duties, lease=self._duty_lease)
        while not self._stopping.is_set():
            seen = self.writings.count
            led = await self._unless_trouble("following links", self._in_store(partial(self._led, duty)))
            if not led and not self._stopping.is_set():
                wait = await self._unless_trouble(
                    "following links", self._in_store(self._knowledge.sentinels.follow_at)
                )
                await self.writings.after(seen, self.writings.rest(_seconds(wait)))
        await self._unless_trouble("laying down a duty", self._in_store(duty.lay_down))

    def _led(self, duty: Duty) -> int:
        return self._knowledge.sentinels.follow(self._following.limits) if duty.held() else 0

    async def _unless_trouble(self, doing: str, work: Awaitable[T]) -> T | None:
        """Returns the result of the work, or None if it failed. A failure is logged, and followed by a
        pause."""
        try:
            done = await work
            self.metrics.went_well(doing)
            return done
        except WebVigilError as error:
            self._met(doing, error, doing)
        except Exception:
            _log.exception("Failed at %s with an unexpected error.", doing)
        await self._sleep(BUSY_WAIT)
        return None

    def _met(self, doing: str, error: Exception, about: str) -> None:
        """Logs trouble. Trouble that does not pass by itself is also shown in the health report."""
        passing = isinstance(error, WebVigilError) and error.transient
        _log.log(logging.WARNING if passing else logging.ERROR, "Failed at %s: %s", about, error)
        if not passing:
            self.metrics.met(doing, str(error))

    async def _in_store(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._store, work)

    @contextmanager
    def _listening(self) -> Iterator[Millis]:
        """Wakes the worker whenever somebody asks for a look. Yields the longest time that it may sleep
        meanwhile."""
        loop = asyncio.get_running_loop()

        def ring() -> None:
            with suppress(RuntimeError):  # the event loop has ended
                loop.call_soon_threadsafe(self._woken.set)

        with self._knowledge.schedule.listen(ring) as trusted:
            yield trusted

    async def _wait(self, milliseconds: Millis) -> None:
        await happens(self._woken, milliseconds / 1000)

    async def _keep_pace(self) -> None:
        while self._pace.is_bounded and not self._stopping.is_set():
            await self._unless_trouble("keeping to the budget", self._in_store(self._pace.turn))
            await self._sleep(PACE_TURN)

    async def _keep_clock(self) -> None:
        """Moves plans back after the clock was set back. Otherwise they would wait until the clock catches
        up."""
        while not self._stopping.is_set():
            behind = await self._unless_trouble(
                "keeping the clock", self._in_store(self._knowledge.clock.set_right)
            )
            if behind:
                by = in_words(behind)
                _log.warning("The clock was set back by %s. Moved all plans back by the same time.", by)
            await self._sleep(CLOCK_TURN)

    async def _sleep(self, seconds: float) -> None:
        await happens(self._stopping, seconds)


def _seconds(wait: Millis | None) -> float | None:
    return None if wait is None else wait / 1000


def _is_told(result: CheckResult) -> bool:
    return bool(result.notices) or any(change.notices for change in result.changes)


def _turn(duty: Duty, keeper: Keeper) -> bool:
    """Advances lives if this worker holds the duty, and returns whether it does."""
    if not duty.held():
        return False
    keeper.turn()
    return True
