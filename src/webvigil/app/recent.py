"""The last few of many large things, as many as fit: who is used again stays, who is not goes first.

Things grow while they are used, for they keep what was worked out of them. So one is weighed when another
comes, not before it was used; then again after its second use, its fourth, its eighth …
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Kept(Generic[T]):
    thing: T
    uses: int = 1
    weight: int = 0
    has_grown: bool = True


class Recent(Generic[T]):
    """At most `room`, in whatever `weigh` says, beside the newest; `few` stay, however heavy they are."""

    def __init__(self, room: int, weigh: Callable[[T], int], few: int = 2) -> None:
        self._room = room
        self._weigh = weigh
        self._few = few
        self._kept: OrderedDict[str, _Kept[T]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def weight(self) -> int:
        """Of all as they were weighed last."""
        return sum(one.weight for one in self._kept.values())

    def get(self, key: str) -> T | None:
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            found = self._kept[key]
            found.uses += 1
            found.has_grown = found.has_grown or found.uses & (found.uses - 1) == 0
            return found.thing

    def put(self, key: str, thing: T) -> None:
        with self._lock:
            self._kept.pop(key, None)
            for one in self._kept.values():
                if one.has_grown:
                    one.weight, one.has_grown = self._weigh(one.thing), False
            self._kept[key] = _Kept(thing)
            weight = self.weight
            while weight > self._room and len(self._kept) > self._few:
                weight -= self._kept.popitem(last=False)[1].weight

    def forget(self, key: str) -> None:
        with self._lock:
            self._kept.pop(key, None)
