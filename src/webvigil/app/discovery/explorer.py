"""Queued searches for services in, their steps and found services in the database out.

The worker that holds the duty "discoveries" runs searches beside its page checks, a few at a time. A search
that was interrupted, by a restart or because another worker took the duty over, continues from its stored
steps. A cancelled search stops at its next step.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from webvigil.app.discovery.requests import crawl_of
from webvigil.app.settings import Settings
from webvigil.discover.crawler.crawl import Crawl
from webvigil.discover.crawler.report import services_in
from webvigil.discover.crawler.steps import (
    Begun,
    Judged,
    Read,
    Step,
    count_forms,
    step_as_json,
    step_from_json,
)
from webvigil.discover.crawler.trail import CrawlStopped
from webvigil.discover.crawler.turns import Reserve
from webvigil.discover.crawler.web import PoliteWeb
from webvigil.errors import WebVigilError
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.http import HttpFetcher
from webvigil.model.discovery import Counted, Discovery, NewService
from webvigil.store.promises import Discoveries, Schedule

_log = logging.getLogger("webvigil.explorer")

# Searches that run at the same time. More would compete with the page checks of the same process.
AT_A_TIME = 2
# Seconds between two looks for new or cancelled searches.
_GLANCE = 1.0
_UNEXPECTED = "an error nobody expected; the log of the worker tells more"


class Explorer:
    """Runs the open searches of all users in the background of one worker."""

    def __init__(
        self,
        discoveries: Discoveries,
        settings: Settings,
        fetcher: HttpFetcher,
        browser: BrowserFetcher | None = None,
        schedule: Schedule | None = None,
    ) -> None:
        """`schedule` has the hosts that workers look at. A search and a look never ask a host closer together
        than its pause."""
        self._discoveries = discoveries
        self._settings = settings
        self._web = PoliteWeb(
            fetcher,
            delay=settings.host_delay,
            at_a_time=settings.host_concurrency,
            browser=browser,
            reserve=_reserving(schedule) if schedule else None,
        )
        self._under_way: dict[int, asyncio.Task[None]] = {}

    async def explore_for_ever(self, ours: Callable[[], bool] = lambda: True) -> None:
        """Runs searches until cancelled. `ours` tells whether this worker holds the duty at the moment."""
        try:
            while True:
                try:
                    await self.turn(await asyncio.to_thread(ours))
                except WebVigilError as error:
                    _log.warning("Cannot start searches for services now, trying again: %s", error)
                await asyncio.sleep(_GLANCE)
        finally:
            await self._stop(list(self._under_way))

    async def turn(self, ours: bool = True) -> None:
        """Starts waiting searches, and stops running ones that have ended or that belong to another worker
        now."""
        wanted = await asyncio.to_thread(self._discoveries.open) if ours else []
        open_ = {one.id for one in wanted}
        await self._stop([one for one in self._under_way if one not in open_])
        self._under_way = {one: task for one, task in self._under_way.items() if not task.done()}
        for one in wanted:
            if len(self._under_way) < AT_A_TIME and one.id not in self._under_way:
                self._under_way[one.id] = asyncio.create_task(self._explore(one))

    async def _stop(self, discoveries: Sequence[int]) -> None:
        tasks = [self._under_way.pop(one) for one in discoveries]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _explore(self, one: Discovery) -> None:
        try:
            why = await self._crawl(one)
        except CrawlStopped:
            return
        except WebVigilError as error:
            if error.transient:
                _log.warning("Interrupted search %d for services, it continues later: %s", one.id, error)
                return
            await self._end(one, "failed", str(error))
        except Exception:  # noqa: BLE001  (a search that fails must not stop the others)
            _log.exception("Search %d for services failed with an unexpected error.", one.id)
            await self._end(one, "failed", _UNEXPECTED)
        else:
            await self._end(one, "done", why)

    async def _crawl(self, one: Discovery) -> str:
        if not await asyncio.to_thread(self._discoveries.begin, one.id):
            raise CrawlStopped
        written = await asyncio.to_thread(self._discoveries.steps, one.id)
        steps = [step_from_json(told) for told in written]
        trail = KnowledgeTrail(self._discoveries, one.id, steps)
        crawl = Crawl(crawl_of(one.wanted, self._settings), self._web, trail, steps=steps)
        return (await crawl.run()).why

    async def _end(self, one: Discovery, state: Literal["done", "failed"], why: str) -> None:
        """Writes how a search ended. If the database does not take it, the search stays open and is run to
        its end again."""
        try:
            await asyncio.to_thread(self._discoveries.end, one.id, state, why)
        except WebVigilError as error:
            _log.warning("Cannot write the end of search %d for services: %s", one.id, error)


def _reserving(schedule: Schedule) -> Reserve:
    async def reserve(host: str, seconds: float) -> float:
        return await asyncio.to_thread(schedule.reserve, host, int(seconds * 1000)) / 1000

    return reserve


class KnowledgeTrail:
    """Writes the steps of one search to the knowledge base, each in one transaction with the services it
    found."""

    def __init__(self, discoveries: Discoveries, discovery: int, steps: Sequence[Step] = ()) -> None:
        self._discoveries = discoveries
        self._discovery = discovery
        self._count = 0
        self._counted = Counted()
        self._pages: set[str] = set()
        self._titles: dict[str, str] = {}
        self._one_at_a_time = asyncio.Lock()
        for step in steps:
            self._tell(step)

    async def append(self, step: Step) -> None:
        """Writes one step, the new totals and the services found. Raises CrawlStopped if the search was
        cancelled."""
        async with self._one_at_a_time:
            number = self._count
            self._tell(step)
            title = self._titles.pop(step.url, "") if isinstance(step, Judged) else ""
            found = [_service(one, title) for one in services_in(step)]
            written = await asyncio.to_thread(
                self._discoveries.append, self._discovery, number, step_as_json(step), self._counted, found
            )
            if not written:
                raise CrawlStopped

    def _tell(self, step: Step) -> None:
        """Adds one step to the totals of the search and remembers the titles of pages with forms."""
        self._count += 1
        counted = self._counted
        match step:
            case Begun(lead=lead):
                self._pages.add(lead.url)
                self._counted = replace(counted, pages=len(self._pages))
            case Read(forms=forms):
                if forms:
                    self._titles[step.url] = step.title.replace("\x00", " ")
                self._counted = replace(counted, forms=counted.forms + count_forms(forms))
            case Judged(analyses=analyses):
                probes = counted.probes + sum(one["probes"] for one in analyses)
                self._counted = replace(
                    counted, probes=probes, services=counted.services + len(services_in(step))
                )
            case _:
                pass


def _service(told: dict[str, object], title: str) -> NewService:
    profile = told["profile"]
    assert isinstance(profile, dict), "only a service has one"
    return NewService(url=str(told["page"]), title=title, probes=int(str(told["probes"])), profile=profile)
