"""The journal in SQL: events, the fetch log, facts about this installation, and its size."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Select, delete, func, insert, select

from webvigil.model.event import Event
from webvigil.model.moment import as_datetime
from webvigil.model.work import NOT_SEEN, Counts, LastLooks
from webvigil.store.sql.database import Database
from webvigil.store.sql.rows import as_parameter, given
from webvigil.store.sql.schema import PRESENT, change, event, look, outbox, page, sentinel, setting, version


class SqlJournal:
    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, name: str, subject: str, details: dict[str, Any] | None = None) -> None:
        with self._database.write() as connection:
            now = self._database.now(connection)
            connection.execute(
                insert(event).values(at=now, name=name, subject=subject, details=details or {})
            )

    def events(self, *, subject: str | None = None, limit: int = 100) -> list[Event]:
        query = select(event).order_by(event.c.id.desc()).limit(limit)
        if subject is not None:
            query = query.where(event.c.subject == subject)
        with self._database.read() as connection:
            return [_event(row) for row in connection.execute(query)]

    def fetch_log(self, page: int, *, limit: int = 100) -> list[dict[str, Any]]:
        return self.fetch_logs([page], limit=limit).get(page, [])

    def fetch_logs(self, pages: Iterable[int], *, limit: int = 100) -> dict[int, list[dict[str, Any]]]:
        """Reads the logs of all pages with one statement. For each page the index finds the time of the
        oldest wanted look, and then the looks since, so a long log is not read through."""
        earlier = look.alias()
        mine = select(earlier.c.at).where(earlier.c.page_id == page.c.id).order_by(earlier.c.at.desc())
        oldest = func.coalesce(mine.offset(limit - 1).limit(1).scalar_subquery(), 0)
        query = (
            select(look)
            .join(page, page.c.id == look.c.page_id)
            .where(page.c.id.in_(list(pages)), look.c.at >= oldest)
            .order_by(look.c.at.desc(), look.c.id.desc())
        )
        found: dict[int, list[dict[str, Any]]] = {}
        with self._database.read() as connection:
            for row in connection.execute(query):
                found.setdefault(row.page_id, []).append(_look(row))
        # Several looks may share the oldest time, so there may be more of them than wanted.
        return {one: looks[:limit] for one, looks in found.items()}

    def last_looks(self, pages: Iterable[int]) -> dict[int, LastLooks]:
        with self._database.read() as connection:
            wanted = as_parameter([{"id": one} for one in set(pages)])
            rows = connection.execute(_last_looks(connection.dialect.name), wanted).all()
        return {page: LastLooks(at=at, seen=seen) for page, at, seen in rows if at is not None}

    def fact(self, key: str) -> str | None:
        with self._database.read() as connection:
            return connection.scalar(select(setting.c.value).where(setting.c.key == key))

    def remember(self, key: str, value: str) -> None:
        with self._database.write() as connection:
            connection.execute(delete(setting).where(setting.c.key == key))
            connection.execute(insert(setting).values(key=key, value=value))

    def counts(self) -> Counts:
        with self._database.read() as connection:
            kept = select(version.c.id).where(~version.c.dropped).subquery()
            present = select(sentinel.c.id).where(PRESENT).subquery()
            sizes = [
                connection.execute(select(func.count()).select_from(table)).scalar_one()
                for table in (present, page, kept, change)
            ]
            waiting = select(func.count()).select_from(outbox).where(outbox.c.state == "pending")
            pending = connection.execute(waiting).scalar_one()
        sentinels, pages, versions, changes = sizes
        return Counts(
            sentinels=sentinels, pages=pages, versions=versions, changes=changes, pending_notices=pending
        )


@cache
def _last_looks(dialect: str) -> Select[Any]:
    """Selects the last look and the last successful look of each page by index, without reading through the
    log."""
    wanted = given(dialect, {"id": BigInteger()})
    mine = look.c.page_id == wanted.c.id
    last = select(func.max(look.c.at)).where(mine).scalar_subquery()
    there = look.c.decision.not_in(NOT_SEEN)
    seen = select(look.c.at).where(mine, there).order_by(look.c.at.desc()).limit(1).scalar_subquery()
    return select(wanted.c.id, last, seen)


def _event(row: Any) -> Event:
    return Event(at=as_datetime(row.at), name=row.name, subject=row.subject, details=row.details)


def _look(row: Any) -> dict[str, Any]:
    return {
        "at": as_datetime(row.at),
        "why": row.why,
        "decision": row.decision,
        "status": row.status,
        "bytes": row.bytes,
        "duration": row.duration_ms,
        "error": row.error,
        "reason": row.reason,
        "plan": row.plan,
        "troubles": row.troubles,
        "left_out": row.left_out,
        "picture": row.picture,
    }
