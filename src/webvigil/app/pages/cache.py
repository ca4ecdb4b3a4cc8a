"""Any page in, its content out: from the newest version if that is fresh enough, otherwise fetched (R5).

A version counts as fresh if a look found the page unchanged recently enough. Otherwise the page is fetched,
once for all who ask at the same time, and kept in memory for a while. If the fetch shows that a watched page
has changed, the worker looks at the page at once, so that those who watch it are told.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from webvigil.app.pages.documents import signature_of
from webvigil.app.pages.fetchers import browser_for
from webvigil.app.pages.logins import Logins
from webvigil.errors import NotFound, ObjectLost
from webvigil.fetch.browser import BrowserFetcher, Rehearsal
from webvigil.fetch.http import Fetched, HttpFetcher
from webvigil.fetch.login import Login
from webvigil.fetch.shared_call import SingleFlight
from webvigil.model.moment import DAY, Millis, as_millis
from webvigil.model.page import Page
from webvigil.model.version import Answer, Version
from webvigil.store.promises import Journal, Schedule, Versions
from webvigil.store.repository import PageRepository

_SEEN = ("new version", "same", "not modified")
# Newest entries of a page's log that are read to find when the page was last seen unchanged.
_LOOKS_ASKED = 20
# Bytes that fetched answers may occupy in memory.
_MEMORY = 64_000_000


class CacheStore(Protocol):
    """The parts of the knowledge base that the cache of pages needs."""

    journal: Journal
    schedule: Schedule
    versions: Versions


@dataclass(frozen=True, slots=True)
class _Kept:
    answer: Answer
    at: float
    size: int


class PageCache:
    """Gives pages to everybody in this process who wants to show them. `fresh` is how old an answer may be,
    in milliseconds; `now` counts seconds from any start."""

    def __init__(
        self,
        knowledge: CacheStore,
        pages: PageRepository,
        fetcher: HttpFetcher,
        browser: BrowserFetcher | None = None,
        *,
        logins: Logins | None = None,
        fresh: Millis = DAY,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._knowledge = knowledge
        self._pages = pages
        self._fetcher = fetcher
        self._browser = browser
        self._logins = logins
        self._fresh = fresh
        self._now = now
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._size = 0
        self._flights: SingleFlight[str, Answer] = SingleFlight()

    async def get(self, page: Page, *, fresh: Millis | None = None) -> Answer:
        """Returns the page, not older than `fresh` milliseconds. Raises PageError if it must be fetched and
        cannot be."""
        wanted = self._fresh if fresh is None else fresh
        stored = await asyncio.to_thread(self._stored, page, wanted)
        if stored is not None:
            return stored
        kept = self._kept.get(page.key)
        if kept and (self._now() - kept.at) * 1000 <= wanted:
            return kept.answer
        return await self._flights.do(page.key, lambda: self._fetched(page))

    def _stored(self, page: Page, fresh: Millis) -> Answer | None:
        newest = self._newest(page)
        if newest is None:
            return None
        looks = self._knowledge.journal.fetch_log(newest.page, limit=_LOOKS_ASKED)
        seen = next((look["at"] for look in looks if look["decision"] in _SEEN), newest.fetched_at)
        if self._knowledge.schedule.now() - as_millis(seen) > fresh:
            return None
        try:
            return self._pages.answer(newest.object)
        except ObjectLost:  # the stored version cannot be read any more, so the page is fetched
            return None

    def _newest(self, page: Page) -> Version | None:
        try:
            versions = self._knowledge.versions.of(self._knowledge.versions.page_id(page))
        except NotFound:
            return None
        return versions[0] if versions else None

    async def _fetched(self, page: Page) -> Answer:
        login = await asyncio.to_thread(self._logins.of, page) if self._logins and page.login else None
        fetch = self._rendered if page.render == "browser" else self._plain
        answer = (await fetch(page, login)).answer
        assert answer is not None, "a page that is asked for without conditions comes"
        self._keep(page.key, answer)
        await asyncio.to_thread(self._tell, page, answer)
        return answer

    async def _plain(self, page: Page, login: Login | None) -> Fetched:
        return await self._fetcher.fetch(page, {}, login)

    async def _rendered(self, page: Page, login: Login | None) -> Fetched:
        browser = await browser_for(page, self._browser, self._fetcher)
        return await browser.fetch(page, login)

    async def rehearse(self, page: Page) -> Rehearsal:
        """Takes the steps to a page and returns what the browser showed after each. Raises PageError if the
        page itself cannot be opened."""
        login = await asyncio.to_thread(self._logins.of, page) if self._logins and page.login else None
        browser = await browser_for(page, self._browser, self._fetcher)
        return await browser.rehearse(page, login)

    def _keep(self, key: str, answer: Answer) -> None:
        self._drop(key)
        kept = _Kept(answer, self._now(), _weight(answer))
        self._kept[key] = kept
        self._size += kept.size
        while self._size > _MEMORY and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: str) -> None:
        kept = self._kept.pop(key, None)
        self._size -= kept.size if kept else 0

    def _tell(self, page: Page, answer: Answer) -> None:
        """Makes a watched page due now if the fetched answer differs from its newest version."""
        newest = self._newest(page)
        if newest and newest.signature != signature_of(answer):
            self._knowledge.schedule.ask(newest.page, "seen to have changed")


def _weight(answer: Answer) -> int:
    return len(answer.body) + sum(_weight(frame.answer) for frame in answer.frames)
