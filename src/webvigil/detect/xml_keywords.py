"""Two XML or JSON pages and keywords in, the keywords whose count in a leaf changed out (C13, CX-Diff).

Each occurrence belongs to its leaf. A keyword that went from the title to the text, or from one record to
another, is gone from the one and new in the other, although the page contains it as often as before. The
options `all` and `part` look at the page as a whole.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from webvigil.detect import keywords
from webvigil.detect.counts import count_change
from webvigil.detect.leaf_changes import Change, change_between
from webvigil.detect.leaf_search import Searched
from webvigil.detect.leaves import Leaves, may_hold
from webvigil.detect.places import Where
from webvigil.detect.sequences import finder
from webvigil.detect.wording import folded_words
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, Mask, counted, distinct, spread
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if change.option.startswith("all") or keywords.is_part(change):
        return keywords.detect(old, new, change)
    wanted = keywords.read_keywords(change.arguments)
    if not any(may_hold(digest, words) for words in wanted for digest in (old, new)):
        return []
    found = change_between(old, new)
    steps = _steps(found, wanted)
    told = _Told(found, (Where(old), Where(new)))
    return [
        one
        for which, name in enumerate(wanted.values())
        for one in told.changes(name, steps.where(steps.which == which))
    ]


class _Steps(NamedTuple):
    """Leaves that contain a keyword more or less often than before: for each the pair of leaves, the number
    of the keyword, and how often it was and is there."""

    pairs: Longs
    which: Longs
    old: Longs
    new: Longs

    def where(self, chosen: Mask) -> _Steps:
        return _Steps(*(side[chosen] for side in self))


def _steps(found: Change, wanted: keywords.Keywords) -> _Steps:
    texts, before, after = found.texts
    hits = Searched(texts).hits(finder(*wanted))
    kinds = len(wanted)
    in_texts = counted(hits.texts * kinds + hits.sequences)
    was, now = (_in_pairs(numbers, kinds, *in_texts) for numbers in (before, after))
    keys = distinct(np.concatenate([was[0], now[0]]))
    old, new = (_counts_of(keys, *side) for side in (was, now))
    differ = old != new
    return _Steps(keys[differ] // kinds, keys[differ] % kinds, old[differ], new[differ])


def _in_pairs(numbers: Longs, kinds: int, keys: Longs, counts: Longs) -> tuple[Longs, Longs]:
    """Returns how often each keyword is in each pair, from how often it is in each text: numbers made of the
    pair and the keyword, ascending, and the counts. `numbers` are the texts of the pairs."""
    texts = keys // kinds
    runs = np.stack([np.searchsorted(texts, numbers, side=side) for side in ("left", "right")], axis=1)
    rows, _ = spread(runs)
    pairs = np.repeat(np.arange(len(numbers)), runs[:, 1] - runs[:, 0])
    return pairs * kinds + keys[rows] % kinds, counts[rows]


def _counts_of(wanted: Longs, keys: Longs, counts: Longs) -> Longs:
    """Returns the count of each wanted key, 0 for one that is not among the keys."""
    found = np.zeros(len(wanted), dtype=np.int64)
    found[np.searchsorted(wanted, keys)] = counts
    return found


class _Told:
    """Makes the objects that are told of the keywords of two pages."""

    def __init__(self, found: Change, where: tuple[Where, Where]) -> None:
        self._found = found
        self._where = where

    def changes(self, name: str, steps: _Steps) -> list[ObjectChange]:
        """Returns one object if the keyword only came or only went; two if it went from some leaves and came
        to others."""
        fewer, more = steps.where(steps.new < steps.old), steps.where(steps.new > steps.old)
        if len(fewer.pairs) and len(more.pairs):
            return [
                self._change(name, part, int(part.old.sum()), int(part.new.sum())) for part in (fewer, more)
            ]
        if not len(steps.pairs):
            return []
        words = folded_words(name)
        return [
            self._change(name, steps, *(_total(side, words) for side in (self._found.old, self._found.new)))
        ]

    def _change(self, name: str, steps: _Steps, old: int, new: int) -> ObjectChange:
        there, here = self._where
        then, now = self._found.nodes(steps.pairs)
        then, now = then[(then >= 0) & (steps.old > 0)], now[(now >= 0) & (steps.new > 0)]
        where = here.paths(*now.tolist()) if len(now) else there.paths(*then.tolist())
        return count_change(name, old, new, where)


def _total(leaves: Leaves, words: tuple[str, ...]) -> int:
    """Returns how often a keyword is in the leaves of a page."""
    texts, numbers = leaves.all.texts
    hits = Searched(texts).hits(finder(words))
    return int(np.bincount(hits.texts, minlength=len(texts))[numbers].sum())
