"""A sentinel in, what it watches on its pages at this moment out (V3).

An installed sentinel is tried on the newest kept versions, one that is not installed yet on its pages as they
are on the web now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Protocol

from webvigil.app.operating.stores import repository
from webvigil.app.pages.cache import PageCache
from webvigil.app.pages.documents import document_of
from webvigil.app.pages.view import ViewStore, eyes_of, seen_page
from webvigil.app.sentinels.outside import outside_of
from webvigil.app.sentinels.registry import RegistryStore, verifier
from webvigil.app.settings import Settings
from webvigil.app.worker.interests import interest_of
from webvigil.detect.in_context import in_context
from webvigil.document import PageDigest
from webvigil.errors import NotFound, ObjectLost, SentinelRefused, WebVigilError
from webvigil.graph.evaluate import Comparison
from webvigil.graph.missing import missing_for
from webvigil.graph.preview import emptied, watched
from webvigil.language import parse, print_sentinel
from webvigil.model.installed import InstalledSentinel
from webvigil.model.page import Page
from webvigil.model.portrait import WatchedNow
from webvigil.model.sentinel import Sentinel
from webvigil.model.version import Answer, Version
from webvigil.store.promises import Users, Versions
from webvigil.store.repository import PageRepository, reading_version

# Bounds of one preview, so that it is answered while a person waits.
MOST_PAGES = 10
MOST_VERSIONS = 12


class _Store(ViewStore, Protocol):
    """The parts of the knowledge base that a preview of kept versions needs."""

    users: Users


class FoundBefore(NamedTuple):
    """In how many of the examined versions there was something to watch, and how often it changed from one of
    these versions to the next. `since` is when the oldest of them was fetched."""

    found: int
    versions: int
    told: int = 0
    since: datetime | None = None


def watched_now(versions: Versions, settings: Settings, installed: InstalledSentinel) -> Iterator[WatchedNow]:
    sentinel = parse(installed.text)[0]
    pages = repository(settings, versions)
    for page in installed.pages:
        if page.latest:
            try:
                with reading_version(page.latest):
                    answer = pages.answer(versions.get(page.id, page.latest).object)
            except ObjectLost as error:
                yield WatchedNow(page.url, page.latest, (), trouble=str(error))
            else:
                yield _seen(page.url, page.latest, answer, sentinel)


async def would_watch(
    knowledge: RegistryStore, settings: Settings, cache: PageCache, text: str
) -> list[WatchedNow]:
    """Returns what the sentinels of a text would watch now, on at most `MOST_PAGES` pages.

    Raises MistakeInText or SentinelRefused if they could not be installed, and PageError if a page cannot be
    fetched.
    """
    registry = verifier(knowledge, settings, datetime.now(UTC))
    refused = registry.take_all(parse(text))
    if refused:
        raise SentinelRefused("; ".join(trouble for troubles in refused.values() for trouble in troubles))
    wanted = [(name, page) for name, new in registry.planned.items() for page in new.pages]
    found = []
    for name, page in wanted[:MOST_PAGES]:
        answer = await cache.get(page)
        look = partial(_seen, page.url, 0, answer, registry.sentinels[name])
        found.append(replace(await asyncio.to_thread(look), sentinel=name))
    return found


def found_before(knowledge: _Store, settings: Settings, sentinel: Sentinel, page: Page) -> FoundBefore:
    """Counts in how many of the newest versions that the user may see there was something to watch, and how
    often the sentinel would have told of a change between two of them."""
    eyes = eyes_of(knowledge.users.get(settings.user))
    try:
        seen = seen_page(knowledge, settings, eyes, knowledge.versions.page_id(page))
        versions = seen.versions()[:MOST_VERSIONS]
    except NotFound:
        return FoundBefore(0, 0)
    readable = list(_readable(repository(settings, knowledge.versions), versions))
    found = [watched(document, sentinel) for _, document in readable]
    return FoundBefore(
        sum(any(one.objects for one in findings) for findings in found),
        len(found),
        _times_told(sentinel, [document for _, document in readable]),
        readable[-1][0].fetched_at if readable else None,
    )


def _times_told(sentinel: Sentinel, newest_first: Sequence[PageDigest]) -> int:
    interest = interest_of(print_sentinel(sentinel))
    told = 0
    for new, old in pairwise(newest_first):
        with suppress(WebVigilError):
            told += Comparison(old, new, [interest]).of(interest).changed
    return told


def _readable(pages: PageRepository, versions: Sequence[Version]) -> Iterator[tuple[Version, PageDigest]]:
    for one in versions:
        with suppress(ObjectLost):
            yield one, document_of(pages.answer(one.object))


def _seen(url: str, version: int, answer: Answer, sentinel: Sentinel) -> WatchedNow:
    document = document_of(answer)
    missing = tuple(one.words for one in missing_for(document, sentinel))
    findings = in_context(emptied(document), document, watched(document, sentinel))
    return WatchedNow(url, version, findings, missing=missing, outside=outside_of(document, sentinel))
