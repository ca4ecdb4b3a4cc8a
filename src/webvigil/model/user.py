"""A user: whose sentinels these are, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["user", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """`taste` says what weighs more or less to them than to others (T2)."""

    name: str
    role: Role = "user"
    zone: str = "UTC"
    taste: str = ""
    created_at: datetime
