"""A page is shown from its newest version if that is fresh, and fetched once otherwise (R5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.app.worker.test_loop import Watching
from tests.fetch.fetching import LOOPBACK, as_page
from tests.site import Site
from webvigil.app.pages.cache import PageCache
from webvigil.errors import PageUnreachable
from webvigil.fetch.http import HttpFetcher
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository


@asynccontextmanager
async def cache(knowledge: Knowledge | None = None, **options: Any) -> AsyncIterator[PageCache]:
    pages = options.pop("pages", None) or PageRepository(MemoryObjects())
    async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
        yield PageCache(knowledge or MemoryKnowledge(), pages, fetcher, **options)


def test_a_hundred_who_ask_at_once_are_one_fetch(site: Site):
    page = site.page("/a", "<p>one").slow(first_byte=0.1)

    async def hundred() -> set[bytes]:
        async with cache() as pages:
            answers = await asyncio.gather(*(pages.get(as_page(page)) for _ in range(100)))
            return {answer.body for answer in answers}

    assert asyncio.run(hundred()) == {b"<p>one"}
    assert page.hits == 1


def test_what_was_fetched_is_used_while_it_is_fresh(site: Site):
    page = site.page("/a", "<p>one")
    time = [0.0]

    async def hours() -> list[bytes]:
        async with cache(now=lambda: time[0]) as pages:
            seen = [(await pages.get(as_page(page))).body]
            page.becomes("<p>two")
            time[0] += 23 * 3600
            seen.append((await pages.get(as_page(page))).body)
            seen.append((await pages.get(as_page(page), fresh=60_000)).body)
            return seen

    assert asyncio.run(hours()) == [b"<p>one", b"<p>one", b"<p>two"]


def test_a_reader_who_gives_up_does_not_end_the_fetch_for_the_others(site: Site):
    page = site.page("/a", "<p>one").slow(first_byte=0.2)

    async def two() -> bytes:
        async with cache() as pages:
            first = asyncio.create_task(pages.get(as_page(page)))
            await asyncio.sleep(0.05)
            second = asyncio.create_task(pages.get(as_page(page)))
            await asyncio.sleep(0.05)
            first.cancel()
            return (await second).body

    assert asyncio.run(two()) == b"<p>one"
    assert page.hits == 1


def test_trouble_is_told_to_all_and_not_remembered(site: Site):
    page = site.page("/a", "<p>one").answers(500).times(1)

    async def twice() -> bytes:
        async with cache() as pages:
            asked = [pages.get(as_page(page)) for _ in range(3)]
            for trouble in await asyncio.gather(*asked, return_exceptions=True):
                assert isinstance(trouble, PageUnreachable)
            return (await pages.get(as_page(page))).body

    assert asyncio.run(twice()) == b"<p>one"
    assert page.hits == 2


def test_the_newest_version_is_shown_while_it_is_fresh(site: Site):
    page = site.page("/a", "<p>one")
    watching = Watching(page)
    watching.until(lambda: len(watching.decisions()) == 1)
    page.becomes("<p>two")

    async def shown(fresh: int) -> bytes:
        async with cache(watching.knowledge, pages=watching.pages) as pages:
            return (await pages.get(as_page(page), fresh=fresh)).body

    assert asyncio.run(shown(60_000)) == b"<p>one"
    assert page.hits == 1
    watching.clock.ahead += 120
    assert asyncio.run(shown(60_000)) == b"<p>two"
    # The fetch for one reader showed a change, so the worker looks at the page for those who watch it.
    watching.until(lambda: watching.decisions() == ["new version", "new version"])
    assert watching.knowledge.journal.fetch_log(watching.page_id)[0]["why"] == "seen to have changed"


@pytest.mark.parametrize("size", [1000])
def test_memory_is_bounded(site: Site, monkeypatch: pytest.MonkeyPatch, size: int):
    monkeypatch.setattr("webvigil.app.pages.cache._MEMORY", 3 * size)
    pages = [site.page(f"/{n}", "x" * size) for n in range(6)]

    async def fill() -> int:
        async with cache() as kept:
            for page in [*pages, pages[-1]]:
                await kept.get(as_page(page))
            return len(kept._kept)

    assert asyncio.run(fill()) == 3
    assert pages[-1].hits == 1
