"""Checks per second of several workers, the overhead of a check, and the time to replace a dead worker.

    python -m bench.speed.workers [--json] [--rows N] [--part throughput|recovery|rows|sqlite]

The work itself (the fetch) is stood in for by a millisecond of computing, or by nothing; all else is the
product: claiming, the loop, manners, writing results and a notice for each check in batches. `--rows` sets
how many pages the table of the third part has (a million; ten million take some minutes to make). A ratio
above 1 means that we are ahead of what we hold ourselves to.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from sqlalchemy import Connection, func, select, text

from bench.processes import SOURCE, Postgres, eventually
from webvigil.app.worker.loop import Worker
from webvigil.fetch.http import Fetched
from webvigil.graph.due import Comparisons, at_rest
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.work import CheckResult, Claim, DuePage, HostAfter, Look, Visited, WatchUpdate
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import host, page

Row = dict[str, Any]

HOSTS, PAGES_EACH = 400, 20
MEASURED = 5.0
LEASE: Millis = 3_000
A_DAY = 86_400_000

HOLD_TOGETHER = 1000  # checks/s of four workers with 1 ms of work
HOLD_GAIN = 1.6
HOLD_IDLE = 5000
HOLD_COST = 0.25  # ms of CPU
HOLD_CLAIM = 50  # ms
HOLD_RECOVERY = 2  # s beyond the lease
HOLD_SQLITE = 500


def rows(
    parts: Sequence[str] = ("throughput", "recovery", "rows", "sqlite"), many: int = 1_000_000
) -> list[Row]:
    found: list[Row] = []
    for part in parts:
        match part:
            case "throughput":
                found += _throughput()
            case "recovery":
                found += _recovery()
            case "rows":
                found += _many_rows(many)
            case "sqlite":
                found += _sqlite()
    return found


def _more(name: str, ours: float, hold: float, **also: Any) -> Row:
    """Returns a row for a figure that should be at least `hold`."""
    return {
        "name": name,
        "ours": round(ours, 3),
        "peer": hold,
        "against": "held",
        "ratio": ours / hold,
        **also,
    }


def _less(name: str, ours: float, hold: float, **also: Any) -> Row:
    ratio = hold / max(ours, 1e-9)
    return {"name": name, "ours": round(ours, 3), "peer": hold, "against": "held", "ratio": ratio, **also}


# --- one worker, in a process of its own ---------------------------------------------------------------


class _Work:
    """Stages that compute for some milliseconds instead of fetching, and say that nothing has changed."""

    def __init__(self, milliseconds: float) -> None:
        self._seconds = milliseconds / 1000

    async def fetch(self, due: DuePage) -> Fetched:
        if self._seconds:
            end = time.thread_time() + self._seconds
            while time.thread_time() < end:
                pass
        return Fetched(answer=None, status=304, validators=due.validators, reason="the server says so")

    async def keep(self, *_: Any) -> None:
        return None

    async def compare(self, _: Any, watches: Any, *__: Any) -> Any:
        return Comparisons([at_rest(one, 1) for one in watches])

    def is_quiet(self, _: Any) -> bool:
        return False

    def changes(self, *_: Any) -> tuple[()]:
        return ()

    async def troubles(self, *_: Any) -> dict[int, Any]:
        return {}

    def notices_of_loss(self, *_: Any) -> tuple[()]:
        return ()

    def notices_of_trouble(self, *_: Any) -> tuple[()]:
        return ()

    def notices_of_doubt(self, *_: Any) -> tuple[()]:
        return ()


async def _tell_nobody(_: str) -> int:
    return 0


class _Telling:
    """The schedule, which adds a notice to each check, so that writing to the outbox is measured as well."""

    def __init__(self, schedule: Any, name: str) -> None:
        self._schedule = schedule
        self._numbers = count()
        self._name = name

    def finish_all(self, visits: Sequence[Visited]) -> list[bool]:
        told = [
            replace(one, results=tuple(self._with_notice(result) for result in one.results)) for one in visits
        ]
        done: list[bool] = self._schedule.finish_all(told)
        return done

    def _with_notice(self, result: CheckResult) -> CheckResult:
        dedup = f"{result.page}:{self._name}:{next(self._numbers)}"
        notice = Notice(dedup=dedup, user="me", channel="log", address="", subject="It has changed", body={})
        return replace(result, notices=(notice,))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._schedule, name)


class _Delivered:
    """An outbox that gives no notice to deliver, because delivery is not measured here."""

    def claim(self, *_: Any, **__: Any) -> list[Any]:
        return []

    def next_at(self) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: []


def work(url: str, milliseconds: float, lease: Millis) -> None:
    asyncio.run(_work(url, milliseconds, lease))


async def _work(url: str, milliseconds: float, lease: Millis) -> None:
    knowledge = SqlKnowledge(url, delay=0, concurrency=4)
    knowledge.schedule = _Telling(knowledge.schedule, str(os.getpid()))  # type: ignore[assignment]
    knowledge.outbox = _Delivered()  # type: ignore[assignment]
    worker = Worker(knowledge, _Work(milliseconds), _tell_nobody, concurrency=50, lease=lease)  # type: ignore[arg-type]
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    await worker.run()
    knowledge.close()


@contextmanager
def _workers(number: int, url: str, milliseconds: float) -> Iterator[list[psutil.Popen]]:
    command = [sys.executable, "-m", "bench.speed.workers", "--one", url, "--work", str(milliseconds)]
    path = os.pathsep.join([str(SOURCE), str(SOURCE.parent)])
    started = [psutil.Popen(command, env={**os.environ, "PYTHONPATH": path}) for _ in range(number)]
    try:
        yield started
    finally:
        for process in started:
            if process.is_running():
                process.send_signal(signal.SIGTERM)
        for process in started:
            try:
                process.wait(10)
            except (psutil.TimeoutExpired, subprocess.TimeoutExpired):
                process.kill()
                process.wait(10)


# --- the tables -----------------------------------------------------------------------------------------


def fill(
    knowledge: SqlKnowledge,
    hosts: int,
    pages_each: int,
    *,
    due: str = "0",
    watchers: int = 1000,
    interval: int = 1,
) -> None:
    """Fills the tables with hosts and their pages, each watched by one sentinel. `due` is an SQL expression
    for the due time of page number n."""
    knowledge.users.add("me")
    with knowledge.database.write() as connection:
        own = connection.dialect.name == "postgresql"
        series = _POSTGRES_SERIES if own else _SQLITE_SERIES
        words = {"due": due, "each": pages_each, "watchers": watchers, "interval": interval}
        words |= {"true": "true", "false": "false"} if own else {"true": "1", "false": "0"}
        words |= {
            f"series_{name}": series.format(to=to)
            for name, to in (("hosts", hosts), ("pages", hosts * pages_each), ("some", watchers))
        }
        if own:  # without checking references, which takes half of the time
            connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        for statement in _FILL.split(";"):
            connection.exec_driver_sql(statement.format(**words))
    with knowledge.database.write() as connection:
        connection.exec_driver_sql("ANALYZE")


_POSTGRES_SERIES = "generate_series(1, {to}) AS s(n)"
_SQLITE_SERIES = (
    "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {to}) SELECT n FROM c)"
)
_FILL = """
INSERT INTO host (id, name, next_at, lease, token, owner, failures)
SELECT n, 'host' || n || '.test', 0, 0, 0, '', 0 FROM {series_hosts};
INSERT INTO page (id, host_id, due, priority, checks, asked, failures, latest)
SELECT n, (n - 1) / {each} + 1, {due}, 0, 0, 0, 0, 1 FROM {series_pages};
INSERT INTO page_about (page_id, key, url, method, fields, render, validators, login, wish)
SELECT n, 'k' || n, 'http://host' || ((n - 1) / {each} + 1) || '.test/' || n, 'GET', '[]', 'http',
'{{"etag": "x"}}', '', '' FROM {series_pages};
INSERT INTO version (page_id, number, fetched_at, url, status, signature, object, size, picture)
SELECT n, 1, 0, 'http://host.test/' || n, 200, 's', 'o', 1, '' FROM {series_pages};
INSERT INTO sentinel (id, user_id, name, text, state, priority, topic, installed_at, enabled, span, within,
warned, over, failure, revision)
SELECT n, 1, 's' || n, 'Create Sentinel s' || n || ' Using http://host.test/',
'active', 0, '', 0, {true}, 0, {true}, {false}, {false}, '', 1 FROM {series_some};
INSERT INTO watch (sentinel_id, page_id, interval_ms, next_at, reference)
SELECT mod(n - 1, {watchers}) + 1, n, {interval}, 0, 1 FROM {series_pages};
UPDATE host SET next_at = (SELECT min(due) FROM page WHERE page.host_id = host.id)
"""


# --- checks a second ------------------------------------------------------------------------------------


def _throughput() -> list[Row]:
    seen = {
        (number, work): _rate(number, work)
        for number, work in ((1, 1.0), (2, 1.0), (4, 1.0), (1, 0.0), (4, 0.0))
    }
    rates = {key: rate for key, (rate, _, _) in seen.items()}
    cost = {key: workers + database for key, (_, workers, database) in seen.items()}
    return [
        _more(
            "4 workers, 1 ms of work, checks/s", rates[4, 1.0], HOLD_TOGETHER,
            one=rates[1, 1.0], two=rates[2, 1.0],
        ),
        _more("4 workers against one, 1 ms of work", rates[4, 1.0] / rates[1, 1.0], HOLD_GAIN),
        _more("4 workers, no work, checks/s", rates[4, 0.0], HOLD_IDLE, one=rates[1, 0.0]),
        _less(
            "processor time of a check beyond its work, workers, ms", seen[4, 0.0][1], HOLD_COST,
            with_work=seen[4, 1.0][1] - 1, database=seen[4, 0.0][2], both=cost[4, 0.0],
        ),
    ]  # fmt: skip


def _rate(number: int, milliseconds: float) -> tuple[float, float, float]:
    """Returns checks per second, and milliseconds of CPU per check of the workers and of the database."""
    with Postgres() as server:
        knowledge = SqlKnowledge(server.url)
        fill(knowledge, HOSTS, PAGES_EACH)
        with _workers(number, server.url, milliseconds) as processes:
            eventually(
                lambda: _checks(knowledge) > 1000 * number, within=60, what="the first thousand checks"
            )
            time.sleep(1)
            before = (_checks(knowledge), time.monotonic(), _times(processes), server.processor_time())
            time.sleep(MEASURED)
            after = (_checks(knowledge), time.monotonic(), _times(processes), server.processor_time())
        knowledge.close()
    checks, seconds, workers, database = (b - a for a, b in zip(before, after, strict=True))
    return checks / seconds, workers / checks * 1000, database / checks * 1000


def _checks(knowledge: SqlKnowledge) -> int:
    with knowledge.database.read() as connection:
        return int(connection.execute(select(func.sum(page.c.checks))).scalar_one())


def _times(processes: Sequence[psutil.Popen]) -> float:
    times = [process.cpu_times() for process in processes]
    return float(sum(one.user + one.system for one in times))


# --- after a kill ---------------------------------------------------------------------------------------


def _recovery() -> list[Row]:
    with Postgres() as server:
        knowledge = SqlKnowledge(server.url)
        fill(knowledge, 100, 4, interval=1000)  # so few that two workers are never behind
        with _workers(2, server.url, 1.0) as processes:
            eventually(lambda: _checks(knowledge) > 1000, within=60, what="the first checks")
            eventually(lambda: _owned(knowledge, processes[0].pid), within=20, what="a lease", every=0.005)
            processes[0].kill()
            died = time.monotonic()
            left = _owned(knowledge, processes[0].pid)
            eventually(
                lambda: not _owned(knowledge, processes[0].pid), within=30, what="its heir", every=0.02
            )
            seconds = time.monotonic() - died
        knowledge.close()
    beyond = max(0.001, seconds - LEASE / 1000)
    return [
        _less(
            f"the last of its hosts is taken up after a kill, s beyond the lease of {LEASE / 1000:g} s",
            beyond, HOLD_RECOVERY, after=round(seconds, 2), hosts=left,
        )
    ]  # fmt: skip


def _owned(knowledge: SqlKnowledge, pid: int) -> int:
    mine = select(func.count()).select_from(host).where(host.c.owner.like(f"%:{pid}:%"))
    with knowledge.database.read() as connection:
        return int(connection.execute(mine).scalar_one())


# --- many rows ------------------------------------------------------------------------------------------


def _many_rows(many: int) -> list[Row]:
    """Measures a table with many pages that are due over a day: claims of a hundred pages and more, each
    followed by its finish."""
    with Postgres() as server:
        knowledge = SqlKnowledge(server.url, delay=0)
        now = knowledge.schedule.now()
        fill(
            knowledge,
            many // PAGES_EACH,
            PAGES_EACH,
            due=f"{now} + mod(n::bigint * 7919, {A_DAY}) - {A_DAY // 20}",
        )
        claims, finishes, pages = [], [], []
        for _ in range(60):
            started = time.perf_counter()
            claimed = knowledge.schedule.claim("bench", hosts=10, pages=PAGES_EACH, lease=LEASE)
            claims.append((time.perf_counter() - started) * 1000)
            pages.append(sum(len(claim.pages) for claim in claimed))
            visits = [_visited(claim) for claim in claimed]
            started = time.perf_counter()
            assert all(knowledge.schedule.finish_all(visits))
            finishes.append((time.perf_counter() - started) * 1000)
        sizes = _bytes(knowledge)
        knowledge.close()
    each = median(pages)
    return [
        _less(
            f"claim of {each:g} pages among {many:,}, ms", median(claims), HOLD_CLAIM,
            best=round(min(claims), 1), bytes_a_row=sizes,
        ),
        _less(
            f"finish of {each:g} pages among {many:,}, ms", median(finishes), HOLD_CLAIM,
            best=round(min(finishes), 1),
        ),
    ]  # fmt: skip


def _visited(claim: Claim) -> Visited:
    results = [
        CheckResult(
            page=due.id,
            asked=due.asked,
            due=claim.now + A_DAY,
            failures=0,
            look=Look(
                why="due",
                decision="not modified",
                status=304,
                reason="the server says so by ETag",
                plan="looked at every day; next look in 1 day",
            ),
            validators=due.validators,
            watches=tuple(
                WatchUpdate(sentinel=one.sentinel, reference=one.reference, next_at=claim.now + A_DAY)
                for one in due.watches
            ),
        )
        for due in claim.pages
    ]
    return Visited(claim=claim, results=tuple(results), after=HostAfter(rest=0))


def _bytes(knowledge: SqlKnowledge) -> dict[str, float]:
    """Returns the bytes of one row of each table, including its share of the indexes."""
    with knowledge.database.read() as connection:
        return {name: _bytes_of_a_row(connection, name) for name in _TABLES}


def _bytes_of_a_row(connection: Connection, table: str) -> float:
    size, rows = connection.execute(
        text(f"SELECT pg_total_relation_size('{table}'), (SELECT count(*) FROM {table})")
    ).one()
    return float(round(size / max(1, rows), 1))


_TABLES = ("host", "page", "page_about", "watch", "version", "look")


# --- SQLite ---------------------------------------------------------------------------------------------


def _sqlite() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'webvigil.sqlite3'}"
        knowledge = SqlKnowledge(url)
        fill(knowledge, HOSTS, PAGES_EACH)
        with _workers(1, url, 1.0):
            eventually(lambda: _checks(knowledge) > 500, within=60, what="the first checks")
            before, started = _checks(knowledge), time.monotonic()
            time.sleep(MEASURED)
            rate = (_checks(knowledge) - before) / (time.monotonic() - started)
        knowledge.close()
    return [_more("SQLite, one process, 1 ms of work, checks/s", rate, HOLD_SQLITE)]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--part", action="append", choices=("throughput", "recovery", "rows", "sqlite"))
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--work", type=float, default=0.0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        work(given.one, given.work, LEASE)
        return 0
    found = rows(given.part or ("throughput", "recovery", "rows", "sqlite"), given.rows)
    if given.json:
        print(json.dumps(found, indent=1))
        return 0
    for row in found:
        also = {
            name: value
            for name, value in row.items()
            if name not in ("name", "ours", "peer", "against", "ratio")
        }
        print(f"{row['name']}: {row['ours']:g} (held to {row['peer']:g}, ×{row['ratio']:.2f}) {also or ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
