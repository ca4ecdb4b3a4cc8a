"""What happened, the facts of this installation, and its size."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, insert, select

from webvigil.model.event import Event
from webvigil.model.moment import as_datetime
from webvigil.model.work import Counts
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import change, event, look, outbox, page, sentinel, setting, version


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
        query = select(look).where(look.c.page_id == page).order_by(look.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return [_look(row) for row in connection.execute(query)]

    def fact(self, key: str) -> str | None:
        with self._database.read() as connection:
            return connection.scalar(select(setting.c.value).where(setting.c.key == key))

    def remember(self, key: str, value: str) -> None:
        with self._database.write() as connection:
            connection.execute(delete(setting).where(setting.c.key == key))
            connection.execute(insert(setting).values(key=key, value=value))

    def counts(self) -> Counts:
        with self._database.read() as connection:
            sizes = [
                connection.execute(select(func.count()).select_from(table)).scalar_one()
                for table in (sentinel, page, version, change)
            ]
            waiting = select(func.count()).select_from(outbox).where(outbox.c.state == "pending")
            pending = connection.execute(waiting).scalar_one()
        sentinels, pages, versions, changes = sizes
        return Counts(
            sentinels=sentinels, pages=pages, versions=versions, changes=changes, pending_notices=pending
        )


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
    }
