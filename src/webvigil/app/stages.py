"""The stages of a check as they really are: the web, the page repository, the detectors."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import lru_cache

from webvigil.app.documents import document_of, signature_of
from webvigil.app.logins import Logins
from webvigil.app.news import News
from webvigil.detect.find import change_types, evaluate, find
from webvigil.document import PageDigest
from webvigil.errors import PageRefused
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.http import Fetched, HttpFetcher
from webvigil.fetch.login import Login
from webvigil.graph.part import views
from webvigil.language import parse
from webvigil.model.change import Finding
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.sentinel import ChangeType, Sentinel
from webvigil.model.version import Answer
from webvigil.model.work import DuePage, NewVersion, Watch
from webvigil.notify.notices import notices_for
from webvigil.rules import notices as life_notices
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository

_ANY_CHANGE = ChangeType("any change")
_IMAGES = ChangeType("all images", (), "content")
_VISUAL = ChangeType("visual")
_THREAD_WORTH = 256_000
_DIGESTS_KEPT = 64


class RealStages:
    def __init__(
        self,
        fetcher: HttpFetcher,
        knowledge: Knowledge,
        pages: PageRepository,
        logins: Logins | None = None,
        browser: BrowserFetcher | None = None,
        news: News | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._logins = logins
        self._browser = browser
        self._news = news
        self._knowledge = knowledge
        self._pages = pages
        self._digest = lru_cache(_DIGESTS_KEPT)(self._read_digest)

    async def fetch(self, due: DuePage) -> Fetched:
        """Without a version of it we know nothing of a page, whatever its server said last time."""
        login = (
            await asyncio.to_thread(self._logins.of, due.page) if self._logins and due.page.login else None
        )
        if due.page.render == "browser":
            return await self._render(due, login)
        facts = due.validators if due.latest else {}
        return await self._fetcher.fetch(due.page, facts, login, pictures=_wants(due.watches, _IMAGES))

    async def _render(self, due: DuePage, login: Login | None) -> Fetched:
        """What is watched is waited for."""
        if self._browser is None:
            raise PageRefused("pages are not rendered in a browser here; a proxy is set")
        await self._fetcher.judge(due.page.url)
        return await self._browser.fetch(due.page, login, _selectors(due.watches))

    async def keep(self, fetched: Fetched, due: DuePage) -> NewVersion | None:
        if _is_plainly_the_same(fetched, due):
            return None
        version = await asyncio.to_thread(self._keep, fetched, due)
        if version and self._news and fetched.answer and _may_have_news(fetched.answer):
            old = await asyncio.to_thread(self._digest, due.latest.object) if due.latest else None
            new = await asyncio.to_thread(self._digest, version.object)
            await self._news.of(due, fetched.answer, old, new)
        return version

    async def compare(self, due: DuePage, watch: Watch, newest: NewVersion | None) -> tuple[Finding, ...]:
        return await asyncio.to_thread(self._compare, due, watch, newest)

    def notices(
        self, due: DuePage, watch: Watch, newest: int, findings: tuple[Finding, ...]
    ) -> tuple[Notice, ...]:
        return notices_for(_sentinel(watch.text), watch, due, newest, findings)

    def notices_of_failure(self, due: DuePage, now: Millis, error: str) -> tuple[Notice, ...]:
        """Told once in a row of failures, when it is long enough to be no accident."""
        if due.failures + 1 != life_notices.FAILURES_BEFORE_TELLING:
            return ()
        return tuple(
            notice
            for watch in due.watches
            for notice in life_notices.page_failing(
                _sentinel(watch.text), watch.user, f"{watch.sentinel}:{due.id}:{now}", due.page.url, error
            )
        )

    def _keep(self, fetched: Fetched, due: DuePage) -> NewVersion | None:
        answer = fetched.answer
        assert answer is not None, "only what came is kept"
        signature = signature_of(answer)
        if due.latest and due.latest.signature == signature and not self._looks_different(fetched, due):
            return None
        return NewVersion(
            number=due.latest.number + 1 if due.latest else 1,
            url=answer.url,
            status=answer.status,
            signature=signature,
            object=self._pages.keep(answer),
            size=len(answer.body),
            picture=self._pages.keep_picture(fetched.picture),
        )

    def _looks_different(self, fetched: Fetched, due: DuePage) -> bool:
        """A style sheet may change while the page does not; only where somebody wants to know."""
        if not (fetched.picture and due.latest and due.latest.picture and _wants(due.watches, _VISUAL)):
            return False
        seen = self._digest(due.latest.object, due.latest.picture)
        now = self._digest(due.latest.object).with_screenshot(lambda: fetched.picture)
        return find(seen, now, _VISUAL).changed

    def _compare(self, due: DuePage, watch: Watch, newest: NewVersion | None) -> tuple[Finding, ...]:
        new = newest or due.latest
        assert new is not None, "only a page with versions is compared"
        old = self._knowledge.versions.get(due.id, watch.reference)
        sentinel = _sentinel(watch.text)
        seen = views(self._digest(old.object, old.picture), self._digest(new.object, new.picture), sentinel)
        if isinstance(seen, Finding):
            return (seen,)
        result = evaluate(*seen, sentinel.monitor or _ANY_CHANGE)
        return result.findings if result.changed else ()

    def _read_digest(self, key: str, picture: str = "") -> PageDigest:
        """A picture is loaded when somebody looks at it."""
        if picture:
            return self._digest(key).with_screenshot(lambda: self._pages.picture(picture))
        return document_of(self._pages.answer(key))


def _is_plainly_the_same(fetched: Fetched, due: DuePage) -> bool:
    """Of a small page that takes less time to find out than a thread takes to be asked."""
    answer = fetched.answer
    small = answer is not None and not fetched.picture and len(answer.body) < _THREAD_WORTH
    return bool(answer and small and due.latest and due.latest.signature == signature_of(answer))


def _may_have_news(answer: Answer) -> bool:
    """Feeds and sitemaps speak of other pages; any page may name a hub."""
    return "xml" in answer.content_type or bool(answer.header("link")) or b"hub" in answer.body


def _wants(watches: Iterable[Watch], wanted: ChangeType) -> bool:
    return any(wanted in change_types(_sentinel(watch.text).monitor or _ANY_CHANGE) for watch in watches)


def _selectors(watches: Iterable[Watch]) -> tuple[str, ...]:
    parts = [part for watch in watches for part in _sentinel(watch.text).within if part.by == "css"]
    return tuple(dict.fromkeys(str(part.argument) for part in parts))


@lru_cache(4096)
def _sentinel(text: str) -> Sentinel:
    (sentinel,) = parse(text)
    return sentinel
