"""What two digests have to do with each other, worked out once for all change types that ask.

Words, phrases, any change and the amounts of a finding all rest on one alignment of the words. The
last few pairs are remembered by identity (comparing digests by value would cost more than it saves),
so that a group of change types on one page pays once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from webvigil.detect.alignment import Gap, gaps
from webvigil.document import PageDigest


class Pair:
    """An older and a newer digest of one page."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self.old = old
        self.new = new

    @cached_property
    def word_gaps(self) -> tuple[Gap, ...]:
        """Where the words differ."""
        if self.old.reading.text == self.new.reading.text:
            return ()
        return tuple(gaps(self.old.words.words, self.new.words.words))


def pair(old: PageDigest, new: PageDigest) -> Pair:
    return _pair(_Key(old, new))


@dataclass(frozen=True, slots=True, eq=False)
class _Key:
    old: PageDigest
    new: PageDigest

    def __hash__(self) -> int:
        return hash((id(self.old), id(self.new)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.old is other.old and self.new is other.new


@lru_cache(maxsize=8)
def _pair(key: _Key) -> Pair:
    return Pair(key.old, key.new)
