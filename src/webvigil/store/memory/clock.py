"""Noticing in memory that the clock was set back, and correcting the stored times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from webvigil.model.moment import NEVER, Millis, as_datetime, as_millis
from webvigil.model.set_back import TOLERANCE, SetBack
from webvigil.store.memory.rows import PageRow, Part, Rows, SentinelRow

T = TypeVar("T")


class MemoryClock(Part):
    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        self._seen: Millis = 0
        self._set_back: SetBack | None = None

    def behind(self) -> Millis:
        with self._rows.lock:
            behind = max(self._seen, *self._witnesses()) - self._rows.now()
            return behind if behind > TOLERANCE else 0

    def last_set_back(self) -> SetBack | None:
        return self._set_back

    def set_right(self) -> Millis:
        with self._rows.lock:
            now, behind = self._rows.now(), self.behind()
            self._seen = now
            if behind:
                self._bring_back(now, behind)
                self._set_back = SetBack(at=now, by=behind)
        if behind:
            self._rows.ring()
        return behind

    def _witnesses(self) -> list[Millis]:
        """Returns times at which something was written; none of them can lie in the future."""
        rows = self._rows
        looks = [as_millis(look["at"]) for page in rows.pages.values() for look in page.looks[-1:]]
        events = [as_millis(one.at) for one in rows.events[-1:]]
        return [0, *looks, *events, *(one.created_at for one in rows.outbox.values())]

    def _bring_back(self, now: Millis, behind: Millis) -> None:
        """Moves the times that `store.sql.clock` moves."""
        rows, back = self._rows, _Back(now, behind)
        # A token that was made by the old clock lasts as long as it was meant to.
        for key, token in rows.tokens.items():
            if token.created_at > as_datetime(now):
                rows.tokens[key] = back.moved(token, "expires_at")
        for table, names in _ROWS.items():
            for row in getattr(rows, table).values():
                back.move(row, *names)
        for table, names in _VALUES.items():
            values = getattr(rows, table)
            values.update({key: back.moved(one, *names) for key, one in values.items()})
        for page in rows.pages.values():
            back.move_page(page)
        for found in rows.links.values():
            for link in found.links.values():
                back.move(link, "gone_at")
        for sentinel in rows.kept_sentinels():
            back.move_sentinel(sentinel)
        for removed in rows.aside.values():
            removed.changes = {key: back.moved(one, "found_at") for key, one in removed.changes.items()}
        for search in rows.discoveries.values():
            search.discovery = back.moved(search.discovery, "created_at", "started_at", "ended_at")
            search.services[:] = [back.moved(one, "found_at") for one in search.services]
        rows.answers = {key: (back.earlier(at), said) for key, (at, said) in rows.answers.items()}
        rows.events[:] = [back.moved(one, "at") for one in rows.events]
        rows.duties.update({name: (who, min(until, now)) for name, (who, until) in rows.duties.items()})


# The times of rows, which are changed in place, and of values, which are replaced.
_ROWS = {
    "hosts": ("next_at", "lease"),
    "outbox": ("due", "lease", "created_at", "settled_at"),
    "questions": ("due", "lease", "found_at"),
    "aside": ("at",),
}
_VALUES = {
    "users": ("created_at",),
    "tokens": ("created_at", "used_at"),
    "changes": ("found_at",),
    "contacts": ("verified_at",),
    "pushes": ("until",),
    "peers": ("rest_until", "added_at", "heard_at"),
    "agents": ("at", "heard_at"),
}


@dataclass(frozen=True, slots=True)
class _Back:
    """Moves times that lie after `now` earlier, by `behind` milliseconds."""

    now: Millis
    behind: Millis

    def earlier(self, moment: Any) -> Any:
        """Returns the moment in milliseconds, or as a datetime, as it came. None stays None, and so does a
        moment that never comes."""
        if isinstance(moment, datetime):
            ahead = moment > as_datetime(self.now)
            return moment - timedelta(milliseconds=self.behind) if ahead else moment
        return moment - self.behind if moment is not None and self.now < moment < NEVER else moment

    def move(self, row: Any, *names: str) -> None:
        for name in names:
            setattr(row, name, self.earlier(getattr(row, name)))

    def moved(self, value: T, *names: str) -> T:
        return replace(value, **{name: self.earlier(getattr(value, name)) for name in names})  # type: ignore[type-var]

    def move_page(self, page: PageRow) -> None:
        self.move(page, "due", "failing_since")
        page.doubt = page.doubt and self.moved(page.doubt, "since")
        for look in page.looks:
            look["at"] = self.earlier(look["at"])
        page.versions[:] = [self.moved(one, "fetched_at") for one in page.versions]

    def move_sentinel(self, sentinel: SentinelRow) -> None:
        self.move(sentinel, "follow_at")
        for watch in sentinel.watches.values():
            self.move(watch, "next_at", "since")
        for held in sentinel.held.values():
            self.move(held, "at")
