"""A user: whose sentinels these are, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["user", "admin"]
Scope = Literal["read", "write", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    name: str
    role: Role = "user"
    zone: str = "UTC"
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A secret that opens something for a user: a sign-in link, a session, or the API within its scope.

    The secret itself is nowhere kept; `id` is short enough to tell a person which one is meant.
    """

    id: str
    user: User
    purpose: str
    name: str = ""
    scope: Scope = "admin"
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
