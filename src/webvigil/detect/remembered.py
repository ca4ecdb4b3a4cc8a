"""What was worked out for the last few digests is kept, as long as they are the very same digests.

By identity: comparing digests by value would cost more than it saves.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from webvigil.document import PageDigest

T = TypeVar("T")

# Both versions of a page, whole and in a few parts; more would hold on to memory for nothing.
MOST = 8


class remembered(Generic[T]):  # noqa: N801 - a decorator
    """A function of one or more digests that remembers its last few answers, and the digests with them."""

    def __init__(self, make: Callable[..., T]) -> None:
        self._make = make
        # The digests stay alive with their answer, so no other can have their identities meanwhile.
        self._made: dict[tuple[int, ...], tuple[T, tuple[PageDigest, ...]]] = {}

    def __call__(self, *digests: PageDigest) -> T:
        key = tuple(map(id, digests))
        made = self._made.get(key)
        if made is None:
            made = self._make(*digests), digests
            with _lock:
                self._made[key] = made
                while len(self._made) > MOST:
                    del self._made[next(iter(self._made))]
        return made[0]

    def forget(self) -> None:
        """Let go of all of them."""
        with _lock:
            self._made.clear()


_lock = Lock()
