"""The outbox in SQL: notices are leased, retried and settled. Settled rows stay: none is sent twice.

Notices stand in queues (`model.notice`). A worker gets the first due notices of each queue and none behind a
notice that waits, so that every queue is delivered in order by any number of workers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Update,
    and_,
    bindparam,
    func,
    select,
    text,
    tuple_,
    update,
)

from webvigil.model.moment import Millis, as_datetime, as_millis
from webvigil.model.notice import AT_ONCE, Notice, OutboxRecord, Receipt, Stuck, Told, Waiting
from webvigil.model.work import Backlog, OutboxItem, UndeliveredNotice
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.planning import batched
from webvigil.store.sql.rows import insert_given
from webvigil.store.sql.schema import GIVEN_UP, IDLE, PENDING, TOLD, UNSETTLED, later, outbox

_READY = later(outbox.c.due, outbox.c.lease)
_LONGEST_NAME = 200  # the length of the column `outbox.dedup`
# The key of PostgreSQL's advisory lock for claiming: of two workers that claim at the same time, each could
# otherwise get a part of one queue.
_CLAIM_LOCK = 0x57656257


class SqlOutbox:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, notice: Notice) -> bool:
        with self._database.write() as connection:
            row = outbox_row(notice, self._database.now(connection))
            statement = insert_new(connection, outbox).values(**row).returning(outbox.c.id)
            return connection.scalar(statement) is not None

    # --- Delivery ----------------------------------------------------------------------------------

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]:
        with self._database.write() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _CLAIM_LOCK})
            now = self._database.now(connection)
            ready = (
                select(outbox.c.id)
                .where(PENDING, now >= _READY, ~_waits_behind(now))
                .order_by(outbox.c.urgency, outbox.c.id)
                .limit(count)
            )
            statement = (
                update(outbox)
                .where(outbox.c.id.in_(ready))
                .values(lease=now + lease, token=outbox.c.token + 1, owner=worker)
                .returning(outbox)
            )
            rows = connection.execute(statement).all()
        return [_item(row) for row in sorted(rows, key=lambda row: (row.urgency, row.id))]

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool:
        return self._settle(item, state="delivered", due=IDLE, settled_at=as_millis(receipt.delivered_at))

    def retry(self, item: OutboxItem, *, wait: Millis, error: str, tried: bool = True) -> bool:
        with self._database.read() as connection:
            due = self._database.now(connection) + wait
        return self._settle(item, due=due, lease=0, error=error, attempts=item.attempts + tried)

    def give_up(self, item: OutboxItem, *, error: str) -> bool:
        return self._settle(item, state="given up", due=IDLE, error=error)

    def hold(self, item: OutboxItem, *, until: Millis) -> bool:
        return self._settle(item, state="held", due=until, lease=0, attempts=item.attempts)

    def put_back(self, items: Sequence[OutboxItem]) -> None:
        self._settle_all(
            update(outbox).values(lease=0, owner="", attempts=bindparam("tried")),
            [{**_lease_of(item), "tried": item.attempts} for item in items],
        )

    def renew(self, items: Sequence[OutboxItem], *, lease: Millis) -> list[OutboxItem]:
        known = {(item.id, item.token): item for item in items}
        with self._database.write() as connection:
            until = self._database.now(connection) + lease
            ours = (outbox.c.state == "pending") & (outbox.c.owner != "")
            held = [
                row
                for some in batched(sorted(known))
                for row in connection.execute(
                    update(outbox)
                    .where(tuple_(outbox.c.id, outbox.c.token).in_(some), ours)
                    .values(lease=until)
                    .returning(outbox.c.id, outbox.c.token)
                )
            ]
        return [known[row.id, row.token] for row in held]

    def delivered_all(self, told: Sequence[tuple[OutboxItem, Receipt]]) -> None:
        settled: dict[str, Any] = {"settled_at": bindparam("at"), "attempts": bindparam("tried")}
        self._settle_all(
            update(outbox).values(state="delivered", due=IDLE, owner="", **settled),
            [
                {**_lease_of(item), "at": as_millis(receipt.delivered_at), "tried": item.attempts + 1}
                for item, receipt in told
            ],
        )

    def _settle_all(self, statement: Update, rows: list[dict[str, Any]]) -> None:
        """Updates many notices in one transaction, sent as one statement."""
        if rows:
            held = (outbox.c.id == bindparam("item")) & (outbox.c.token == bindparam("held"))
            with self._database.write() as connection:
                connection.execute(statement.where(held), rows)

    def take_over(self) -> None:
        with self._database.write() as connection:
            leased = update(outbox).where(outbox.c.owner != "")
            connection.execute(leased.values(lease=0, owner="", token=outbox.c.token + 1))

    def next_at(self) -> Millis | None:
        with self._database.read() as connection:
            first = connection.scalar(select(_READY).where(_READY < IDLE).order_by(_READY).limit(1))
            return None if first is None else max(0, first - self._database.now(connection))

    def backlog(self) -> Backlog:
        """Counts by index, because settled notices are many and these are few."""
        with self._database.read() as connection:
            pending, given_up = (
                connection.execute(select(func.count()).select_from(outbox).where(which)).scalar_one()
                for which in (_READY < IDLE, outbox.c.state == "given up")
            )
        return Backlog(pending=pending, given_up=given_up)

    # --- Gathering ---------------------------------------------------------------------------------

    def ripe(self, *, limit: int) -> list[Notice]:
        with self._database.read() as connection:
            now = self._database.now(connection)
            first = (
                select(func.min(outbox.c.id))
                .where(now >= _READY, outbox.c.state == "held")
                .group_by(outbox.c.queue)
                .limit(limit)
            )
            heads = select(outbox).where(outbox.c.id.in_(first)).order_by(outbox.c.id)
            return [_notice(row) for row in connection.execute(heads)]

    def waiting(self, queue: str, *, due: bool, limit: int) -> list[Waiting]:
        query = select(outbox).where(UNSETTLED, outbox.c.queue == queue).order_by(outbox.c.id).limit(limit)
        with self._database.read() as connection:
            now = self._database.now(connection)
            query = query.where(outbox.c.lease <= now)
            return [
                _waiting(row)
                for row in connection.execute(query.where(outbox.c.due <= now) if due else query)
            ]

    def place(self, ids: Iterable[int], *, until: Millis) -> None:
        with self._database.write() as connection:
            connection.execute(update(outbox).where(_waiting_among(ids)).values(due=until))

    def merge(self, ids: Sequence[int], summary: Notice) -> bool:
        with self._database.write() as connection:
            now = self._database.now(connection)
            free = _waiting_among(ids) & (outbox.c.lease <= now)
            found = connection.execute(select(outbox.c.id).where(free).with_for_update()).all()
            if len(found) != len(ids):
                return False
            values = {"state": "merged", "due": IDLE, "settled_at": now, "merged_into": _name(summary.dedup)}
            connection.execute(update(outbox).where(outbox.c.id.in_(ids)).values(**values))
            connection.execute(insert_new(connection, outbox).values(**outbox_row(summary, now)))
            return True

    def let_go(self, waiting: Waiting) -> bool:
        alone = waiting.notice.at_once()
        values = {"state": "pending", "lane": alone.lane, "queue": alone.queue, "every_ms": 0, "needs": 0}
        with self._database.write() as connection:
            now = self._database.now(connection)
            free = _waiting_among([waiting.id]) & (outbox.c.lease <= now)
            return connection.execute(update(outbox).where(free).values(due=now, **values)).rowcount == 1

    def wake(self, user: str, channel: str, address: str) -> int:
        mine = (outbox.c.user_name == user) & (outbox.c.channel == channel) & (outbox.c.address == address)
        # Notices that wait to be told together with others keep waiting.
        held = mine & (outbox.c.state == "held") & (outbox.c.every_ms == 0) & (outbox.c.needs == 0)
        with self._database.write() as connection:
            now = self._database.now(connection)
            return connection.execute(update(outbox).where(held).values(due=now)).rowcount

    def sent(self, user: str, channels: Sequence[str], *, since: Millis) -> list[Millis]:
        query = (
            select(outbox.c.settled_at)
            .where(outbox.c.user_name == user, outbox.c.settled_at > since)
            .where(outbox.c.state == "delivered", outbox.c.channel.in_(channels))
            .order_by(outbox.c.settled_at)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))

    # --- For people --------------------------------------------------------------------------------

    def given_up(self, user: str | None = None, *, limit: int | None = None) -> list[UndeliveredNotice]:
        query = select(outbox).where(GIVEN_UP).order_by(outbox.c.id.desc()).limit(limit)
        return [_undelivered(row) for row in self._rows(_of_user(query, user))]

    def stuck(self, user: str) -> list[Stuck]:
        states = {True: and_(GIVEN_UP), False: and_(PENDING, outbox.c.error != "")}
        with self._database.read() as connection:
            return [one for dead, state in states.items() for one in _stuck(connection, user, state, dead)]

    def count_delivered(self, user: str, *, since: Millis) -> int:
        query = (
            select(func.count())
            .select_from(outbox)
            .where(outbox.c.user_name == user, outbox.c.settled_at >= since)
            .where(outbox.c.state == "delivered")
        )
        with self._database.read() as connection:
            return connection.scalar(query) or 0

    def all(
        self, user: str | None = None, *, state: str | None = None, limit: int = 100
    ) -> list[OutboxRecord]:
        query = _of_user(select(outbox).order_by(outbox.c.id.desc()).limit(limit), user)
        return [_record(row) for row in self._rows(query.where(outbox.c.state == state) if state else query)]

    def revive(self, user: str | None = None, *, notice: int | None = None) -> int:
        dead = outbox.c.state == "given up"
        dead = dead & (outbox.c.user_name == user) if user is not None else dead
        dead = dead & (outbox.c.id == notice) if notice is not None else dead
        with self._database.write() as connection:
            fresh = {"state": "pending", "attempts": 0, "due": self._database.now(connection), "lease": 0}
            return connection.execute(update(outbox).where(dead).values(**fresh)).rowcount

    def told(self, user: str, sentinels: Collection[str]) -> dict[str, Told]:
        query = (
            select(
                outbox.c.sentinel, func.count().label("count"), func.max(outbox.c.settled_at).label("last")
            )
            .where(outbox.c.user_name == user, TOLD)
            .group_by(outbox.c.sentinel)
        )
        found = (self._rows(query.where(outbox.c.sentinel.in_(some))) for some in batched(list(sentinels)))
        return {
            row.sentinel: Told(count=row[1], last=as_datetime(row.last)) for rows in found for row in rows
        }

    def _settle(self, item: OutboxItem, **values: Any) -> bool:
        """Updates a leased notice. Returns False if the lease was lost: only the holder of a lease may say
        what became of the notice."""
        values = {"attempts": item.attempts + 1, "owner": "", **values}
        with self._database.write() as connection:
            return connection.execute(update(outbox).where(_held_by(item)).values(**values)).rowcount == 1

    def _rows(self, query: Select[Any]) -> list[Any]:
        with self._database.read() as connection:
            return list(connection.execute(query))


def write_notices(connection: Connection, notices: Iterable[Notice], now: Millis) -> None:
    """Adds notices in the transaction that writes what they tell. A notice that was written before is not
    written again."""
    insert_given(connection, outbox, (outbox_row(notice, now) for notice in notices))


def recount(connection: Connection, user: str, sentinel: str, now: Millis) -> None:
    """Makes notices that wait for more changes of this sentinel due now, because no further change may come.
    The worker then decides whether to send them."""
    mine = (outbox.c.user_name == user) & outbox.c.settled_at.is_(None) & (outbox.c.sentinel == sentinel)
    counted = mine & (outbox.c.state == "held") & (outbox.c.needs > 0)
    connection.execute(update(outbox).where(counted).values(due=now))


def outbox_row(notice: Notice, now: Millis) -> dict[str, Any]:
    return {
        "dedup": _name(notice.dedup),
        "due": now,
        "lease": 0,
        "token": 0,
        "owner": "",
        "attempts": 0,
        "state": "held" if notice.waits else "pending",
        "user_name": notice.user,
        "channel": notice.channel,
        "address": notice.address,
        "subject": notice.subject,
        "body": notice.body,
        "created_at": now,
        "error": "",
        "queue": notice.queue,
        "lane": notice.lane,
        "every_ms": notice.every,
        "needs": notice.needs,
        "urgency": int(notice.lane != AT_ONCE),
        "sentinel": notice.sentinel,
    }


def _name(dedup: str) -> str:
    """Shortens a long dedup name with a hash, because names of users and sentinels may be longer than the
    column."""
    if len(dedup) <= _LONGEST_NAME:
        return dedup
    return dedup[:130] + ":" + hashlib.sha256(dedup.encode("utf-8", "surrogatepass")).hexdigest()


def _waits_behind(now: Millis) -> ColumnElement[bool]:
    """Returns the SQL condition that an earlier notice of the same queue is not due yet, is held, or is being
    delivered."""
    earlier = outbox.alias("earlier")
    unsettled = text("earlier.state IN ('pending', 'held')")
    not_now = (later(earlier.c.due, earlier.c.lease) > now) | (earlier.c.state == "held")
    first = (earlier.c.queue == outbox.c.queue) & (earlier.c.id < outbox.c.id)
    return select(earlier.c.id).where(unsettled, first, not_now).exists()


def _held_by(item: OutboxItem) -> ColumnElement[bool]:
    return (outbox.c.id == item.id) & (outbox.c.token == item.token)


def _lease_of(item: OutboxItem) -> dict[str, Any]:
    return {"item": item.id, "held": item.token}


def _waiting_among(ids: Iterable[int]) -> ColumnElement[bool]:
    return outbox.c.id.in_(list(ids)) & outbox.c.state.in_(("pending", "held"))


def _stuck(connection: Connection, user: str, state: ColumnElement[bool], given_up: bool) -> Iterator[Stuck]:
    """Returns the stuck notices in one state by contact. The bodies of the notices are not loaded."""
    contact = outbox.c.channel, outbox.c.address
    query = select(*contact, func.count().label("number"), func.max(outbox.c.id).label("newest"))
    mine = query.where(state, outbox.c.user_name == user, outbox.c.settled_at.is_(None))
    groups = connection.execute(mine.group_by(*contact)).all()
    errors = select(outbox.c.id, outbox.c.error).where(outbox.c.id.in_([one.newest for one in groups]))
    error_of = {one.id: one.error for one in connection.execute(errors)} if groups else {}
    for one in sorted(groups, key=lambda one: -int(one.newest)):
        yield Stuck(
            channel=one.channel,
            address=one.address,
            count=one.number,
            error=error_of[one.newest],
            given_up=given_up,
        )


def _of_user(query: Select[Any], user: str | None) -> Select[Any]:
    return query if user is None else query.where(outbox.c.user_name == user)


def _item(row: Any) -> OutboxItem:
    return OutboxItem(id=row.id, token=row.token, attempts=row.attempts, notice=_notice(row))


def _undelivered(row: Any) -> UndeliveredNotice:
    return UndeliveredNotice(id=row.id, notice=_notice(row), attempts=row.attempts, error=row.error)


def _waiting(row: Any) -> Waiting:
    return Waiting(id=row.id, since=row.created_at, due=row.due, notice=_notice(row))


def _record(row: Any) -> OutboxRecord:
    return OutboxRecord(
        id=row.id,
        notice=_notice(row),
        state=row.state,
        attempts=row.attempts,
        error=row.error,
        created_at=as_datetime(row.created_at),
        due=None if row.due >= IDLE else as_datetime(row.due),
        settled_at=None if row.settled_at is None else as_datetime(row.settled_at),
        merged_into=row.merged_into,
    )


def _notice(row: Any) -> Notice:
    return Notice(
        dedup=row.dedup,
        user=row.user_name,
        channel=row.channel,
        address=row.address,
        subject=row.subject,
        body=row.body,
        sentinel=row.sentinel,
        lane=row.lane,
        every=row.every_ms,
        needs=row.needs,
    )
