"""Recorded changes in memory: lists with filters, counts, and marks as seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from webvigil.errors import NotFound
from webvigil.model.change import Change, ChangeOutline
from webvigil.model.moment import QUARTER, as_datetime, as_millis
from webvigil.model.topics import has_topic
from webvigil.model.wanted import WantedChanges
from webvigil.store.memory.rows import Part


class MemoryChanges(Part):
    def all(
        self,
        user: str | None = None,
        *,
        sentinel: str | None = None,
        since: datetime | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> list[Change]:
        return self.some(WantedChanges(user=user, sentinel=sentinel, since=since, after=after, limit=limit))

    def some(self, wanted: WantedChanges) -> list[Change]:
        with self._rows.lock:
            newest_first = list(reversed(self._rows.changes.values()))
        found = (one for one in newest_first if one.id < wanted.before and _is_wanted_change(one, wanted))
        return [change for change, _ in zip(found, range(wanted.limit), strict=False)]

    def outlines(self, wanted: WantedChanges) -> list[ChangeOutline]:
        return [
            ChangeOutline(
                id=one.id,
                sentinel=one.sentinel,
                page=one.page,
                url=one.url,
                found_at=one.found_at,
                topic=one.topic,
                seen=one.seen,
                title=one.title,
            )
            for one in self.some(wanted)
        ]

    def count(self, wanted: WantedChanges, *, most: int | None = None) -> int:
        with self._rows.lock:
            found = sum(_is_wanted_change(one, wanted) for one in self._rows.changes.values())
        return found if most is None else min(found, most)

    def rhythm(self, wanted: WantedChanges) -> dict[datetime, int]:
        return dict(sum(map(Counter, self.rhythms(wanted).values()), Counter()))

    def rhythms(self, wanted: WantedChanges) -> dict[str, dict[datetime, int]]:
        with self._rows.lock:
            found = [one for one in self._rows.changes.values() if _is_wanted_change(one, wanted)]
        counted: dict[str, dict[datetime, int]] = defaultdict(Counter)
        for one in found:
            at = as_millis(one.found_at)
            counted[one.sentinel][as_datetime(at - at % QUARTER)] += 1
        return {name: dict(times) for name, times in counted.items()}

    def at_versions(self, wanted: WantedChanges, *, after: int, before: int) -> dict[int, int]:
        with self._rows.lock:
            return {
                one.new_version: one.id
                for one in self._rows.changes.values()
                if after < one.new_version < before and _is_wanted_change(one, wanted)
            }

    def mark(self, user: str, ids: Sequence[int], *, seen: bool) -> int:
        with self._rows.lock:
            mine = [one for id_ in set(ids) if (one := self._rows.changes.get(id_)) and one.user == user]
            for one in mine:
                self._rows.changes[one.id] = replace(one, seen=seen)
            return len(mine)

    def mark_all(self, wanted: WantedChanges) -> int:
        with self._rows.lock:
            every = self._rows.changes.values()
            found = [one for one in every if one.id < wanted.before and _is_wanted_change(one, wanted)]
            for one in found:
                self._rows.changes[one.id] = replace(one, seen=True)
            return len(found)

    def note(self, user: str, change_id: int, text: str) -> None:
        with self._rows.lock:
            change = self.get(change_id)
            if change.user != user:
                raise NotFound(f"there is no change {change_id}")
            self._rows.changes[change_id] = replace(change, note=text)

    def newest(self, sentinels: Iterable[int]) -> dict[int, Change]:
        wanted = set(sentinels)
        with self._rows.lock:
            names = {
                (one.new.user, one.new.name): one.id
                for one in self._rows.sentinels.values()
                if one.id in wanted
            }
            of_change = [(names.get((one.user, one.sentinel)), one) for one in self._rows.changes.values()]
        return {found: one for found, one in of_change if found is not None}

    def last_found(self, sentinels: Iterable[int]) -> dict[int, datetime]:
        return {found: one.found_at for found, one in self.newest(sentinels).items()}

    def get(self, change_id: int) -> Change:
        if change_id not in self._rows.changes:
            raise NotFound(f"there is no change {change_id}")
        return self._rows.changes[change_id]


def _is_wanted_change(one: Change, wanted: WantedChanges) -> bool:
    return (
        one.id > wanted.after
        and wanted.user in (None, one.user)
        and wanted.sentinel in (None, one.sentinel)
        and (wanted.sentinels is None or one.sentinel in wanted.sentinels)
        and has_topic(one.topic, wanted.topic)
        and wanted.page in (None, one.page)
        and wanted.seen in (None, one.seen)
        and (wanted.type is None or any(finding.type == wanted.type for finding in one.findings))
        and (wanted.since is None or one.found_at >= wanted.since)
        and (wanted.until is None or one.found_at < wanted.until)
    )
