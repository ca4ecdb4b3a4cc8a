"""What pages taught us about themselves (Q3)."""

from __future__ import annotations

from webvigil.model.quiet import PageHabits
from webvigil.store.memory.rows import Part


class MemoryHabits(Part):
    def of(self, page_id: int) -> PageHabits:
        with self._rows.lock:
            row = self._rows.pages.get(page_id)
            return PageHabits(looks=row.checks, parts=dict(row.habits)) if row else PageHabits()

    def forget(self, page_id: int) -> None:
        with self._rows.lock:
            if row := self._rows.pages.get(page_id):
                row.habits.clear()
