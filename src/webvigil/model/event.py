"""An event of the journal: something that happened, with a name in the past tense, a time and a subject."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One entry of the journal, such as `SentinelInstalled` or `PageFailed`; `details` is data that can be
    written as JSON."""

    at: datetime
    name: str
    subject: str
    details: dict[str, Any] = field(default_factory=dict)
