"""Adds users, changes their roles and removes them, but never demotes or removes the last administrator."""

from __future__ import annotations

from typing import Protocol

from webvigil.errors import SettingRefused
from webvigil.model.user import Role, User
from webvigil.store.promises import Journal, Users

LONGEST_NAME = 100


class _Store(Protocol):
    """The parts of the knowledge base that removing a user needs."""

    users: Users
    journal: Journal


def add_user(users: Users, name: str, role: Role = "user") -> User:
    if not _is_name(name):
        raise SettingRefused(
            f"{name[:40]!r} cannot be a user's name: "
            f"up to {LONGEST_NAME} characters that can be printed, and no slash"
        )
    return users.add(name, role=role)


def _is_name(name: str) -> bool:
    """Tells whether a name may be used. Names stand in addresses, where a slash, `.` and `..` have another
    meaning."""
    fits = 0 < len(name) <= LONGEST_NAME and name == name.strip() and name.isprintable()
    return fits and "/" not in name and name not in ("*", ".", "..")


def change_role(users: Users, name: str, role: Role) -> User:
    if role != "admin":
        _refuse_last_admin(users, name)
    return users.change(name, role=role)


def remove_user(knowledge: _Store, name: str) -> None:
    _refuse_last_admin(knowledge.users, name)
    knowledge.users.remove(name)
    knowledge.journal.record("UserRemoved", name)


def _refuse_last_admin(users: Users, name: str) -> None:
    admins = [user.name for user in users.all() if user.role == "admin"]
    if admins == [name]:
        raise SettingRefused(f"{name} is the only administrator; make another one first")
