"""The stages of a check that do real work: fetch a page, keep its version, compare, make notices."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeVar

from webvigil.app.pages.documents import Digests, document_of, signature_of
from webvigil.app.pages.fetchers import browser_for
from webvigil.app.pages.logins import Logins
from webvigil.app.pages.pushes import says_hub
from webvigil.app.worker.announce import (
    changes_of,
    doubts_of,
    judge,
    named,
    to_judge,
    troubles_of,
)
from webvigil.app.worker.evaluate import Evaluator
from webvigil.app.worker.following import Following, links_in, stale_parts
from webvigil.app.worker.habits import Looks, Memory
from webvigil.app.worker.news import News
from webvigil.app.worker.threads import back, computed
from webvigil.community.borrowing import Borrower
from webvigil.detect.find import find
from webvigil.document import PageDigest
from webvigil.document.naming import title_of
from webvigil.document.parsing import is_pdf
from webvigil.errors import DocumentRefused, NotFound, ObjectLost, StoreError, StoreRefused, VersionLost
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.http import Fetched, HttpFetcher
from webvigil.fetch.login import Login
from webvigil.fetch.suspicion import LastGood, first_suspicion, lost_product, suspicion_of
from webvigil.flow import SECOND_LOOK
from webvigil.graph.due import Compared, Comparisons, at_rest, nothing_new
from webvigil.graph.nodes import Interest
from webvigil.model.following import PageLinks
from webvigil.model.memo import forget_all
from webvigil.model.moment import Millis, as_datetime, as_millis
from webvigil.model.notice import Notice
from webvigil.model.quiet import PageHabits
from webvigil.model.sentinel import ChangeType
from webvigil.model.trouble import Trouble
from webvigil.model.version import Answer, Version
from webvigil.model.work import DuePage, LatestVersion, NewChange, NewVersion, Watch
from webvigil.rules import notices as life_notices
from webvigil.rules.doubts import Verdict
from webvigil.rules.trouble import Turn
from webvigil.store.promises import HabitStore, Journal, Versions
from webvigil.store.repository import Kept, PageRepository, reading_version

_log = logging.getLogger("webvigil.worker")

_IMAGES = ChangeType("all images", (), "content")
_VISUAL = ChangeType("visual")
# A body of this many bytes or more is hashed in a thread, because hashing a smaller one takes less time than
# handing it to a thread. It is also compared beside the others, so that they do not wait for it.
_LARGE = 256_000
# Comparisons beside the thread of all looks at the same time. Comparing keeps the processor busy, and
# detectors remember intermediate results of only a few documents (`remembered`): more comparisons would push
# each other's results out.
_AT_A_TIME = 2

_Seen = NewVersion | LatestVersion | Version
T = TypeVar("T")


class _Store(Protocol):
    """The parts of the knowledge base that the stages of a check need."""

    habits: HabitStore
    journal: Journal
    versions: Versions


class RealStages:
    """The stages as a worker uses them. `flow.check` calls them in order."""

    def __init__(
        self,
        fetcher: HttpFetcher,
        knowledge: _Store,
        pages: PageRepository,
        logins: Logins | None = None,
        browser: BrowserFetcher | None = None,
        news: News | None = None,
        following: Following | None = None,
        borrower: Borrower | None = None,
        model: str = "",
    ) -> None:
        """`model` is the language model that judges what changes mean; "" if none is set up."""
        self._fetcher = fetcher
        self._borrower = borrower
        self._model = model
        self._logins = logins
        self._browser = browser
        self._news = news
        self._following = following or Following()
        self._knowledge = knowledge
        self._pages = pages
        self._digests = Digests(pages)
        self._evaluator = Evaluator()
        self._comparing = asyncio.Semaphore(_AT_A_TIME)
        # The thread in which all looks compute, one after the other (`threads`).
        self._computing = ThreadPoolExecutor(1, thread_name_prefix="webvigil-computing")
        # Pages whose newest version cannot be read. Their next answer is kept even if it is the same.
        self._to_keep_again: set[int] = set()

    async def fetch(self, due: DuePage) -> Fetched:
        """Fetches a page: from a peer, by a browser or by HTTP. Validators of the last answer are sent only
        if the newest version can be read; otherwise a 304 answer would leave nothing to compare."""
        login = (
            await asyncio.to_thread(self._logins.of, due.page) if self._logins and due.page.login else None
        )
        if due.page.render == "browser":
            return await self._render(due, login)
        pictures = self._evaluator.graphs.of(due).wants(_IMAGES)
        lost = due.id in self._to_keep_again
        if self._borrower and due.page.render == "http" and not login and not pictures and not lost:
            return await self._borrower.fetch(due, partial(self._fetcher.fetch, due.page))
        facts = due.validators if due.latest and not lost else {}
        return await self._fetcher.fetch(due.page, facts, login, pictures=pictures)

    async def _render(self, due: DuePage, login: Login | None) -> Fetched:
        """Fetches a page with a browser, which waits until the watched parts are there."""
        browser = await browser_for(due.page, self._browser, self._fetcher)
        parts = self._evaluator.graphs.of(due).parts()
        selectors = tuple(str(part.argument) for part in parts if part.by == "css")
        return await browser.fetch(due.page, login, selectors)

    async def examined(self, fetched: Fetched, due: DuePage) -> Fetched:
        if due.page.render == "status":
            return fetched
        fetched = _quickly_signed(fetched)
        if fetched.signature and due.latest and due.latest.signature == fetched.signature:
            return fetched
        return await self._computed(partial(self._examined, fetched, due), beside=_is_long(fetched))

    async def _computed(self, work: Callable[[], T], *, beside: bool) -> T:
        """Returns what the work returns, which keeps the processor busy. Work that takes long or waits for a
        disk is done `beside` that of other looks, in a thread of its own; all work is, if it waits for a
        distant store."""
        if not (beside or self._pages.distant):
            return await computed(self._computing, work)
        await back()
        return await asyncio.to_thread(work)

    def _examined(self, fetched: Fetched, due: DuePage) -> Fetched:
        """Returns the answer with its document and what is suspicious about it. An answer that cannot be
        read, or whose earlier version is lost, is not suspicious."""
        fetched = _signed(fetched)
        answer, latest = fetched.answer, due.latest
        assert answer is not None, "only what came is examined"
        if latest and latest.signature == fetched.signature:
            return fetched
        try:
            document = document_of(answer)
            if latest is None:
                return replace(fetched, document=document, suspicion=first_suspicion(answer, document))
            before = self._digests.of(latest.object)
            # Storing the document computes its signatures anyway. Known now, they are compared with those at
            # the head of the version before, whose contents are then read only where they differ.
            document.signature  # noqa: B018
            last = LastGood(before, lambda: self._pages.answer(latest.object).body)
            suspicion = suspicion_of(answer, document, last)
            if suspicion is None and self._evaluator.graphs.of(due).looks_for_products():
                suspicion = lost_product(before, document)
            return replace(fetched, document=document, before=before, suspicion=suspicion)
        except (DocumentRefused, ObjectLost):
            return fetched

    def let_go(self) -> None:
        """Drops large objects from memory that can be made again."""
        self._digests.trim()
        forget_all()

    @property
    def remembered(self) -> int:
        """Upper bound of the bytes that the digests in memory occupy."""
        return self._digests.weight

    async def keep(self, fetched: Fetched, due: DuePage) -> NewVersion | None:
        """Stores the answer as a new version, or returns None if it equals the newest version. A new version
        also gives hints and subscribes to hubs."""
        fetched = _quickly_signed(fetched)
        if fetched.signature and self._is_known(due, fetched.signature) and not fetched.picture:
            return None
        made = await self._computed(partial(self._made, fetched, due), beside=_is_long(fetched))
        if made is None:
            return None
        version, kept = made
        if kept.objects:  # they are flushed to the disk, and other looks need not wait for that
            await back()
            await asyncio.to_thread(self._pages.store, kept)
        self._to_keep_again.discard(due.id)
        if self._news and fetched.answer and _may_have_news(fetched.answer):
            await back()
            old = await asyncio.to_thread(self._before, due)
            new = await asyncio.to_thread(self._digests.of, version.object)
            await self._news.of(due, fetched.answer, old, new)
        return version

    async def keep_picture(self, picture: bytes) -> str:
        await back()
        return await asyncio.to_thread(self._pages.keep_picture, picture)

    async def compare(
        self,
        due: DuePage,
        watches: Sequence[Watch],
        newest: NewVersion | None,
        now: Millis,
    ) -> Comparisons:
        """Compares versions for the due watches, in a thread if there is something to compare. Versions of
        which it is not known how large they are count as large."""
        number = _number(newest, due)
        if nothing_new(watches, number):
            self._forget_before(newest, due)
            return Comparisons([at_rest(watch, number) for watch in watches])
        work = partial(self._compare, due, watches, newest, now)
        if newest and newest.size < _LARGE and not newest.picture and not self._pages.distant:
            return await computed(self._computing, work)
        await back()
        async with self._comparing:
            return await asyncio.to_thread(work)

    async def came_at(self, due: DuePage, version: int) -> Millis:
        with suppress(NotFound):
            await back()
            found = await asyncio.to_thread(self._knowledge.versions.get, due.id, version)
            return as_millis(found.fetched_at)
        return 0

    def is_quiet(self, due: DuePage) -> bool:
        return any(interest.quiet for interest in self._evaluator.graphs.of(due).interests())

    def changes(
        self, due: DuePage, compared: Sequence[Compared], newest: NewVersion | None, at: Millis
    ) -> tuple[NewChange, ...]:
        if not any(one.found for one in compared):
            return ()
        return changes_of(due, compared, as_datetime(at), self._model, partial(self._title, due, newest))

    def _title(self, due: DuePage, newest: NewVersion | None = None) -> str:
        """Returns the title of the newest version; "" if there is none, or if it cannot be read."""
        if newest:
            return newest.title
        with suppress(StoreError, DocumentRefused):
            return title_of(self._digests.of(due.latest.object)) if due.latest else ""
        return ""

    async def links(self, due: DuePage, newest: NewVersion | None) -> tuple[PageLinks, ...]:
        """Returns the links that sentinels follow, from the newest version, as far as they are not known
        yet."""
        version = newest or due.latest
        wanted = stale_parts(due, version.number) if version else {}
        if not version or not wanted:
            return ()
        try:
            return await self._computed(partial(self._links, due, version, wanted), beside=True)
        except VersionLost:  # the links are read from the next version
            self._to_keep_again.add(due.id)
            return ()

    def _links(
        self, due: DuePage, version: NewVersion | LatestVersion, wanted: dict[str, Interest]
    ) -> tuple[PageLinks, ...]:
        with reading_version(version.number):
            digest = self._digests.of(version.object)
        known = self._logins.beside(due.page) if self._logins and due.page.login else ()
        return tuple(
            links_in(
                digest,
                due.page,
                interest,
                key=key,
                version=version.number,
                most=self._following.most,
                forbidden=self._following.forbidden,
                logins=known,
            )
            for key, interest in wanted.items()
        )

    async def troubles(
        self, due: DuePage, compared: Sequence[Compared], newest: NewVersion | None
    ) -> dict[int, Trouble]:
        """Returns, by sentinel, whether the page still shows what the sentinel watches."""
        version = newest or due.latest
        judged = to_judge(compared, _number(newest, due))
        if version is None or not judged:
            return {}
        interests = list(self._evaluator.graphs.of(due).interests_of(one.watch.sentinel for one in judged))
        work = partial(judge, judged, interests, partial(self._digest, version))
        try:
            if not any(one.names_places for one in interests):
                return work()
            return await self._computed(work, beside=newest is None or newest.size >= _LARGE)
        except (StoreRefused, ObjectLost) as error:  # the comparison reports a version that cannot be read
            _log.warning("Cannot judge whether %s still shows what is watched: %s", due.page.url, error)
            return {}

    def notices_of_trouble(
        self, due: DuePage, turns: Sequence[Turn], key: str, newest: NewVersion | None = None
    ) -> tuple[Notice, ...]:
        return troubles_of(due, turns, key, partial(self._title, due, newest))

    def notices_of_doubt(self, due: DuePage, verdict: Verdict) -> tuple[Notice, ...]:
        return doubts_of(due, verdict, partial(self._title, due))

    def notices_of_loss(self, due: DuePage, compared: Sequence[Compared]) -> tuple[Notice, ...]:
        """Returns notices for the watches that cannot be told what changed, because a version cannot be read
        any more."""
        for said in dict.fromkeys(one.lost for one in compared if one.lost):
            _log.warning("Cannot compare versions of %s: %s", due.page.url, said)
        return tuple(
            notice
            for one in compared
            if one.lost
            for notice in life_notices.history_lost(
                named(one.watch),
                one.watch.user,
                f"{one.watch.sentinel}:{due.id}:{one.watch.reference}:{one.reference}",
                life_notices.Place(due.page.url, self._title(due)),
                one.lost,
            )
        )

    def _is_known(self, due: DuePage, signature: str) -> bool:
        """Tells whether this is the newest version, and that version can be read as far as known."""
        same = due.latest is not None and due.latest.signature == signature
        return same and due.id not in self._to_keep_again

    def _before(self, due: DuePage) -> PageDigest | None:
        """Returns the newest version from before this look; None if there is none or it cannot be read any
        more."""
        with suppress(ObjectLost):
            return self._digests.of(due.latest.object) if due.latest else None
        return None

    def _made(self, fetched: Fetched, due: DuePage) -> tuple[NewVersion, Kept] | None:
        """Returns the new version, and what is to be stored of it; None if it equals the newest version."""
        answer, signature = fetched.answer, _signed(fetched).signature
        assert answer is not None, "only what came is kept"
        if self._is_known(due, signature) and not self._looks_different(fetched, due):
            return None
        after = due.latest.object if due.latest else ""
        kept = self._pages.made(
            answer, after=after, picture=fetched.picture, pictures=fetched.pictures, in_row=True
        )
        digest = self._digests.keep(
            kept.object, answer, fetched.document, before=fetched.before, instead_of=self._outlived(due)
        )
        version = NewVersion(
            number=due.latest.number + 1 if due.latest else 1,
            url=answer.url,
            status=answer.status,
            signature=signature,
            object=kept.object,
            size=len(answer.body),
            picture=kept.picture,
            base=kept.base,
            stored=kept.stored,
            title=title_of(digest),
            delta=kept.delta,
        )
        return version, kept

    def _looks_different(self, fetched: Fetched, due: DuePage) -> bool:
        """Tells whether the screenshot differs, if somebody watches it: a style sheet may change while the
        page does not. Returns True if the old screenshot cannot be read."""
        if not (fetched.picture and due.latest and due.latest.picture):
            return False
        if not self._evaluator.graphs.of(due).wants(_VISUAL):
            return False
        try:
            seen = self._digest(due.latest)
            now = self._digests.of(due.latest.object).with_screenshot(lambda: fetched.picture)
            return find(seen, now, _VISUAL).changed
        except (ObjectLost, DocumentRefused):
            return True

    def _outlived(self, due: DuePage) -> str:
        """Returns the version before, whose kept digest may go; "" if somebody is still to be compared with
        it later."""
        if due.latest is None or _is_waited_for(due, due.latest):
            return ""
        if any(due.latest.number in _needed(watch) for watch in due.watches):
            self._before(due)  # loads it into memory for the comparisons of this check, before it is dropped
        return due.latest.object

    def _compare(
        self,
        due: DuePage,
        watches: Sequence[Watch],
        newest: NewVersion | None,
        now: Millis,
    ) -> Comparisons:
        known: dict[int, _Seen] = {one.number: one for one in (newest, due.latest) if one}

        def digest(number: int) -> PageDigest:
            try:
                return self._digest(known.get(number) or self._knowledge.versions.get(due.id, number))
            except VersionLost:
                if number == _number(newest, due):
                    self._to_keep_again.add(due.id)
                raise

        looks = Looks(self._knowledge, due, _number(newest, due), now)
        memory = Memory(
            lambda: self._knowledge.habits.of(due.id) if due.has_habits else PageHabits(looks=due.checks),
            at_once=due.wish == SECOND_LOOK,
            apart=looks.apart,
            unseen=looks.unseen,
            latest=due.latest.number if due.latest else 0,
            every=looks.every,
        )
        compared = self._evaluator.compare(due, watches, _number(newest, due), digest, memory)
        self._forget_before(newest, due)
        return Comparisons(compared, memory.learnt())

    def _forget_before(self, newest: NewVersion | None, due: DuePage) -> None:
        """Drops the version before the newest from memory, unless somebody is compared with it later."""
        if newest and due.latest and not _is_waited_for(due, due.latest):
            self._digests.forget(due.latest.object)

    def _digest(self, version: _Seen) -> PageDigest:
        """Returns the digest of a version. Its screenshot is loaded only when a change type looks at it."""
        with reading_version(version.number):
            digest = self._digests.of(version.object)
        if not version.picture:
            return digest
        return digest.with_screenshot(lambda: self._picture(version))

    def _picture(self, version: _Seen) -> bytes:
        with reading_version(version.number):
            return self._pages.picture(version.picture)


def _is_waited_for(due: DuePage, version: LatestVersion) -> bool:
    """Tells whether a watch whose time has not come is to be compared with this version later."""
    later = [watch for watch in due.watches if not watch.on_change and watch.next_at > due.due]
    return any(version.number in _needed(watch) for watch in later)


def _needed(watch: Watch) -> tuple[int, int]:
    """Returns the versions that a watch is compared with next."""
    return watch.reference, watch.measured_from


def _signed(fetched: Fetched) -> Fetched:
    """Returns the same with the signature of the answer, which is computed once."""
    if fetched.signature or fetched.answer is None:
        return fetched
    return replace(fetched, signature=signature_of(fetched.answer))


def _quickly_signed(fetched: Fetched) -> Fetched:
    """Returns a small page with its signature, and a large one as it is: a thread has to hash it."""
    answer = fetched.answer
    return _signed(fetched) if answer and len(answer.body) < _LARGE else fetched


def _is_long(fetched: Fetched) -> bool:
    """Tells whether it may take long to read and keep an answer: one with a large body, with frames or
    pictures, or in another format than text."""
    answer = fetched.answer
    assert answer is not None, "only what came is read"
    more = fetched.picture or fetched.pictures or answer.frames
    return bool(more) or len(answer.body) >= _LARGE or is_pdf(answer.body, answer.content_type)


def _number(newest: NewVersion | None, due: DuePage) -> int:
    """Returns the number of the newest version; 0 if there is none."""
    version = newest or due.latest
    return version.number if version else 0


def _may_have_news(answer: Answer) -> bool:
    """Tells whether an answer may name other pages or a hub. Feeds and sitemaps name pages; any page may name
    a hub."""
    return "xml" in answer.content_type or bool(answer.header("link")) or says_hub(answer.body)
