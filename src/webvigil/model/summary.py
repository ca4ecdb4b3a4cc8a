"""One line of the summary over a user's sentinels (N2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SentinelRecord:
    """The state of one sentinel. A time is None if the event has not happened yet. `title` is what a person
    calls the sentinel: its own title, or that of its page, or its name. `type` is what the sentinel watches
    in the words of the language, `watches` the same in few plain words.

    `modified` is when a change was last found, `evaluated` when the pages were last looked at, `notified`
    when the user was last told, and `seen` when a page last answered.
    """

    sentinel: str
    title: str
    state: str
    urls: tuple[str, ...]
    type: str
    watches: str
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
