"""Two XML or JSON pages and keywords in, the keywords whose count in a leaf changed out (C13, CX-Diff).

Each occurrence belongs to its leaf. A keyword that went from the title to the text, or from one record to
another, is gone from the one and new in the other, although the page contains it as often as before. The
options `all` and `part` look at the page as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from webvigil.detect import keywords
from webvigil.detect.counts import count_change
from webvigil.detect.leaves import Change, Leaf, change_between, may_hold, words_of_leaves
from webvigil.detect.places import Where
from webvigil.detect.sequences import finder
from webvigil.detect.wording import folded_words
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if change.option.startswith("all") or keywords.is_part(change):
        return keywords.detect(old, new, change)
    wanted = keywords.read_keywords(change.arguments)
    if not any(may_hold(digest, words) for words in wanted for digest in (old, new)):
        return []
    found = change_between(old, new)
    before = _counts([one for one, _ in found.pairs], wanted)
    after = _counts([other for _, other in found.pairs], wanted)
    steps = [
        _Step(which, before.get((place, which), 0), after.get((place, which), 0), *found.pairs[place])
        for place, which in sorted({*before, *after})
        if before.get((place, which), 0) != after.get((place, which), 0)
    ]
    where = Where(old), Where(new)
    return [
        one
        for which, name in enumerate(wanted.values())
        for one in _changes(name, [step for step in steps if step.which == which], found, where)
    ]


@dataclass(frozen=True, slots=True)
class _Step:
    """A leaf that contains a keyword more or less often than before."""

    which: int
    old: int
    new: int
    leaf: Leaf | None
    new_leaf: Leaf | None


def _changes(name: str, steps: list[_Step], found: Change, where: tuple[Where, Where]) -> list[ObjectChange]:
    """Returns one object if the keyword only came or only went; two if it went from some leaves and came to
    others."""
    fewer = [step for step in steps if step.new < step.old]
    more = [step for step in steps if step.new > step.old]
    if fewer and more:
        return [
            _change(name, part, sum(step.old for step in part), sum(step.new for step in part), where)
            for part in (fewer, more)
        ]
    if not steps:
        return []
    words = folded_words(name)
    totals = [sum(_counts(list(leaves.all()), {words: name}).values()) for leaves in (found.old, found.new)]
    return [_change(name, steps, totals[0], totals[1], where)]


def _change(name: str, steps: list[_Step], old: int, new: int, where: tuple[Where, Where]) -> ObjectChange:
    there, here = where
    now = [step.new_leaf.node for step in steps if step.new_leaf is not None and step.new]
    then = [step.leaf.node for step in steps if step.leaf is not None and step.old]
    return count_change(name, old, new, here.paths(*now) if now else there.paths(*then))


def _counts(leaves: Sequence[Leaf | None], wanted: keywords.Keywords) -> dict[tuple[int, int], int]:
    """Returns how often each keyword is in each leaf: (place of the leaf, number of the keyword) → count."""
    places = [place for place, leaf in enumerate(leaves) if leaf is not None]
    words, homes = words_of_leaves([leaf for leaf in leaves if leaf is not None])
    return Counter((places[homes[word]], which) for which, word in finder(*wanted).hits(words))
