"""Tasks with nothing to do sleep until something is written, and never too long."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from tests.databases import migrated_sqlite
from tests.store.making import notice, sentinel
from webvigil.app.worker import writings as module
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.writings import Writings
from webvigil.errors import StoreBusy
from webvigil.fetch.http import Fetched
from webvigil.graph.due import Comparisons, at_rest
from webvigil.model.work import DuePage
from webvigil.store.sql.knowledge import SqlKnowledge

QUICK = 0.02
A_WHILE = 60.0


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", QUICK)


class Database:
    """A database in which a test writes."""

    number = 0
    trouble = False

    async def written(self) -> str:
        if self.trouble:
            raise StoreBusy("gone")
        return str(self.number)


async def _asleep(writings: Writings, seen: int, longest: float = A_WHILE) -> asyncio.Task[None]:
    sleeping = asyncio.create_task(writings.after(seen, longest))
    await asyncio.sleep(5 * QUICK)
    return sleeping


@pytest.mark.usefixtures("quick")
def test_a_task_sleeps_until_something_is_written():
    async def play() -> None:
        database = Database()
        writings = Writings(database.written)
        heard: list[int] = []
        watching = asyncio.create_task(writings.watch(lambda: heard.append(database.number)))
        await asyncio.sleep(5 * QUICK)  # the first look learns the number
        sleeping = await _asleep(writings, writings.count)
        assert not sleeping.done()
        assert heard == [0]
        database.number = 7
        await asyncio.wait_for(sleeping, A_WHILE)
        assert heard == [0, 7]
        watching.cancel()

    asyncio.run(play())


@pytest.mark.usefixtures("quick")
def test_what_was_written_during_the_work_is_not_slept_through():
    async def play() -> None:
        writings = Writings(Database().written)
        seen = writings.count
        writings.tell()  # while the task was at work
        await asyncio.wait_for(writings.after(seen, A_WHILE), A_WHILE / 2)

    asyncio.run(play())


@pytest.mark.usefixtures("quick")
def test_without_news_a_task_looks_for_itself_after_a_while():
    async def play() -> None:
        writings = Writings(Database().written)
        began = time.monotonic()
        await writings.after(writings.count, 10 * QUICK)
        assert time.monotonic() - began >= 9 * QUICK

    asyncio.run(play())


@pytest.mark.usefixtures("quick")
def test_while_the_database_cannot_be_asked_nobody_relies_on_it():
    async def play() -> None:
        database = Database()
        writings = Writings(database.written)
        watching = asyncio.create_task(writings.watch())
        await asyncio.sleep(5 * QUICK)
        database.trouble = True
        await asyncio.wait_for(writings.after(writings.count, A_WHILE), A_WHILE / 2)
        watching.cancel()

    asyncio.run(play())


def test_stopping_wakes_everybody_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "LOOK", A_WHILE)

    async def play() -> None:
        writings = Writings(Database().written)
        sleeping = await _asleep(writings, writings.count)
        writings.stop()
        await asyncio.wait_for(sleeping, A_WHILE / 2)

    asyncio.run(play())


@pytest.mark.usefixtures("quick")
def test_whoever_comes_after_the_end_does_not_sleep():
    async def play() -> None:
        writings = Writings(Database().written)
        writings.stop()
        await asyncio.wait_for(writings.after(writings.count, A_WHILE), A_WHILE / 2)

    asyncio.run(play())


class _Telling:
    """Stages in which every look has something to tell."""

    async def fetch(self, due: DuePage) -> Fetched:
        return Fetched(answer=None, status=304, validators=due.validators, reason="the server says so")

    async def examined(self, fetched: Fetched, _: Any) -> Fetched:
        return fetched

    async def compare(self, due: DuePage, watches: Any, *_: Any) -> Comparisons:
        return Comparisons([at_rest(one, 1) for one in watches])

    def is_quiet(self, _: Any) -> bool:
        return False

    def changes(self, *_: Any) -> tuple[()]:
        return ()

    async def troubles(self, *_: Any) -> dict[int, Any]:
        return {}

    def notices_of_trouble(self, due: DuePage, *_: Any) -> tuple[Any, ...]:
        return (notice(f"{due.id}:{due.due}"),)

    def notices_of_loss(self, *_: Any) -> tuple[()]:
        return ()


def test_a_notice_is_told_as_soon_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Nothing wakes the delivery here but the worker that wrote the notice."""
    monkeypatch.setattr(module, "LOOK", A_WHILE)
    monkeypatch.setattr(module, "LONGEST", A_WHILE)
    monkeypatch.setattr(module, "MOST", A_WHILE)
    knowledge = SqlKnowledge(migrated_sqlite(tmp_path / "webvigil.sqlite3"), delay=0)
    knowledge.users.add("jill")
    told: list[float] = []

    async def tell(worker: str) -> int:
        found = await asyncio.to_thread(knowledge.outbox.claim, worker, count=10, lease=60_000)
        if found:
            told.append(time.monotonic())
        return len(found)

    async def play() -> None:
        worker = Worker(knowledge, _Telling(), tell)  # type: ignore[arg-type]
        working = asyncio.create_task(worker.run())
        await asyncio.sleep(1.0)  # the delivery has found nothing and sleeps
        began = time.monotonic()
        await asyncio.to_thread(knowledge.sentinels.add, sentinel())
        while not told and time.monotonic() - began < A_WHILE / 2:
            await asyncio.sleep(0.01)
        worker.stop()
        await working
        assert told

    asyncio.run(play())
    knowledge.close()


@pytest.mark.parametrize(("lease", "longest"), [(0, 10), (30_000, 10), (60_000, 20), (1_800_000, 30)])
def test_a_task_renews_its_duty_in_time_and_never_sleeps_long(lease: int, longest: float):
    writings = Writings(Database().written, lease)
    assert writings.longest == longest
    assert writings.rest(None) == writings.rest(3_600) == longest
    assert writings.rest(5) == 5
    assert writings.rest(0) == module.LOOK
