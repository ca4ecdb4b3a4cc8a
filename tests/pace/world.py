"""A small web on a virtual clock: pages that change when a script says so, watched by the real flow."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.utils import format_datetime
from heapq import heappop, heappush
from itertools import count
from typing import Any

from tests.store.making import sentinel
from webvigil.app.worker.budget import Pace
from webvigil.app.worker.schedules import scheduled
from webvigil.errors import HostUnreachable, PageUnreachable
from webvigil.fetch.http import Fetched
from webvigil.flow import check, outside_hours, put_off
from webvigil.graph.due import Compared, Comparisons, Found, at_rest
from webvigil.model.change import Finding
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.notice import Notice
from webvigil.model.trouble import Trouble
from webvigil.model.version import Answer
from webvigil.model.work import CheckResult, DuePage, HostAfter, NewChange, NewVersion, Watch
from webvigil.pace.pacing import Pacing
from webvigil.pace.steering import Budget
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
MONDAY: Millis = 1_704_067_200_000


@dataclass
class ScriptedPage:
    """A page that changes at given moments.

    `clock_off` is how wrong its server's clock is. `says` returns what the server says about the time of a
    change, given the time of the change and the present time; None for nothing. `down` and `broken` are the
    times between which its host does not answer or answers with errors.
    """

    changes: list[Millis] = field(default_factory=list)
    says: Callable[[Millis, Millis], Millis | None] = lambda made, now: made
    clock_off: Millis = 0
    down: tuple[Millis, Millis] = (0, 0)
    broken: tuple[Millis, Millis] = (0, 0)

    def version(self, now: Millis) -> int:
        return 1 + bisect_right(self.changes, now)

    def made(self, now: Millis) -> Millis:
        return ([MONDAY - 30 * DAY, *self.changes])[self.version(now) - 1]


class World:
    def __init__(
        self,
        pacing: Pacing | None = None,
        budget: Budget | None = None,
        *,
        now: Millis = MONDAY,
        store: Callable[[Callable[[], Millis]], Knowledge] | None = None,
    ) -> None:
        """`store` opens a store that runs on the clock of this world."""
        self.now = now
        self.knowledge: Knowledge = (store or _in_memory)(lambda: self.now)
        if not self.knowledge.users.all():
            self.knowledge.users.add("jill")
        self.pages: dict[str, ScriptedPage] = {}
        self.looks: list[tuple[Millis, str, CheckResult]] = []
        self.pace = Pace(self.knowledge, pacing, budget)
        self._script: list[tuple[Millis, int, Callable[[], Any]]] = []
        self._order = count()

    def at(self, moment: Millis, do: Callable[[], Any]) -> None:
        heappush(self._script, (moment, next(self._order), do))

    def watch(self, name: str, url: str, interval: Millis = 0, **more: Any) -> None:
        self.knowledge.sentinels.add(sentinel(name, url, interval=interval, **more))

    def looks_at(self, url: str) -> list[Millis]:
        return [at for at, seen, result in self.looks if seen == url and result.look.decision != "postponed"]

    def log(self, url: str) -> list[dict[str, Any]]:
        """Returns the fetch log of a page, newest first."""
        return self.knowledge.journal.fetch_log(self.page_id(url), limit=100_000)

    def page_id(self, url: str) -> int:
        found = (page for one in self.knowledge.sentinels.all() for page in one.pages if page.url == url)
        return next(found).id

    def run(self, until: Millis) -> None:
        asyncio.run(self._run(until))

    async def _run(self, until: Millis) -> None:
        while True:
            while self._script and self._script[0][0] <= self.now:
                heappop(self._script)[2]()
            if await self._visit():
                continue
            wait = self.knowledge.schedule.next_at()
            next_at = until if wait is None else self.now + max(wait, 0)
            if self._script:
                next_at = min(next_at, self._script[0][0])
            if next_at >= until:
                self.now = until
                return
            self.now = next_at

    async def _visit(self) -> int:
        claims = self.knowledge.schedule.claim("w", hosts=10, pages=50, lease=30_000)
        for claim in claims:
            results = [await self._check(due) for due in claim.pages]
            self.knowledge.schedule.finish(claim, results, HostAfter(rest=0))
        return len(claims)

    async def _check(self, due: DuePage) -> CheckResult:
        due = scheduled(due)
        if closed := outside_hours(due, self.now):
            result = closed
        elif wait := await self.pace.wait(due, self.now):
            result = put_off(due, self.now, wait)
        else:
            result = await check(due, self.now, _Stages(self), 0.0, self.pace.pacing)
            self.pace.looked(due, result, self.now)
        self.looks.append((self.now, due.page.url, result))
        return result


def _in_memory(clock: Callable[[], Millis]) -> Knowledge:
    return MemoryKnowledge(delay=0, clock=clock)


class _Stages:
    def __init__(self, world: World) -> None:
        self._world = world

    async def fetch(self, due: DuePage) -> Fetched:
        now, page = self._world.now, self._world.pages[due.page.url]
        if page.down[0] <= now < page.down[1]:
            raise HostUnreachable("nobody there")
        if page.broken[0] <= now < page.broken[1]:
            raise PageUnreachable("the server answered 500")
        number = page.version(now)
        known = due.latest.signature if due.latest else ""
        if known == str(number):
            return Fetched(answer=None, status=304, validators={}, reason="the server says so")
        told = page.says(page.made(now), now)
        headers = [("Date", _date(now + page.clock_off))]
        headers += [("Last-Modified", _date(told + page.clock_off))] if told is not None else []
        body = str(number).encode()
        answer = Answer(url=due.page.url, status=200, headers=tuple(headers), body=body)
        return Fetched(answer=answer, status=200, validators={})

    async def examined(self, fetched: Fetched, _: DuePage) -> Fetched:
        return fetched

    async def keep(self, fetched: Fetched, due: DuePage) -> NewVersion | None:
        assert fetched.answer is not None
        number = (due.latest.number if due.latest else 0) + 1
        signature = fetched.answer.body.decode()
        return NewVersion(
            number=number, url=due.page.url, status=200, signature=signature, object=signature, size=1
        )

    async def compare(
        self, due: DuePage, watches: Sequence[Watch], newest: NewVersion | None, *_: Any
    ) -> Comparisons:
        version = newest or due.latest
        number = version.number if version else 0
        return Comparisons([_compared(watch, number) for watch in watches])

    async def came_at(self, *_: Any) -> int:
        return 0

    def is_quiet(self, _: DuePage) -> bool:
        return False

    def changes(self, _: DuePage, compared: Sequence[Compared], *__: object) -> tuple[NewChange, ...]:
        return tuple(
            NewChange(
                sentinel=one.watch.sentinel,
                old_version=found.old,
                new_version=found.new,
                findings=found.findings,
            )
            for one in compared
            for found in one.found
        )

    async def troubles(self, *_: Any) -> dict[int, Trouble]:
        return {}

    def notices_of_loss(self, *_: Any) -> tuple[Notice, ...]:
        return ()

    def notices_of_trouble(self, *_: Any) -> tuple[Notice, ...]:
        return ()

    def notices_of_doubt(self, *_: Any) -> tuple[Notice, ...]:
        return ()


def _compared(watch: Watch, newest: int) -> Compared:
    if not 0 < watch.reference < newest:
        return at_rest(watch, newest)
    found = Found(old=watch.reference, new=newest, findings=(Finding(type="any change"),))
    return Compared(watch, newest, found=(found,))


def _date(moment: Millis) -> str:
    return format_datetime(as_datetime(moment // 1000 * 1000), usegmt=True)
