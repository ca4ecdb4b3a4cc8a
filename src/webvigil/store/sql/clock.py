"""Finding out that the clock was set back, and bringing back the times that were written before.

What happened is written with the time at which it happened, so that no such time can lie in the future.
Where one does, the clock was set back since, by at least that much: all that was planned by the old clock
would wait until the new one catches up. The plans, and what happened after now, are moved back by the
difference. Then nothing that happened lies in the future any more, so that nobody does it twice.

A server that has nothing to write down writes the time once a minute.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from sqlalchemy import Column, Connection, Table, delete, insert, select, text, update

from webvigil.model.moment import Millis
from webvigil.model.set_back import SetBack
from webvigil.store.set_back import TOLERANCE, WRITTEN_EVERY
from webvigil.store.sql import schema
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import IDLE, setting, token

_LOCK = 0x57656243  # PostgreSQL: one mends at a time
_SEEN, _SET_BACK = "clock", "clock set back"
# Facts that hold moments: they are forgotten, and made again by whoever needs them.
_FACTS = ("collected_at", "steering")

PLANNED: dict[Table, tuple[str, ...]] = {
    schema.host: ("next_at", "lease"),
    schema.page: ("due",),
    schema.watch: ("next_at",),
    schema.reach: ("due",),
    schema.outbox: ("due", "lease"),
    schema.duty: ("lease",),
    schema.push: ("until",),
    schema.peer: ("rest_until",),
}
HAPPENED: dict[Table, tuple[str, ...]] = {
    schema.user: ("created_at",),
    schema.token: ("created_at", "used_at"),
    schema.version: ("fetched_at",),
    schema.change: ("found_at", "seen_at"),
    schema.held: ("found_at",),
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
    # Dates of a life, as somebody wrote them or reckoned from those.
    schema.sentinel: ("installed_at", "life_at", "started_at", "ended_at"),
    # What ends then ends later, and is not used for longer than it was meant: see `_shorten_tokens`.
    schema.token: ("expires",),
    schema.contact: ("expires",),
    # What was heard is remembered for longer.
    schema.peer_message: ("until",),
}
# The newest rows of these tell what time it was when they were written.
_WITNESSES = (schema.look.c.at, schema.event.c.at, schema.outbox.c.created_at)


class SqlClock:
    def __init__(self, database: Database) -> None:
        self._database = database

    def behind(self) -> Millis:
        with self._database.read() as connection:
            return _behind(connection, self._database.now(connection))

    def last_set_back(self) -> SetBack | None:
        with self._database.read() as connection:
            told = _fact(connection, _SET_BACK)
        return SetBack(**json.loads(told)) if told else None

    def set_right(self) -> Millis:
        with self._database.read() as connection:
            now = self._database.now(connection)
            if not _behind(connection, now) and 0 <= now - int(_fact(connection, _SEEN) or 0) < WRITTEN_EVERY:
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
    """How much later than now the store was written to; 0 for less than anybody need mind."""
    latest = max(int(_fact(connection, _SEEN) or 0), *_newest(connection))
    return latest - now if latest - now > TOLERANCE else 0


def _newest(connection: Connection) -> Iterator[Millis]:
    for column in _WITNESSES:
        newest = select(column).order_by(column.table.c.id.desc()).limit(1)
        yield connection.scalar(newest) or 0


def _bring_back(connection: Connection, now: Millis, behind: Millis) -> None:
    """Hosts first, as in every lock order."""
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
    """A token that was made by the old clock lasts as long as it was meant to."""
    made_then = (token.c.created_at > now) & (token.c.expires < IDLE)
    connection.execute(update(token).where(made_then).values(expires=token.c.expires - behind))


def _fact(connection: Connection, key: str) -> str | None:
    return connection.scalar(select(setting.c.value).where(setting.c.key == key))


def _remember(connection: Connection, key: str, value: str) -> None:
    connection.execute(delete(setting).where(setting.c.key == key))
    connection.execute(insert(setting).values(key=key, value=value))
