"""The worker visits real hosts politely, whatever the hosts do (F4, F10)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import zstandard

from tests.fetch.fetching import LOOPBACK
from tests.site import Site, SitePage
from tests.store.making import sentinel
from webvigil.app.operating.health import health
from webvigil.app.operating.metrics import Metrics
from webvigil.app.telling.delivery import Teller
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.news import News
from webvigil.app.worker.stages import RealStages
from webvigil.errors import StoreRefused
from webvigil.fetch.client import Limits
from webvigil.fetch.http import HttpFetcher
from webvigil.fetch.login import Seal
from webvigil.model.change import Change
from webvigil.model.notice import Notice
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.promises import Knowledge
from webvigil.store.repository import DIGEST, PageRepository


class Clock:
    """The true time, plus what the test adds."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> int:
        return int((time.time() + self.ahead) * 1000)


class Watching:
    def __init__(
        self,
        *pages: SitePage,
        delay: int = 0,
        concurrency: int = 1,
        timeout: float = 10,
        monitor: str = "any change",
        notify: str = "",
        interval: int = 3_600_000,
    ) -> None:
        self.clock = Clock()
        self.knowledge: Knowledge = MemoryKnowledge(delay=delay, concurrency=concurrency, clock=self.clock)
        self.knowledge.users.add("jill")
        self.pages = PageRepository(MemoryObjects(), self.knowledge.versions.deltas)
        self._limits = Limits(timeout=timeout)
        text = f"Create Sentinel s1 Using http://site.test/ Monitor {monitor}"
        text += f"\nNotify {notify}" if notify else ""
        for number, page in enumerate(pages):
            new = sentinel(f"s{number}", page.url, text=text, interval=interval)
            self.knowledge.sentinels.add(new)

    def until(
        self,
        enough: Callable[[], Any],
        within: float = 90.0,
        news: Any = None,
        metrics: Metrics | None = None,
    ) -> None:
        asyncio.run(self._until(enough, within, news, metrics))

    async def _until(
        self, enough: Callable[[], Any], within: float, news: Any, metrics: Metrics | None
    ) -> None:
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK, limits=self._limits) as fetcher:
            spread = news(self.knowledge, fetcher.client) if news else None
            stages = RealStages(fetcher, self.knowledge, self.pages, news=spread)
            tell = Teller(self.knowledge, {}).turn
            worker = Worker(
                self.knowledge, stages, tell, delay=fetcher.delay, chance=lambda: 0.0, metrics=metrics
            )
            running = asyncio.create_task(worker.run())
            end = time.monotonic() + within
            while not enough() and time.monotonic() < end:
                await asyncio.sleep(0.02)
            worker.stop()
            await running
            assert enough(), self.logs()

    def logs(self) -> list[list[tuple[str, str]]]:
        """Returns decision and reason of each look, by page, oldest first."""
        pages = [one.pages[0].id for one in reversed(self.knowledge.sentinels.all())]
        return [self.log(page) for page in pages]

    def log(self, page: int) -> list[tuple[str, str]]:
        looks = reversed(self.knowledge.journal.fetch_log(page))
        return [(look["decision"], look["error"] or look["reason"]) for look in looks]

    @property
    def page_id(self) -> int:
        return self.knowledge.sentinels.all()[0].pages[0].id

    def notices(self) -> list[Notice]:
        return [one.notice for one in self.knowledge.outbox.all()]

    def changes(self) -> list[Change]:
        """Returns the changes, newest first."""
        return self.knowledge.changes.all("jill")

    def decisions(self) -> list[str]:
        return [decision for log in self.logs() for decision, _ in log]


def test_requests_to_a_host_keep_their_distance(site: Site):
    pages = [site.page(f"/{n}", "<p>one") for n in range(4)]
    watching = Watching(*pages, delay=300)
    watching.until(lambda: len(watching.decisions()) == 4)
    asked = [request for request in site.requests if request.path != "/robots.txt"]
    assert len(asked) == 4
    assert min(later.at - earlier.at for earlier, later in pairwise(asked[1:])) > 0.15


def test_the_distance_that_robots_txt_asks_for_is_kept(site: Site):
    site.robots("User-agent: *\nCrawl-delay: 0.5\n")
    pages = [site.page(f"/{n}", "<p>one") for n in range(4)]
    watching = Watching(*pages)
    watching.until(lambda: len(watching.decisions()) == 4)
    starts = [request.at for request in site.requests if request.path != "/robots.txt"]
    assert len(starts) == 4
    assert all(later - earlier > 0.25 for earlier, later in pairwise(starts))


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_requests_at_once_than_the_host_is_due(site: Site, concurrency: int):
    pages = [site.page(f"/{n}", "<p>one").slow(first_byte=0.1) for n in range(9)]
    watching = Watching(*pages, concurrency=concurrency)
    watching.until(lambda: len(watching.decisions()) == 9)
    assert site.most_concurrent == concurrency


def test_a_silent_host_does_not_cost_a_time_out_per_page(site: Site):
    pages = [site.page(f"/{n}", "<p>one").hangs() for n in range(10)]
    site.robots("")
    watching = Watching(*pages, timeout=2)
    watching.until(lambda: len(watching.decisions()) == 10)
    assert sum(page.hits for page in pages) == 2
    assert sorted(watching.decisions()) == ["failed"] * 2 + ["postponed"] * 8
    assert "the host did not answer for other pages" in str(watching.logs())
    for page in pages:
        page.answers_normally()


def test_a_host_gone_for_a_day_and_back_is_noticed_within_the_hour(site: Site):
    pages = [site.page(f"/{n}", "<p>one") for n in range(3)]
    watching = Watching(*pages)
    site.goes_down()
    for _ in range(26):
        before = len(watching.decisions())
        watching.until(lambda before=before: len(watching.decisions()) > before)
        watching.clock.ahead += 3600 * 1.3
    site.comes_back()
    watching.until(lambda: watching.decisions().count("new version") == 3)


def test_a_storm_of_429_stops_the_visit_and_the_rest_is_kept(site: Site):
    pages = [site.page(f"/{n}", "<p>one").answers(429, retry_after=3600) for n in range(10)]
    watching = Watching(*pages)
    watching.until(lambda: len(watching.decisions()) == 10)
    assert sum(page.hits for page in pages) == 1
    for page in pages:
        page.answers_normally()
    watching.clock.ahead += 3000
    with pytest.raises(AssertionError):
        watching.until(lambda: "new version" in watching.decisions(), within=1.5)
    watching.clock.ahead += 660
    watching.until(lambda: watching.decisions().count("new version") >= 9)


def test_one_slow_host_delays_nobody(site: Site, another_site: Any):
    slow = [another_site(f"127.0.0.{n}").page("/", "<p>slow").slow(first_byte=4) for n in range(2, 12)]
    quick = site.page("/a", "<p>quick")
    watching = Watching(*slow, quick)
    watching.until(lambda: quick.requests and quick.requests[-1].outcome == "complete")
    first_answer = min(one.requests[0].at for one in slow) + 4
    assert quick.requests[0].at < first_answer


def test_the_log_tells_why(site: Site):
    page = site.page("/a", "<p>one")
    watching = Watching(page)
    watching.until(lambda: len(watching.decisions()) == 1)
    page_id = watching.page_id
    watching.knowledge.schedule.ask(page_id, "asked by jill")
    watching.until(lambda: len(watching.decisions()) == 2)
    looks = watching.knowledge.journal.fetch_log(page_id)
    assert [(look["why"], look["decision"], look["reason"]) for look in looks] == [
        ("asked by jill", "not modified", "the server says so by ETag"),
        ("first look", "new version", "fetched for the first time"),
    ]


def test_a_look_that_brings_nothing_is_logged_without_status_and_bytes(site: Site):
    page = site.page("/a", "<p>one").breaks(after_bytes=0)
    watching = Watching(page)
    watching.until(lambda: len(watching.decisions()) == 1)
    (look,) = watching.knowledge.journal.fetch_log(watching.page_id)
    assert (look["status"], look["bytes"]) == (0, 0)
    assert look["error"]


def test_a_page_whose_etag_changes_for_nothing_has_one_version(site: Site):
    page = site.page("/a", "<p>one")
    page.validators = "etag-noise"
    watching = Watching(page)
    page_id = watching.page_id
    for looks in range(1, 7):
        watching.until(lambda looks=looks: len(watching.decisions()) == looks)
        watching.knowledge.schedule.ask(page_id)
    assert watching.decisions() == ["new version"] + ["same"] * 5


class FullDisk(MemoryObjects):
    """A store that refuses every write while `full` is set."""

    full = True

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        if self.full:
            raise StoreRefused("objects/00 cannot be written: No space left on device")
        super().put(key, content, lasting=lasting)


def test_a_full_disk_is_one_line_in_the_log_and_in_our_health_until_there_is_room(
    site: Site, caplog: pytest.LogCaptureFixture
):
    page = site.page("/news", b"<p>one")
    watching, disk, metrics = Watching(page), FullDisk(), Metrics()
    watching.pages = PageRepository(disk, watching.knowledge.versions.deltas)
    watching.until(lambda: metrics.troubles, metrics=metrics)
    assert health(watching.knowledge, metrics).trouble.endswith("No space left on device")
    assert all(record.exc_info is None for record in caplog.records)
    disk.full = False
    watching.clock.ahead += 3600
    watching.until(lambda: "new version" in watching.decisions(), metrics=metrics)
    assert health(watching.knowledge, metrics).trouble == ""


def _cut(data: bytes) -> bytes:
    return data[:20]


def _flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize("harm", [None, _cut, _flipped], ids=["missing", "cut", "flipped"])
def test_a_page_whose_past_is_lost_says_so_and_goes_on_and_nobody_waits_for_it(site: Site, harm: Any):
    pages = [site.page(f"/{n}", f"<p>one {n}") for n in range(3)]
    watching, objects, metrics = Watching(*pages, notify="By log"), MemoryObjects(), Metrics()
    watching.pages = PageRepository(objects, watching.knowledge.versions.deltas)
    watching.until(lambda: watching.decisions().count("new version") == 3)
    _harm(objects, watching.knowledge.versions.of(watching.page_id)[0].object, harm)
    for n, page in enumerate(pages):
        page.becomes(f"<p>two {n}")
    watching.clock.ahead += 3700
    watching.until(lambda: watching.decisions().count("new version") == 6, metrics=metrics)
    assert [page.hits for page in pages] == [2, 2, 2]
    lost = watching.log(watching.page_id)[-1]
    assert lost[0] == "new version"
    assert "version 1 cannot be read any more" in lost[1]
    assert "what changed between versions 1 and 2 is not known" in lost[1]
    newest = watching.knowledge.versions.of(watching.page_id)[0]
    assert b"two" in watching.pages.answer(newest.object).body
    (told,) = (one for one in watching.notices() if one.body["event"] == "history lost")
    assert told.subject == f"s2: part of the history of {pages[2].url} is lost"
    assert told.body["reason"] == lost[1]
    assert health(watching.knowledge, metrics).trouble == ""
    pages[2].becomes("<p>three")
    watching.clock.ahead += 3700
    watching.until(
        lambda: watching.log(watching.page_id)[-1][0] == "new version" and len(watching.changes()) == 3
    )
    assert [(one.old_version, one.new_version) for one in watching.changes()] == [(2, 3), (1, 2), (1, 2)]


def _harm(objects: MemoryObjects, key: str, harm: Any) -> None:
    objects.delete([key + DIGEST])
    if harm:
        objects.put(key, harm(objects.get(key)))
    else:
        objects.delete([key])


def test_a_page_whose_newest_version_is_lost_is_kept_again_although_it_is_the_same(site: Site):
    """Two sentinels watch the page. When the seldom one is due, the version that it needs, already seen by
    the other one, is lost."""
    page = site.page("/news", "<p>one")
    watching, objects = Watching(page, interval=1_800_000), MemoryObjects()
    watching.pages = PageRepository(objects)
    text = "Create Sentinel slow Using http://site.test/ Monitor any change"
    watching.knowledge.sentinels.add(sentinel("slow", page.url, text=text, interval=2 * 3_600_000))
    watching.until(lambda: len(watching.decisions()) == 2)
    page.becomes("<p>two")
    watching.clock.ahead += 1900
    watching.until(
        lambda: watching.log(watching.page_id)[-1][0] == "new version" and len(watching.changes()) == 1
    )
    _harm(objects, watching.knowledge.versions.of(watching.page_id)[0].object, None)
    watching.clock.ahead += 7300

    def looks() -> list[dict[str, Any]]:
        return watching.knowledge.journal.fetch_log(watching.page_id)

    def two_looks() -> bool:
        if watching.clock.ahead < 10_000 and "version 2 cannot be read" in str(looks()):
            watching.clock.ahead += 7300
        return len(watching.changes()) == 2

    watching.until(two_looks)
    slow = next(one for one in watching.changes() if one.sentinel == "slow")
    assert (slow.old_version, slow.new_version) == (1, 3)


class Poisoned(MemoryObjects):
    """A store that refuses the objects of one page and takes all others."""

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        if b"poison" in zstandard.ZstdDecompressor().decompress(content[13:]) if lasting else False:
            raise StoreRefused("objects/00 cannot be written: Input/output error")
        super().put(key, content, lasting=lasting)


def test_a_page_that_the_store_does_not_take_goes_behind_the_others(site: Site):
    pages = [site.page("/0", "<p>poison"), *(site.page(f"/{n}", f"<p>one {n}") for n in range(1, 4))]
    watching = Watching(*pages)
    watching.pages = PageRepository(Poisoned(), watching.knowledge.versions.deltas)
    watching.until(lambda: watching.decisions().count("new version") == 3)
    first = watching.logs()[0]
    assert first[0][0] == "postponed"
    assert first[0][1].startswith("the store could not be written or read; tried again in ")


def test_a_clock_that_is_set_back_while_we_work_is_noticed_and_told_once(
    site: Site, caplog: pytest.LogCaptureFixture
):
    page = site.page("/news", "<p>one")
    watching = Watching(page, interval=1_000)
    watching.clock.ahead = 86_400
    watching.until(lambda: len(watching.decisions()) == 2)
    watching.clock.ahead = 0
    watching.until(lambda: len(watching.decisions()) >= 5)
    told = [record.message for record in caplog.records if "set back" in record.message]
    assert told == ["The clock was set back by 1 day. Moved all plans back by the same time."]


def test_a_page_made_to_explode_is_told_in_words(site: Site, caplog: pytest.LogCaptureFixture):
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    bomb = f'<!DOCTYPE x [<!ENTITY l0 "haha">{entities}]><x>&l8;</x>'
    page = site.page("/bomb.xml", bomb).content_type("text/xml")
    watching = Watching(page)
    watching.until(watching.decisions, news=_reads_feeds)
    ((decision, why),) = watching.log(watching.page_id)
    assert decision == "failed"
    assert "entities stand for far more text than it has" in why
    assert all(record.exc_info is None for record in caplog.records)


def _reads_feeds(knowledge: Any, client: Any) -> News:
    return News(knowledge, client, Seal(b"s" * 32), "")
