"""Two pages and keywords in, the keywords that occur more or less often out, or all coming or going (C5).

Case does not count, and only whole words do (a keyword may have several words). Unchanged words contain the
same keywords, so first only the changed places are searched, with enough of their surroundings for a keyword
that crosses the edge. The whole page is then searched for the keywords whose count changed there.

With `part` a keyword also counts inside a word, and may have signs in it (`C++`). Then the text as shown is
searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from webvigil.detect import counts
from webvigil.detect.pair import Pair, pair
from webvigil.detect.places import paths
from webvigil.detect.sequences import finder, haystack
from webvigil.detect.wording import folded, folded_words, plain
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, distinct
from webvigil.document.patterns import compile_pattern
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

Keywords = dict[tuple[str, ...], str]
Places = dict[str, Longs]


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if is_part(change):
        return _parts(old, new, change)
    both = pair(old, new)
    keywords = read_keywords(change.arguments)
    if not both.word_gaps:
        return []
    if change.option.startswith("all"):
        names = list(keywords.values())
        return _conjunction(both, names, change.option, _places(old, keywords), _places(new, keywords))
    moved = _with_other_counts(both, keywords)
    return _recounted(both, _places(old, moved), _places(new, moved)) if moved else []


def is_part(change: ChangeType) -> bool:
    """Returns True if the keywords are also looked for inside words."""
    return "part" in change.option.split()


def _recounted(both: Pair, before: Places, after: Places) -> list[ObjectChange]:
    """Returns the keywords that occur more or less often than before."""
    # In the order of the old version, then those that are new.
    return [
        counts.count_change(
            name,
            len(before.get(name, ())),
            len(after.get(name, ())),
            _where(both.new, after, name) or _where(both.old, before, name),
        )
        for name in {**before, **after}
        if len(before.get(name, ())) != len(after.get(name, ()))
    ]


def _parts(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    """Returns the changes of keywords that may be parts of words."""
    names = list({" ".join(folded(name).split()): name for name in reversed(change.arguments)}.values())[::-1]
    before, after = _inside(old, names), _inside(new, names)
    if change.option.startswith("all"):
        return _conjunction(pair(old, new), names, change.option.replace(" part", ""), before, after)
    return _recounted(pair(old, new), before, after)


def _inside(digest: PageDigest, names: list[str]) -> Places:
    """Returns the text nodes that contain each name, wherever in a word. Names that are nowhere are left
    out."""
    shown = digest.reading if digest.kind == "text" else digest.shown
    found: Places = {}
    for name in names:
        words = map(re.escape, plain(name).split())
        starts, _ = compile_pattern("(?i)" + r"\s+".join(words)).edges(shown.text)
        if len(starts):
            found[name] = np.array(shown.nodes_at(starts.tolist()), dtype=np.int64)
    return found


def read_keywords(arguments: Iterable[str]) -> Keywords:
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
    which, words = finder(*keywords).found(haystack(digest))
    nodes = digest.words.nodes[words]
    met, first = np.unique(which, return_index=True)
    return {names[one]: nodes[which == one] for one in met[np.argsort(first)].tolist()}


def _where(digest: PageDigest, places: Places, name: str) -> tuple[str, ...]:
    return paths(digest, distinct(places[name]).tolist()) if name in places else ()


def _conjunction(
    both: Pair, names: list[str], option: str, before: Places, after: Places
) -> list[ObjectChange]:
    """Returns one object for all keywords together, which is there when each of them is there."""
    was, is_now = (len(places) == len(names) for places in (before, after))
    wanted = {"all appear": not was and is_now, "all disappear": was and not is_now}
    if not wanted.get(option, was != is_now):
        return []
    digest, places = (both.new, after) if is_now else (both.old, before)
    return [
        ObjectChange(
            object=", ".join(names),
            status=Status.NEW if is_now else Status.GONE,
            old=int(was),
            new=int(is_now),
            where=paths(digest, distinct(np.concatenate([*places.values()])).tolist()),
        )
    ]
