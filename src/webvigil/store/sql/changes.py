"""Recorded changes in SQL: lists with filters, counts, and marks as seen."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, and_, cast, func, select, true, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement

from webvigil.errors import NotFound
from webvigil.model.change import Change, ChangeOutline, finding_from_json
from webvigil.model.meaning import judgement_from_json
from webvigil.model.moment import QUARTER, as_datetime, as_millis
from webvigil.model.wanted import WantedChanges
from webvigil.store.sql.database import Database
from webvigil.store.sql.rows import as_parameter, given
from webvigil.store.sql.schema import PRESENT, change, on_topic, page_about, sentinel, user

_OUTLINE = select(
    change.c.id,
    change.c.page_id,
    change.c.found_at,
    change.c.seen_at,
    sentinel.c.name,
    sentinel.c.topic,
    page_about.c.url,
    page_about.c.title,
).join(page_about, page_about.c.page_id == change.c.page_id)


class SqlChanges:
    def __init__(self, database: Database) -> None:
        self._database = database

    def all(
        self,
        user: str | None = None,
        *,
        sentinel: str | None = None,
        since: datetime | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> list[Change]:
        return self.some(WantedChanges(user=user, sentinel=sentinel, since=since, after=after, limit=limit))

    def some(self, wanted: WantedChanges) -> list[Change]:
        query = changes_query(_of_change(wanted)).where(_which(wanted), change.c.id < wanted.before)
        with self._database.read() as connection:
            newest_first = query.order_by(change.c.id.desc()).limit(wanted.limit)
            return [change_from(row) for row in connection.execute(newest_first)]

    def outlines(self, wanted: WantedChanges) -> list[ChangeOutline]:
        query = _OUTLINE.join(sentinel, _of_change(wanted)).where(_which(wanted))
        newest_first = query.where(change.c.id < wanted.before).order_by(change.c.id.desc())
        with self._database.read() as connection:
            return [_outline_from(row) for row in connection.execute(newest_first.limit(wanted.limit))]

    def count(self, wanted: WantedChanges, *, most: int | None = None) -> int:
        found = select(change.c.id).join(sentinel, _of_change(wanted)).where(_which(wanted)).limit(most)
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).select_from(found.subquery())) or 0

    def get(self, change_id: int) -> Change:
        with self._database.read() as connection:
            row = connection.execute(changes_query().where(change.c.id == change_id)).first()
        if row is None:
            raise NotFound(f"there is no change {change_id}")
        return change_from(row)

    def rhythm(self, wanted: WantedChanges) -> dict[datetime, int]:
        quarter = (change.c.found_at - change.c.found_at % QUARTER).label("quarter")
        found = select(quarter, func.count()).join(sentinel, _of_change(wanted)).where(_which(wanted))
        with self._database.read() as connection:
            return {as_datetime(at): count for at, count in connection.execute(found.group_by(quarter))}

    def rhythms(self, wanted: WantedChanges) -> dict[str, dict[datetime, int]]:
        quarter = (change.c.found_at - change.c.found_at % QUARTER).label("quarter")
        found = select(sentinel.c.name, quarter, func.count()).join(sentinel, _of_change(wanted))
        counted: dict[str, dict[datetime, int]] = defaultdict(dict)
        with self._database.read() as connection:
            rows = connection.execute(found.where(_which(wanted)).group_by(sentinel.c.name, quarter))
            for name, at, count in rows:
                counted[name][as_datetime(at)] = count
        return dict(counted)

    def at_versions(self, wanted: WantedChanges, *, after: int, before: int) -> dict[int, int]:
        between = change.c.new_version > after, change.c.new_version < before
        newest = select(change.c.new_version, func.max(change.c.id)).join(sentinel, _of_change(wanted))
        found = newest.where(_which(wanted), *between).group_by(change.c.new_version)
        with self._database.read() as connection:
            return {int(number): int(at) for number, at in connection.execute(found)}

    def newest(self, sentinels: Iterable[int]) -> dict[int, Change]:
        last = select(func.max(change.c.id)).where(change.c.sentinel_id.in_(set(sentinels)))
        query = changes_query().where(change.c.id.in_(last.group_by(change.c.sentinel_id)))
        with self._database.read() as connection:
            return {row.sentinel_id: change_from(row) for row in connection.execute(query)}

    def last_found(self, sentinels: Iterable[int]) -> dict[int, datetime]:
        with self._database.read() as connection:
            wanted = as_parameter([{"id": one} for one in sentinels])
            rows = connection.execute(_last_of_each(connection.dialect.name), wanted)
            return {sentinel: as_datetime(found_at) for sentinel, found_at in rows}

    def mark(self, user: str, ids: Sequence[int], *, seen: bool) -> int:
        with self._database.write() as connection:
            now = self._database.now(connection) if seen else None
            theirs = change.c.id.in_(ids) & change.c.sentinel_id.in_(_sentinels_of(user))
            return connection.execute(update(change).where(theirs).values(seen_at=now)).rowcount

    def mark_all(self, wanted: WantedChanges) -> int:
        found = select(change.c.id).join(sentinel, _of_change(wanted))
        these = found.where(_which(wanted), change.c.id < wanted.before)
        with self._database.write() as connection:
            now = self._database.now(connection)
            return connection.execute(
                update(change).where(change.c.id.in_(these)).values(seen_at=now)
            ).rowcount

    def note(self, user: str, change_id: int, text: str) -> None:
        with self._database.write() as connection:
            theirs = (change.c.id == change_id) & change.c.sentinel_id.in_(_sentinels_of(user))
            if not connection.execute(update(change).where(theirs).values(note=text)).rowcount:
                raise NotFound(f"there is no change {change_id}")


class _has_type(FunctionElement[bool]):  # noqa: N801  (reads as the SQL function it is)
    """The SQL condition that one of the findings is of a type."""

    inherit_cache = True


@compiles(_has_type, "sqlite")
def _has_type_sqlite(element: _has_type, compiler: SQLCompiler, **kw: Any) -> str:
    findings, wanted = (compiler.process(one, **kw) for one in element.clauses)
    types = f"SELECT json_extract(value, '$.type') FROM json_each({findings})"  # noqa: S608  (compiled parts)
    name = f"json_extract({wanted}, '$[0].type')"
    # Most findings are not of the type, and searching the text for the name takes a tenth of the time of
    # parsing JSON.
    return f"(instr({findings}, json_quote({name})) > 0 AND {name} IN ({types}))"


@compiles(_has_type, "postgresql")
def _has_type_postgresql(element: _has_type, compiler: SQLCompiler, **kw: Any) -> str:
    from sqlalchemy.dialects.postgresql import JSONB

    findings, wanted = element.clauses
    return f"({compiler.process(findings, **kw)} @> {compiler.process(cast(wanted, JSONB), **kw)})"


@cache
def _last_of_each(dialect: str) -> Select[Any]:
    """Selects the newest change of each sentinel. An index finds its id, so only that row is read."""
    wanted = given(dialect, {"id": BigInteger()})
    last = select(func.max(change.c.id)).where(change.c.sentinel_id == wanted.c.id).scalar_subquery()
    newest = select(last.label("change")).select_from(wanted).subquery()
    return select(change.c.sentinel_id, change.c.found_at).join(newest, newest.c.change == change.c.id)


def _which(wanted: WantedChanges) -> ColumnElement[bool]:
    """Turns the filters of the query into a condition, without `before` and `limit`."""
    conditions: list[ColumnElement[bool]] = [change.c.id > wanted.after, PRESENT]
    if wanted.user is not None:
        owner = select(user.c.id).where(user.c.name == wanted.user).scalar_subquery()
        conditions.append(sentinel.c.user_id == owner)
    if wanted.sentinel is not None:
        conditions.append(sentinel.c.name == wanted.sentinel)
    if wanted.sentinels is not None:
        conditions.append(sentinel.c.name.in_(wanted.sentinels))
    if wanted.topic is not None:
        conditions.append(on_topic(wanted.topic))
    if wanted.type is not None:
        conditions.append(_has_type(change.c.findings, json.dumps([{"type": wanted.type}])))
    if wanted.page is not None:
        conditions.append(change.c.page_id == wanted.page)
    if wanted.seen is not None:
        conditions.append(change.c.seen_at.is_not(None) if wanted.seen else change.c.seen_at.is_(None))
    if wanted.since is not None:
        conditions.append(change.c.found_at >= as_millis(wanted.since))
    if wanted.until is not None:
        conditions.append(change.c.found_at < as_millis(wanted.until))
    return and_(true(), *conditions)


class _as_it_comes(FunctionElement[int]):  # noqa: N801  (reads as the SQL function it is)
    """A column hidden from the query planner, so that the planner does not use an index on it."""

    inherit_cache = True
    type = BigInteger()


@compiles(_as_it_comes)
def _as_it_comes_written(element: _as_it_comes, compiler: SQLCompiler, **kw: Any) -> str:
    return f"+{compiler.process(element.clauses, **kw)}"


def _of_change(wanted: WantedChanges) -> ColumnElement[bool]:
    """Returns the condition that joins a change with its sentinel. Without statistics SQLite would start from
    the user's sentinels and sort all their changes to find the newest few; hiding the index makes it go
    through the newest changes, which finds a few of this user's soon."""
    if wanted.sentinel is not None or wanted.sentinels is not None or wanted.page is not None:
        return sentinel.c.id == change.c.sentinel_id
    return sentinel.c.id == _as_it_comes(change.c.sentinel_id)


def _sentinels_of(name: str) -> Select[Any]:
    mine = select(sentinel.c.id).join(user, user.c.id == sentinel.c.user_id)
    return mine.where(PRESENT, user.c.name == name)


def changes_query(of_change: ColumnElement[bool] | None = None) -> Select[Any]:
    joined = sentinel.c.id == change.c.sentinel_id if of_change is None else of_change
    return (
        select(
            change,
            sentinel.c.name.label("sentinel"),
            sentinel.c.topic.label("topic"),
            user.c.name.label("owner"),
            page_about.c.url.label("url"),
            page_about.c.title.label("title"),
        )
        .join(sentinel, joined)
        .join(user, user.c.id == sentinel.c.user_id)
        .join(page_about, page_about.c.page_id == change.c.page_id)
        .where(PRESENT)
    )


def change_from(row: Any) -> Change:
    return Change(
        id=row.id,
        sentinel=row.sentinel,
        user=row.owner,
        page=row.page_id,
        url=row.url,
        old_version=row.old_version,
        new_version=row.new_version,
        found_at=as_datetime(row.found_at),
        findings=tuple(finding_from_json(one) for one in row.findings),
        topic=row.topic,
        seen=row.seen_at is not None,
        note=row.note,
        title=row.title,
        judgement=judgement_from_json(json.loads(row.judgement)) if row.judgement else None,
    )


def _outline_from(row: Any) -> ChangeOutline:
    return ChangeOutline(
        id=row.id,
        sentinel=row.name,
        page=row.page_id,
        url=row.url,
        found_at=as_datetime(row.found_at),
        topic=row.topic,
        seen=row.seen_at is not None,
        title=row.title,
    )
