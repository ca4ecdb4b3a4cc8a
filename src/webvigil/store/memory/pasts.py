"""The pasts of pages in memory: versions from web archives, and the changes between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from webvigil.model.change import Change
from webvigil.model.past import PastChange, PastVersion
from webvigil.model.version import Version
from webvigil.store.memory.rows import Part


class MemoryPasts(Part):
    def of(self, page: int, user_name: str | None) -> list[Version]:
        with self._rows.lock:
            found = [one for who, one in self._rows.pasts.get(page, []) if user_name in (None, who)]
        return sorted(found, key=lambda one: (one.fetched_at, one.number), reverse=True)

    def bring(self, page: int, user_name: str, versions: Sequence[PastVersion]) -> list[Version]:
        with self._rows.lock:
            known = self._rows.pasts.setdefault(page, [])
            first = min((one.number for _, one in known), default=0) - len(versions)
            made = [
                Version(page=page, number=first + place, **asdict(one)) for place, one in enumerate(versions)
            ]
            known += [(user_name, one) for one in made]
            return made

    def tell(self, page: int, changes: Sequence[PastChange]) -> None:
        with self._rows.lock:
            first = min([0, *self._rows.changes]) - len(changes)
            row = self._rows.pages[page]
            told = {}
            for place, one in enumerate(changes):
                sentinel = self._rows.sentinels[one.sentinel]
                told[first + place] = Change(
                    id=first + place,
                    sentinel=sentinel.new.name,
                    user=sentinel.new.user,
                    page=page,
                    url=row.page.url,
                    old_version=one.old_version,
                    new_version=one.new_version,
                    found_at=one.found_at,
                    findings=one.findings,
                    topic=sentinel.new.topic,
                    seen=True,
                    title=row.title,
                )
            # Changes are listed in the order of the dictionary, which is that of their ids.
            self._rows.changes = told | self._rows.changes

    def forget(self, page: int, user_name: str) -> list[str]:
        with self._rows.lock:
            known = self._rows.pasts.get(page, [])
            self._rows.pasts[page] = [both for both in known if both[0] != user_name]
            self._rows.changes = {
                id_: one
                for id_, one in self._rows.changes.items()
                if not (one.page == page and one.user == user_name and one.old_version < 0)
            }
            return [one.object for who, one in known if who == user_name]
