"""Sequences whose members are made when they are used.

A page may have a hundred tables of which a sentinel watches one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class OnDemand(Sequence[T]):
    """A sequence of `count` members. `make(place)` makes a member on its first use; it is then kept."""

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        self._places = range(count)
        self._make = make
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        if isinstance(place, slice):
            return [self[one] for one in self._places[place]]
        place = self._places[place]
        if place not in self._made:
            # Two threads may both make the member; setdefault gives both of them the one that was stored
            # first.
            self._made.setdefault(place, self._make(place))
        return self._made[place]

    def __iter__(self) -> Iterator[T]:
        return map(self.__getitem__, self._places)
