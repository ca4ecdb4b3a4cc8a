"""What was worked out for the last few digests is kept, as long as they are the very same digests.

By identity: comparing digests by value would cost more than it saves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import is_
from typing import Generic, TypeVar

from webvigil.document import PageDigest

T = TypeVar("T")

# Both versions of a page, whole and in a few parts; more would hold on to memory for nothing.
MOST = 8


class remembered(Generic[T]):  # noqa: N801 - a decorator
    """A function of one or more digests that remembers its last few answers, and the digests with them."""

    def __init__(self, make: Callable[..., T]) -> None:
        self._made = lru_cache(maxsize=MOST)(lambda key: make(*key.digests))

    def __call__(self, *digests: PageDigest) -> T:
        return self._made(_These(*digests))

    def forget(self) -> None:
        """Let go of all of them."""
        self._made.cache_clear()


class _These:
    """Digests as a key."""

    __slots__ = ("digests",)

    def __init__(self, *digests: PageDigest) -> None:
        self.digests = digests

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.digests)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _These) and all(map(is_, self.digests, other.digests))
