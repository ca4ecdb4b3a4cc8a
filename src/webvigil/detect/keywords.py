"""Keywords: how often each stands on the page, or all of them coming or going together (C5).

Case does not count, and only whole words do (a keyword may be several). The words that stayed have the
same keywords in them, so first only the changed places are searched, with enough of their surroundings
for a keyword that reaches over the edge; the whole page is searched for what changed there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webvigil.detect import counts
from webvigil.detect.alignment import Gap
from webvigil.detect.pair import Pair, pair
from webvigil.detect.places import paths
from webvigil.detect.sequences import finder, folded_words
from webvigil.document import PageDigest
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

Keywords = dict[tuple[str, ...], str]


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
    return counts.placed_changes(list(moved.values()), old, before, new, after)


def _keywords(arguments: Iterable[str]) -> Keywords:
    """Folded words of each keyword → the keyword as the user wrote it; equal ones count once."""
    keywords: Keywords = {}
    for argument in arguments:
        words = folded_words(argument)
        if not words:
            raise PatternRefused(f"the keyword {argument!r} has no letter or digit to look for")
        keywords.setdefault(words, argument)
    return keywords


def _with_other_counts(both: Pair, keywords: Keywords) -> Keywords:
    margin = max(map(len, keywords), default=1) - 1
    search = finder(*keywords)
    before = search.counts(_around_gaps(both.old.words.words, both.word_gaps, margin))
    after = search.counts(_around_gaps(both.new.words.words, [gap.swapped for gap in both.word_gaps], margin))
    return {
        words: name
        for which, (words, name) in enumerate(keywords.items())
        if before.get(which, 0) != after.get(which, 0)
    }


def _around_gaps(words: Sequence[str], gaps: Iterable[Gap], margin: int) -> list[str]:
    """The words in and near the old side of the gaps, and an empty word wherever some are left out."""
    found: list[str] = []
    reached = 0
    for start, end, _, _ in gaps:
        start, end = max(start - margin, reached), max(end + margin, reached)
        if start > reached:
            found.append("")
        found += words[start:end]
        reached = min(end, len(words))
    return found


def _places(digest: PageDigest, keywords: Keywords) -> dict[str, list[int]]:
    """The text node of every occurrence, by keyword as written."""
    names = list(keywords.values())
    nodes = digest.words.nodes
    hits = finder(*keywords).hits(digest.words.words)
    return counts.places((names[which], int(nodes[word])) for which, word in hits)


def _conjunction(both: Pair, keywords: Keywords, option: str) -> list[ObjectChange]:
    """One object for all keywords together: there when each of them is."""
    before, after = _places(both.old, keywords), _places(both.new, keywords)
    was, is_now = len(before) == len(keywords), len(after) == len(keywords)
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
            where=paths(digest, sorted({node for nodes in places.values() for node in nodes})),
        )
    ]
