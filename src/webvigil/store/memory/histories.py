"""Histories of pages in memory: what the collector of old versions asks, and what it may remove."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webvigil.model.history import History, KeptVersion, Need, Told, Use
from webvigil.model.moment import as_millis
from webvigil.model.version import Version
from webvigil.store.memory.rows import PageRow, Part
from webvigil.store.objects.keys import PICTURE


class MemoryHistories(Part):
    def pages(self, *, after: int, limit: int) -> list[int]:
        with self._rows.lock:
            return sorted(row.id for row in self._rows.pages.values() if row.versions and row.id > after)[
                :limit
            ]

    def of(self, page: int) -> History:
        with self._rows.lock:
            row = self._rows.pages[page]
            changes = [one for one in self._rows.kept_changes() if one.page == page]
            return History(
                page=page,
                latest=row.latest,
                versions=tuple(_kept(one, one.number in row.dropped) for one in row.versions),
                needs=tuple(self._needs(page)),
                told=tuple(
                    Told(one.old_version, one.new_version, as_millis(one.found_at)) for one in changes
                ),
            )

    def drop(self, page: int, numbers: Sequence[int]) -> list[int]:
        with self._rows.lock:
            row = self._rows.pages[page]
            spared = {row.latest, *row.dropped, *(need.reference for need in self._needs(page))}
            chosen = {one.number for one in row.versions if one.number in numbers} - spared
            row.dropped |= chosen
            return sorted(chosen)

    def forget(self, page: int, numbers: Sequence[int]) -> list[str]:
        with self._rows.lock:
            row = self._rows.pages[page]
            doomed = row.dropped & set(numbers)
            for one in reversed(row.versions):
                above = {other.base for other in row.versions if other.number not in doomed}
                if one.number in doomed and one.object in above:
                    doomed.discard(one.number)
            gone = [one.object for one in row.versions if one.number in doomed]
            row.versions = [one for one in row.versions if one.number not in doomed]
            row.dropped -= doomed
            for key in gone:
                row.deltas.pop(key, None)
            return gone

    def uses(self, objects: Sequence[str]) -> dict[str, Use]:
        with self._rows.lock:
            found = {key: use for row in self._rows.pages.values() for key, use in self._used(row)}
            found |= {one.object: Use.KEPT for some in self._rows.pasts.values() for _, one in some}
            return {key: found[key] for key in objects if key in found}

    def _used(self, row: PageRow) -> Iterable[tuple[str, Use]]:
        compared = {row.latest, *(need.reference for need in self._needs(row.id))}
        for one in row.versions:
            if one.number in row.dropped:
                yield one.object, Use.RESTED_ON
                continue
            yield one.object, Use.COMPARED if one.number in compared else Use.KEPT
            if one.picture:
                yield one.picture, Use.KEPT
        for look in row.looks:
            if look["picture"]:
                yield look["picture"].removesuffix(PICTURE), Use.KEPT

    def _needs(self, page: int) -> Iterable[Need]:
        for row in self._rows.kept_sentinels():
            if page in row.watches and not row.life.over:
                watch = row.watches[page]
                yield Need(watch.reference, row.new.text)
                if watch.measured_from:
                    yield Need(watch.measured_from, row.new.text)


def _kept(version: Version, dropped: bool) -> KeptVersion:
    return KeptVersion(
        number=version.number,
        fetched_at=as_millis(version.fetched_at),
        object=version.object,
        base=version.base,
        picture="" if dropped else version.picture,
        stored=version.stored or version.size,
        dropped=dropped,
    )
