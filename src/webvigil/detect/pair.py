"""What two digests have to do with each other, worked out once for all change types that ask.

Words, phrases, any change and the amounts of a finding all rest on one alignment of the words. The
last few pairs are remembered, so that a group of change types on one page pays once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from webvigil.detect.alignment import Blocks, Gap, gaps, settled, trimmed
from webvigil.detect.remembered import remembered
from webvigil.detect.sdiff import Difference, sdiff
from webvigil.detect.sequences import compared, written_otherwise
from webvigil.document import PageDigest
from webvigil.document.words import Words

T = TypeVar("T")


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
    def word_gaps(self) -> tuple[Gap, ...]:
        """Where the words differ."""
        before, after = self.old.reading.text, self.new.reading.text
        if before == after:
            return ()
        changed = trimmed(before, after, Gap(0, len(before), 0, len(after)))
        core = _words_in(self.old.words, self.new.words, changed)
        old, new = self.old.words.words, self.new.words.words
        if written_otherwise(before[slice(*changed.old)], after[slice(*changed.new)]):
            old, new = compared(old, *core.old), compared(new, *core.new)
        return tuple(settled(gaps(old, new, core, self._blocks), old, new, self._edge))

    def _edge(self, in_old: bool, word: int) -> int:
        """How much of an edge is there before a word: 2 between lines, 1 between texts, 0 within a text."""
        digest = self.old if in_old else self.new
        words = digest.words
        if word in (0, len(words)):
            return 2
        if words.nodes[word] == words.nodes[word - 1]:
            return 0
        between = digest.reading.text[
            words.starts[word - 1] + len(words.words[word - 1]) : words.starts[word]
        ]
        return 2 if "\n" in between else 1

    def _blocks(self, core: Gap) -> tuple[Blocks, Blocks]:
        return _blocks(self.old, core.old_start, core.old_end), _blocks(
            self.new, core.new_start, core.new_end
        )

    @cached_property
    def difference(self) -> Difference:
        """What became of every node."""
        return sdiff(self.old, self.new)


def _words_in(old: Words, new: Words, changed: Gap) -> Gap:
    """The words outside of which the texts are surely the same, given the characters that changed.

    A word reaches to the next, and where it begins and ends may hang on a character more: so the last
    word that begins before the change and the first behind it are not trusted.
    """
    before = np.searchsorted(old.starts, changed.old), np.searchsorted(new.starts, changed.new)
    same = max(0, min(before[0][0], before[1][0]) - 1)
    rest = max(0, min(len(old) - before[0][1], len(new) - before[1][1]) - 1)
    rest = min(rest, len(old) - same, len(new) - same)
    return Gap(int(same), int(len(old) - rest), int(same), int(len(new) - rest))


def _blocks(digest: PageDigest, start: int, end: int) -> Blocks:
    """Text nodes as blocks of words.

    A word may run on into the next nodes, so a text alone does not tell the words that begin in it: how
    many they are tells whether its first word belongs to the node before, and the last is named.
    """
    words, nodes = digest.words.words, digest.words.nodes[start:end]
    starts = np.flatnonzero(np.diff(nodes, prepend=-1)) + start
    ends = np.append(starts[1:], end)
    texts, content = digest.texts, digest.content[digest.words.nodes[starts]]
    rows = zip(content.tolist(), starts.tolist(), ends.tolist(), strict=True)
    keys = [(texts[index], last - first, words[last - 1]) for index, first, last in rows]
    return Blocks(starts.tolist(), keys, end)


@remembered
def pair(old: PageDigest, new: PageDigest) -> Pair:
    return Pair(old, new)
