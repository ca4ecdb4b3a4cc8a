"""A function worked out once for each object it is asked about.

Sentinels that want the same share what was found for them, as one object: what is made of it is shared too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Once(Generic[A, B]):
    """By identity: two equal objects are asked about twice."""

    def __init__(self, make: Callable[[A], B]) -> None:
        self._make = make
        # The object stays alive with its answer, so no other can have its identity meanwhile.
        self._made: dict[int, tuple[A, B]] = {}

    def __call__(self, one: A) -> B:
        made = self._made.get(id(one))
        if made is None:
            made = self._made[id(one)] = one, self._make(one)
        return made[1]
