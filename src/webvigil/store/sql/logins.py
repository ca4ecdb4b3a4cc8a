"""Log-ins of users in SQL; they are encrypted before they come here."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, delete, insert, select, update

from webvigil.errors import NotFound
from webvigil.model.login import SealedLogin
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import login, user
from webvigil.store.sql.users import user_id


class SqlLogins:
    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, user: str, url: str, sealed: str) -> None:
        with self._database.write() as connection:
            owner = user_id(connection, user, lock=True)
            mine = (login.c.user_id == owner) & (login.c.url == url)
            if connection.execute(update(login).where(mine).values(sealed=sealed)).rowcount:
                return
            now = self._database.now(connection)
            connection.execute(insert(login).values(user_id=owner, url=url, sealed=sealed, created_at=now))

    def get(self, login_id: int) -> SealedLogin:
        with self._database.read() as connection:
            row = connection.execute(_logins().where(login.c.id == login_id)).first()
        if row is None:
            raise NotFound("there is no such log-in any more")
        return _login(row)

    def all(self, user: str) -> list[SealedLogin]:
        with self._database.read() as connection:
            query = _logins().where(login.c.user_id == user_id(connection, user)).order_by(login.c.url)
            return [_login(row) for row in connection.execute(query)]

    def remove(self, user: str, url: str) -> None:
        with self._database.write() as connection:
            mine = (login.c.user_id == user_id(connection, user)) & (login.c.url == url)
            if not connection.execute(delete(login).where(mine)).rowcount:
                raise NotFound(f"there is no log-in for {url}")


def _logins() -> Select[Any]:
    return select(login, user.c.name.label("owner")).join(user, user.c.id == login.c.user_id)


def _login(row: Any) -> SealedLogin:
    return SealedLogin(id=row.id, user=row.owner, url=row.url, sealed=row.sealed)
