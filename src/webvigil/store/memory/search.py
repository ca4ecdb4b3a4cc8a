"""Full-text search in memory: goes through all changes, one after the other (N2)."""

from __future__ import annotations

from datetime import datetime

from webvigil.model.change import Change
from webvigil.model.topics import has_topic
from webvigil.store.memory.rows import Part
from webvigil.store.searching import matches, phrases, words_of_change


class MemorySearch(Part):
    def find(
        self,
        user_name: str | None,
        words: str = "",
        *,
        sentinel_name: str | None = None,
        topic: str | None = None,
        kind: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
    ) -> list[Change]:
        asked = phrases(words, kind)
        with self._rows.lock:
            newest_first = list(reversed(self._rows.changes.values()))
            topics = {(row.new.user, row.new.name): row.new.topic for row in self._rows.sentinels.values()}
        found = (
            change
            for change in newest_first
            if user_name in (None, change.user)
            and sentinel_name in (None, change.sentinel)
            and has_topic(topics.get((change.user, change.sentinel), ""), topic)
            and (since is None or change.found_at >= since)
            and (until is None or change.found_at < until)
            and matches(words_of_change(change.sentinel, change.url, change.findings), asked)
        )
        return [change for change, _ in zip(found, range(limit), strict=False)]
