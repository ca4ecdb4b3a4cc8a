"""Noticing in memory that the clock was set back, and correcting the stored times."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from webvigil.model.moment import NEVER, Millis, as_datetime, as_millis
from webvigil.model.set_back import TOLERANCE, SetBack
from webvigil.store.memory.rows import Part, Rows


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
        rows = self._rows
        for host in rows.hosts.values():
            _move(host, now, behind, "next_at", "lease")
        for page in rows.pages.values():
            _move(page, now, behind, "due", "failing_since")
            if page.doubt and page.doubt.since > now:
                page.doubt = replace(page.doubt, since=page.doubt.since - behind)
            for look in page.looks:
                look["at"] = _time(look["at"], now, behind)
            page.versions[:] = [
                replace(one, fetched_at=_time(one.fetched_at, now, behind)) for one in page.versions
            ]
        for sentinel in rows.sentinels.values():
            _move(sentinel, now, behind, "follow_at")
            for watch in sentinel.watches.values():
                _move(watch, now, behind, "next_at", "since")
        for notice in rows.outbox.values():
            _move(notice, now, behind, "due", "lease", "created_at", "settled_at")
        rows.events[:] = [replace(one, at=_time(one.at, now, behind)) for one in rows.events]
        rows.duties.update({name: (who, min(until, now)) for name, (who, until) in rows.duties.items()})


def _move(row: Any, now: Millis, behind: Millis, *names: str) -> None:
    for name in names:
        moment = getattr(row, name)
        if moment is not None and now < moment < NEVER:
            setattr(row, name, moment - behind)


def _time(time: Any, now: Millis, behind: Millis) -> Any:
    """Returns the time, moved earlier if it lies after now."""
    return time - timedelta(milliseconds=behind) if time > as_datetime(now) else time
