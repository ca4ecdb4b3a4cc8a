"""Versions of pages in memory, and pages by their identity."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from webvigil.errors import NotFound
from webvigil.model.page import Page
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID, PIECE
from webvigil.store.memory.rows import Part


class MemoryVersions(Part):
    def of(self, page: int) -> list[Version]:
        row = self._rows.pages.get(page)
        return [one for one in reversed(row.versions) if one.number not in row.dropped] if row else []

    def some(
        self,
        page: int,
        *,
        after: int = 0,
        before: int = LARGEST_ID,
        until: datetime | None = None,
        oldest_first: bool = False,
        limit: int = PIECE,
    ) -> list[Version]:
        found = [
            one
            for one in self.of(page)
            if after < one.number < before and (until is None or one.fetched_at <= until)
        ]
        return (found[::-1] if oldest_first else found)[:limit]

    def count(self, page: int, *, after: int = 0) -> int:
        return sum(one.number > after for one in self.of(page))

    def get(self, page: int, number: int) -> Version:
        past = [one for _, one in self._rows.pasts.get(page, [])]
        known = past if number < 0 else self.of(page)
        found = next((one for one in known if one.number == number), None)
        if found is None:
            raise NotFound(f"page {page} has no version {number}")
        return found

    def pictured(self, versions: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        wanted = set(versions)
        kept = {(one.page, one.number) for page, _ in wanted for one in self.of(page) if one.picture}
        return kept & wanted

    def deltas(self, key: str) -> dict[str, bytes]:
        for row in self._rows.pages.values():
            if key in row.deltas:
                return dict(row.deltas)
        return {}

    def page_id(self, page: Page) -> int:
        row = self._rows.page_by_key.get(page.key)
        if row is None:
            raise NotFound(f"nobody watches {page.url}")
        return row.id

    def page(self, page: int) -> Page:
        if page not in self._rows.pages:
            raise NotFound(f"there is no page {page}")
        return self._rows.pages[page].page
