"""The words of one version as they are compared and searched for, worked out once per version.

Words that look the same are the same. A block is the words that begin in one text node; blocks of one
key have the same words. A word may run on into the next nodes, so a text alone does not tell the words
that begin in it: how many they are tells whether its first word belongs to the node before, and the
last is named.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

import numpy as np

from webvigil.detect.alignment import Blocks
from webvigil.detect.remembered import remembered
from webvigil.detect.sequences import Haystack, compared
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs


class Wording:
    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest

    @cached_property
    def words(self) -> list[str]:
        """The words as they are compared."""
        return compared(self._digest.words.words)

    @cached_property
    def haystack(self) -> Haystack:
        """The words as they are searched for."""
        return Haystack(self._digest.words.words)

    @cached_property
    def starts(self) -> list[int]:
        """The first word of each block."""
        starts: list[int] = np.flatnonzero(np.diff(self._digest.words.nodes, prepend=-1)).tolist()
        return starts

    @cached_property
    def keys(self) -> Longs:
        """A number per block, for this process."""
        ends = [*self.starts[1:], len(self._digest.words)]
        texts, words = self._texts, self._digest.words.words
        rows = zip(texts, self.starts, ends, strict=False)  # there is no end without a start
        keys = [hash((text, end - start, words[end - 1])) for text, start, end in rows]
        return np.array(keys, dtype=np.int64)

    @cached_property
    def _texts(self) -> list[str]:
        """Per block the text of its node."""
        digest = self._digest
        content = digest.content[digest.words.nodes[self.starts]] if self.starts else ()
        return [digest.texts[index] for index in map(int, content)]

    def blocks(self, start: int, end: int) -> Blocks:
        """The blocks in a run of words; those at its ends may be cut."""
        first, last = bisect_left(self.starts, start + 1) - 1, bisect_left(self.starts, end)
        starts, keys = self.starts[first:last], self.keys[first:last].tolist()
        starts[0] = start
        ends = [*self.starts[first + 1 : last], end]
        for place in {0, len(keys) - 1}:
            run = ends[place] - starts[place], self._digest.words.words[ends[place] - 1]
            keys[place] = hash((self._texts[first + place], *run))
        return Blocks(starts, keys, end)

    def span(self, before: int, behind: int) -> tuple[int, int]:
        """The words without those of so many blocks at the start and at the end."""
        edges, blocks = [*self.starts, len(self._digest.words)], len(self.starts)
        return edges[before], edges[blocks - behind]

    def edge(self, word: int) -> int:
        """How much of an edge is there before a word: 2 between lines, 1 between texts, 0 within a text."""
        words = self._digest.words
        if word in (0, len(words)):
            return 2
        block = bisect_left(self.starts, word)
        if block == len(self.starts) or self.starts[block] != word:
            return 0
        before = int(words.starts[word - 1]) + len(words.words[word - 1])
        return 2 if "\n" in self._digest.reading.text[before : int(words.starts[word])] else 1


@remembered
def wording(digest: PageDigest) -> Wording:
    return Wording(digest)
