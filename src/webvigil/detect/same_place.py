"""Elements of two versions in, those at the same place out, judged by the words that stayed.

The words that stayed are the same in both versions and in the same order, so they number the places of both
pages in the same way: an element reaches from one such number to another. Two elements that contain mostly
the same of these words are at the same place. The pages need not be compared as trees for this.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Longs

# This share of the words of both elements must have stayed in them; less may be chance.
_ENOUGH = 0.3


class Standing:
    """Some elements of a page, with the words in them that stayed."""

    def __init__(self, digest: PageDigest, nodes: Sequence[int], went: Longs) -> None:
        """`went` are the runs (start, end) of words that the other version does not have."""
        roots = np.array(nodes, dtype=np.int64)
        words = digest.words.nodes
        first = np.searchsorted(words, roots)
        last = np.searchsorted(words, roots + digest.sizes[roots])
        stayed = _stayed_before(len(words), went)
        self.words: Longs = last - first
        self.first: Longs = stayed[first]
        self.last: Longs = stayed[last]

    def partner(self, place: int, other: Standing) -> int:
        """Returns the element of the other version at the place of the element number `place`, or -1 if that
        is unclear."""
        if self.first[place] == self.last[place]:
            return self._replaced(place, other)
        low, high = np.maximum(self.first[place], other.first), np.minimum(self.last[place], other.last)
        alike = 2 * np.maximum(high - low, 0) / np.maximum(self.words[place] + other.words, 1)
        best = int(alike.argmax())
        is_clear = alike[best] >= _ENOUGH and np.count_nonzero(alike == alike[best]) == 1
        return best if is_clear else -1

    def _replaced(self, place: int, other: Standing) -> int:
        """Returns the partner of an element of which no word stayed. If both versions have equally many such
        elements between the same words, they correspond in order."""
        ours, theirs = self._between(self.first[place]), other._between(self.first[place])
        return int(theirs[np.searchsorted(ours, place)]) if len(ours) == len(theirs) else -1

    def _between(self, stayed: np.int64) -> Longs:
        """Returns the elements without a word that stayed that come after so many of those words."""
        return np.flatnonzero((self.first == stayed) & (self.last == stayed))


def _stayed_before(count: int, went: Longs) -> Longs:
    """Returns for each word, and for the end, how many words before it stayed."""
    inside = np.zeros(count + 2, dtype=np.int64)
    np.add.at(inside, went[:, 0] + 1, 1)
    np.subtract.at(inside, went[:, 1] + 1, 1)
    # Inside a run that went, the number of words that stayed does not grow.
    return np.arange(count + 1) - np.cumsum(np.cumsum(inside[:-1]))
