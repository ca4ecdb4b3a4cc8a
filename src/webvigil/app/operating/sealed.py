"""Lists contacts and log-ins that the present secret key cannot open, as after a restore without the key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from webvigil.app.pages.logins import seal_of
from webvigil.app.settings import Settings
from webvigil.errors import KeyMissing
from webvigil.fetch.login import KEY_FILE, Seal
from webvigil.store.promises import Contacts, Logins, Users


class _Store(Protocol):
    """The parts of the knowledge base that hold sealed secrets, and the users they belong to."""

    users: Users
    contacts: Contacts
    logins: Logins


def locked(knowledge: _Store, settings: Settings) -> list[str]:
    """Returns a description of each contact and log-in that cannot be opened. Does not create a key if there
    is none."""
    there = settings.secret_key or (settings.data / KEY_FILE).exists()
    seal = seal_of(settings) if there else None
    return [what for what, sealed, bound in _sealed(knowledge) if not _opens(seal, sealed, bound)]


def how_to_open(settings: Settings) -> str:
    """Returns sentences that tell the operator how to make sealed contacts and log-ins readable again."""
    return (
        f"They were sealed with another {KEY_FILE}. Copy that file of the old data folder to "
        f"{settings.data / KEY_FILE}, or give the setting {KEY_FILE}. "
        "Notices to these contacts wait until then."
    )


def _sealed(knowledge: _Store) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yields, for each sealed secret, its description, the sealed text, and the values that it is bound
    to."""
    for user in knowledge.users.all():
        for one in knowledge.contacts.all(user.name):
            if one.sealed:
                yield (
                    f"{user.name}: contact {one.channel} {one.address}",
                    one.sealed,
                    (one.address, user.name),
                )
        for login in knowledge.logins.all(user.name):
            yield f"{user.name}: log-in for {login.url}", login.sealed, (login.url, user.name)


def _opens(seal: Seal | None, sealed: str, bound: tuple[str, str]) -> bool:
    if seal is None:
        return False
    try:
        seal.open_text(sealed, *bound)
    except KeyMissing:
        return False
    return True
