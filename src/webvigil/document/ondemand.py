"""A sequence whose members are made when they are asked for: of a hundred tables mostly one is meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class OnDemand(Sequence[T]):
    """`count` members; `make` makes the one at a place. Each is made once."""

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
            # Whoever comes first: two threads get the very same one.
            self._made.setdefault(place, self._make(place))
        return self._made[place]

    def __iter__(self) -> Iterator[T]:
        return map(self.__getitem__, self._places)
