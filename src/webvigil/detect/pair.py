"""What two digests have to do with each other, worked out once for all change types that ask.

Words, phrases, any change and the amounts of a finding all rest on one alignment of the words. The
last few pairs are remembered by identity (comparing digests by value would cost more than it saves),
so that a group of change types on one page pays once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from webvigil.detect.alignment import EXACT, Blocks, Gap, gaps
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
        old, new = self.old.words, self.new.words
        if len(old) * len(new) <= EXACT:
            return tuple(gaps(old.words, new.words))
        return tuple(gaps(old.words, new.words, _blocks(self.old), _blocks(self.new)))


def _blocks(digest: PageDigest) -> Blocks:
    """The text nodes as blocks of words.

    A word may run on into the next nodes, so a text alone does not tell the words that begin in it: how
    many they are tells whether its first word belongs to the node before, and the last is named.
    """
    words = digest.words
    starts = np.flatnonzero(np.diff(words.nodes, prepend=-1))
    ends = np.append(starts[1:], len(words))
    texts, content = digest.texts, digest.content[words.nodes[starts]]
    rows = zip(content.tolist(), starts.tolist(), ends.tolist(), strict=True)
    return Blocks(
        starts.tolist(), [(texts[index], end - start, words.words[end - 1]) for index, start, end in rows]
    )


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
