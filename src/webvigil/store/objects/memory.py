"""An object store in memory, for tests and for commands that must leave no trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from webvigil.errors import ObjectMissing
from webvigil.store.objects.keys import refuse_other


class MemoryObjects:
    distant = False

    def __init__(self) -> None:
        self._objects: dict[str, bytes] = {}
        self._since: dict[str, datetime] = {}

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        refuse_other(key)
        self._objects[key] = content
        self._since[key] = datetime.now(UTC)

    def succeed(self, key: str, content: bytes, *, old: str) -> None:
        self.put(key, content, lasting=False)
        self.delete([old])

    def get(self, key: str) -> bytes:
        try:
            return self._objects[key]
        except KeyError:
            raise ObjectMissing(f"object {key} is missing") from None

    def has(self, key: str) -> bool:
        return key in self._objects

    def delete(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._objects.pop(key, None)

    def keys(self) -> Iterator[str]:
        return iter(sorted(self._objects))

    def aged(self) -> Iterator[tuple[str, datetime]]:
        return iter([(key, self._since[key]) for key in sorted(self._objects)])
