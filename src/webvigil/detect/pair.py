"""Two digests of a page in, what the change types need to know about both out, computed once for all of them.

Words, phrases, any change and the amounts of a finding all use one alignment of the words. The last few pairs
are remembered, so that many change types on one page cost one alignment.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from webvigil.detect.alignment import SLIDE, TOLD, Gap, aligned, settled, trimmed_items
from webvigil.detect.sdiff import Difference, sdiff
from webvigil.detect.sequences import Near, haystack
from webvigil.detect.wording import Stretch, wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.model.memo import cached_property, remembered

T = TypeVar("T")

# The least number of words around a changed place that a search looks at.
_MARGIN = 6
# The words around lines that differ that may decide how words are aligned: a gap moves no further, and
# whether it moves depends on one word more.
_AROUND = SLIDE + 2


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
    def same_layout(self) -> bool:
        """True if both have equal elements in equal places."""
        return self.same_tags and self.old.same_structure(self.new)

    @cached_property
    def same_tags(self) -> bool:
        return self.old.same_tags(self.new)

    @cached_property
    def same_attributes(self) -> bool:
        return self.old.same_attributes(self.new)

    @cached_property
    def same_markup(self) -> bool:
        """True if both are HTML with equal elements, attributes and base address. Links and pictures are then
        equal too, because they depend on nothing else."""
        old, new = self.old, self.new
        is_alike = old.is_html and new.is_html and old.url == new.url
        return is_alike and self.same_layout and self.same_attributes

    @cached_property
    def word_gaps(self) -> tuple[Gap, ...]:
        """Where the words differ."""
        if self.old.reading.text == self.new.reading.text:
            return ()
        first, last = self._same_words
        found = self._gaps_between(first, last)
        return tuple(self._gaps_between(0, 0) or ()) if found is None else tuple(found)

    def _gaps_between(self, first: int, last: int) -> list[Gap] | None:
        """Returns where the words differ, without a look at the first and last words, which are the same.
        Returns None if those would decide it."""
        old, new = wording(self.old), wording(self.new)
        ours, theirs = (Stretch(one, first, len(one) - last) for one in (old, new))
        same, size = _same_start(ours, theirs), len(ours.hashes)
        if same == size == len(theirs.hashes):
            return []
        if last and same in (size, len(theirs.hashes)):
            return None
        found = _gaps(ours, theirs)
        return [Gap(*(place + first for place in gap)) for gap in found] if first else found

    @property
    def _same_words(self) -> tuple[int, int]:
        """How many words at the start and at the end of both versions are the same and too far from those
        that differ to decide how they are aligned."""
        _, (before, first, last) = self.old.words, self.new.words.kept
        if before is not self.old.words:
            return 0, 0
        return max(0, first - _AROUND), max(0, last - _AROUND)

    @cached_property
    def word_runs(self) -> tuple[Longs, Longs]:
        """The gaps as arrays of (start, end): the words that went, and the words that came in their place."""
        return self._edges[:, :2], self._edges[:, 2:]

    @cached_property
    def words_changed(self) -> int:
        """How many words went and came."""
        return sum([end - start + last - first for start, end, first, last in self.word_gaps])

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


def _same_start(old: Stretch, new: Stretch) -> int:
    return trimmed_items(old.hashes, new.hashes, 0, len(old.hashes), 0, len(new.hashes))[0]


def _gaps(old: Stretch, new: Stretch) -> list[Gap]:
    found = aligned(
        old.hashes,
        new.hashes,
        lambda i, j: new.word(j) < old.word(i),
        lambda core: (old.blocks(*core.old), new.blocks(*core.new)),
    )
    if len(found) > TOLD:
        return found
    return settled(found, old.hashes, new.hashes, old.edges, new.edges)


@remembered
def pair(old: PageDigest, new: PageDigest) -> Pair:
    """Returns the pair for two digests. The last few pairs are remembered."""
    return Pair(old, new)
