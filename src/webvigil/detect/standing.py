"""Where parts of one version stand in the other, told by the words that stayed.

The words that stayed are the same in both versions and in the same order, so they number the places of
both pages alike: an element reaches from one number to another, before and after. Two elements that hold
mostly the same of these words stand in the same place. It takes no comparison of the pages as trees.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Longs

# The share of the words of both that must have stayed in them; with fewer it may be chance.
_ENOUGH = 0.3


class Standing:
    """Some elements of a page, by the words that stayed."""

    def __init__(self, digest: PageDigest, nodes: Sequence[int], went: Longs) -> None:
        """`went` are the runs (start, end) of words that are not in the other version."""
        roots = np.array(nodes, dtype=np.int64)
        words = digest.words.nodes
        first = np.searchsorted(words, roots)
        last = np.searchsorted(words, roots + digest.sizes[roots])
        stayed = _stayed_before(len(words), went)
        self.words: Longs = last - first
        self.first: Longs = stayed[first]
        self.last: Longs = stayed[last]

    def partner(self, place: int, other: Standing) -> int:
        """Which of the other version's elements stands where this one (of `place`) stood, -1 if unclear."""
        if self.first[place] == self.last[place]:
            return self._replaced(place, other)
        low, high = np.maximum(self.first[place], other.first), np.minimum(self.last[place], other.last)
        alike = 2 * np.maximum(high - low, 0) / np.maximum(self.words[place] + other.words, 1)
        best = int(alike.argmax())
        is_clear = alike[best] >= _ENOUGH and np.count_nonzero(alike == alike[best]) == 1
        return best if is_clear else -1

    def _replaced(self, place: int, other: Standing) -> int:
        """No word of it stayed. Between the same words, as many on both sides are the same, in order."""
        ours, theirs = self._between(self.first[place]), other._between(self.first[place])
        return int(theirs[np.searchsorted(ours, place)]) if len(ours) == len(theirs) else -1

    def _between(self, stayed: np.int64) -> Longs:
        """The elements with no word that stayed that stand behind so many of those words."""
        return np.flatnonzero((self.first == stayed) & (self.last == stayed))


def _stayed_before(count: int, went: Longs) -> Longs:
    """Before each word (and the end): how many words that stayed stand there."""
    inside = np.zeros(count + 2, dtype=np.int64)
    np.add.at(inside, went[:, 0] + 1, 1)
    np.subtract.at(inside, went[:, 1] + 1, 1)
    # Inside a run that went nothing is added to the words that stayed.
    return np.arange(count + 1) - np.cumsum(np.cumsum(inside[:-1]))
