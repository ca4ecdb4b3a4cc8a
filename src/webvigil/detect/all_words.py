"""Two pages in, the inserted, deleted and updated words out, by their longest common subsequence (C4).

Words are compared in reading order. New words at a place are inserted, missing words are deleted, and if both
happened at one place it is one update, as a reader sees it. Words are compared as they are written;
punctuation and white space do not count. The words after `except`, and runs of them ({page views}), are
ignored in any case. `by loctags` pairs the texts by the tags around them before it compares words (C12).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np

from webvigil.detect import loctags
from webvigil.detect.alignment import TOLD, Gap, fewer, gaps
from webvigil.detect.pair import pair
from webvigil.detect.places import paths_of, texts_of
from webvigil.detect.sequences import finder, haystack
from webvigil.detect.wording import folded_words, wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.model.change import ObjectChange, Status
from webvigil.model.change_types import BY_LOCTAGS
from webvigil.model.sentinel import ChangeType

# Bounds the places that are reported for all runs together, when words are ignored in between.
_PLACES = 20_000
# Nodes of both versions up to which the tags between the words are compared, which takes half a second.
_MOST_NODES = 300_000


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if change.option == BY_LOCTAGS:
        return list(pair(old, new).once(BY_LOCTAGS, _by_loctags))
    excepted = [words for argument in change.arguments if (words := folded_words(argument))]
    if not excepted:
        both = pair(old, new)
        return list(both.once("all words", _detect)) if both.word_gaps else []
    if wording(old).words == wording(new).words:
        return []
    before, after = _Reader(old, _kept(old, excepted)), _Reader(new, _kept(new, excepted))
    found = gaps(before.words(), after.words())
    if not found:
        return []
    edges = np.array(fewer(found, TOLD), dtype=np.int64)
    return _told(before.runs(edges[:, :2]), after.runs(edges[:, 2:]))


def _detect(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    both = pair(old, new)
    if len(both.word_gaps) > TOLD:
        return _of_gaps(old, new, both.word_gaps)
    return _of_runs(old, new, *both.word_runs)


def _by_loctags(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    """Returns the words that changed within their texts: a word that went to another element is gone there
    and new here. Of versions with too many nodes, the words are compared without the tags between them."""
    if len(old) + len(new) > _MOST_NODES:
        return _detect(old, new) if pair(old, new).word_gaps else []
    found = loctags.compare(old, new).changes
    return _of_gaps(old, new, found) if found else []


def _of_gaps(old: PageDigest, new: PageDigest, found: Sequence[Gap]) -> list[ObjectChange]:
    edges = np.array(fewer(found, TOLD), dtype=np.int64)
    return _of_runs(old, new, edges[:, :2], edges[:, 2:])


def _of_runs(old: PageDigest, new: PageDigest, before: Longs, after: Longs) -> list[ObjectChange]:
    """Returns an object for each run of words that went, and the run that came in its place."""
    gone = after[:, 0] == after[:, 1]
    where, was = iter(paths_of(new, after[~gone])), iter(paths_of(old, before[gone]))
    texts = zip(texts_of(old, before), texts_of(new, after), strict=True)
    return [_object(one, other, next(was) if other is None else next(where)) for one, other in texts]


class _Reader:
    """Reads runs of those words of a page that are not ignored."""

    def __init__(self, digest: PageDigest, kept: Longs) -> None:
        self._digest = digest
        self._kept = kept

    def words(self) -> list[str]:
        """Returns the words that are not ignored."""
        words = wording(self._digest).words
        return [words[index] for index in self._kept.tolist()]

    def runs(self, edges: Longs) -> list[tuple[str | None, tuple[str, ...]]]:
        """Returns the text and the places of each run; the ignored words in between are left out.

        All pieces of all runs are read in one go, because on a page that changed as a whole there are many.
        """
        lengths = edges[:, 1] - edges[:, 0]
        if not lengths.any():
            return [(None, ())] * len(edges)
        ends = np.cumsum(lengths)
        places = np.arange(lengths.sum()) + np.repeat(edges[:, 0] - (ends - lengths), lengths)
        words = self._kept[places]
        breaks = np.diff(words, prepend=-1) != 1
        breaks[(ends - lengths)[lengths > 0]] = True
        first = np.flatnonzero(breaks)
        pieces = np.stack([words[first], words[np.append(first[1:], len(words)) - 1] + 1], axis=1)
        borders = np.searchsorted(first, np.append(0, ends)).tolist()
        texts = texts_of(self._digest, pieces)
        # If there are many runs, the first places of each are enough.
        most = max(3, _PLACES // len(edges))
        told = [place for start, end in pairwise(borders) for place in range(start, min(end, start + most))]
        where = dict(zip(told, paths_of(self._digest, pieces[told]), strict=True))
        return [
            (
                " ".join(filter(None, texts[start:end])) or None,
                tuple(
                    dict.fromkeys(chain(*[where[place] for place in range(start, min(end, start + most))]))
                ),
            )
            for start, end in pairwise(borders)
        ]


def _kept(digest: PageDigest, excepted: Sequence[tuple[str, ...]]) -> Longs:
    """Returns the numbers of the words that are not ignored."""
    kept = np.ones(len(digest.words), dtype=np.bool_)
    hits = np.array(finder(*excepted).hits_in(haystack(digest)), dtype=np.int64).reshape(-1, 2)
    lengths = np.array([len(words) for words in excepted])[hits[:, 0]]
    for step in range(int(lengths.max(initial=0))):
        kept[hits[lengths > step, 1] + step] = False
    return np.flatnonzero(kept)


_Runs = list[tuple[str | None, tuple[str, ...]]]


def _told(before: _Runs, after: _Runs) -> list[ObjectChange]:
    return [
        _object(one, other, was if other is None else where)
        for (one, was), (other, where) in zip(before, after, strict=True)
    ]


def _object(before: str | None, after: str | None, where: tuple[str, ...]) -> ObjectChange:
    status = Status.NEW if before is None else Status.GONE if after is None else Status.UPDATED
    return ObjectChange(object=before or after or "", status=status, before=before, after=after, where=where)
