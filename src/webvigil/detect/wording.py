"""The words of one version as they are compared and searched for, worked out once per version.

Words that look the same are the same. A block is the words that begin in one text node; blocks of one
key have the same words. A word may run on into the next nodes, so a text alone does not tell the words
that begin in it: how many they are tells whether its first word belongs to the node before, and the
last is named.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from webvigil.detect.alignment import Blocks
from webvigil.detect.remembered import kept
from webvigil.detect.sequences import Haystack, compared
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, Longs
from webvigil.document.derived import cached_property
from webvigil.document.hashes import string_hashes


class Wording:
    def __init__(self, digest: PageDigest) -> None:
        # Not the digest itself, for it keeps its wording.
        self._words = digest.words
        self._reading = digest.reading
        self._table, self._content = digest.texts, digest.content
        self._run: tuple[int, int, list[str]] = (0, 0, [])

    @cached_property
    def words(self) -> list[str]:
        """The words as they are compared."""
        return compared(self._words.words)

    @cached_property
    def hashes(self) -> Hashes:
        """A number per word as it is compared, for this process."""
        return string_hashes(self.words)

    @cached_property
    def haystack(self) -> Haystack:
        """The words as they are searched for."""
        return Haystack(self._words.words)

    def words_in(self, start: int, end: int) -> list[str]:
        """All words, but only those of a run are what they are; the others are not looked at."""
        if "words" in self.__dict__ or 2 * (end - start) > len(self._words):
            return self.words
        if not self._run[2] or self._run[:2] != (start, end):
            run = compared(self._words.run(start, end))
            self._run = start, end, [*[""] * start, *run, *[""] * (len(self._words) - end)]
        return self._run[2]

    @cached_property
    def starts(self) -> list[int]:
        """The first word of each block."""
        starts: list[int] = self._words.blocks[0].tolist()
        return starts

    @cached_property
    def _edges(self) -> frozenset[int]:
        """The first words of blocks, the first word of all, and the place behind the last."""
        return frozenset((*self.starts, 0, len(self._words)))

    @cached_property
    def keys(self) -> Longs:
        """A number per block, for this process."""
        starts = self._words.blocks[0]
        return self._keys(self._texts, starts, np.append(starts[1:], len(self._words))[: len(starts)])

    @cached_property
    def _texts(self) -> Hashes:
        """Per block a number for the text of its node."""
        indices = self._content[self._words.blocks[1]].tolist()
        return string_hashes([self._table[index] for index in indices])

    def _keys(self, texts: Hashes, starts: Longs, ends: Longs) -> Longs:
        lasts = string_hashes(self._words.at(ends - 1))
        mixed = texts * np.uint64(3) + lasts * np.uint64(5) + (ends - starts).astype(np.uint64)
        return mixed.view(np.int64)

    def blocks(self, start: int, end: int) -> Blocks:
        """The blocks in a run of words; those at its ends may be cut."""
        first, last = bisect_left(self.starts, start + 1) - 1, bisect_left(self.starts, end)
        starts, keys = self.starts[first:last], self.keys[first:last].tolist()
        starts[0] = start
        ends = [*self.starts[first + 1 : last], end]
        for place in {0, len(keys) - 1}:
            run = np.array([starts[place]]), np.array([ends[place]])
            keys[place] = int(self._keys(self._texts[first + place : first + place + 1], *run)[0])
        return Blocks(starts, keys, end)

    def span(self, before: int, behind: int) -> tuple[int, int]:
        """The words without those of so many blocks at the start and at the end."""
        edges, blocks = [*self.starts, len(self._words)], len(self.starts)
        return edges[before], edges[blocks - behind]

    def edge(self, word: int) -> int:
        """How much of an edge is there before a word: 2 between lines, 1 between texts, 0 within a text."""
        words = self._words
        if word not in self._edges:
            return 0
        if word in (0, len(words)):
            return 2
        before = int(words.ends[word - 1])
        return 2 if "\n" in self._reading.text[before : int(words.starts[word])] else 1


@kept
def wording(digest: PageDigest) -> Wording:
    return Wording(digest)
