"""Results that are computed once and kept: in the object they belong to, or beside it for a while.

    cached_property   an attribute that is computed on first use and then kept in its object
    remembered        a function of some digests: the last few results are kept, together with the digests
    Once              a function of any object, which lives as long as its caller keeps it

What is computed from one digest alone is kept in the digest (`document.kept`). Sentinels with equal wishes
share one finding object, so what is computed from it is computed once and shared, too. Objects are compared
by identity: comparing them by value would cost more than it saves.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - a decorator
        """`functools.cached_property` without a lock.

        Up to Python 3.11 the one in `functools` has one lock for all objects of a class and holds it while
        it computes a value, so two threads would wait for each other at every page. Without the lock two
        threads that ask at the same time both compute the value, and both get the value of the one that was
        first.
        """

        def __init__(self, make):
            self._make = make
            self.__doc__ = make.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._make(instance))


A = TypeVar("A")
B = TypeVar("B")


# Enough for both versions of a page, whole and in a few parts; more would use memory for nothing. Of large
# digests only those at work are kept.
MOST, AT_WORK = 8, 2
_LARGE = 100_000  # nodes


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


class remembered(Generic[B]):  # noqa: N801 - a decorator
    """Makes a function of one or more digests remember its last few results, together with the digests."""

    def __init__(self, make: Callable[..., B]) -> None:
        self._make = make
        # The digests stay alive with their result, so that no other digest can get their ids meanwhile.
        self._made: dict[tuple[int, ...], tuple[B, tuple[Sized, ...], int]] = {}
        _all.append(self)

    def __call__(self, *digests: Sized) -> B:
        key = tuple(map(id, digests))
        made = self._made.get(key)
        if made is None:
            made = self._make(*digests), digests, sum(map(len, digests))
            with _lock:
                self._made[key] = made
                while len(self._made) > MOST or (len(self._made) > AT_WORK and self._nodes() > _LARGE):
                    del self._made[next(iter(self._made))]
        return made[0]

    def _nodes(self) -> int:
        return sum([made[2] for made in self._made.values()])

    def forget(self) -> None:
        """Forgets all results."""
        with _lock:
            self._made.clear()


_lock = Lock()
_all: list[remembered[Any]] = []


def forget_all() -> None:
    """Forgets all results that are kept beside digests. Otherwise the last two large digests would stay in
    memory."""
    for one in _all:
        one.forget()


__all__ = ["Once", "cached_property", "forget_all", "remembered"]
