"""Keywords on XML and JSON pages: how often each stands under each signature (C13, CX-Diff).

A keyword that went from the title to the text is gone from the title and new in the text. All of them
coming or going together is asked of the page as a whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from webvigil.detect import keywords
from webvigil.detect.counts import count_change
from webvigil.detect.leaves import Change, Leaf, Leaves, words_of_leaves
from webvigil.detect.sequences import finder, folded_words
from webvigil.detect.where import Where
from webvigil.document import PageDigest
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType

_Keywords = dict[tuple[str, ...], str]
# A keyword under a signature: both by their numbers, and the attribute.
_Object = tuple[int, int, str]


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if change.option.startswith("all"):
        return keywords.detect(old, new, change)
    wanted = _wanted(change.arguments)
    found = Change(old, new)
    suspects = _counts(found.old, found.gone, wanted), _counts(found.new, found.come, wanted)
    moved = [one for one in {**suspects[0], **suspects[1]} if suspects[0].get(one) != suspects[1].get(one)]
    if not moved:
        return []
    before, after = (
        _places(found.old, list(found.old.all()), wanted),
        _places(found.new, list(found.new.all()), wanted),
    )
    names, here, there = list(wanted.values()), Where(new), Where(old)
    return [
        count_change(
            names[one[0]],
            len(before[one]),
            len(after[one]),
            here.paths(*after[one]) if after[one] else there.paths(*before[one]),
        )
        for one in moved
    ]


def _wanted(arguments: Sequence[str]) -> _Keywords:
    """Folded words of each keyword → the keyword as the user wrote it; equal ones count once."""
    wanted: _Keywords = {}
    for argument in arguments:
        words = folded_words(argument)
        if not words:
            raise PatternRefused(f"the keyword {argument!r} has no letter or digit to look for")
        wanted.setdefault(words, argument)
    return wanted


def _counts(leaves: Leaves, searched: list[Leaf], wanted: _Keywords) -> dict[_Object, int]:
    return {one: len(nodes) for one, nodes in _places(leaves, searched, wanted).items()}


def _places(leaves: Leaves, searched: list[Leaf], wanted: _Keywords) -> defaultdict[_Object, list[int]]:
    """The nodes where each keyword stands, by signature; all leaves are searched in one pass."""
    words, homes = words_of_leaves(searched)
    found: defaultdict[_Object, list[int]] = defaultdict(list)
    for which, word in finder(*wanted).hits(words):
        leaf = searched[homes[word]]
        found[which, int(leaves.signatures[leaf.node]), leaf.attribute].append(leaf.node)
    return found
