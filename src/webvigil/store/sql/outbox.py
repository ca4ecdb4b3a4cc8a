"""Notices to be delivered: leased, retried, settled. A settled row stays, so that none is told twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, select, update

from webvigil.model.moment import Millis, as_millis
from webvigil.model.notice import Notice, Receipt
from webvigil.model.work import Backlog, OutboxItem, UndeliveredNotice
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.rows import insert_given
from webvigil.store.sql.schema import IDLE, later, outbox

_READY = later(outbox.c.due, outbox.c.lease)


class SqlOutbox:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, notice: Notice) -> bool:
        with self._database.write() as connection:
            row = outbox_row(notice, self._database.now(connection))
            statement = insert_new(connection, outbox).values(**row).returning(outbox.c.id)
            return connection.scalar(statement) is not None

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]:
        with self._database.write() as connection:
            now = self._database.now(connection)
            wanted = select(outbox.c.id).where(now >= _READY).order_by(_READY).limit(count)
            ready = wanted.with_for_update(skip_locked=True).cte("ready")
            statement = (
                update(outbox)
                .where(outbox.c.id == ready.c.id)
                .values(lease=now + lease, token=outbox.c.token + 1, owner=worker)
                .returning(outbox)
            )
            rows = connection.execute(statement).all()
        return sorted((_item(row) for row in rows), key=lambda item: item.id)

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool:
        return self._settle(item, state="delivered", due=IDLE, settled_at=as_millis(receipt.delivered_at))

    def retry(self, item: OutboxItem, *, wait: Millis, error: str) -> bool:
        with self._database.read() as connection:
            due = self._database.now(connection) + wait
        return self._settle(item, due=due, lease=0, error=error)

    def give_up(self, item: OutboxItem, *, error: str) -> bool:
        return self._settle(item, state="given up", due=IDLE, error=error)

    def given_up(self, user: str | None = None) -> list[UndeliveredNotice]:
        query = select(outbox).where(outbox.c.state == "given up").order_by(outbox.c.id.desc())
        return [_undelivered(row) for row in self._rows(_of_user(query, user))]

    def take_over(self) -> None:
        with self._database.write() as connection:
            leased = update(outbox).where(outbox.c.owner != "")
            connection.execute(leased.values(lease=0, owner="", token=outbox.c.token + 1))

    def next_at(self) -> Millis | None:
        with self._database.read() as connection:
            first = connection.scalar(select(_READY).where(_READY < IDLE).order_by(_READY).limit(1))
            return None if first is None else max(0, first - self._database.now(connection))

    def backlog(self) -> Backlog:
        """Both counts are read from an index: settled rows are many, these are few."""
        with self._database.read() as connection:
            pending, given_up = (
                connection.execute(select(func.count()).select_from(outbox).where(which)).scalar_one()
                for which in (_READY < IDLE, outbox.c.state == "given up")
            )
        return Backlog(pending=pending, given_up=given_up)

    def _settle(self, item: OutboxItem, **values: Any) -> bool:
        """Only who holds the lease may say what became of a notice."""
        held = (outbox.c.id == item.id) & (outbox.c.token == item.token)
        statement = update(outbox).where(held).values(attempts=item.attempts + 1, owner="", **values)
        with self._database.write() as connection:
            return connection.execute(statement).rowcount == 1

    def _rows(self, query: Select[Any]) -> list[Any]:
        with self._database.read() as connection:
            return list(connection.execute(query))


def write_notices(connection: Connection, notices: Sequence[Notice], now: Millis) -> None:
    """In the transaction of what they tell; one that was written before is not written again."""
    insert_given(connection, outbox, (outbox_row(notice, now) for notice in notices))


def outbox_row(notice: Notice, now: Millis) -> dict[str, Any]:
    return {
        "dedup": notice.dedup,
        "due": now,
        "lease": 0,
        "token": 0,
        "owner": "",
        "attempts": 0,
        "state": "pending",
        "user_name": notice.user,
        "channel": notice.channel,
        "address": notice.address,
        "subject": notice.subject,
        "body": notice.body,
        "created_at": now,
        "error": "",
    }


def _of_user(query: Select[Any], user: str | None) -> Select[Any]:
    return query if user is None else query.where(outbox.c.user_name == user)


def _item(row: Any) -> OutboxItem:
    return OutboxItem(id=row.id, token=row.token, attempts=row.attempts, notice=_notice(row))


def _undelivered(row: Any) -> UndeliveredNotice:
    return UndeliveredNotice(id=row.id, notice=_notice(row), attempts=row.attempts, error=row.error)


def _notice(row: Any) -> Notice:
    return Notice(
        dedup=row.dedup,
        user=row.user_name,
        channel=row.channel,
        address=row.address,
        subject=row.subject,
        body=row.body,
    )
