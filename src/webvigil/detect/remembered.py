"""What was worked out for a digest is kept with it, or, for the last few of them, beside it.

With it goes what rests on one digest and does not hold on to it. Anything else is kept for the very same
digests: comparing them by value would cost more than it saves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Generic, TypeVar

from webvigil.document import PageDigest

T = TypeVar("T")

# Both versions of a page, whole and in a few parts; more would hold on to memory for nothing. Of large ones
# only those at work.
MOST, AT_WORK = 8, 2
_LARGE = 100_000  # nodes


def kept(make: Callable[[PageDigest], T]) -> Callable[[PageDigest], T]:
    """A function of one digest whose answer is kept in the digest; the answer must not refer to it."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def known(digest: PageDigest) -> T:
        return digest.once(name, make)

    return known


class remembered(Generic[T]):  # noqa: N801 - a decorator
    """A function of one or more digests that remembers its last few answers, and the digests with them."""

    def __init__(self, make: Callable[..., T]) -> None:
        self._make = make
        # The digests stay alive with their answer, so no other can have their identities meanwhile.
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
        """Let go of all of them."""
        with _lock:
            self._made.clear()


_lock = Lock()
_all: list[remembered[Any]] = []


def forget_all() -> None:
    """Lets go of everything that is kept beside digests: of large ones the last two stay otherwise."""
    for one in _all:
        one.forget()
