"""A user: whose sentinels these are, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["user", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    name: str
    role: Role = "user"
    zone: str = "UTC"
    created_at: datetime
