"""A cache for a few large things, bounded by their total weight; the least recently used goes first.

A thing that somebody still works with is found even if it had to go: many checks at the same time hold more
than there is room for, and each of them would otherwise read its own things again.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")


class Recent(Generic[T]):
    """A cache of things with a weight, of at most `room` in total. The last `few` things stay, however heavy
    they are."""

    def __init__(self, room: int, few: int = 2) -> None:
        self._room = room
        self._few = few
        self._kept: OrderedDict[str, tuple[T, int]] = OrderedDict()
        self._in_use: WeakValueDictionary[str, T] = WeakValueDictionary()
        self._weight = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> T | None:
        with self._lock:
            if key not in self._kept:
                return self._in_use.get(key)
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: str, thing: T, weight: int) -> None:
        with self._lock:
            self._forget(key)
            self._kept[key] = thing, weight
            self._in_use[key] = thing
            self._weight += weight
            while self._weight > self._room and len(self._kept) > self._few:
                self._forget(next(iter(self._kept)))

    def trim(self) -> None:
        """Drops the least recently used things until a quarter of the room is in use, also heavy things that
        `put` let stay. Whoever still works with a dropped thing has its own reference."""
        with self._lock:
            while self._weight > self._room // 4:
                self._forget(next(iter(self._kept)))

    @property
    def weight(self) -> int:
        return self._weight

    def forget(self, key: str) -> None:
        with self._lock:
            self._forget(key)
            self._in_use.pop(key, None)

    def _forget(self, key: str) -> None:
        if key in self._kept:
            self._weight -= self._kept.pop(key)[1]
