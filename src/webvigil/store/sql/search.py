"""Full text over all changes: an FTS5 index in SQLite, a tsvector in PostgreSQL (N2).

The words are written in the transaction that writes the change, and go with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, cast, literal_column, select, text
from sqlalchemy.dialects.postgresql import TSQUERY

from webvigil.model.change import Change, Finding, finding_from_json
from webvigil.model.moment import as_millis
from webvigil.store.searching import Phrase, phrases, words_of_change
from webvigil.store.sql.changes import change_from, changes_query
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.schema import change, change_words, page_about, sentinel, user


class SqlSearch:
    def __init__(self, database: Database) -> None:
        self._database = database

    def find(
        self,
        user_name: str | None,
        words: str = "",
        *,
        sentinel_name: str | None = None,
        topic: str | None = None,
        kind: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
    ) -> list[Change]:
        query = changes_query()
        for condition in _conditions(user_name, sentinel_name, topic, since, until):
            query = query.where(condition)
        with self._database.read() as connection:
            if asked := phrases(words, kind):
                query = query.where(_holds(connection, asked))
            found = connection.execute(query.order_by(change.c.id.desc()).limit(limit))
            return [change_from(row) for row in found]


def remember_words(
    connection: Connection,
    sentinel_id: int,
    page_id: int,
    versions: tuple[int, int],
    findings: Sequence[Finding],
) -> None:
    """For the change that was just written; once is enough."""
    row = connection.execute(
        select(change.c.id, sentinel.c.name, page_about.c.url)
        .join(sentinel, sentinel.c.id == change.c.sentinel_id)
        .join(page_about, page_about.c.page_id == change.c.page_id)
        .where(change.c.sentinel_id == sentinel_id, change.c.page_id == page_id)
        .where(change.c.old_version == versions[0], change.c.new_version == versions[1])
    ).first()
    if row is not None:
        write_words(connection, row.id, words_of_change(row.name, row.url, findings))


def write_words(connection: Connection, change_id: int, words: Sequence[str]) -> None:
    written = _vector(words) if connection.dialect.name == "postgresql" else " ".join(words)
    connection.execute(insert_new(connection, change_words).values(change_id=change_id, words=written))


def index_all(connection: Connection) -> None:
    """The words of all changes, made anew."""
    rows = connection.execute(
        select(change.c.id, sentinel.c.name, page_about.c.url, change.c.findings)
        .join(sentinel, sentinel.c.id == change.c.sentinel_id)
        .join(page_about, page_about.c.page_id == change.c.page_id)
    )
    for row in rows.all():
        findings = [finding_from_json(one) for one in row.findings]
        write_words(connection, row.id, words_of_change(row.name, row.url, findings))


def _conditions(
    owner: str | None, name: str | None, topic: str | None, since: datetime | None, until: datetime | None
) -> list[ColumnElement[bool]]:
    found: list[tuple[Any, ColumnElement[bool]]] = [
        (owner, user.c.name == owner),
        (name, sentinel.c.name == name),
        (topic, sentinel.c.topic == topic),
        (since, change.c.found_at >= (as_millis(since) if since else 0)),
        (until, change.c.found_at < (as_millis(until) if until else 0)),
    ]
    return [condition for said, condition in found if said is not None]


def _holds(connection: Connection, asked: Sequence[Phrase]) -> ColumnElement[bool]:
    if connection.dialect.name == "postgresql":
        fitting = select(change_words.c.change_id).where(
            change_words.c.words.op("@@")(cast(bindparam("asked", _tsquery(asked)), TSQUERY))
        )
        return change.c.id.in_(fitting)
    rows: Select[Any] = select(literal_column("rowid")).select_from(text("change_fts"))
    return change.c.id.in_(rows.where(text("change_fts MATCH :asked").bindparams(asked=_fts(asked))))


# Words are letters and digits alone: in quotes they can only be words.


def _fts(asked: Sequence[Phrase]) -> str:
    return " AND ".join([f'"{" ".join(one.words)}"{"*" if one.begins else ""}' for one in asked])


def _tsquery(asked: Sequence[Phrase]) -> str:
    return " & ".join([f"({_together(one)})" for one in asked])


def _together(one: Phrase) -> str:
    quoted = [f"'{word}'" for word in one.words]
    return " <-> ".join([*quoted[:-1], quoted[-1] + (":*" if one.begins else "")])


def _vector(words: Sequence[str]) -> str:
    return " ".join([f"'{word}':{place}" for place, word in enumerate(words, 1)])
