"""The pasts of pages in SQL: versions that users brought from web archives, and the changes between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from webvigil.model.change import finding_as_json
from webvigil.model.moment import as_millis
from webvigil.model.past import PastChange, PastVersion
from webvigil.model.version import Version
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.readers import version_of
from webvigil.store.sql.rows import insert_given
from webvigil.store.sql.schema import change, counter, past, sentinel, user
from webvigil.store.sql.search import FoundOnPage, remember_words


class SqlPasts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, page: int, user_name: str | None) -> list[Version]:
        query = select(past).where(past.c.page_id == page)
        if user_name is not None:
            query = query.where(past.c.user_id == _id_of(user_name))
        newest_first = query.order_by(past.c.fetched_at.desc(), past.c.number.desc())
        with self._database.read() as connection:
            return [version_of(row) for row in connection.execute(newest_first)]

    def bring(self, page: int, user_name: str, versions: Sequence[PastVersion]) -> list[Version]:
        with self._database.write() as connection:
            owner = connection.scalar(select(user.c.id).where(user.c.name == user_name))
            _wait_for_others(connection)
            # Several users may bring a past to one page, so the new numbers are below the lowest of all
            # users.
            lowest = connection.scalar(select(func.min(past.c.number)).where(past.c.page_id == page)) or 0
            first = lowest - len(versions)
            rows = [_row(page, owner, first + place, one) for place, one in enumerate(versions)]
            if rows:
                connection.execute(insert(past), rows)
        mine = range(first, first + len(versions))
        return sorted((one for one in self.of(page, user_name) if one.number in mine), key=_number)

    def tell(self, page: int, changes: Sequence[PastChange]) -> None:
        if not changes:
            return
        with self._database.write() as connection:
            now = self._database.now(connection)
            _wait_for_others(connection)
            lowest = min(connection.scalar(select(func.min(change.c.id))) or 0, 0)
            first = lowest - len(changes)
            rows = [_change_row(page, first + place, one, now) for place, one in enumerate(changes)]
            insert_given(connection, change, rows)
            found = [
                FoundOnPage(one.sentinel, page, (one.old_version, one.new_version), one.findings)
                for one in changes
            ]
            remember_words(connection, found)

    def forget(self, page: int, user_name: str) -> list[str]:
        with self._database.write() as connection:
            mine = past.c.page_id == page, past.c.user_id == _id_of(user_name)
            rows = connection.execute(select(past.c.number, past.c.object).where(*mine)).all()
            _forget_changes(connection, page, user_name)
            connection.execute(delete(past).where(*mine))
            return [row.object for row in rows]


def _wait_for_others(connection: Connection) -> None:
    """Waits until no other transaction gives numbers to versions of the past: two at a time would give the
    same numbers. The row that is locked has no other use, so transactions never wait for each other in a
    circle."""
    connection.execute(insert_new(connection, counter), {"name": "past", "value": 0})
    connection.execute(select(counter).where(counter.c.name == "past").with_for_update()).all()


def _number(one: Version) -> int:
    return one.number


def _forget_changes(connection: Connection, page: int, user_name: str) -> None:
    theirs = select(sentinel.c.id).where(sentinel.c.user_id == _id_of(user_name))
    of_past = change.c.page_id == page, change.c.old_version < 0, change.c.sentinel_id.in_(theirs)
    connection.execute(delete(change).where(*of_past))


def _id_of(user_name: str) -> Any:
    return select(user.c.id).where(user.c.name == user_name).scalar_subquery()


def _row(page: int, owner: int | None, number: int, one: PastVersion) -> dict[str, Any]:
    return {
        "page_id": page,
        "user_id": owner,
        "number": number,
        "fetched_at": as_millis(one.fetched_at),
        "url": one.url,
        "status": one.status,
        "signature": one.signature,
        "object": one.object,
        "size": one.size,
        "base": one.base,
        "stored": one.stored,
    }


def _change_row(page: int, id_: int, one: PastChange, now: int) -> dict[str, Any]:
    return {
        "id": id_,
        "sentinel_id": one.sentinel,
        "page_id": page,
        "old_version": one.old_version,
        "new_version": one.new_version,
        "found_at": as_millis(one.found_at),
        "findings": [finding_as_json(finding) for finding in one.findings],
        "seen_at": now,
    }
