"""Contacts and preferences in memory: the twin of `sql.contacts`."""

from __future__ import annotations

from collections.abc import Callable

from webvigil.errors import NotFound
from webvigil.model.contact import KnownContact, Preferences


class MemoryContacts:
    def __init__(self, know_user: Callable[[str], object]) -> None:
        self._know_user = know_user
        self._contacts: dict[tuple[str, str, str], KnownContact] = {}
        self._preferences: dict[str, Preferences] = {}

    def put(self, one: KnownContact) -> None:
        self._know_user(one.user)
        self._contacts[one.user, one.channel, one.address] = one

    def get(self, user: str, channel: str, address: str) -> KnownContact | None:
        return self._contacts.get((user, channel, address))

    def of_digest(self, digest: str) -> KnownContact | None:
        found = (one for one in self._contacts.values() if one.digest == digest)
        return next(found, None) if digest else None

    def all(self, user: str) -> list[KnownContact]:
        self._know_user(user)
        return [one for key, one in sorted(self._contacts.items()) if one.user == user]

    def remove(self, user: str, channel: str, address: str) -> None:
        self._know_user(user)
        if self._contacts.pop((user, channel, address), None) is None:
            raise NotFound(f"nothing is known of {channel} {address}".rstrip())

    def preferences(self, user: str) -> Preferences:
        self._know_user(user)
        return self._preferences.get(user, Preferences())

    def prefer(self, user: str, preferences: Preferences) -> None:
        self._know_user(user)
        self._preferences[user] = preferences
