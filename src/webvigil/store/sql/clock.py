"""Noticing in SQL that the clock was set back, and correcting the stored times.

Events are stored with the time at which they happened, so no such time can lie in the future. If one does,
the clock was set back by at least that much, and everything planned by the old clock would wait until the new
clock catches up. The planned times, and times of events later than now, are moved earlier by the difference.
Afterwards no event lies in the future, so the correction is not made twice.

A server that has nothing else to write records the time once a minute.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ScalarSelect,
    Table,
    delete,
    insert,
    select,
    text,
    update,
)

from webvigil.model.moment import Millis
from webvigil.model.set_back import TOLERANCE, WRITTEN_EVERY, SetBack
from webvigil.store.sql import schema
from webvigil.store.sql.database import Database
from webvigil.store.sql.prepared import Prepared
from webvigil.store.sql.schema import IDLE, setting, token

_LOCK = 0x57656243  # the key of PostgreSQL's advisory lock that lets one process correct the times at a time
_SEEN, _SET_BACK = "clock", "clock set back"
# Facts that contain moments. They are deleted, and whoever needs them makes them again.
_FACTS = ("collected_at", "steering")

PLANNED: dict[Table, tuple[str, ...]] = {
    schema.host: ("next_at", "lease"),
    schema.page: ("due",),
    schema.watch: ("next_at",),
    schema.reach: ("due",),
    schema.outbox: ("due", "lease"),
    schema.question: ("due", "lease"),
    schema.duty: ("lease",),
    schema.push: ("until",),
    schema.peer: ("rest_until",),
}
HAPPENED: dict[Table, tuple[str, ...]] = {
    schema.page: ("failing_since",),
    schema.sentinel: ("removed_at",),
    schema.watch: ("since",),
    schema.doubt: ("since",),
    schema.user: ("created_at",),
    schema.token: ("created_at", "used_at"),
    schema.version: ("fetched_at",),
    schema.change: ("found_at", "seen_at"),
    schema.held: ("found_at",),
    schema.question: ("found_at",),
    schema.answer: ("at",),
    schema.link: ("gone_at",),
    schema.look: ("at",),
    schema.login: ("created_at",),
    schema.outbox: ("created_at", "settled_at"),
    schema.contact: ("created_at", "verified_at"),
    schema.discovery: ("created_at", "started_at", "ended_at"),
    schema.discovery_service: ("found_at",),
    schema.peer: ("added_at", "heard_at"),
    schema.agent: ("at", "heard_at"),
    schema.event: ("at",),
}
LEFT: dict[Table, tuple[str, ...]] = {
    # Dates of a life: the user wrote them, or they were computed from such dates.
    schema.sentinel: ("installed_at", "life_at", "started_at", "ended_at"),
    # Moments at which something ends: it ends later, which does no harm. `_shorten_tokens` handles tokens
    # that were made by the old clock.
    schema.token: ("expires",),
    schema.contact: ("expires",),
    # Moments at which others looked, as their archives tell.
    schema.past: ("fetched_at",),
    # Ids of messages are remembered for longer than needed.
    schema.peer_message: ("until",),
}
# The newest rows of these tables show what time it was when they were written.
_WITNESSES = (schema.look.c.at, schema.event.c.at, schema.outbox.c.created_at)


class SqlClock:
    def __init__(self, database: Database) -> None:
        self._database = database
        # Asked every few seconds: one statement, because building and sending five takes most of the time.
        columns: list[ColumnElement[Any]] = [database.clock.label("now"), _seen().label("seen")]
        columns += [one.label(f"newest_{number}") for number, one in enumerate(_newest())]
        self._glance = Prepared(select(*columns))

    def behind(self) -> Millis:
        with self._database.read() as connection:
            return _behind(connection, self._database.now(connection))

    def last_set_back(self) -> SetBack | None:
        with self._database.read() as connection:
            told = _fact(connection, _SET_BACK)
        return SetBack(**json.loads(told)) if told else None

    def set_right(self) -> Millis:
        with self._database.asking() as ask:
            now, seen, *newest = ask(self._glance)[0]
        seen = int(seen or 0)
        if not _later_than(now, seen, *newest) and 0 <= now - seen < WRITTEN_EVERY:
            return 0
        with self._database.write() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            now = self._database.now(connection)
            behind = _behind(connection, now)
            if behind:
                _bring_back(connection, now, behind)
                _remember(connection, _SET_BACK, json.dumps({"at": now, "by": behind}))
            _remember(connection, _SEEN, str(now))
        if behind:
            self._database.bell.ring()
        return behind


def _behind(connection: Connection, now: Millis) -> Millis:
    """Returns how much later than now the newest stored time is; 0 if the difference is within the
    tolerance."""
    newest = connection.execute(select(*_newest())).one()
    return _later_than(now, int(_fact(connection, _SEEN) or 0), *newest)


def _later_than(now: Millis, *moments: Millis | None) -> Millis:
    latest = max(moment or 0 for moment in moments)
    return latest - now if latest - now > TOLERANCE else 0


def _seen() -> ScalarSelect[str]:
    return select(setting.c.value).where(setting.c.key == _SEEN).scalar_subquery()


def _newest() -> list[ScalarSelect[Millis]]:
    return [
        select(column).order_by(column.table.c.id.desc()).limit(1).scalar_subquery() for column in _WITNESSES
    ]


def _bring_back(connection: Connection, now: Millis, behind: Millis) -> None:
    """Moves all stored times. Hosts come first, as in every transaction that locks rows."""
    _shorten_tokens(connection, now, behind)
    for times in (PLANNED, HAPPENED):
        for table, names in times.items():
            for name in names:
                _move(connection, table.c[name], now, behind)
    connection.execute(delete(setting).where(setting.c.key.in_(_FACTS)))


def _move(connection: Connection, column: Column[Millis], now: Millis, behind: Millis) -> None:
    ahead = (column > now) & (column < IDLE)
    connection.execute(update(column.table).where(ahead).values({column: column - behind}))


def _shorten_tokens(connection: Connection, now: Millis, behind: Millis) -> None:
    """Moves the end of tokens that were made by the old clock, so that they last as long as they were meant
    to."""
    made_then = (token.c.created_at > now) & (token.c.expires < IDLE)
    connection.execute(update(token).where(made_then).values(expires=token.c.expires - behind))


def _fact(connection: Connection, key: str) -> str | None:
    return connection.scalar(select(setting.c.value).where(setting.c.key == key))


def _remember(connection: Connection, key: str, value: str) -> None:
    connection.execute(delete(setting).where(setting.c.key == key))
    connection.execute(insert(setting).values(key=key, value=value))
