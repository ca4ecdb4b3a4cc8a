"""A store with many sentinels: some are installed and looked at, the others are copies of their rows."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Connection, String, Table, Text, UniqueConstraint, func, select

from webvigil.app.sentinels.install import install
from webvigil.app.settings import Settings
from webvigil.language import parse
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.notice import Notice
from webvigil.model.work import (
    CheckResult,
    Claim,
    DuePage,
    HostAfter,
    Look,
    NewChange,
    NewVersion,
    Visited,
    WatchUpdate,
)
from webvigil.store.objects import open_objects
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import metadata

SEED = 1_000
TEXT = """Create Sentinel s{number} Using http://host{host}.test/page{number}
Monitor all links OR keywords: {{price, offer}}
Fetch {hours} hour
"""
_RARE = 7  # this one of the first sentinels has a topic and a word of its own; copies have others
_ONCE = {
    "wv_user",
    "setting",
    "counter",
    "duty",
}  # tables that do not grow with the sentinels
_OBJECT = "0" * 64
_GO_ON = """SELECT setval(pg_get_serial_sequence('{0}', 'id'), max(id)) FROM {0}"""


def seeded(knowledge: SqlKnowledge, settings: Settings, number: int) -> None:
    """Installs so many sentinels. Every page was looked at once, with a change and a notice, and is due."""
    texts = [TEXT.format(number=one, host=one % 500, hours=1 + one % 12) for one in range(number)]
    texts[_RARE % number] += "Topic rare\n"
    install(knowledge, settings, parse("\n".join(texts)))
    open_objects(settings.objects_url).put(_OBJECT, b"<p>offer")
    while claims := knowledge.schedule.claim("seed", hosts=500, pages=10, lease=600_000):
        if all(due.latest for claim in claims for due in claim.pages):
            knowledge.schedule.finish_all([_left(claim) for claim in claims])
            return
        knowledge.schedule.finish_all([_visited(claim, settings.user) for claim in claims])


def _left(claim: Claim) -> Visited:
    return Visited(claim=claim, results=(), after=HostAfter(rest=0))


def _visited(claim: Claim, user: str) -> Visited:
    results = tuple(_result(claim, due, user) for due in claim.pages)
    return Visited(claim=claim, results=results, after=HostAfter(rest=0))


def _result(claim: Claim, due: DuePage, user: str) -> CheckResult:
    body = {"changes": [due.id]}
    told = Notice(dedup=f"n{due.id}", user=user, channel="log", address="", subject="News", body=body)
    link = ObjectChange(object=f"http://x.test/offer/rarity{due.id}", status=Status.NEW, old=0, new=1)
    found = Finding(type="all links", objects=(link,), share=0.25, score=256)
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=claim.now,
        failures=0,
        look=Look(why="due", decision="changed", status=200, reason="the first version"),
        validators={"etag": "x"},
        version=NewVersion(
            number=1, url=due.page.url, status=200, signature="s", object=_OBJECT, size=8, stored=8
        ),
        watches=tuple(
            WatchUpdate(sentinel=one.sentinel, reference=1, next_at=claim.now) for one in due.watches
        ),
        changes=tuple(
            NewChange(sentinel=one.sentinel, old_version=0, new_version=1, findings=(found,), notices=(told,))
            for one in due.watches
        ),
    )


def copied(knowledge: SqlKnowledge, seed: int, times: int) -> None:
    """Copies the rows of all sentinels, so that there are `times` as many of each."""
    with knowledge.database.write() as connection:
        tables = [
            one for one in metadata.sorted_tables if one.name not in _ONCE and _has_rows(connection, one)
        ]
        step = 10 * seed
        if times > 1:
            if connection.dialect.name == "postgresql":  # references of copies need not be checked
                connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
            for table in tables:
                connection.exec_driver_sql(_copy(connection, table, step, times))
                if connection.dialect.name == "postgresql" and "id" in table.columns:
                    connection.exec_driver_sql(_GO_ON.format(table.name))
    with knowledge.database.write() as connection:
        if connection.dialect.name == "postgresql":  # as autovacuum does; SQLite stores have no statistics
            connection.exec_driver_sql("ANALYZE")


def _has_rows(connection: Connection, table: Table) -> bool:
    return bool(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _copy(connection: Connection, table: Table, step: int, times: int) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    values = ", ".join(_copied(column, step) for column in table.columns)
    if connection.dialect.name == "postgresql":
        series = f"generate_series(1, {times - 1}) AS s(k)"
    else:
        series = (
            f"(WITH RECURSIVE c(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < {times - 1})"
            " SELECT k FROM c) AS s"
        )
    return f'INSERT INTO "{table.name}" ({names}) SELECT {values} FROM "{table.name}" CROSS JOIN {series}'


def _copied(column: Column[Any], step: int) -> str:
    """Returns the SQL for a column of a copy: ids are shifted, what must be unique gets the number of the
    copy."""
    name = f'"{column.name}"'
    leads_to = {key.column.table.name for key in column.foreign_keys}
    if leads_to - _ONCE or column.name == "id":
        return f"{name} + k * {step}"
    if isinstance(column.type, (String, Text)) and _is_unique(column):
        return f"substr({name}, 1, 30) || '-' || k"
    return name


def _is_unique(column: Column[Any]) -> bool:
    together = [one for one in column.table.constraints if isinstance(one, UniqueConstraint)]
    return bool(column.unique or column.primary_key or any(column.name in one.columns for one in together))
