"""Removing old log rows in memory: looks, settled notices, the journal, and pages that nobody watches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webvigil.model.event import Event
from webvigil.model.history import Ages, Forgotten
from webvigil.model.moment import Millis, as_millis
from webvigil.store.memory.rows import OutboxRow, PageRow, Part

_NOT_SEEN = ("failed", "postponed")
_TOLD = ("delivered", "merged")


class MemoryLogs(Part):
    """Removes everything in one call, whatever `after` and `limit` say, because nobody has to wait for
    memory."""

    def forget_looks(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        removed = 0
        with self._rows.lock:
            for row in self._rows.pages.values():
                kept = [one for place, one in enumerate(row.looks) if _stays(row.looks, place, ages)]
                removed += len(row.looks) - len(kept)
                row.looks = row.looks if dry_run else kept
        return Forgotten(removed, None)

    def forget_notices(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        with self._rows.lock:
            old = [dedup for dedup, row in self._rows.outbox.items() if self._is_told(row, ages)]
            for dedup in old if not dry_run else ():
                del self._rows.outbox[dedup]
        return Forgotten(len(old), None)

    def forget_events(
        self,
        ages: Ages,
        *,
        after: int,
        limit: int,
        sparing: Mapping[str, Millis] | None = None,
        dry_run: bool = False,
    ) -> Forgotten:
        spared = sparing or {}

        def stays(one: Event) -> bool:
            return as_millis(one.at) >= min(ages.log, spared.get(one.subject, ages.log))

        with self._rows.lock:
            kept = [one for one in self._rows.events if stays(one)]
            removed = len(self._rows.events) - len(kept)
            self._rows.events = self._rows.events if dry_run else kept
        return Forgotten(removed, None)

    def forget_pages(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        with self._rows.lock:
            gone = [row for row in self._rows.pages.values() if self._is_abandoned(row, ages)]
            for row in gone if not dry_run else ():
                row.host.token += 1
                del self._rows.pages[row.id], self._rows.page_by_key[row.page.key]
                for key in [one for one in self._rows.links if one[0] == row.id]:
                    del self._rows.links[key]
        return Forgotten(len(gone), None, tuple(one.object for row in gone for one in row.versions))

    def _is_told(self, row: OutboxRow, ages: Ages) -> bool:
        if row.state not in _TOLD or row.settled_at is None or row.settled_at >= ages.log:
            return False
        summary = self._rows.outbox.get(row.merged_into)
        if summary is not None and summary.state not in _TOLD:
            return False
        mine = (row.notice.user, row.notice.sentinel)
        later = (
            one
            for one in self._rows.outbox.values()
            if (one.notice.user, one.notice.sentinel) == mine and one.state in _TOLD
        )
        moment = (row.settled_at, row.id)
        return not row.notice.sentinel or any((one.settled_at or 0, one.id) > moment for one in later)

    def _is_abandoned(self, row: PageRow, ages: Ages) -> bool:
        now, sentinels = self._rows.now(), self._rows.kept_sentinels()
        watches = [watch for one in sentinels for watch in one.watches.values()]
        return not (
            row.host.lease > now
            or any(row.id in (watch.page.id, watch.via) for watch in watches)
            or any(row.id in one.held for one in sentinels)
            or any(one.page == row.id for one in self._rows.kept_changes())
            or any(one.page == row.id and one.until > now for one in self._rows.pushes.values())
            or any(as_millis(one["at"]) >= ages.log for one in row.looks)
            or any(as_millis(one.fetched_at) >= ages.versions for one in row.versions)
        )


def _stays(looks: list[dict[str, Any]], place: int, ages: Ages) -> bool:
    one, later = looks[place], looks[place + 1 :]
    if as_millis(one["at"]) >= ages.log or not later:
        return True
    if one["decision"] in _NOT_SEEN:
        return False
    following = next((more["decision"] for more in later if more["decision"] not in _NOT_SEEN), None)
    return following is None or (following == "new version" and as_millis(one["at"]) >= ages.versions)
