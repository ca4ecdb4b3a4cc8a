"""One line of a summary over a user's sentinels (N2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SentinelRecord:
    """How one sentinel stands. What has not happened yet is None.

    `modified`: when a change was last found; `evaluated`: when its pages were last looked at; `notified`:
    when its user was last told; `seen`: when a page was last there to be seen.
    """

    sentinel: str
    state: str
    urls: tuple[str, ...]
    type: str
    topic: str
    priority: int
    modified: datetime | None
    evaluated: datetime | None
    notified: datetime | None
    seen: datetime | None
    installed: datetime
    ends: datetime | None
    evaluations: int
    notifications: int
    changes: int
