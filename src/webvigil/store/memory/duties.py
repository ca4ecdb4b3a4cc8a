"""Duties in memory: work that one worker does for all."""

from __future__ import annotations

from webvigil.model.moment import Millis
from webvigil.store.memory.rows import Part


class MemoryDuties(Part):
    def take(self, name: str, worker: str, *, lease: Millis) -> bool:
        with self._rows.lock:
            now = self._rows.now()
            owner, until = self._rows.duties.get(name, (worker, 0))
            if owner != worker and until > now:
                return False
            self._rows.duties[name] = (worker, now + lease)
            return True

    def lay_down(self, name: str, worker: str) -> None:
        with self._rows.lock:
            if self._rows.duties.get(name, ("", 0))[0] == worker:
                del self._rows.duties[name]

    def is_held(self, name: str) -> bool:
        with self._rows.lock:
            return self._rows.duties.get(name, ("", 0))[1] > self._rows.now()

    def take_over(self) -> None:
        with self._rows.lock:
            self._rows.duties.clear()
