"""One queued search for services in, its steps and found services in the database out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
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

_UNEXPECTED = "an error nobody expected; the log of the worker tells more"


class Searcher:
    """Runs searches. All of them share the pauses between two requests to a host."""

    def __init__(
        self,
        discoveries: Discoveries,
        settings: Settings,
        fetcher: HttpFetcher,
        browser: BrowserFetcher | None,
        schedule: Schedule | None,
    ) -> None:
        self._discoveries = discoveries
        self._settings = settings
        self._web = PoliteWeb(
            fetcher,
            delay=settings.host_delay,
            at_a_time=settings.host_concurrency,
            browser=browser,
            reserve=_reserving(schedule) if schedule else None,
        )

    async def search(self, one: Discovery) -> None:
        """Runs one search until it has ended, fails or is stopped. What interrupts it is logged."""
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
