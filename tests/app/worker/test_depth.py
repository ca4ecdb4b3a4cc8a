"""A sentinel with a depth watches the pages that its page links to, on a real site (B7)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.app.worker.test_loop import Clock
from tests.fetch.fetching import LOOPBACK
from tests.site import Site
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.telling.delivery import Teller
from webvigil.app.worker.following import Following, following_of
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.stages import RealStages
from webvigil.fetch.http import HttpFetcher
from webvigil.model.change import Change
from webvigil.model.wanted import WantedSentinels
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository


class Watching:
    def __init__(self, settings: Settings) -> None:
        self.clock = Clock()
        self.settings = settings
        self.knowledge = MemoryKnowledge(delay=0, concurrency=4, clock=self.clock)
        self.knowledge.users.add(settings.user)
        self.pages = PageRepository(MemoryObjects())
        self.following: Following = following_of(settings)

    def add(self, text: str) -> None:
        install_text(self.knowledge, self.settings, text)

    def until(self, enough: Callable[[], Any], within: float = 90.0) -> None:
        asyncio.run(self._until(enough, within))

    async def _until(self, enough: Callable[[], Any], within: float) -> None:
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
            stages = RealStages(fetcher, self.knowledge, self.pages, following=self.following)
            tell = Teller(self.knowledge, {}).turn
            worker = Worker(
                self.knowledge, stages, tell, delay=lambda _: 0, chance=lambda: 0.0, following=self.following
            )
            running = asyncio.create_task(worker.run())
            end = time.monotonic() + within
            while not enough() and time.monotonic() < end:
                await asyncio.sleep(0.02)
            worker.stop()
            await running
            assert enough(), self.seen()

    def again(self) -> None:
        """Makes every page due now."""
        for page in self.knowledge.sentinels.pages(limit=1000):
            self.knowledge.schedule.ask(page.id)

    def seen(self, name: str = "s") -> dict[str, int]:
        """Returns the linked pages that have been looked at, by path, with their level."""
        linked = self.knowledge.sentinels.linked(self.settings.user, name)
        return {
            "/" + page.url.split("/", 3)[3]: page.level for page in linked if page.latest or page.failures
        }

    def changes(self) -> list[Change]:
        return self.knowledge.changes.all(self.settings.user)


@pytest.fixture
def watching(tmp_path: Path) -> Watching:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "user": "jill"}
    return Watching(read_settings(given, environment={}))


def test_a_change_of_a_linked_page_is_told_with_its_address(site: Site, watching: Watching):
    site.page("/", "<a href=/a>A</a> <a href=/b#part>B</a> <a href='/b'>B again</a> <a href=/logout>Bye</a>")
    article = site.page("/a", "<p>one")
    site.page("/b", "<p>two")
    watching.add(f"Create Sentinel s Using {site.url}/ Monitor all words Fetch 1 hour Depth 1")
    watching.until(lambda: watching.seen() == {"/a": 1, "/b": 1})
    assert site.hits("/logout") == 0
    article.becomes("<p>one and a half")
    watching.again()
    watching.until(watching.changes)
    (change,) = watching.changes()
    assert (change.sentinel, change.url) == ("s", f"{site.url}/a")


def test_grandchildren_are_those_at_the_domain_of_the_child(
    site: Site, another_site: Callable[..., Site], watching: Watching
):
    other = another_site("127.0.0.2")
    site.page("/", f"<a href={other.url}/child>child</a>")
    other.page("/child", f"<a href=/grandchild>near</a> <a href={site.url}/far>far</a>")
    other.page("/grandchild", "<a href=/further>further</a>")
    other.page("/further", "<p>too far")
    site.page("/far", "<p>far")
    watching.add(f"Create Sentinel s Using {site.url}/ Fetch 1 hour Depth 2")
    watching.until(lambda: watching.seen() == {"/child": 1, "/grandchild": 2})
    assert (site.hits("/far"), other.hits("/further")) == (0, 0)


def test_new_links_of_a_new_version_are_followed_and_old_ones_let_go(site: Site, watching: Watching):
    page = site.page("/", "<a href=/a>A</a>")
    for path in ("/a", "/b"):
        site.page(path, f"<p>{path}")
    watching.add(f"Create Sentinel s Using {site.url}/ Monitor all words Fetch 1 hour Depth 1")
    watching.until(lambda: watching.seen() == {"/a": 1})
    page.becomes("<a href=/b>B</a>")
    watching.again()
    watching.until(lambda: watching.seen() == {"/a": 1, "/b": 1})
    watching.clock.ahead += 86_400
    watching.until(lambda: watching.seen() == {"/b": 1})


def test_links_in_the_watched_part_are_followed_and_linked_pages_seen_whole(site: Site, watching: Watching):
    """`Within` is a part of the named page only; `Ignore` holds on linked pages, too."""
    site.page("/", "<nav><a href=/imprint>Imprint</a></nav><main id=news><a href=/a>A</a></main>")
    article = site.page("/a", "<p>one</p><p class=ad>buy</p>")
    watching.add(
        f'Create Sentinel s Using {site.url}/ Monitor all words Within css "#news" Ignore css ".ad" '
        "Fetch 1 hour Depth 1"
    )
    watching.until(lambda: watching.seen() == {"/a": 1})
    article.becomes("<p>one</p><p class=ad>buy more</p>")
    watching.again()
    watching.until(lambda: article.hits >= 2 and watching.knowledge.schedule.next_at())
    article.becomes("<p>two</p><p class=ad>buy less</p>")
    watching.again()
    watching.until(watching.changes)
    (change,) = watching.changes()
    told = str(change.findings)
    assert ("one" in told, "two" in told, "buy" in told) == (True, True, False)


def test_a_sentinel_that_comes_when_the_page_is_known_follows_its_links(site: Site, watching: Watching):
    page = site.page("/", "<a href=/a>A</a>")
    site.page("/a", "<p>a")
    watching.add(f"Create Sentinel first Using {page.url} Fetch 1 hour")
    watching.until(lambda: page.hits)
    watching.add(f"Create Sentinel s Using {page.url} Fetch 1 hour Depth 1")
    watching.until(lambda: watching.seen() == {"/a": 1})


def test_a_page_with_ten_thousand_links_leads_to_as_many_as_allowed(site: Site, watching: Watching):
    watching.following = replace(watching.following, most=7)
    site.page("/", "".join(f"<a href=/{number}>n</a>" for number in range(10_000)))
    site.page("*", "<p>a page")
    watching.add(f"Create Sentinel s Using {site.url}/ Fetch 1 hour Depth 2")
    watching.until(lambda: len(watching.seen()) == 7)
    assert watching.seen() == {f"/{number}": 1 for number in range(7)}
    assert watching.knowledge.sentinels.get("jill", "s").full


def test_a_trap_is_entered_no_deeper_than_two(site: Site, watching: Watching):
    watching.following = replace(watching.following, most=20)
    site.page("*", lambda request: f"<a href='{request.path.rstrip('/')}/on'>on</a>")
    watching.add(f"Create Sentinel s Using {site.url}/ Fetch 1 hour Depth 2")
    watching.until(lambda: watching.seen() == {"/on": 1, "/on/on": 2})
    assert site.hits("/on/on/on") == 0


def test_links_into_the_private_network_are_not_followed(site: Site, watching: Watching):
    site.page(
        "/",
        "<a href=http://10.0.0.1/>router</a> <a href=http://localhost.localdomain@10.1.2.3/>x</a>"
        "<a href=http://[::1]/>me</a> <a href=http://169.254.169.254/latest>cloud</a> <a href=/a>A</a>",
    )
    site.page("/a", "<p>a")
    watching.add(f"Create Sentinel s Using {site.url}/ Fetch 1 hour Depth 1")
    watching.until(lambda: watching.seen() == {"/a": 1})


def test_a_sentinel_on_a_sentinel_follows_as_far_unless_it_says_otherwise(site: Site, watching: Watching):
    """L3: it watches the pages that the other sentinel names, and takes over the depth like other clauses."""
    site.page("/", "<a href=/a>A</a>")
    site.page("/a", "<p>a")
    watching.add(
        f"""Create Sentinel s Using {site.url}/ Fetch 1 hour Depth 1
        Create Sentinel too Using sentinel s Monitor all links
        Create Sentinel flat Using sentinel s Depth 0"""
    )
    watching.until(lambda: watching.seen("s") == watching.seen("too") == {"/a": 1})
    assert watching.seen("flat") == {}
    assert [page.url for page in watching.knowledge.sentinels.get("jill", "too").pages] == [f"{site.url}/"]
    watching.add("Create Sentinel late Using sentinel s")
    watching.until(lambda: watching.seen("late") == {"/a": 1})
    assert [page.url for page in watching.knowledge.sentinels.get("jill", "late").pages] == [f"{site.url}/"]


def test_an_edited_depth_takes_effect(site: Site, watching: Watching):
    site.page("/", "<a href=/a>A</a>")
    site.page("/a", "<p>a")
    text = f"Create Sentinel s Using {site.url}/ Fetch 1 hour"
    watching.add(text)
    watching.until(lambda: site.hits("/"))
    edit(watching.knowledge, watching.settings, "s", f"{text} Depth 1")
    watching.until(lambda: watching.seen() == {"/a": 1})
    edit(watching.knowledge, watching.settings, "s", text)
    watching.until(lambda: watching.seen() == {})


def test_the_failure_of_a_linked_page_is_shown_but_not_told(site: Site, watching: Watching):
    site.page("/", "<a href=/gone>gone</a>")
    watching.add(f"Create Sentinel s Using {site.url}/ Fetch 1 hour Depth 1 Notify By log")
    for failures in range(1, 7):
        watching.again()
        watching.until(
            lambda failures=failures: (
                [page.failures for page in watching.knowledge.sentinels.linked("jill", "s")] == [failures]
            )
        )
    told = [one.notice.body.get("event") for one in watching.knowledge.outbox.all("jill")]
    assert "failing" not in str(told)
    assert watching.knowledge.sentinels.count(WantedSentinels(user="jill", trouble=True)) == 0
