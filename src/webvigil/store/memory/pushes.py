"""Push addresses in memory: secret addresses at which others report that a page has changed."""

from __future__ import annotations

from webvigil.model.push import Push
from webvigil.store.memory.rows import Part


class MemoryPushes(Part):
    def put(self, one: Push) -> None:
        self._rows.pushes[one.digest] = one

    def get(self, digest: str) -> Push | None:
        return self._rows.pushes.get(digest)

    def all(self, *, page: int | None = None, kind: str | None = None) -> list[Push]:
        found = [
            one for one in self._rows.pushes.values() if page in (None, one.page) and kind in (None, one.kind)
        ]
        return sorted(found, key=lambda one: (one.page, one.digest))

    def remove(self, digest: str) -> None:
        self._rows.pushes.pop(digest, None)
