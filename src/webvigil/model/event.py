"""Something that happened, for the record: past tense, at a time, about a subject."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`SentinelInstalled`, `PageFailed` …; `details` is plain data that can be written as JSON."""

    at: datetime
    name: str
    subject: str
    details: dict[str, Any] = field(default_factory=dict)
