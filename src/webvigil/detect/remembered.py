"""Decorators that keep what was computed for a digest: in the digest, or beside the last few digests.

A result that depends on one digest and does not refer to it is kept in the digest. Other results are kept for
the very same digest objects, because comparing digests by value would cost more than it saves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Generic, TypeVar

from webvigil.document import PageDigest

T = TypeVar("T")

# Enough for both versions of a page, whole and in a few parts; more would use memory for nothing. Of large
# digests only those at work are kept.
MOST, AT_WORK = 8, 2
_LARGE = 100_000  # nodes


def kept(make: Callable[[PageDigest], T]) -> Callable[[PageDigest], T]:
    """Makes a function of one digest keep its result in the digest. The result must not refer to the
    digest."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def known(digest: PageDigest) -> T:
        return digest.once(name, make)

    return known


class remembered(Generic[T]):  # noqa: N801 - a decorator
    """Makes a function of one or more digests remember its last few results, together with the digests."""

    def __init__(self, make: Callable[..., T]) -> None:
        self._make = make
        # The digests stay alive with their result, so that no other digest can get their ids meanwhile.
        self._made: dict[tuple[int, ...], tuple[T, tuple[PageDigest, ...]]] = {}
        _all.append(self)

    def __call__(self, *digests: PageDigest) -> T:
        key = tuple(map(id, digests))
        made = self._made.get(key)
        if made is None:
            made = self._make(*digests), digests
            with _lock:
                self._made[key] = made
                while len(self._made) > MOST or (len(self._made) > AT_WORK and self._nodes() > _LARGE):
                    del self._made[next(iter(self._made))]
        return made[0]

    def _nodes(self) -> int:
        return sum([len(digest) for _, digests in self._made.values() for digest in digests])

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
