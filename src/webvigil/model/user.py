"""A user who owns sentinels, and the tokens that let the user in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["user", "admin"]
Scope = Literal["read", "write", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """An account. `taste` says what weighs more or less to this user than to others (T2)."""

    name: str
    role: Role = "user"
    zone: str = "UTC"
    taste: str = ""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A secret that admits a user: a sign-in link, a session, or the API within its scope.

    The secret itself is not stored; `id` is a short name by which people can tell tokens apart.
    """

    id: str
    user: User
    purpose: str
    name: str = ""
    scope: Scope = "admin"
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
