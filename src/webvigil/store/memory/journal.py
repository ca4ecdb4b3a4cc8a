"""The journal in memory: events, the fetch log, facts about this installation, and its size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from webvigil.model.event import Event
from webvigil.model.moment import as_datetime, as_millis
from webvigil.model.work import NOT_SEEN, Counts, LastLooks
from webvigil.store.memory.rows import Part


class MemoryJournal(Part):
    def record(self, name: str, subject: str, details: dict[str, Any] | None = None) -> None:
        at = as_datetime(self._rows.now())
        self._rows.events.append(Event(at=at, name=name, subject=subject, details=details or {}))

    def events(self, *, subject: str | None = None, limit: int = 100) -> list[Event]:
        found = [event for event in reversed(self._rows.events) if subject in (None, event.subject)]
        return found[:limit]

    def fetch_log(self, page: int, *, limit: int = 100) -> list[dict[str, Any]]:
        row = self._rows.pages.get(page)
        return list(reversed(row.looks))[:limit] if row else []

    def fetch_logs(self, pages: Iterable[int], *, limit: int = 100) -> dict[int, list[dict[str, Any]]]:
        with self._rows.lock:
            found = {page: self.fetch_log(page, limit=limit) for page in pages}
        return {page: looks for page, looks in found.items() if looks}

    def last_looks(self, pages: Iterable[int]) -> dict[int, LastLooks]:
        wanted = set(pages)
        with self._rows.lock:
            found = {id_: row.looks for id_, row in self._rows.pages.items() if id_ in wanted and row.looks}
        return {id_: _last_looks(looks) for id_, looks in found.items()}

    def fact(self, key: str) -> str | None:
        return self._rows.facts.get(key)

    def remember(self, key: str, value: str) -> None:
        self._rows.facts[key] = value

    def counts(self) -> Counts:
        rows = self._rows
        return Counts(
            sentinels=len(rows.sentinels),
            pages=len(rows.pages),
            versions=sum(len(page.versions) - len(page.dropped) for page in rows.pages.values()),
            changes=len(rows.changes),
            pending_notices=sum(row.state == "pending" for row in rows.outbox.values()),
        )


def _last_looks(looks: list[dict[str, Any]]) -> LastLooks:
    there = [one["at"] for one in looks if one["decision"] not in NOT_SEEN]
    last = max(one["at"] for one in looks)
    return LastLooks(at=as_millis(last), seen=as_millis(max(there)) if there else None)
