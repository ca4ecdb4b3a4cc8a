"""A notice: something to tell one contact of one user; a receipt: proof that it was handed over."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """`dedup` identifies it for ever: the same notice is written once, and receivers may drop a repeat."""

    dedup: str
    user: str
    channel: str
    address: str
    subject: str
    body: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    dedup: str
    delivered_at: datetime
    reference: str = ""
