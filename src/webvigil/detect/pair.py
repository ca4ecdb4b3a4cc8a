"""What two digests have to do with each other, worked out once for all change types that ask.

Words, phrases, any change and the amounts of a finding all rest on one alignment of the words. The
last few pairs are remembered, so that a group of change types on one page pays once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np

from webvigil.detect.alignment import SLIDE, TOLD, Blocks, Gap, gaps, settled
from webvigil.detect.remembered import remembered
from webvigil.detect.sdiff import Difference, sdiff
from webvigil.detect.sequences import Near
from webvigil.detect.wording import Wording, wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, equal_at_start
from webvigil.document.derived import cached_property

T = TypeVar("T")

_MARGIN = 6


class Pair:
    """An older and a newer digest of one page."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self.old = old
        self.new = new
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
        core = _core(old, new)
        before, after = _around(old, self.old, *core.old), _around(new, self.new, *core.new)
        found = gaps(before, after, core, lambda core: _blocks(old, new, core))
        if len(found) > TOLD:
            return tuple(found)
        return tuple(settled(found, before, after, old.edge, new.edge))

    @cached_property
    def word_runs(self) -> tuple[Longs, Longs]:
        """The same as arrays of (start, end): the words that went, and those that came in their place."""
        edges = np.array(self.word_gaps, dtype=np.int64).reshape(-1, 4)
        return edges[:, :2], edges[:, 2:]

    def near(self, margin: int) -> tuple[Near, Near]:
        """The words in and around the places that differ, at least so many around."""
        # What is asked for with other margins may be shared: a few words more do no harm.
        margin = max(_MARGIN, margin)
        return self.once(("near", margin), lambda old, new: self._near(margin))

    def _near(self, margin: int) -> tuple[Near, Near]:
        went, came = self.word_runs
        return Near(self.old.words, went, margin), Near(self.new.words, came, margin)

    @cached_property
    def difference(self) -> Difference:
        """What became of every node."""
        return sdiff(self.old, self.new)


def _core(old: Wording, new: Wording) -> Gap:
    """The words outside of the blocks that both begin and end with."""
    same = equal_at_start(old.keys, new.keys)
    alike = equal_at_start(old.keys[same:][::-1], new.keys[same:][::-1])
    return Gap(*old.span(same, alike), *new.span(same, alike))


def _around(words: Wording, digest: PageDigest, start: int, end: int) -> list[str]:
    """The words, as far as they are looked at: in the part that differs, and where a gap may be moved to."""
    return words.words_in(max(0, start - SLIDE - 1), min(len(digest.words), end + SLIDE + 1))


def _blocks(old: Wording, new: Wording, core: Gap) -> tuple[Blocks, Blocks]:
    return old.blocks(*core.old), new.blocks(*core.new)


@remembered
def pair(old: PageDigest, new: PageDigest) -> Pair:
    return Pair(old, new)
