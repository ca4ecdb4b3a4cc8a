"""Contacts and preferences of users in memory."""

from __future__ import annotations

from webvigil.errors import NotFound
from webvigil.model.contact import KnownContact, Preferences
from webvigil.store.memory.rows import Part


class MemoryContacts(Part):
    def put(self, one: KnownContact) -> None:
        self._rows.user(one.user)
        self._rows.contacts[one.user, one.channel, one.address] = one

    def get(self, user: str, channel: str, address: str) -> KnownContact | None:
        return self._rows.contacts.get((user, channel, address))

    def of_digest(self, digest: str) -> KnownContact | None:
        found = (one for one in self._rows.contacts.values() if one.digest == digest)
        return next(found, None) if digest else None

    def all(self, user: str) -> list[KnownContact]:
        self._rows.user(user)
        return [one for key, one in sorted(self._rows.contacts.items()) if one.user == user]

    def remove(self, user: str, channel: str, address: str) -> None:
        self._rows.user(user)
        if self._rows.contacts.pop((user, channel, address), None) is None:
            raise NotFound(f"nothing is known of {channel} {address}".rstrip())

    def preferences(self, user: str) -> Preferences:
        self._rows.user(user)
        return self._rows.preferences.get(user, Preferences())

    def prefer(self, user: str, preferences: Preferences) -> None:
        self._rows.user(user)
        self._rows.preferences[user] = preferences
