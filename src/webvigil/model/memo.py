"""`Once`: a function that is computed once for each object, and remembers the result.

Sentinels with equal wishes share one finding object, so anything computed from that object is computed once
and shared, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Once(Generic[A, B]):
    """Remembers results by the identity of the argument: for two equal but separate objects the function runs
    twice."""

    def __init__(self, make: Callable[[A], B]) -> None:
        self._make = make
        # The dictionary keeps the argument alive, so that no other object can get the same id.
        self._made: dict[int, tuple[A, B]] = {}

    def __call__(self, one: A) -> B:
        made = self._made.get(id(one))
        if made is None:
            made = self._made[id(one)] = one, self._make(one)
        return made[1]
