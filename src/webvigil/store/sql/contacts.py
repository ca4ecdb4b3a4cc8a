"""Contacts and preferences of users in SQL."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, delete, insert, select, update

from webvigil.errors import NotFound
from webvigil.model.contact import KnownContact, Preferences
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import contact, preference, user
from webvigil.store.sql.users import user_id


class SqlContacts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, one: KnownContact) -> None:
        values = {
            "sealed": one.sealed,
            "digest": one.digest,
            "expires": one.expires,
            "verified_at": one.verified_at,
        }
        with self._database.write() as connection:
            owner = user_id(connection, one.user, lock=True)
            key = {"user_id": owner, "channel": one.channel, "address": one.address}
            mine = (contact.c.user_id == owner) & (contact.c.channel == one.channel)
            mine &= contact.c.address == one.address
            if not connection.execute(update(contact).where(mine).values(**values)).rowcount:
                now = self._database.now(connection)
                connection.execute(insert(contact).values(**key, **values, created_at=now))

    def get(self, user: str, channel: str, address: str) -> KnownContact | None:
        query = _contacts().where(contact.c.channel == channel, contact.c.address == address)
        return self._first(query, user)

    def of_digest(self, digest: str) -> KnownContact | None:
        return self._first(_contacts().where(contact.c.digest == digest)) if digest else None

    def all(self, user: str) -> list[KnownContact]:
        with self._database.read() as connection:
            mine = contact.c.user_id == user_id(connection, user)
            query = _contacts().where(mine).order_by(contact.c.channel, contact.c.address)
            return [_contact(row) for row in connection.execute(query)]

    def remove(self, user: str, channel: str, address: str) -> None:
        with self._database.write() as connection:
            mine = (contact.c.user_id == user_id(connection, user)) & (contact.c.channel == channel)
            mine &= contact.c.address == address
            if not connection.execute(delete(contact).where(mine)).rowcount:
                raise NotFound(f"nothing is known of {channel} {address}".rstrip())

    def preferences(self, user: str) -> Preferences:
        with self._database.read() as connection:
            mine = preference.c.user_id == user_id(connection, user)
            content = connection.scalar(select(preference.c.content).where(mine))
        return Preferences(**content) if content else Preferences()

    def prefer(self, user: str, preferences: Preferences) -> None:
        with self._database.write() as connection:
            owner = user_id(connection, user, lock=True)
            connection.execute(delete(preference).where(preference.c.user_id == owner))
            connection.execute(insert(preference).values(user_id=owner, content=asdict(preferences)))

    def _first(self, query: Select[Any], owner: str | None = None) -> KnownContact | None:
        with self._database.read() as connection:
            row = connection.execute(query.where(user.c.name == owner) if owner else query).first()
        return _contact(row) if row else None


def _contacts() -> Select[Any]:
    return select(contact, user.c.name.label("owner")).join(user, user.c.id == contact.c.user_id)


def _contact(row: Any) -> KnownContact:
    return KnownContact(
        user=row.owner,
        channel=row.channel,
        address=row.address,
        sealed=row.sealed,
        digest=row.digest,
        expires=row.expires,
        verified_at=row.verified_at,
    )
