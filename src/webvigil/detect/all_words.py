"""The words in reading order, compared by longest common subsequence (C4).

Between two words that stayed stands a gap: words that came are inserted, words that went are deleted,
and where both happened at one place it is one update, as a reader sees it. Words compare as they look;
punctuation and white space do not count. Words after `except` (and runs of them: {page views}) are
looked over, whatever their case.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from webvigil.detect.alignment import TOLD, Gap, fewer, gaps
from webvigil.detect.pair import pair
from webvigil.detect.places import paths, paths_of, text_of, texts_of
from webvigil.detect.sequences import finder, folded_words
from webvigil.detect.wording import wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    both = pair(old, new)
    if not both.word_gaps:
        return []
    excepted = [words for argument in change.arguments if (words := folded_words(argument))]
    if not excepted:
        return list(both.once("all words", _detect))
    before, after = _Reader(old, _kept(old, excepted)), _Reader(new, _kept(new, excepted))
    return [_change(before, after, gap) for gap in fewer(gaps(before.words(), after.words()), TOLD)]


def _detect(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    edges = np.array(fewer(pair(old, new).word_gaps, TOLD), dtype=np.int64)
    before, after = edges[:, :2], edges[:, 2:]
    gone = after[:, 0] == after[:, 1]
    where, was = iter(paths_of(new, after[~gone])), iter(paths_of(old, before[gone]))
    texts = zip(texts_of(old, before), texts_of(new, after), strict=True)
    return [_object(one, other, next(was) if other is None else next(where)) for one, other in texts]


class _Reader:
    """Gives runs of the words that are kept."""

    def __init__(self, digest: PageDigest, kept: Longs) -> None:
        self._digest = digest
        self._kept = kept

    def words(self) -> list[str]:
        words = wording(self._digest).words
        return [words[index] for index in self._kept.tolist()]

    def text(self, start: int, end: int) -> str | None:
        """A run as it stands on the page; what was looked over in between is left out."""
        if start == end:
            return None
        run = self._kept[start:end]
        breaks = [0, *(np.flatnonzero(np.diff(run) != 1) + 1).tolist(), len(run)]
        return " ".join(
            text_of(self._digest, int(run[first]), int(run[last - 1]) + 1) for first, last in pairwise(breaks)
        )

    def where(self, start: int, end: int) -> tuple[str, ...]:
        return paths(self._digest, self._digest.words.nodes[self._kept[start:end]].tolist())


def _kept(digest: PageDigest, excepted: Sequence[tuple[str, ...]]) -> Longs:
    kept = np.ones(len(digest.words), dtype=np.bool_)
    for which, start in finder(*excepted).hits_in(wording(digest).haystack):
        kept[start : start + len(excepted[which])] = False
    return np.flatnonzero(kept)


def _change(old: _Reader, new: _Reader, gap: Gap) -> ObjectChange:
    before, after = old.text(gap.old_start, gap.old_end), new.text(gap.new_start, gap.new_end)
    where = old.where(gap.old_start, gap.old_end) if after is None else new.where(gap.new_start, gap.new_end)
    return _object(before, after, where)


def _object(before: str | None, after: str | None, where: tuple[str, ...]) -> ObjectChange:
    status = Status.NEW if before is None else Status.GONE if after is None else Status.UPDATED
    return ObjectChange(object=before or after or "", status=status, before=before, after=after, where=where)
