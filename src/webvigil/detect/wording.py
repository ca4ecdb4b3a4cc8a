"""The words of one version in, the forms in which they are compared and searched out, made once per version.

Words that look the same are equal. A block is the words that begin in one text node; blocks with the same key
have the same words.
"""

from __future__ import annotations

import numpy as np

from webvigil.detect.alignment import Blocks
from webvigil.detect.remembered import kept
from webvigil.detect.sequences import Haystack, compared, hashes_of
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, Longs
from webvigil.document.derived import cached_property
from webvigil.document.fast import accelerated
from webvigil.document.hashes import factors


class Wording:
    """The words of one version as they are compared and searched."""

    def __init__(self, digest: PageDigest) -> None:
        # Not the digest itself, because the digest keeps its wording, and that would be a cycle.
        self._words = digest.words

    @cached_property
    def words(self) -> list[str]:
        """The words as they are compared."""
        return compared(self._words.words)

    def word(self, place: int) -> str:
        """Returns one word as it is compared."""
        return compared(self._words.at(np.array([place])))[0]

    @cached_property
    def hashes(self) -> Hashes:
        """A number for each word as it is compared, for this process only."""
        return hashes_of(self._words, folding=False)

    @cached_property
    def haystack(self) -> Haystack:
        """The words as they are searched for."""
        return Haystack(self._words)

    def blocks(self, start: int, end: int) -> Blocks:
        """Returns the blocks in a run of words. The blocks at its ends may be cut."""
        starts = self._words.blocks[0]
        first, last = starts.searchsorted(start, side="right"), starts.searchsorted(end)
        begins = np.concatenate([[start], starts[first:last]])
        return Blocks(begins.tolist(), block_keys(self.hashes, begins, end), end)

    def edges(self, first: int, last: int) -> list[int]:
        """Returns for each place before a word, and for the end: 2 between lines, 1 between texts, 0 within a
        text."""
        words = self._words
        starts = words.blocks[0]
        begun = starts[starts.searchsorted(first) : starts.searchsorted(last)]
        edges = [0] * (last - first)
        for word in begun.tolist():
            between = words.text[int(words.ends[word - 1]) if word else 0 : int(words.starts[word])]
            edges[word - first] = 2 if "\n" in between else 1
        for end in (0, len(words)):
            if first <= end < last:
                edges[end - first] = 2
        return edges


@kept
def wording(digest: PageDigest) -> Wording:
    """Returns the wording of a digest, which keeps it."""
    return Wording(digest)


@accelerated
def block_keys(items: Hashes, begins: Longs, end: int) -> Hashes:
    """Returns a number for each block of items. `begins` says where the blocks begin, `end` where the last
    one ends."""
    sizes = np.diff(begins, append=end)
    # For each item, how many items of its block are before it.
    ranks = np.arange(begins[0], end) - np.repeat(begins, sizes)
    by_rank = factors(int(sizes.max()))[ranks]
    keys: Hashes = np.add.reduceat(items[begins[0] : end] * by_rank, begins - begins[0])
    return keys + sizes.astype(np.uint64)
