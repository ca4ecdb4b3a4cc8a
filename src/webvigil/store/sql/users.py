"""Users in SQL, and the digests of their tokens."""

from __future__ import annotations

import json
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    delete,
    insert,
    literal,
    or_,
    select,
    update,
)

from webvigil.errors import NameTaken, NotFound
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.topics import with_topic
from webvigil.model.user import Role, Scope, Token, User
from webvigil.store.sql.database import Database
from webvigil.store.sql.life import next_revision
from webvigil.store.sql.planning import lock_hosts_of, reschedule
from webvigil.store.sql.prepared import Prepared
from webvigil.store.sql.schema import PRESENT, outbox, removal, sentinel, token, user, watch

# Hexadecimal digits of a token's digest that people see as its id.
_TOKEN_ID = 12
_A_MINUTE: Millis = 60_000


class SqlUsers:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._one_token = Prepared(_one_token(database.clock))

    def add(self, name: str, *, role: Role = "user", zone: str = "UTC") -> User:
        with self._database.write() as connection:
            if connection.scalar(select(user.c.id).where(user.c.name == name)):
                raise NameTaken(f"there is a user {name!r} already")
            created = self._database.now(connection)
            connection.execute(insert(user).values(name=name, role=role, zone=zone, created_at=created))
        return User(name=name, role=role, zone=zone, created_at=as_datetime(created))

    def get(self, name: str) -> User:
        with self._database.read() as connection:
            row = connection.execute(select(user).where(user.c.name == name)).first()
        if row is None:
            raise NotFound(f"there is no user {name!r}")
        return _user(row)

    def all(self) -> list[User]:
        with self._database.read() as connection:
            return [_user(row) for row in connection.execute(select(user).order_by(user.c.name))]

    def prefer(self, name: str, taste: str) -> None:
        with self._database.write() as connection:
            connection.execute(update(user).where(user.c.id == user_id(connection, name)).values(taste=taste))

    def topics(self, name: str) -> dict[str, str]:
        with self._database.read() as connection:
            return _topics(connection, user_id(connection, name))

    def say_topic(self, name: str, topic: str, clauses: str) -> None:
        with self._database.write() as connection:
            found = user_id(connection, name, lock=True)
            said = with_topic(_topics(connection, found), topic, clauses)
            connection.execute(update(user).where(user.c.id == found).values(topics=json.dumps(said)))

    def change(self, name: str, *, role: Role | None = None, zone: str | None = None) -> User:
        values = {key: value for key, value in (("role", role), ("zone", zone)) if value is not None}
        if values:
            self._set(name, **values)
        return self.get(name)

    def remove(self, name: str) -> None:
        with self._database.write() as connection:
            owner = user_id(connection, name, lock=True)
            mine = select(sentinel.c.id).where(PRESENT, sentinel.c.user_id == owner)
            theirs = list(connection.scalars(mine))
            every = list(connection.scalars(select(sentinel.c.id).where(sentinel.c.user_id == owner)))
            lock_hosts_of(connection, *every)
            pages = list(
                connection.scalars(
                    select(watch.c.page_id)
                    .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
                    .where(sentinel.c.user_id == owner)
                    .distinct()
                )
            )
            connection.execute(delete(user).where(user.c.id == owner))
            # Notices name their user by name and not by reference, so they are not deleted with the row of
            # the user.
            connection.execute(delete(outbox).where(outbox.c.user_name == name))
            # The worker that moves lives forward learns from these rows that the sentinels are gone.
            for one in theirs:
                connection.execute(
                    insert(removal).values(sentinel_id=one, revision=next_revision(connection))
                )
            reschedule(connection, pages)

    def password(self, name: str) -> str:
        with self._database.read() as connection:
            return connection.scalar(select(user.c.password).where(user.c.name == name)) or ""

    def set_password(self, name: str, hashed: str) -> None:
        self._set(name, password=hashed)

    def add_token(
        self,
        user: str,
        digest: str,
        *,
        purpose: str,
        expires: Millis,
        name: str = "",
        scope: Scope = "admin",
    ) -> None:
        with self._database.write() as connection:
            values = {"digest": digest, "purpose": purpose, "expires": expires, "name": name, "scope": scope}
            owner = user_id(connection, user)
            now = self._database.now(connection)
            connection.execute(insert(token).values(user_id=owner, created_at=now, **values))

    def token(self, digest: str, *, purpose: str) -> Token | None:
        with self._database.asking() as ask:
            rows = ask(self._one_token, its_purpose=purpose, its_digest=digest)
        if not rows:
            return None
        (row,) = rows
        # Writing each use would make every request wait for the write lock.
        if (row.used_at or 0) < row.clock - _A_MINUTE:
            self._used(digest, row.clock)
        return _token(row)

    def tokens(self, user: str, *, purpose: str) -> list[Token]:
        with self._database.read() as connection:
            mine = _tokens(literal(self._database.now(connection))).where(
                token.c.user_id == user_id(connection, user)
            )
            newest_first = mine.order_by(token.c.created_at.desc(), token.c.digest)
            return [_token(row) for row in connection.execute(newest_first, {"its_purpose": purpose})]

    def end_token(self, digest: str, *, expires: Millis) -> None:
        with self._database.write() as connection:
            connection.execute(update(token).where(token.c.digest == digest).values(expires=expires))

    def drop_token(self, user: str, token_id: str, *, purpose: str) -> None:
        with self._database.write() as connection:
            mine = (token.c.user_id == user_id(connection, user)) & (token.c.purpose == purpose)
            named = token.c.digest.startswith(token_id, autoescape=True)
            found = (
                connection.execute(delete(token).where(mine, named)) if len(token_id) == _TOKEN_ID else None
            )
            if not found or not found.rowcount:
                raise NotFound(f"there is no token {token_id!r}")

    def drop_tokens(self, user: str, *, purpose: str) -> None:
        with self._database.write() as connection:
            owner = user_id(connection, user)
            # Expired tokens of the user are removed at the same time, so that they do not pile up.
            past = token.c.expires <= self._database.now(connection)
            connection.execute(
                delete(token).where(token.c.user_id == owner, or_(token.c.purpose == purpose, past))
            )

    def _set(self, name: str, **values: Any) -> None:
        with self._database.write() as connection:
            if not connection.execute(update(user).where(user.c.name == name).values(**values)).rowcount:
                raise NotFound(f"there is no user {name!r}")

    def _used(self, digest: str, now: Millis) -> None:
        with self._database.write() as connection:
            connection.execute(update(token).where(token.c.digest == digest).values(used_at=now))


def user_id(connection: Connection, name: str, *, lock: bool = False) -> int:
    """Returns the id of a user, with the row locked if wanted. Raises NotFound if there is no such user."""
    query = select(user.c.id).where(user.c.name == name)
    found = connection.scalar(query.with_for_update() if lock else query)
    if found is None:
        raise NotFound(f"there is no user {name!r}")
    return int(found)


def _one_token(clock: ColumnElement[Millis]) -> Select[Any]:
    one = _tokens(clock).where(token.c.digest == bindparam("its_digest"))
    return one.add_columns(clock.label("clock"))


def _tokens(clock: ColumnElement[Millis]) -> Select[Any]:
    """Selects the unexpired tokens of the purpose `its_purpose`."""
    columns = (
        token.c.digest,
        token.c.purpose,
        token.c.expires,
        token.c.name.label("title"),
        token.c.scope,
        token.c.created_at.label("made_at"),
        token.c.used_at,
    )
    query = select(user, *columns).join(user, user.c.id == token.c.user_id)
    return query.where(token.c.purpose == bindparam("its_purpose"), token.c.expires > clock)


def _token(row: Any) -> Token:
    return Token(
        id=row.digest[:_TOKEN_ID],
        user=_user(row),
        purpose=row.purpose,
        name=row.title,
        scope=cast(Scope, row.scope),
        created_at=as_datetime(row.made_at),
        expires_at=as_datetime(row.expires),
        used_at=as_datetime(row.used_at) if row.used_at else None,
    )


def _topics(connection: Connection, found: int) -> dict[str, str]:
    said = connection.scalar(select(user.c.topics).where(user.c.id == found))
    return dict(json.loads(said)) if said else {}


def _user(row: Any) -> User:
    return User(
        name=row.name,
        role=cast(Role, row.role),
        zone=row.zone,
        taste=row.taste,
        created_at=as_datetime(row.created_at),
    )
