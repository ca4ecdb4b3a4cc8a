"""The words of one version as they are compared and searched for, worked out once per version.

Words that look the same are the same. A block is the words that begin in one text node; blocks of one
key have the same words.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from webvigil.detect.alignment import Blocks
from webvigil.detect.remembered import kept
from webvigil.detect.sequences import Haystack, compared, hashes_of
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes
from webvigil.document.derived import cached_property

# Otherwise arbitrary.
_ODD, _EVEN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4E)


class Wording:
    def __init__(self, digest: PageDigest) -> None:
        # Not the digest itself, for it keeps its wording.
        self._words = digest.words

    @cached_property
    def words(self) -> list[str]:
        """The words as they are compared."""
        return compared(self._words.words)

    def word(self, place: int) -> str:
        """One of them."""
        return compared(self._words.at(np.array([place])))[0]

    @cached_property
    def hashes(self) -> Hashes:
        """A number per word as it is compared, for this process."""
        return hashes_of(self._words, folding=False)

    @cached_property
    def haystack(self) -> Haystack:
        """The words as they are searched for."""
        return Haystack(self._words)

    def blocks(self, start: int, end: int) -> Blocks:
        """The blocks in a run of words; those at its ends may be cut."""
        starts = self._words.blocks[0]
        first, last = starts.searchsorted(start, side="right"), starts.searchsorted(end)
        begins = np.append(start, starts[first:last])
        sizes = np.diff(begins, append=end)
        # Of each word how many of its block stand before it.
        ranks = np.arange(start, end) - np.repeat(begins, sizes)
        placed = self.hashes[start:end] * (ranks.astype(np.uint64) * _EVEN + _ODD)
        keys = np.add.reduceat(placed, begins - start) + sizes.astype(np.uint64)
        return Blocks(begins.tolist(), keys, end)

    @cached_property
    def edges(self) -> npt.NDArray[np.uint8]:
        """Before each word, and behind the last: 2 between lines, 1 between texts, 0 within a text."""
        words = self._words
        edges = np.zeros(len(words) + 1, dtype=np.uint8)
        edges[words.blocks[0]] = 1
        places = np.flatnonzero(edges[1:-1]) + 1
        between = zip(words.ends[places - 1].tolist(), words.starts[places].tolist(), strict=True)
        edges[places] += np.array(["\n" in words.text[end:start] for end, start in between], dtype=np.uint8)
        edges[[0, -1]] = 2
        return edges


@kept
def wording(digest: PageDigest) -> Wording:
    return Wording(digest)
