"""Two digests of a page in, what the change types need to know about both out, computed once for all of them.

Words, phrases, any change and the amounts of a finding all use one alignment of the words. The last few pairs
are remembered, so that many change types on one page cost one alignment.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from webvigil.detect.alignment import TOLD, Gap, aligned, settled
from webvigil.detect.sdiff import Difference, sdiff
from webvigil.detect.sequences import Near, haystack
from webvigil.detect.wording import wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.model.memo import cached_property, remembered

T = TypeVar("T")

# The least number of words around a changed place that a search looks at.
_MARGIN = 6


class Pair:
    """An older and a newer digest of one page."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self.old = old
        self.new = new
        new.follows(old)
        self._made: dict[Hashable, Any] = {}

    def once(self, name: Hashable, make: Callable[[PageDigest, PageDigest], T]) -> T:
        """Returns what `make` returns for both digests, computed the first time this name is asked for."""
        if name not in self._made:
            self._made[name] = make(self.old, self.new)
        made: T = self._made[name]
        return made

    @cached_property
    def same(self) -> bool:
        """True if both are equal documents with equal addresses, so that relative links are equal, too."""
        return self.old is self.new or (self.old.url == self.new.url and self.old == self.new)

    @cached_property
    def word_gaps(self) -> tuple[Gap, ...]:
        """Where the words differ."""
        if self.old.reading.text == self.new.reading.text:
            return ()
        old, new = wording(self.old), wording(self.new)
        found = aligned(
            old.hashes,
            new.hashes,
            lambda i, j: new.word(j) < old.word(i),
            lambda core: (old.blocks(*core.old), new.blocks(*core.new)),
        )
        if len(found) > TOLD:
            return tuple(found)
        return tuple(settled(found, old.hashes, new.hashes, old.edges, new.edges))

    @cached_property
    def word_runs(self) -> tuple[Longs, Longs]:
        """The gaps as arrays of (start, end): the words that went, and the words that came in their place."""
        return self._edges[:, :2], self._edges[:, 2:]

    @cached_property
    def words_changed(self) -> int:
        """How many words went and came."""
        starts, ends, firsts, lasts = self._edges.sum(axis=0).tolist()
        return int(ends - starts + lasts - firsts)

    @cached_property
    def _edges(self) -> Longs:
        return np.fromiter(chain.from_iterable(self.word_gaps), dtype=np.int64).reshape(-1, 4)

    def near(self, margin: int) -> tuple[Near, Near]:
        """Returns the words in and around the places that differ, with at least `margin` words around."""
        # A common minimum lets searches with different margins share one result; a few words more do no harm.
        margin = max(_MARGIN, margin)
        return self.once(("near", margin), lambda old, new: self._near(margin))

    def _near(self, margin: int) -> tuple[Near, Near]:
        went, came = self.word_runs
        before, after = haystack(self.old), haystack(self.new)
        return Near(before, went, margin), Near(after, came, margin)

    @cached_property
    def difference(self) -> Difference:
        """What became of every node."""
        return sdiff(self.old, self.new)


@remembered
def pair(old: PageDigest, new: PageDigest) -> Pair:
    """Returns the pair for two digests. The last few pairs are remembered."""
    return Pair(old, new)
