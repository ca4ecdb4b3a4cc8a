"""What three shortcuts save, each measured beside the plain way in one run (see docs/decisions).

    python -m bench.speed.shortcuts

Prepared statements: two reads that almost every request makes, by the driver directly and by SQLAlchemy.
Rare garbage searches: checks of changed pages by a real worker, with and without `seldom_searched`. Times are
milliseconds of CPU, the median of pairs that take turns. Memory that is given back: megabytes that a process
occupies after large pages were compared in threads, with and without `Relief`.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from bench.peers import runner_ours as runner
from tests.databases import migrated_sqlite
from tests.site import Site
from tests.store.making import sentinel
from webvigil import diff
from webvigil.app.operating import memory
from webvigil.app.operating.garbage import seldom_searched
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.settings import read_settings
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.stages import RealStages
from webvigil.model.memo import forget_all
from webvigil.store.objects.directory import Directory
from webvigil.store.repository import PageRepository
from webvigil.store.sql.database import Database
from webvigil.store.sql.knowledge import SqlKnowledge

PAIRS = 10
READS = 200


def main() -> None:
    print(f"{'':28}{'shortcut':>10}{'plain':>10}{'saved':>8}")
    with tempfile.TemporaryDirectory() as folder:
        _reads(Path(folder))
    for rows, pages in ((100, 40), (600, 20)):
        asyncio.run(_checks(rows, pages))
    _say("memory after large pages", [_occupied(relieved=True)], [_occupied(relieved=False)])


def _say(what: str, quick: list[float], plain: list[float]) -> None:
    saved = median(1 - one / other for one, other in zip(quick, plain, strict=True))
    print(f"{what:28}{median(quick):10.3f}{median(plain):10.3f}{saved:8.0%}")


# --- prepared statements --------------------------------------------------------------------------------


def _reads(folder: Path) -> None:
    knowledge = SqlKnowledge(migrated_sqlite(folder / "webvigil.sqlite3"), delay=0)
    knowledge.users.add("jill")
    knowledge.sentinels.add(*(sentinel(f"s{number}", f"http://{number}.test/") for number in range(200)))
    later = knowledge.schedule.now() + 10**9
    knowledge.users.add_token("jill", "digest", purpose="api", expires=later)
    knowledge.users.token("digest", purpose="api")
    for what, read in (
        ("the token of a request", lambda: knowledge.users.token("digest", purpose="api")),
        ("a sentinel by its name", lambda: knowledge.sentinels.get("jill", "s7")),
    ):
        quick, plain = [], []
        for _ in range(PAIRS):
            quick.append(_cpu(read))
            with _by_the_toolkit():
                plain.append(_cpu(read))
        _say(what, quick, plain)
    knowledge.close()


def _cpu(read: Callable[[], Any]) -> float:
    began = time.process_time()
    for _ in range(READS):
        read()
    return (time.process_time() - began) / READS * 1000


@contextmanager
def _by_the_toolkit() -> Iterator[None]:
    """Makes SQLAlchemy run the statements that are otherwise prepared."""
    before = Database.asking

    @contextmanager
    def asking(self: Database) -> Iterator[Any]:
        with self.read() as connection:
            yield lambda prepared, **values: connection.execute(prepared._statement, values).all()

    Database.asking = asking  # type: ignore[method-assign]
    try:
        yield
    finally:
        Database.asking = before  # type: ignore[method-assign]


# --- garbage searches -----------------------------------------------------------------------------------


async def _checks(rows: int, pages: int) -> None:
    """Measures rounds in which every page has changed, and nine change types are compared."""
    clock = runner.Clock()
    settings = read_settings(
        environment={"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8", "WEBVIGIL_HOST_DELAY": "0"}
    )
    with Site() as site, tempfile.TemporaryDirectory() as folder:
        served = [site.page(f"/{number}", "") for number in range(pages)]
        knowledge = SqlKnowledge(
            migrated_sqlite(Path(folder) / "webvigil.sqlite3"), delay=0, concurrency=20, clock=clock
        )
        knowledge.users.add(settings.user, role="admin")
        async with http_fetcher(settings) as fetcher:
            stages = RealStages(
                fetcher,
                knowledge,
                PageRepository(Directory(Path(folder) / "objects"), knowledge.versions.deltas),
            )
            worker = Worker(knowledge, stages, runner._tell_nobody)
            working = asyncio.create_task(worker.run())
            quick: list[float] = []
            plain: list[float] = []
            for turn in range(2 * PAIRS + 4):
                for number, one in enumerate(served):
                    one.becomes(_page(rows, number, turn))
                with nullcontext() if turn % 2 else seldom_searched():
                    found = await runner._round(knowledge, settings, clock, [one.url for one in served], True)
                (plain if turn % 2 else quick).append(found["cpu"] / pages * 1000)
            worker.stop()
            await working
        knowledge.close()
    size = len(_page(rows, 0, 0)) // 1000
    _say(f"a check, page of {size} KB", quick[2:], plain[2:])


def _page(rows: int, number: int, turn: int) -> str:
    chance = random.Random(number)
    table = "".join(
        f"<tr><td>{chance.choice(['lamp', 'door'])} {row}</td><td>{chance.randint(1, 900)}"
        f".{turn if row == 7 else 90}</td><td><a href=/{row}>more of {row}</a></td></tr>"
        for row in range(rows)
    )
    return f"<title>Shop {number}</title><p>day {turn} <a href=/n{turn}>new</a></p><table>{table}</table>"


# --- memory -----------------------------------------------------------------------------------------------


def _occupied(*, relieved: bool) -> float:
    """Returns the megabytes that a new process occupies after it compared large pages."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return process.submit(_compare_large_pages, relieved).result()


def _compare_large_pages(relieved: bool) -> float:
    if relieved:
        memory.prepare()
    relief = memory.Relief(forget_all)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(_compare, range(6)))
    if relieved:
        relief.turn()
    return memory.resident() / 1e6


def _compare(number: int) -> None:
    diff(_page(15_000, number, 0), _page(15_000, number, 1), "any change")


if __name__ == "__main__":
    main()
