"""Push addresses in SQL: secret addresses at which others report that a page has changed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, insert, select, update

from webvigil.model.push import Push
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import push


class SqlPushes:
    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, one: Push) -> None:
        values = {
            "page_id": one.page,
            "kind": one.kind,
            "hub": one.hub,
            "topic": one.topic,
            "sealed": one.sealed,
            "state": one.state,
            "until": one.until,
        }
        with self._database.write() as connection:
            known = update(push).where(push.c.digest == one.digest).values(**values)
            if not connection.execute(known).rowcount:
                connection.execute(insert(push).values(digest=one.digest, **values))

    def get(self, digest: str) -> Push | None:
        with self._database.read() as connection:
            row = connection.execute(select(push).where(push.c.digest == digest)).first()
        return _push(row) if row else None

    def all(self, *, page: int | None = None, kind: str | None = None) -> list[Push]:
        query = select(push).order_by(push.c.page_id, push.c.digest)
        query = query if page is None else query.where(push.c.page_id == page)
        query = query if kind is None else query.where(push.c.kind == kind)
        with self._database.read() as connection:
            return [_push(row) for row in connection.execute(query)]

    def remove(self, digest: str) -> None:
        with self._database.write() as connection:
            connection.execute(delete(push).where(push.c.digest == digest))


def _push(row: Any) -> Push:
    return Push(
        digest=row.digest,
        page=row.page_id,
        kind=row.kind,
        hub=row.hub,
        topic=row.topic,
        sealed=row.sealed,
        state=row.state,
        until=row.until,
    )
