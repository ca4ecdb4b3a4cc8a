"""Users and the digests of their tokens."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import Connection, delete, insert, select, update

from webvigil.errors import NameTaken, NotFound
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.user import Role, User
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import token, user


class SqlUsers:
    def __init__(self, database: Database) -> None:
        self._database = database

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

    def add_token(self, user: str, digest: str, *, purpose: str, expires: Millis) -> None:
        with self._database.write() as connection:
            owner = user_id(connection, user)
            connection.execute(
                insert(token).values(digest=digest, user_id=owner, purpose=purpose, expires=expires)
            )

    def of_token(self, digest: str, *, purpose: str) -> User | None:
        with self._database.read() as connection:
            row = connection.execute(
                select(user)
                .join(token, token.c.user_id == user.c.id)
                .where(token.c.digest == digest, token.c.purpose == purpose)
                .where(token.c.expires > self._database.now(connection))
            ).first()
        return _user(row) if row else None

    def drop_tokens(self, user: str, *, purpose: str) -> None:
        with self._database.write() as connection:
            owner = user_id(connection, user)
            connection.execute(delete(token).where(token.c.user_id == owner, token.c.purpose == purpose))


def user_id(connection: Connection, name: str, *, lock: bool = False) -> int:
    query = select(user.c.id).where(user.c.name == name)
    found = connection.scalar(query.with_for_update() if lock else query)
    if found is None:
        raise NotFound(f"there is no user {name!r}")
    return int(found)


def _user(row: Any) -> User:
    return User(
        name=row.name,
        role=cast(Role, row.role),
        zone=row.zone,
        taste=row.taste,
        created_at=as_datetime(row.created_at),
    )
