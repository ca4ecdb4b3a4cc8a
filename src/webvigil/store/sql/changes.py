"""Recorded changes, newest first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Select, select

from webvigil.errors import NotFound
from webvigil.model.change import Change, finding_from_json
from webvigil.model.moment import as_datetime, as_millis
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import change, page_about, sentinel, user


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
        query = _filtered(user, sentinel, since, after).order_by(change.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return [change_from(row) for row in connection.execute(query)]

    def get(self, change_id: int) -> Change:
        with self._database.read() as connection:
            row = connection.execute(changes_query().where(change.c.id == change_id)).first()
        if row is None:
            raise NotFound(f"there is no change {change_id}")
        return change_from(row)


def _filtered(owner: str | None, name: str | None, since: datetime | None, after: int) -> Select[Any]:
    query = changes_query().where(change.c.id > after)
    if owner is not None:
        query = query.where(user.c.name == owner)
    if name is not None:
        query = query.where(sentinel.c.name == name)
    if since is not None:
        query = query.where(change.c.found_at >= as_millis(since))
    return query


def changes_query() -> Select[Any]:
    return (
        select(
            change,
            sentinel.c.name.label("sentinel"),
            user.c.name.label("owner"),
            page_about.c.url.label("url"),
        )
        .join(sentinel, sentinel.c.id == change.c.sentinel_id)
        .join(user, user.c.id == sentinel.c.user_id)
        .join(page_about, page_about.c.page_id == change.c.page_id)
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
    )
