"""A new sentinel in, warnings out: what its pages lack (V3), what nobody can judge, and who asks the same.

If a worker runs, this module waits for the worker's first look and judges the version that it brings. If no
worker runs, the command itself fetches the pages once, and does not keep them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, Protocol

from webvigil.app.meaning.asking import unasked
from webvigil.app.operating.stores import repository
from webvigil.app.pages.cache import CacheStore, PageCache
from webvigil.app.pages.documents import document_of
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.pages.logins import LoginStore, logins
from webvigil.app.sentinels.by_hand import run
from webvigil.app.sentinels.lookup import watching
from webvigil.app.sentinels.offers import product_of
from webvigil.app.sentinels.twins import twins_of, warning_of
from webvigil.app.settings import Settings
from webvigil.document import PageDigest
from webvigil.errors import PageError, WebVigilError
from webvigil.graph.missing import missing_for
from webvigil.language import parse
from webvigil.model.installed import InstalledSentinel, WatchedPage
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.sentinel import ChangeType, Sentinel, State
from webvigil.model.version import Answer
from webvigil.store.promises import Duties, Journal, Schedule, Sentinels, Versions

# Pages that are judged at most, so that adding a large sentinel does not take long.
MOST_PAGES = 10
# Seconds between two queries whether the worker has looked.
_STEP = 0.05


class Looks(NamedTuple):
    """The looks at pages before somebody asked for another one: how many each had, and when it was asked."""

    counts: Mapping[int, int] = {}
    asked_at: datetime | None = None

    def are_over(self, page: WatchedPage) -> bool:
        """Tells whether a page was looked at since. A look that was under way when somebody asked does not
        count; it leaves the page due."""
        if page.checks <= self.counts.get(page.id, 0):
            return False
        return self.asked_at is None or page.due is None or page.due > self.asked_at


_NO_LOOKS = Looks()
NOBODY_LOOKS = "no WebVigil is at work here: start webvigil serve, or look once with webvigil run --due"


class WarningStore(Protocol):
    """The parts of the knowledge base that warnings about a first look need."""

    duties: Duties
    journal: Journal
    sentinels: Sentinels
    versions: Versions


class AskedStore(WarningStore, Protocol):
    """The parts of the knowledge base that a look which somebody asks for needs."""

    schedule: Schedule


class LookStore(WarningStore, CacheStore, LoginStore, Protocol):
    """The parts of the knowledge base that a first look by this process needs."""


def with_warnings(
    knowledge: WarningStore,
    settings: Settings,
    made: Sequence[InstalledSentinel],
    *,
    looks: Looks = _NO_LOOKS,
) -> list[InstalledSentinel]:
    """Waits until a worker has looked at the pages, and returns the sentinels with warnings on what is
    missing there. `looks` are those before somebody asked for one; without them, a page that was looked at
    before is not waited for."""
    seen = looked_at(knowledge.duties, knowledge.sentinels, settings, made, looks)
    warned = [replace(one, warnings=warnings_of(knowledge, settings, one)) for one in seen]
    return _with_others(knowledge.sentinels, settings, warned)


def look_now(
    knowledge: AskedStore, settings: Settings, found: InstalledSentinel
) -> tuple[int, tuple[str, ...]]:
    """Makes the pages of a sentinel due now, and waits for the looks of a worker. Returns how many pages
    there are, and the warnings; one of them says that no worker runs."""
    pages = run(knowledge.schedule, knowledge.sentinels, found.user, found.name)
    before = looks_of(found, knowledge.schedule.now())
    seen = with_warnings(knowledge, settings, [found], looks=before)[0]
    idle = () if is_worked_on(knowledge.duties) else (NOBODY_LOOKS,)
    return pages, (*seen.warnings, *idle)


def _with_others(
    sentinels: Sentinels, settings: Settings, made: Sequence[InstalledSentinel]
) -> list[InstalledSentinel]:
    """Adds the warnings that no page is needed for: that there is no language model, and that another
    sentinel of the same user asks for the same."""
    twins = twins_of(made, _with_the_same_pages(sentinels, settings.user, made))
    return [
        replace(one, warnings=(*one.warnings, *filter(None, _without_pages(settings, one, names))))
        for one, names in zip(made, twins, strict=True)
    ]


def _with_the_same_pages(
    sentinels: Sentinels, user: str, made: Sequence[InstalledSentinel]
) -> Iterable[InstalledSentinel]:
    """Returns the sentinels that may ask for the same: those with the same first page."""
    return watching(sentinels, user, (one.pages[0].id for one in made if one.pages))


def _without_pages(settings: Settings, one: InstalledSentinel, twins: list[str]) -> tuple[str, str]:
    return unasked(settings, parse(one.text)[0]), warning_of(twins) if twins else ""


def warnings_of(knowledge: WarningStore, settings: Settings, installed: InstalledSentinel) -> tuple[str, ...]:
    """Returns what is missing on the newest kept versions, and which pages could not be fetched."""
    sentinel = parse(installed.text)[0]
    return tuple(
        f"{page.url}: {words}"
        for page in installed.pages[:MOST_PAGES]
        for words in _missing(knowledge.journal, knowledge.versions, settings, sentinel, page)
    )


def by_a_look_of_our_own(
    knowledge: LookStore, settings: Settings, made: Sequence[InstalledSentinel]
) -> list[InstalledSentinel]:
    """Returns the sentinels with warnings like `with_warnings`, but fetches the pages itself if no worker
    runs."""
    if not settings.first_look or is_worked_on(knowledge.duties) or not _unseen(made, _NO_LOOKS):
        return with_warnings(knowledge, settings, made)
    return _with_others(knowledge.sentinels, settings, asyncio.run(_by_looking(knowledge, settings, made)))


def looks_of(installed: InstalledSentinel, asked_at: Millis) -> Looks:
    return Looks({page.id: page.checks for page in installed.pages}, as_datetime(asked_at))


def is_worked_on(duties: Duties) -> bool:
    return duties.is_held("lives")


def looked_at(
    duties: Duties,
    sentinels: Sentinels,
    settings: Settings,
    made: Sequence[InstalledSentinel],
    looks: Looks = _NO_LOOKS,
) -> list[InstalledSentinel]:
    """Waits until a worker has looked at the pages, at most for the time of the setting `first_look`, and
    returns the sentinels as they are then."""
    found, end = list(made), time.monotonic() + settings.first_look
    if not 0 < len(_unseen(found, looks)) <= MOST_PAGES or not is_worked_on(duties):
        return found
    while _unseen(found, looks) and time.monotonic() < end:
        time.sleep(_STEP)
        found = [sentinels.get(one.user, one.name) for one in made]
    return found


def _unseen(made: Sequence[InstalledSentinel], looks: Looks) -> set[int]:
    """Returns the pages of active sentinels that have had no look since `looks`."""
    active = (one for one in made if one.state is State.ACTIVE)
    return {page.id for one in active for page in one.pages if not looks.are_over(page)}


def _missing(
    journal: Journal, versions: Versions, settings: Settings, sentinel: Sentinel, page: WatchedPage
) -> Iterator[str]:
    if page.failures:
        log = journal.fetch_log(page.id, limit=1)
        if log and log[0]["error"]:
            yield f"it could not be fetched: {log[0]['error']}"
    if page.latest:
        try:
            answer = repository(settings, versions).answer(versions.get(page.id, page.latest).object)
        except WebVigilError:  # no warning here: the next look at the page reports that it cannot be read
            return
        yield from _missing_in(answer, sentinel)


def _missing_in(answer: Answer, sentinel: Sentinel) -> list[str]:
    """Returns what the sentinel names and the page does not contain, and what it could watch better."""
    try:
        page = document_of(answer)
        return [*(one.words for one in missing_for(page, sentinel)), *_better(page, sentinel)]
    except WebVigilError as error:
        return [str(error)]


def _better(page: PageDigest, sentinel: Sentinel) -> Iterator[str]:
    """Yields the advice to watch the product that a page is about, if its sentinel watches every change of
    the whole page."""
    is_plain = sentinel.monitor in (None, ChangeType("any change")) and not (
        sentinel.within or sentinel.when or sentinel.depth
    )
    product = product_of(page) if is_plain else None
    if product:
        told = ", ".join(
            text for text in (product.name, str(product.price or ""), product.availability) if text
        )
        yield f"it offers a product ({told}); Monitor product tells of its price and availability alone"


async def _by_looking(
    knowledge: LookStore, settings: Settings, made: Sequence[InstalledSentinel]
) -> list[InstalledSentinel]:
    async with http_fetcher(settings) as fetcher:
        cache = PageCache(
            knowledge, repository(settings, knowledge.versions), fetcher, logins=logins(knowledge, settings)
        )
        ends = asyncio.get_running_loop().time() + settings.first_look
        return [replace(one, warnings=await _looking(knowledge.versions, cache, one, ends)) for one in made]


async def _looking(
    versions: Versions, cache: PageCache, installed: InstalledSentinel, ends: float
) -> tuple[str, ...]:
    """Fetches the pages of one sentinel until the time is over, and returns the warnings."""
    if installed.state is not State.ACTIVE:
        return ()
    sentinel, told = parse(installed.text)[0], []
    for page in installed.pages[:MOST_PAGES]:
        wanted = versions.page(page.id)
        if wanted.render == "browser":
            told.append(f"{page.url}: a browser looks at it; what is missing on it is told later")
            continue
        try:
            async with asyncio.timeout_at(ends):
                answer = await cache.get(wanted)
            told += [f"{page.url}: {words}" for words in _missing_in(answer, sentinel)]
        except PageError as error:
            told.append(f"{page.url}: it could not be fetched: {error}")
        except TimeoutError:
            told.append(f"{page.url}: it did not come in time; what is missing on it is told later")
    return tuple(told)
