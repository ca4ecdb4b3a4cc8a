"""What two digests have to do with each other, worked out once for all change types that ask.

Words, phrases, any change and the amounts of a finding all rest on one alignment of the words. The
last few pairs are remembered, so that a group of change types on one page pays once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from webvigil.detect.alignment import TOLD, Gap, aligned, settled
from webvigil.detect.remembered import remembered
from webvigil.detect.sdiff import Difference, sdiff
from webvigil.detect.sequences import Near
from webvigil.detect.wording import wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.document.derived import cached_property

T = TypeVar("T")

_MARGIN = 6


class Pair:
    """An older and a newer digest of one page."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self.old = old
        self.new = new
        new.follows(old)
        self._made: dict[Hashable, Any] = {}

    def once(self, name: Hashable, make: Callable[[PageDigest, PageDigest], T]) -> T:
        """What `make` says of the two, worked out the first time it is asked for by this name."""
        if name not in self._made:
            self._made[name] = make(self.old, self.new)
        made: T = self._made[name]
        return made

    @cached_property
    def same(self) -> bool:
        """Are they equal documents, with equal addresses behind what is written?"""
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
        """The same as arrays of (start, end): the words that went, and those that came in their place."""
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
        """The words in and around the places that differ, at least so many around."""
        # What is asked for with other margins may be shared: a few words more do no harm.
        margin = max(_MARGIN, margin)
        return self.once(("near", margin), lambda old, new: self._near(margin))

    def _near(self, margin: int) -> tuple[Near, Near]:
        went, came = self.word_runs
        before, after = wording(self.old).haystack, wording(self.new).haystack
        return Near(before, went, margin), Near(after, came, margin)

    @cached_property
    def difference(self) -> Difference:
        """What became of every node."""
        return sdiff(self.old, self.new)


@remembered
def pair(old: PageDigest, new: PageDigest) -> Pair:
    return Pair(old, new)
