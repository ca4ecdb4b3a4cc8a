"""Helpers that ask forms in tests: with real requests to the loopback site, and without the waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from ipaddress import ip_network
from typing import TypeVar

from webvigil.discover.analyser import analyse
from webvigil.discover.analysis import Analysis
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.description import ServiceClass
from webvigil.fetch.client import Cookies, Limits
from webvigil.fetch.http import HttpFetcher
from webvigil.model.page import Page
from webvigil.model.version import Answer

T = TypeVar("T")


async def asking(work: Callable[[Ask], Awaitable[T]]) -> T:
    options = {"user_agent": "zoo", "allowed": [ip_network("127.0.0.0/8")], "limits": Limits(redirects=5)}
    async with HttpFetcher(obey_robots=False, **options) as fetcher:

        async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
            answer = (await fetcher.fetch(page, {}, cookies=cookies)).answer
            assert answer is not None, "nothing was known of it"
            return answer

        return await work(ask)


async def analysed(
    ask: Ask, url: str, service: ServiceClass, bounds: Bounds, waits: list[float] | None = None
) -> list[Analysis]:
    async def sleep(seconds: float) -> None:
        (waits if waits is not None else []).append(seconds)

    page = Page(url=url)
    return await analyse(page, await ask(page), service, ask, bounds, sleep=sleep)


def analyse_page(
    url: str, service: ServiceClass, bounds: Bounds | None = None, waits: list[float] | None = None
) -> list[Analysis]:
    """Fetches one page and analyses all of its forms."""
    return asyncio.run(asking(lambda ask: analysed(ask, url, service, bounds or Bounds(post=True), waits)))
