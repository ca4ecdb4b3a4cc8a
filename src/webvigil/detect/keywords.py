"""Two pages and keywords in, the keywords that occur more or less often out, or all coming or going (C5).

Case does not count, and only whole words do (a keyword may have several words). Unchanged words contain the
same keywords, so first only the changed places are searched, with enough of their surroundings for a keyword
that crosses the edge. The whole page is then searched for the keywords whose count changed there.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from webvigil.detect import counts
from webvigil.detect.pair import Pair, pair
from webvigil.detect.places import paths
from webvigil.detect.sequences import finder, folded_words
from webvigil.detect.wording import wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

Keywords = dict[tuple[str, ...], str]
Places = dict[str, Longs]


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    both = pair(old, new)
    keywords = _keywords(change.arguments)
    if not both.word_gaps:
        return []
    if change.option.startswith("all"):
        return _conjunction(both, keywords, change.option)
    moved = _with_other_counts(both, keywords)
    if not moved:
        return []
    before, after = _places(old, moved), _places(new, moved)
    # In the order of the old version, then those that are new.
    return [
        counts.count_change(
            name,
            len(before.get(name, ())),
            len(after.get(name, ())),
            _where(new, after, name) or _where(old, before, name),
        )
        for name in {**before, **after}
    ]


def _keywords(arguments: Iterable[str]) -> Keywords:
    """Returns the folded words of each keyword, with the keyword as the user wrote it; equal keywords count
    once. Raises PatternRefused for a keyword without letters and digits."""
    keywords: Keywords = {}
    for argument in arguments:
        words = folded_words(argument)
        if not words:
            raise PatternRefused(f"the keyword {argument!r} has no letter or digit to look for")
        keywords.setdefault(words, argument)
    return keywords


def _with_other_counts(both: Pair, keywords: Keywords) -> Keywords:
    """Returns the keywords that occur more or less often near the changed places."""
    margin = max(map(len, keywords), default=1) - 1
    search = finder(*keywords)
    before, after = map(search.counts, both.near(margin))
    return {
        words: name
        for which, (words, name) in enumerate(keywords.items())
        if before.get(which, 0) != after.get(which, 0)
    }


def _places(digest: PageDigest, keywords: Keywords) -> Places:
    """Returns, for each keyword in the order of occurrence, the text nodes that contain it."""
    names = list(keywords.values())
    which, words = finder(*keywords).found(wording(digest).haystack)
    nodes = digest.words.nodes[words]
    met, first = np.unique(which, return_index=True)
    return {names[one]: nodes[which == one] for one in met[np.argsort(first)].tolist()}


def _where(digest: PageDigest, places: Places, name: str) -> tuple[str, ...]:
    return paths(digest, np.unique(places[name]).tolist()) if name in places else ()


def _conjunction(both: Pair, keywords: Keywords, option: str) -> list[ObjectChange]:
    """Returns one object for all keywords together, which is there when each of them is there."""
    before, after = _places(both.old, keywords), _places(both.new, keywords)
    was, is_now = (len(places) == len(keywords) for places in (before, after))
    wanted = {"all appear": not was and is_now, "all disappear": was and not is_now}
    if not wanted.get(option, was != is_now):
        return []
    digest, places = (both.new, after) if is_now else (both.old, before)
    return [
        ObjectChange(
            object=", ".join(keywords.values()),
            status=Status.NEW if is_now else Status.GONE,
            old=int(was),
            new=int(is_now),
            where=paths(digest, np.unique(np.concatenate([*places.values()])).tolist()),
        )
    ]
