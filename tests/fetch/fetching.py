"""Short functions to fetch from the site on loopback."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

from tests.site import SitePage
from webvigil.fetch.http import Fetched, HttpFetcher
from webvigil.fetch.login import Login
from webvigil.model.page import Page

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


def fetch(
    page: Page | SitePage | str,
    validators: dict[str, str] | None = None,
    *,
    login: Login | None = None,
    **options: Any,
) -> Fetched:
    async def once() -> Fetched:
        async with HttpFetcher(**({"user_agent": "test", "allowed": LOOPBACK} | options)) as fetcher:
            return await fetcher.fetch(as_page(page), validators or {}, login)

    return asyncio.run(once())


def body(page: Page | SitePage | str, **options: Any) -> bytes:
    answer = fetch(page, **options).answer
    assert answer is not None
    return answer.body


def as_page(page: Page | SitePage | str) -> Page:
    if isinstance(page, Page):
        return page
    return Page(url=page if isinstance(page, str) else page.url)


class Looks:
    """Fetches a page several times, each time with what the fetches before have learnt."""

    def __init__(self, page: Page | SitePage | str, **options: Any) -> None:
        self._page = as_page(page)
        self._options = options
        self.facts: dict[str, str] = {}

    def look(self) -> Fetched:
        seen = fetch(self._page, self.facts, **self._options)
        self.facts = seen.validators
        return seen

    def times(self, count: int) -> list[Fetched]:
        return [self.look() for _ in range(count)]
