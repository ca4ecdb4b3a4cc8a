"""Full-text search over all changes in SQL: an FTS5 index in SQLite, a tsvector in PostgreSQL (N2).

The words are written in the transaction that writes the change, and deleted with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    cast,
    literal_column,
    select,
    text,
)

from webvigil.model.change import Change, Finding, finding_from_json
from webvigil.model.memo import Once
from webvigil.model.moment import as_millis
from webvigil.store.searching import Phrase, phrases, with_names, words_of_change, words_of_findings
from webvigil.store.sql.changes import change_from, changes_query
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.prepared import Prepared
from webvigil.store.sql.rows import as_parameter, given, insert_given
from webvigil.store.sql.schema import PRESENT, change, change_words, on_topic, page_about, sentinel, user


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


def remember_words(connection: Connection, found: Sequence[FoundOnPage]) -> None:
    """Writes the words of changes that were just written. Words that are already stored stay."""
    if not found:
        return
    keys = [{**one.key, "place": place} for place, one in enumerate(found)]
    written = _just_written(connection.dialect.name).within(connection, **as_parameter(keys))
    words_of = Once(words_of_findings)
    texts = [(row.id, with_names(row.name, row.url, words_of(found[row.place].findings))) for row in written]
    insert_given(
        connection,
        change_words,
        ({"change_id": one, "words": _as_index(connection, words)} for one, words in texts),
    )


@dataclass(frozen=True, slots=True)
class FoundOnPage:
    """The findings of a sentinel between two versions of a page."""

    sentinel: int
    page: int
    versions: tuple[int, int]
    findings: Sequence[Finding]

    @property
    def key(self) -> dict[str, int]:
        old, new = self.versions
        return {"sentinel_id": self.sentinel, "page_id": self.page, "old_version": old, "new_version": new}


@cache
def _just_written(dialect: str) -> Prepared:
    names = ("sentinel_id", "page_id", "old_version", "new_version")
    rows = given(dialect, {name: BigInteger() for name in (*names, "place")})
    return Prepared(
        select(change.c.id, sentinel.c.name, page_about.c.url, rows.c.place)
        .join(sentinel, sentinel.c.id == change.c.sentinel_id)
        .join(page_about, page_about.c.page_id == change.c.page_id)
        .join(rows, and_(*(change.c[name] == rows.c[name] for name in names)))
    )


def write_words(connection: Connection, change_id: int, words: Sequence[str]) -> None:
    written = _as_index(connection, words)
    connection.execute(insert_new(connection, change_words).values(change_id=change_id, words=written))


def index_all(connection: Connection) -> None:
    """Writes the words of all changes again, after a restore."""
    rows = connection.execute(
        select(change.c.id, _name_of_all(), page_about.c.url, change.c.findings)
        .join(sentinel, sentinel.c.id == change.c.sentinel_id)
        .join(page_about, page_about.c.page_id == change.c.page_id)
    )
    for row in rows.all():
        findings = [finding_from_json(one) for one in row.findings]
        write_words(connection, row.id, words_of_change(row.name, row.url, findings))


def _name_of_all() -> ColumnElement[str]:
    """Returns the name of a sentinel, also of one that was removed."""
    return case((PRESENT, sentinel.c.name), else_=sentinel.c.removed_name).label("name")


def _as_index(connection: Connection, words: Sequence[str]) -> str:
    return _vector(words) if connection.dialect.name == "postgresql" else " ".join(words)


def _conditions(
    owner: str | None, name: str | None, topic: str | None, since: datetime | None, until: datetime | None
) -> list[ColumnElement[bool]]:
    found: list[tuple[Any, ColumnElement[bool]]] = [
        (owner, user.c.name == owner),
        (name, sentinel.c.name == name),
        (topic, on_topic(topic or "")),
        (since, change.c.found_at >= (as_millis(since) if since else 0)),
        (until, change.c.found_at < (as_millis(until) if until else 0)),
    ]
    return [condition for said, condition in found if said is not None]


def _holds(connection: Connection, asked: Sequence[Phrase]) -> ColumnElement[bool]:
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import TSQUERY

        fitting = select(change_words.c.change_id).where(
            change_words.c.words.op("@@")(cast(bindparam("asked", _tsquery(asked)), TSQUERY))
        )
        return change.c.id.in_(fitting)
    rows: Select[Any] = select(literal_column("rowid")).select_from(text("change_fts"))
    return change.c.id.in_(rows.where(text("change_fts MATCH :asked").bindparams(asked=_fts(asked))))


# Words contain only letters and digits, so inside quotes they cannot be read as operators of a query.


def _fts(asked: Sequence[Phrase]) -> str:
    return " AND ".join([f'"{" ".join(one.words)}"{"*" if one.begins else ""}' for one in asked])


def _tsquery(asked: Sequence[Phrase]) -> str:
    return " & ".join([f"({_together(one)})" for one in asked])


def _together(one: Phrase) -> str:
    quoted = [f"'{word}'" for word in one.words]
    return " <-> ".join([*quoted[:-1], quoted[-1] + (":*" if one.begins else "")])


def _vector(words: Sequence[str]) -> str:
    return " ".join([f"'{word}':{place}" for place, word in enumerate(words, 1)])
