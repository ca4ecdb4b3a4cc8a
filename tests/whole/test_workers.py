"""Many workers on one database are killed, frozen and cut off from it, and nothing is lost (Z1, V5)."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from bench.processes import QUICK, WorkerProcess, eventually
from bench.quality.faults import Plan, suffer
from tests.databases import migrated_postgres
from tests.ports import unused_port
from tests.site import Site, SitePage
from webvigil.app.operating.signals import SAME_BREATH
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import host, outbox, page, version, watch

LEASE = 2.0


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_kills_a_frozen_worker_and_a_crashed_database_lose_nothing(workers: int):
    """Z1 in small; `webvigil bench faults` runs it in full size."""
    plan = Plan(pages=24, hosts=3, workers=workers, kills=3, lease=LEASE, pause=0.7, seed=workers)
    findings, done = suffer(plan)
    assert not findings.counts, findings.examples
    assert done["kills"] == 3


@pytest.mark.slow
def test_one_process_on_sqlite_loses_nothing_either():
    plan = Plan(pages=20, hosts=2, workers=1, kills=3, lease=LEASE, pause=0.7, sqlite=True)
    findings, _ = suffer(plan)
    assert not findings.counts, findings.examples


class Shop:
    """One database, one page on the site, and workers that the test starts."""

    def __init__(self, settings: Settings, knowledge: SqlKnowledge, watched: SitePage) -> None:
        self.settings = settings
        self.knowledge = knowledge
        self.page = watched
        self.page_id = knowledge.sentinels.all()[0].pages[0].id

    def worker(self, *more: str, program: str = "webvigil", lease: float = LEASE) -> WorkerProcess:
        place = ("--data", str(self.settings.data), "--objects", self.settings.objects)
        return WorkerProcess(
            "--database",
            self.settings.database,
            *place,
            *more,
            program=program,
            WEBVIGIL_LEASE=str(lease),
            WEBVIGIL_LOG_LEVEL="info",
        )

    def ask(self) -> None:
        self.knowledge.schedule.ask(self.page_id)

    def checks(self) -> int:
        return self.knowledge.sentinels.all()[0].pages[0].checks

    def sees(self, checks: int, within: float = 90) -> None:
        eventually(lambda: self.checks() >= checks, within=within, what=f"check {checks}", every=0.02)

    def number(self, query: Any) -> int:
        with self.knowledge.database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def is_whole(self) -> None:
        """Asserts that page and watch know the newest version, and that each change was written and told
        once."""
        newest = self.number(select(func.max(version.c.number)))
        assert self.number(select(page.c.latest)) == newest
        assert self.number(select(watch.c.reference)) == newest
        changes = [(one.old_version, one.new_version) for one in self.knowledge.changes.all()][::-1]
        assert changes == [(old, old + 1) for old in range(1, newest)]
        of_changes = outbox.c.dedup.like(f"{self.page_id}:%-%")
        told = self.number(select(func.count()).select_from(outbox).where(of_changes))
        assert told == len(changes)


@pytest.fixture
def shop(site: Site, tmp_path: Path) -> Iterator[Shop]:
    with migrated_postgres() as url:
        given = {"database": url, "data": tmp_path, "objects": str(tmp_path / "objects")}
        settings = read_settings(given, environment=QUICK)
        watched = site.page("/", "<p>one")
        text = f"Create Sentinel s Using {watched.url}\nFetch 1 hour\nNotify By log\n"
        with opened(settings) as knowledge:
            install_text(knowledge, settings, text)
            assert isinstance(knowledge, SqlKnowledge)
            yield Shop(settings, knowledge, watched)


@pytest.mark.slow
@pytest.mark.parametrize("program", ["webvigil", "tests.whole.unfenced"])
def test_a_worker_frozen_beyond_its_lease_does_no_harm(shop: Shop, program: str):
    """The program `unfenced` is the negative control: without fencing the same events must break the
    database."""
    with shop.worker(program=program) as frozen:
        shop.sees(1)
        shop.page.becomes("<p>two").hangs().times(1)
        shop.ask()
        shop.page.wait_for(2, within=60)
        frozen.freeze()
        shop.page.becomes("<p>three").answers_normally()
        with shop.worker():
            shop.sees(2)
            shop.page.becomes("<p>four")
            shop.ask()
            shop.sees(3)
        frozen.thaw()
        eventually(lambda: _dropped(frozen) or shop.checks() > 3, within=60, what="the late result")
    if program == "webvigil":
        assert _dropped(frozen)
        shop.is_whole()
    else:
        with pytest.raises(AssertionError):
            shop.is_whole()


def _dropped(worker: WorkerProcess) -> bool:
    return any("was taken over by another worker" in line for line in worker.log)


@pytest.mark.slow
def test_the_work_of_a_dead_worker_goes_on_within_its_lease(shop: Shop):
    with shop.worker() as doomed:
        shop.sees(1)
        shop.page.becomes("<p>two").hangs().times(1)
        shop.ask()
        shop.page.wait_for(2, within=60)
        with shop.worker() as heir:
            eventually(lambda: any("is at work" in line for line in heir.log), within=60, what="the heir")
            time.sleep(LEASE / 2)
            doomed.kill()
            died = time.monotonic()
            taken_up = shop.page.wait_for(3, within=60)[2].at
            shop.sees(2)
    shop.page.answers_normally()
    assert taken_up - died < LEASE + 30, "the next look without an heir would be in an hour"
    shop.is_whole()


def test_a_worker_told_to_stop_finishes_what_is_under_way(shop: Shop):
    with shop.worker(lease=30) as worker:
        shop.sees(1)
        shop.page.becomes("<p>two").slow(first_byte=2)
        shop.ask()
        shop.page.wait_for(2, within=60)
        worker.terminate()
        assert worker.gone() == 0
    shop.is_whole()
    assert shop.checks() == 2
    assert shop.number(select(func.count()).select_from(host).where(host.c.owner != "")) == 0


@pytest.mark.slow
def test_told_twice_a_worker_ends_at_once(shop: Shop):
    with shop.worker() as worker:
        shop.sees(1)
        shop.page.hangs()
        shop.ask()
        shop.page.wait_for(2, within=60)
        worker.terminate()
        eventually(
            lambda: any("Ctrl-C again" in line for line in worker.log), within=60, what="the first signal"
        )
        time.sleep(2 * SAME_BREATH)  # a second signal that comes sooner counts as the same one
        worker.terminate()
        assert worker.gone(within=60) == 128 + 15
        shop.page.answers_normally()


def test_a_look_asked_for_wakes_a_sleeping_worker(shop: Shop):
    with shop.worker(lease=30):
        shop.sees(1)
        time.sleep(1)
        quick = 0
        for looks in range(2, 8):
            shop.ask()
            asked = time.monotonic()
            shop.page.wait_for(looks, within=60)
            quick += time.monotonic() - asked < 5
            shop.sees(looks)
            if quick == 2:
                break
        assert quick == 2, "it would sleep for ten seconds each time if nobody woke it"


def test_a_worker_shows_its_metrics_and_its_health(shop: Shop):
    port = unused_port()
    with shop.worker("--metrics-port", str(port)):
        shop.sees(1)
        with _opened(f"http://127.0.0.1:{port}/metrics") as answer:
            text = answer.read().decode()
        assert 'webvigil_checks_total{decision="new version"} 1.0' in text
        assert "webvigil_fetch_seconds_count 1.0" in text
        assert "webvigil_queue_age_seconds 0.0" in text
        assert "127.0.0.1" not in text, "no address is a label"
        with _opened(f"http://127.0.0.1:{port}/healthz") as answer:
            health = json.load(answer)
    assert (health["status"], health["database"], health["worker"]) == ("ok", "ok", "ok")


@contextmanager
def _opened(url: str) -> Iterator[Any]:
    with urllib.request.urlopen(url, timeout=60) as answer:
        yield answer


def test_a_worker_needs_a_place_that_all_workers_share(tmp_path: Path):
    worker = WorkerProcess("--database", "postgresql://nobody@nowhere/x", "--data", str(tmp_path))
    assert worker.gone() == 2
    assert "--objects" in "".join(worker.log)


def test_lives_and_notices_of_many_workers_happen_once(shop: Shop):
    """Two workers never both hold the duty of lives, and never both claim the same notice."""
    knowledge: Knowledge = shop.knowledge
    assert knowledge.duties.take("lives", "a", lease=5_000)
    assert not knowledge.duties.take("lives", "b", lease=5_000)
    first = knowledge.outbox.claim("a", count=10, lease=5_000)
    assert first
    assert knowledge.outbox.claim("b", count=10, lease=5_000) == []
