"""What many workers and one database would have to do for ten million pages, from what one check costs here.

    python -m bench.speed.fleet [--json] [--pages N] [--looks-a-day N] [--changes SHARE] [--hosts-of N]
                                [--together N] [--part model|steps]

`model`: the real store on a real PostgreSQL claims and finishes pages that are unchanged, and pages that have
a new version, a change and a notice: statements, transactions, rows, bytes of the write-ahead log and CPU of
the server for one check. A real worker looks at a site on loopback: its CPU, and its requests to the object
store. These figures are multiplied by the looks of the fleet and held against what one server is assumed to
bear (`BEARS`), and told in money by assumed prices (`PRICES`). `--changes` is the share of looks that find a
change, `--hosts-of` the pages that are due together at a host, `--together` the hosts that a worker claims
and writes back at a time. `steps`: the schedule in one table and in eight partitions, and all hosts in one
database and divided between two.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import text

from bench.peers import runner_ours as runner
from bench.peers.__main__ import _site
from bench.processes import Postgres
from bench.speed.workers import A_DAY, _visited, fill
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.settings import read_settings
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.stages import RealStages
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.notice import Notice
from webvigil.model.work import CheckResult, Claim, DuePage, NewChange, NewVersion, Visited, WatchUpdate
from webvigil.store.objects.directory import Directory
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge

Row = dict[str, Any]
PARTS = ("model", "steps")
# What one PostgreSQL server can do in the long run. These are assumptions: replace them by the figures of
# your server.
BEARS = {
    "cores of the database": 32 * 0.6,
    "write-ahead log, MB/s": 100.0,  # to the disk, to a replica and to an archive
    "commits/s": 5_000.0,  # each waits for the disk, some of them together
    "connections": 500.0,
    "rows vacuumed/s": 500_000.0,  # by three workers of autovacuum
    "database, GB": 8_000.0,  # a copy or a restore takes most of a day
}
# Prices in dollars. These are assumptions, of about the size that cloud providers charge.
PRICES = {
    "core hour": 0.04,
    "GB of database a month": 0.12,
    "GB of objects a month": 0.023,
    "million writes of objects": 5.0,
    "million reads of objects": 0.4,
}
CONNECTIONS = 7  # to the database, of one worker; see docs/sizing.md
BUSY = 0.6  # the share of a worker's core that is used
# Bytes, from docs/sizing.md.
PAGE, VERSION, DELTA, LOOK, NOTICE, FIRST = 650, 360, 800, 250, 950, 12_000
LOG_DAYS, VERSIONS = 90, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What one check costs. `rows` are those written, `hot` the share of updates that touch no index."""

    statements: float
    commits: float
    rows: float
    hot: float
    wal: float
    database_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one check costs a worker, and its requests to the object store."""

    cpu_ms: float
    puts: float
    gets: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    unchanged: Check
    changed: Check
    looks: Work
    changes: Work


# --- what the database does for one check ---------------------------------------------------------------


def checks(pages_each: int, hosts: int) -> tuple[Check, Check]:
    """Returns what a check of an unchanged page and of a changed page costs the database, if `hosts` hosts
    with `pages_each` pages are claimed and written back together."""
    with Postgres() as server:
        knowledge = SqlKnowledge(server.url, delay=0)
        fill(knowledge, 20_000 // pages_each, pages_each)
        _at_rest(knowledge)
        rounds = min(200, max(1, 4_000 // (pages_each * hosts)))
        plans = [_Plan(pages_each, hosts, rounds, visit) for visit in (_visited, _changed)]
        found = [_check(server, knowledge, plan) for plan in plans]
        knowledge.close()
    return found[0], found[1]


@dataclass(frozen=True, slots=True)
class _Plan:
    """How many pages of how many hosts are claimed together, how often, and what a visit finds."""

    pages_each: int
    hosts: int
    rounds: int
    visit: Callable[[Claim], Visited]


def _check(server: Postgres, knowledge: SqlKnowledge, plan: _Plan) -> Check:
    _batch(knowledge, plan)  # the database prepares its statements with the first batch
    with _counted() as statements:
        before, busy = _counters(knowledge), server.processor_time()
        done = sum(_batch(knowledge, plan) for _ in range(plan.rounds))
        busy = server.processor_time() - busy
        after = _counters(knowledge)
    more = {name: after[name] - before[name] for name in before}
    return Check(
        statements=statements["statements"] / done,
        commits=more["commits"] / done,
        rows=(more["inserted"] + more["updated"]) / done,
        hot=more["hot"] / max(1, more["updated"]),
        wal=more["wal"] / done,
        database_ms=busy * 1000 / done,
    )


def _batch(knowledge: SqlKnowledge, plan: _Plan) -> int:
    claims = knowledge.schedule.claim("fleet", hosts=plan.hosts, pages=plan.pages_each, lease=60_000)
    assert all(knowledge.schedule.finish_all([plan.visit(claim) for claim in claims]))
    return sum(len(claim.pages) for claim in claims)


def _changed(claim: Claim) -> Visited:
    plain = _visited(claim)
    results = tuple(
        _with_change(claim, due, one) for due, one in zip(claim.pages, plain.results, strict=True)
    )
    return Visited(claim=claim, results=results, after=plain.after)


def _with_change(claim: Claim, due: DuePage, result: CheckResult) -> CheckResult:
    last = due.latest.number if due.latest else 0
    links = (ObjectChange(object="http://x.test/offer", status=Status.NEW, old=0, new=1, where=("/html/a",)),)
    found = Finding(type="all links", objects=links, share=0.25, score=256)
    told = [Notice(dedup=f"{due.id}:{last}", user="me", channel="log", address="", subject="News", body={})]
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=result.due,
        failures=0,
        look=result.look,
        validators=due.validators,
        version=NewVersion(
            number=last + 1, url=due.page.url, status=200, signature="s" * 64, object="0" * 64, size=47_000
        ),
        watches=tuple(
            WatchUpdate(sentinel=one.sentinel, reference=last + 1, next_at=claim.now + A_DAY)
            for one in due.watches
        ),
        changes=tuple(
            NewChange(
                sentinel=one.sentinel,
                old_version=last,
                new_version=last + 1,
                findings=(found,),
                notices=tuple(told),
            )
            for one in due.watches
        ),
    )


_COUNTERS = text(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal, xact_commit AS commits,"
    " (SELECT sum(n_tup_ins) FROM pg_stat_user_tables) AS inserted,"
    " (SELECT sum(n_tup_upd) FROM pg_stat_user_tables) AS updated,"
    " (SELECT sum(n_tup_hot_upd) FROM pg_stat_user_tables) AS hot"
    " FROM pg_stat_database WHERE datname = current_database()"
)


def _counters(knowledge: SqlKnowledge) -> dict[str, float]:
    time.sleep(1.5)  # a connection reports its counts once a second
    with knowledge.database.read() as connection:
        connection.exec_driver_sql("SELECT pg_stat_force_next_flush()")
    knowledge.schedule.next_at()
    with knowledge.database.read() as connection:
        return {name: float(value) for name, value in connection.execute(_COUNTERS).one()._mapping.items()}


@contextmanager
def _counted() -> Iterator[Counter[str]]:
    """Counts the statements that this process sends to PostgreSQL."""
    import psycopg

    counts: Counter[str] = Counter()
    before = psycopg.Cursor.execute

    def execute(self: Any, *given: Any, **more: Any) -> Any:
        counts["statements"] += 1
        return before(self, *given, **more)

    psycopg.Cursor.execute = execute  # type: ignore[method-assign]
    try:
        yield counts
    finally:
        psycopg.Cursor.execute = before  # type: ignore[method-assign]


# --- what a worker does for one check -------------------------------------------------------------------


class Counted(Directory):
    """A folder of objects that counts what a bucket would be asked for."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.asked: Counter[str] = Counter()

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        self.asked["puts"] += 1
        super().put(key, content, lasting=lasting)

    def succeed(self, key: str, content: bytes, *, old: str) -> None:
        self.asked["puts"] += 1
        super().succeed(key, content, old=old)

    def get(self, key: str) -> bytes:
        self.asked["gets"] += 1
        return super().get(key)

    def has(self, key: str) -> bool:
        self.asked["gets"] += 1
        return super().has(key)


def works(pages: int = 100, rounds: int = 6) -> tuple[Work, Work]:
    """Returns what a look at an unchanged page of 47 KB, and at a changed one, costs a real worker.

    The site changes its pages once.
    """
    with _site() as site:
        unchanged = asyncio.run(_work(site, "etag", pages, rounds))
        return unchanged, asyncio.run(_work(site, "edit", pages, 1))


async def _work(site: str, kind: str, pages: int, rounds: int) -> Work:
    clock = runner.Clock()
    urls = [f"{site}/{kind}/{number}/fleet" for number in range(pages)]
    quick = {"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8", "WEBVIGIL_HOST_DELAY": "0"}
    settings = read_settings(environment=quick)
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/webvigil.sqlite3"
        knowledge = SqlKnowledge(database, delay=0, concurrency=runner.AT_A_TIME, clock=clock)
        knowledge.users.add(settings.user, role="admin")
        objects = Counted(Path(folder) / "objects")
        async with http_fetcher(settings) as fetcher:
            worker = Worker(
                knowledge,
                RealStages(fetcher, knowledge, PageRepository(objects, knowledge.versions.deltas)),
                runner._tell_nobody,
            )
            working = asyncio.create_task(worker.run())
            await runner._round(knowledge, settings, clock, urls, False)
            objects.asked.clear()
            told = [await runner._round(knowledge, settings, clock, urls, False) for _ in range(rounds)]
            worker.stop()
            await working
        knowledge.close()
    looks = pages * rounds
    return Work(
        cpu_ms=sum(one["cpu"] for one in told) * 1000 / looks,
        puts=objects.asked["puts"] / looks,
        gets=objects.asked["gets"] / looks,
    )


# --- the fleet ------------------------------------------------------------------------------------------


def needs(measured: Measured, pages: int, looks_a_day: float, changes: float) -> dict[str, float]:
    """Returns what the fleet asks of one database server, by the names of `BEARS`."""

    def mixed(name: str) -> float:
        ordinary, changed = getattr(measured.unchanged, name), getattr(measured.changed, name)
        return float((1 - changes) * ordinary + changes * changed)

    looks = pages * looks_a_day / 86_400
    work = (1 - changes) * measured.looks.cpu_ms + changes * measured.changes.cpu_ms
    workers = looks * work / 1000 / BUSY
    log = LOG_DAYS * looks_a_day * (LOOK + changes * NOTICE)
    return {
        "cores of the database": looks * mixed("database_ms") / 1000,
        "write-ahead log, MB/s": looks * mixed("wal") / 1e6,
        "commits/s": looks * mixed("commits"),
        "connections": workers * CONNECTIONS,
        "rows vacuumed/s": looks * mixed("rows"),
        "database, GB": pages * (PAGE + VERSIONS * VERSION + (VERSIONS - 1) * DELTA + log) / 1e9,
    }


def cost(measured: Measured, pages: int, looks_a_day: float, changes: float) -> dict[str, float]:
    """Returns what a million looks cost in dollars, item by item."""
    needed = needs(measured, pages, looks_a_day, changes)
    month = pages * looks_a_day * 30 / 1e6  # millions of looks
    work = (1 - changes) * measured.looks.cpu_ms + changes * measured.changes.cpu_ms
    puts, gets = ((1 - changes) * getattr(measured.looks, name) + changes * getattr(measured.changes, name)
                  for name in ("puts", "gets"))  # fmt: skip
    objects = pages * FIRST / 1e9
    return {
        "workers": work / BUSY / 3600 * 1000 * PRICES["core hour"],
        "cores of the database": needed["cores of the database"] / BUSY * 720 * PRICES["core hour"] / month,
        "room of the database": needed["database, GB"] * PRICES["GB of database a month"] / month,
        "room of objects": objects * PRICES["GB of objects a month"] / month,
        "requests to objects": puts * PRICES["million writes of objects"]
        + gets * PRICES["million reads of objects"],
    }


# --- the next step --------------------------------------------------------------------------------------

_PARTITIONS = 8
_FILL = 70  # percent of a block that is filled at first
_ONE = (
    f"CREATE TABLE one (LIKE page) WITH (fillfactor = {_FILL})",
    "ALTER TABLE one ADD PRIMARY KEY (id)",
)
_MANY = (
    "CREATE TABLE many (LIKE page) PARTITION BY HASH (host_id)",
    *(
        f"CREATE TABLE many_{n} PARTITION OF many FOR VALUES"
        f" WITH (MODULUS {_PARTITIONS}, REMAINDER {n}) WITH (fillfactor = {_FILL})"
        for n in range(_PARTITIONS)
    ),
    "ALTER TABLE many ADD PRIMARY KEY (host_id, id)",
)
_DUE = (
    "SELECT id, host_id FROM {table}"
    " WHERE host_id = ANY(%(hosts)s::bigint[]) AND due <= %(now)s ORDER BY due LIMIT 100"
)
_WRITE = (
    "UPDATE {table} AS t SET due = g.due, checks = t.checks + 1"
    " FROM unnest(%(hosts)s::bigint[], %(ids)s::bigint[], %(dues)s::bigint[]) AS g(host_id, id, due)"
    " WHERE t.host_id = g.host_id AND t.id = g.id"
)


def partitions(pages: int = 100_000, batches: int = 400) -> list[Row]:
    """Returns rows that compare the same claims and finishes on one table with those on eight partitions."""
    with Postgres() as server:
        knowledge = SqlKnowledge(server.url, delay=0)
        fill(knowledge, pages // 20, 20)
        found = [_tried(server, knowledge, table, pages // 20, batches) for table in ("one", "many")]
        knowledge.close()
    return found


def _tried(server: Postgres, knowledge: SqlKnowledge, table: str, hosts: int, batches: int) -> Row:
    with knowledge.database.write() as connection:
        for statement in _ONE if table == "one" else _MANY:
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"INSERT INTO {table} SELECT * FROM page")
        connection.exec_driver_sql(f"CREATE INDEX ON {table} (host_id, due)")
    _at_rest(knowledge)
    before, busy = _counters(knowledge), server.processor_time()
    pieces = [table] if table == "one" else [f"many_{n}" for n in range(_PARTITIONS)]
    size = _size(knowledge, pieces)
    done = 0
    for batch in range(batches):
        chosen = [1 + (batch * 5 + n) % hosts for n in range(5)]
        with knowledge.database.write() as connection:
            due = connection.exec_driver_sql(_DUE.format(table=table), {"hosts": chosen, "now": 10**15}).all()
            written = {
                "ids": [row.id for row in due],
                "hosts": [row.host_id for row in due],
                "dues": [batch + 1] * len(due),
            }
            connection.exec_driver_sql(_WRITE.format(table=table), written)
        done += len(due)
    busy = server.processor_time() - busy
    wal = _counters(knowledge)["wal"] - before["wal"]
    grown = _size(knowledge, pieces) / size
    vacuums = [_seconds(lambda one=one: _outside(knowledge, f"VACUUM {one}")) for one in pieces]  # type: ignore[misc]
    return {
        "name": "one table" if table == "one" else f"{_PARTITIONS} partitions by host",
        "database_ms": busy * 1000 / done,
        "wal": wal / done,
        "grown": grown,
        "vacuum_s": sum(vacuums),
        "longest_vacuum_s": max(vacuums),
    }


def _at_rest(knowledge: SqlKnowledge) -> None:
    """Does at once what the server would do in the background after many rows were written."""
    _outside(knowledge, "VACUUM ANALYZE")
    _outside(knowledge, "CHECKPOINT")


def _outside(knowledge: SqlKnowledge, statement: str) -> None:
    """Runs a statement that PostgreSQL refuses inside a transaction, such as VACUUM."""
    with knowledge.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(statement)


def _size(knowledge: SqlKnowledge, pieces: list[str]) -> float:
    whole = " + ".join(f"pg_total_relation_size('{piece}')" for piece in pieces)
    with knowledge.database.read() as connection:
        return float(connection.exec_driver_sql(f"SELECT {whole}").scalar_one())


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def databases(pages: int = 100_000, rounds: int = 200) -> list[Row]:
    """Returns rows that compare all hosts in one database with hosts divided between two database servers,
    with the real store and the same checks."""
    return [_divided(pages, rounds, count) for count in (1, 2)]


def _divided(pages: int, rounds: int, count: int) -> Row:
    plan = _Plan(2, 50, rounds, _visited)
    with _servers(count) as servers:
        stores = [SqlKnowledge(server.url, delay=0) for server in servers]
        for knowledge in stores:
            fill(knowledge, pages // count // 2, 2)
            _at_rest(knowledge)
            _batch(knowledge, plan)
        before = [server.processor_time() for server in servers]
        claims: list[float] = []
        done = 0
        for number in range(rounds):
            began = time.process_time()
            done += _batch(stores[number % count], plan)
            claims.append((time.process_time() - began) * 1000)
        busy = [server.processor_time() - was for server, was in zip(servers, before, strict=True)]
        for knowledge in stores:
            knowledge.close()
    return {
        "name": f"{count} database{'s' if count > 1 else ''}",
        "database_ms": sum(busy) * 1000 / done,
        "busiest_ms": max(busy) * 1000 / done,
        "worker_ms": sum(claims) / done,
    }


@contextmanager
def _servers(count: int) -> Iterator[list[Postgres]]:
    if not count:
        yield []
        return
    with Postgres() as first, _servers(count - 1) as others:
        yield [first, *others]


# --- told -----------------------------------------------------------------------------------------------


def measured(pages_each: int = 2, hosts: int = 50) -> Measured:
    unchanged, changed = checks(pages_each, hosts)
    looks, changes = works()
    return Measured(unchanged=unchanged, changed=changed, looks=looks, changes=changes)


def rows(
    pages: int = 10_000_000, looks_a_day: float = 24, changes: float = 0.02, pages_each: int = 2
) -> list[Row]:
    """Returns how far one database server is from what it bears: a ratio above 1 means that it bears the
    fleet."""
    needed = needs(measured(pages_each), pages, looks_a_day, changes)
    return [_load(name, needed[name]) for name in BEARS]


def _load(name: str, ours: float) -> Row:
    return {"name": name, "ours": ours, "peer": BEARS[name], "against": "bears", "ratio": BEARS[name] / ours}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--pages", type=int, default=10_000_000)
    parser.add_argument("--looks-a-day", type=float, default=24)
    parser.add_argument("--changes", type=float, default=0.02)
    parser.add_argument("--hosts-of", type=int, default=2)
    parser.add_argument("--together", type=int, default=50)
    parser.add_argument("--part", action="append", choices=PARTS)
    given = parser.parse_args()
    parts = given.part or list(PARTS)
    told: dict[str, Any] = {"assumed": {"bears": BEARS, "prices": PRICES, **vars(given)}}
    if "model" in parts:
        found = measured(given.hosts_of, given.together)
        told["measured"] = {name: _plain(getattr(found, name)) for name in Measured.__slots__}
        load = needs(found, given.pages, given.looks_a_day, given.changes)
        told["load"] = sorted((_load(name, load[name]) for name in BEARS), key=lambda one: one["ratio"])
        told["cost"] = cost(found, given.pages, given.looks_a_day, given.changes)
    if "steps" in parts:
        told["partitions"], told["databases"] = partitions(), databases()
    print(json.dumps(told, indent=1) if given.json else "\n".join(_lines(told)))


def _plain(value: Any) -> dict[str, float]:
    return {name: float(getattr(value, name)) for name in value.__slots__}


def _lines(told: dict[str, Any]) -> Iterator[str]:
    for name, about in told["assumed"].items():
        yield f"assumed: {name} {about}"
    for name, about in told.get("measured", {}).items():
        yield f"one check, {name}: " + ", ".join(f"{what} {value:.3g}" for what, value in about.items())
    for one in told.get("load", ()):
        yield "{name:26}{ours:14,.1f} of {peer:10,.1f}  {ratio:6.2f} times this fleet".format(**one)
    if "cost" in told:
        yield from (
            f"dollars for a million looks, {name}: {value:.3f}" for name, value in told["cost"].items()
        )
        yield f"dollars for a million looks: {sum(told['cost'].values()):.2f}"
    for one in (*told.get("partitions", ()), *told.get("databases", ())):
        yield f"{one['name']}: " + ", ".join(f"{k} {v:.3g}" for k, v in one.items() if k != "name")


if __name__ == "__main__":
    main()
