"""The web as a crawl sees it: fetches pages and the answers of forms, each in its host's turn.

The package `fetch` obeys robots.txt, judges addresses where the connection is made, and shares connections
and looked-up names. This module decides when a request is made, and what an answer means for a crawl.
"""

from __future__ import annotations

from typing import Protocol

from webvigil.discover.crawler.lead import host_of
from webvigil.discover.crawler.turns import Reserve, Turns
from webvigil.errors import HostBusy, PageRefused
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.client import Ask, Cookies
from webvigil.fetch.http import HttpFetcher
from webvigil.model.page import Page
from webvigil.model.version import Answer, retry_after

LARGEST_PAGE = 3_000_000  # bytes; a larger page is refused
_BUSY = (429, 503)


class Web(Protocol):
    """The requests that a crawl makes."""

    turns: Turns

    async def page(self, url: str) -> Answer:
        """Returns the answer, whatever its status. Raises PageError if none came."""

    async def ask(self, page: Page, cookies: Cookies) -> Answer:
        """Returns the answer of a form, with its frames. `cookies` are those of the visit. Raises PageError
        if none came or if the answer is an error."""


class PoliteWeb:
    """Fetches with an `HttpFetcher`, or with a browser where a page must be rendered, and waits for each
    host's turn."""

    def __init__(
        self,
        fetcher: HttpFetcher,
        *,
        delay: float = 1.0,
        at_a_time: int = 1,
        browser: BrowserFetcher | None = None,
        reserve: Reserve | None = None,
    ) -> None:
        """`delay` is the shortest pause between two requests to a host, in seconds; a host may ask for a
        longer one. `reserve` keeps the same pause to requests that others make."""
        self._fetcher = fetcher
        self._browser = browser
        self.turns = Turns(
            lambda host: max(delay, fetcher.delay(host) / 1000), at_a_time=at_a_time, reserve=reserve
        )

    async def page(self, url: str) -> Answer:
        async with self.turns.turn(host_of(url)):
            await self._fetcher.judge(url)
            reply = await self._fetcher.client.ask(Ask(url=url, limit=LARGEST_PAGE))
            if reply.answer.status in _BUSY:
                wait = retry_after(reply.answer)
                raise HostBusy(f"the server answered {reply.answer.status}", wait=wait)
            if reply.answer.url != url:
                await self._fetcher.judge(reply.answer.url)
            return reply.answer

    async def ask(self, page: Page, cookies: Cookies) -> Answer:
        async with self.turns.turn(page.host):
            if page.render == "browser":
                return await self._rendered(page)
            answer = (await self._fetcher.fetch(page, {}, cookies=cookies)).answer
            assert answer is not None, "nothing is known of it that could be unchanged"
            return answer

    async def _rendered(self, page: Page) -> Answer:
        if self._browser is None:
            raise PageRefused("there is no browser here")
        await self._fetcher.judge(page.url)
        fetched = await self._browser.fetch(page)
        assert fetched.answer is not None, "a browser always shows something"
        return fetched.answer
