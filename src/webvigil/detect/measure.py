"""Two pages and the changed objects in, the share of the watched content and the score out (C15, T2).

The share is what came and went, divided by the watched content of both versions. Words, links and images are
counted; other texts are measured in characters, without white space. For a phrase the watched content is the
phrase, wherever it occurs.

The score adds a weight for each changed thing, as BEH's table I does: a link weighs as much as 256 characters
of text. Words in a heading count as a heading, not as text. The words that the user is interested in add to
the score: the j-th occurrence of such a word in the difference adds 2 to the power of j + 5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from webvigil.detect import all_images, all_links, appearance
from webvigil.detect.alignment import TOLD, gaps, word_gaps
from webvigil.detect.pair import Pair, pair
from webvigil.detect.places import title
from webvigil.detect.registry import functions_of
from webvigil.detect.sequences import Haystack, finder, haystack
from webvigil.detect.wording import folded_words
from webvigil.document import PageDigest, kept, kept_of_tree
from webvigil.document.arrays import Longs, Mask, below, spread
from webvigil.document.reading import heading_nodes, same_headings, visible_length
from webvigil.document.words import words_of
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weight of one change of each category (BEH table I)."""

    link: int = 256
    applet: int = 256
    image: int = 128
    title: int = 128
    background_image: int = 64
    background_colour: int = 64
    heading: int = 64
    small_heading: int = 32
    text: int = 1


WEIGHTS = Weights()
HIGHEST = 2**53 - 1  # the largest whole number that every reader of JSON keeps exact

_HEADING_PATH = re.compile(r"/h([1-6])(?:\[\d+\])?(?:/|$)")
# Old words times new words: above this the common subsequence would take milliseconds for one object.
_MOST_PAIRS = 1_000_000
_Objects = Sequence[ObjectChange] | None
_LINKS, _IMAGES, _APPEARANCE = map(ChangeType, ("all links", "all images", "appearance"))


# --- share ---------------------------------------------------------------------------------------


def share(old: PageDigest, new: PageDigest, change: ChangeType, objects: Sequence[ObjectChange]) -> float:
    """Returns how much of the watched content changed, from 0 to 1."""
    own = functions_of(change.kind)
    if own.share:
        return own.share(old, new)
    if own.count:
        amount, extent = _count(objects), own.count(old) + own.count(new)
    elif change.kind in ("any change", "all words") and not change.arguments and not change.option:
        amount, extent = _units(old, new, objects)
    else:
        amount, extent = sum(map(characters, objects)), _watched(old, new, change, objects)
    return min(1.0, amount / extent) if extent else 1.0


def _watched(old: PageDigest, new: PageDigest, change: ChangeType, objects: Sequence[ObjectChange]) -> int:
    """Returns how many characters of both versions the change type watches."""
    if change.kind == "phrase":
        return _phrases(old, new, change, objects)
    if letters := functions_of(change.kind).letters:
        return letters(old, new, change)
    return _letters(old) + _letters(new)


def characters(one: ObjectChange) -> int:
    """Returns how many characters of an object came and went; 0 for an object that only moved."""
    if one.status is Status.MOVED:
        return 0
    if one.old is not None and one.new is not None:
        return abs(one.new - one.old) * len("".join(one.object.split()))
    if not one.before or not one.after:
        return visible_length(one.before or one.after or "")
    return sum(map(len, differing(one)))


def differing(one: ObjectChange) -> list[str]:
    """Returns the words that only the old text of an object has, then those that only the new text has."""
    before, after = one.before or "", one.after or ""
    return (_known if len(before) + len(after) < _LONG else _differing)(before, after)


def _differing(old: str, new: str) -> list[str]:
    if new < old:  # the same one of several possible comparisons, in either direction
        come, gone = _sides(new, old)
    else:
        gone, come = _sides(old, new)
    return gone + come


# The share and the score of a finding both need this for each of its objects. The cache holds both texts, and
# a text may be a whole page, so only short texts are cached.
_LONG = 10_000
_known = lru_cache(maxsize=256)(_differing)


def _sides(old: str, new: str) -> tuple[list[str], list[str]]:
    """Returns the words that only the old text has, and those that only the new text has. Long texts count as
    a whole."""
    before, after = old.split(), new.split()
    if not before or not after or len(before) * len(after) > _MOST_PAIRS:
        return before, after
    gone, come = [], []
    for i, i_end, j, j_end in word_gaps(before, after):
        gone += before[i:i_end]
        come += after[j:j_end]
    return gone, come


def _count(objects: Iterable[ObjectChange]) -> int:
    """Returns how many objects came and went. A replaced object counts as both."""
    return sum(
        abs(one.new - one.old) if one.old is not None and one.new is not None else 2 for one in objects
    )


def _units(old: PageDigest, new: PageDigest, objects: Sequence[ObjectChange]) -> tuple[int, int]:
    """Returns how many words changed and how many there are; links and images, if watched, count as one
    each."""
    some = _some_places(old, new, objects)
    amount = pair(old, new).words_changed if some is None else sum(map(_words_in, some))
    extent = _on_both(old, new, _number_of_words, same=old.reading.text == new.reading.text)
    others = [one for one in objects if one.old is not None]
    if others:
        extent += _on_both(old, new, all_links.count, same=all_links.are_same(old, new))
        extent += _on_both(old, new, all_images.count, same=all_images.are_same(old, new))
    return max(1, amount + _count(others)), extent


def _on_both(old: PageDigest, new: PageDigest, count: Callable[[PageDigest], int], *, same: bool) -> int:
    """Returns how many things stand on both pages together. Things that are the same are counted once: most
    edits leave the words alone, or the links, or the images."""
    return 2 * count(old) if same else count(old) + count(new)


def _number_of_words(digest: PageDigest) -> int:
    return len(digest.words)


def _some_places(
    old: PageDigest, new: PageDigest, objects: Sequence[ObjectChange]
) -> list[ObjectChange] | None:
    """Returns the places where words differ if others were left out (Q1), and None if these are all. Each
    place is one object; the title of the page is no place, because its words stand outside of the page."""
    if not all(one.kind == "text" or one.is_html for one in (old, new)):
        return None
    name = title(new)[1] or title(old)[1]
    places = [one for one in objects if one.old is None and not (name and one.where == name)]
    return places if len(places) < min(TOLD, len(pair(old, new).word_gaps)) else None


def _words_in(one: ObjectChange) -> int:
    return len((one.before or "").split()) + len((one.after or "").split())


def _phrases(old: PageDigest, new: PageDigest, change: ChangeType, objects: Iterable[ObjectChange]) -> int:
    """Returns how many characters all occurrences have, including those that became, or were, something
    else."""
    phrases = {folded_words(argument) for argument in change.arguments}
    extent = sum(
        len("".join(words)) * finder(words).counts(haystack(digest)).get(0, 0)
        for words in phrases
        for digest in (old, new)
    )
    forms = [text for one in objects for text in (one.before, one.after) if text]
    return extent + sum(len("".join(text.split())) for text in forms if folded_words(text) not in phrases)


@kept
def _letters(digest: PageDigest) -> int:
    """Returns how many characters a page shows. White space does not count, so line breaks do not matter."""
    return visible_length(digest.reading.text)


# --- score ---------------------------------------------------------------------------------------


def score(
    old: PageDigest,
    new: PageDigest,
    change: ChangeType,
    objects: Sequence[ObjectChange],
    weights: Weights = WEIGHTS,
    interests: Sequence[str] = (),
) -> int:
    """Returns the weight of the objects of a finding, at most `HIGHEST`."""
    match change.kind:
        case "all links":
            total = weights.link * _changes(objects)
        case "all images" | "visual":
            total = weights.image * _changes(objects)
        case "appearance":
            total = _appearance_score(objects, weights)
        case "any change":
            total = _page_score(old, new, objects, weights)
        case "exact change":
            total = _page_score(old, new, None, weights)
        case "all words" if not change.arguments and not change.option:
            total = _words_score(old, new, objects, weights)
        case _:
            total = sum(_object_score(one, weights) for one in objects)
    return min(total + topic_score(objects, interests), HIGHEST)


def topic_score(objects: Iterable[ObjectChange], interests: Sequence[str]) -> int:
    """Returns 2^6 for the first occurrence of a word of interest in the difference, 2^7 for the second, and
    so on, added up."""
    keywords = list(dict.fromkeys(words for text in interests if (words := folded_words(text))))
    if not keywords:
        return 0
    difference = words_of(" ".join([word for one in objects for word in differing(one)]))
    found = finder(*keywords).counts(Haystack(difference))
    total = sum((1 << min(count + 6, 54)) - (1 << 6) for count in found.values())
    return min(total, HIGHEST)


def _changes(objects: Iterable[ObjectChange]) -> int:
    return sum(
        abs(one.new - one.old) if one.old is not None and one.new is not None else 1 for one in objects
    )


def _object_score(one: ObjectChange, weights: Weights) -> int:
    levels = [match and int(match[1]) for match in map(_HEADING_PATH.search, one.where)]
    if levels and all(levels):
        return max(_heading_weight(level or 6, weights) for level in levels)
    return weights.text * characters(one)


def _heading_weight(level: int, weights: Weights) -> int:
    return weights.heading if level <= 2 else weights.small_heading


def _page_score(old: PageDigest, new: PageDigest, objects: _Objects, weights: Weights) -> int:
    """Returns the score of everything in table I. A background that replaces another is one change. If
    `objects` are given, only they count among words, links and images."""
    markup = 0 if pair(old, new).same_markup else _markup_score(old, new, objects, weights)
    words = _words_score(old, new, objects, weights)
    return markup + weights.title * (title(old)[0] != title(new)[0]) + words


def _markup_score(old: PageDigest, new: PageDigest, objects: _Objects, weights: Weights) -> int:
    links, images = all_links.detect(old, new, _LINKS), all_images.detect(old, new, _IMAGES)
    if objects is not None:
        told = set(objects)
        links, images = ([one for one in some if one in told] for some in (links, images))
    return (
        weights.link * _changes(links)
        + weights.image * _changes(images)
        + _appearance_score(appearance.detect(old, new, _APPEARANCE), weights)
    )


def _appearance_score(objects: Iterable[ObjectChange], weights: Weights) -> int:
    """Returns the weight of changed backgrounds and embedded objects."""
    backgrounds = {
        appearance.PICTURE: weights.background_image,
        appearance.COLOUR: weights.background_colour,
    }
    return sum(
        backgrounds[one.object] if one.object in backgrounds else weights.applet * _changes([one])
        for one in objects
    )


def _words_score(old: PageDigest, new: PageDigest, objects: _Objects, weights: Weights) -> int:
    both = pair(old, new)
    if not both.word_gaps:
        return 0
    some = None if objects is None else _some_places(old, new, objects)
    if some is not None:
        return sum(_object_score(one, weights) for one in some)
    return weights.text * both.once("letters", _letters_changed) + _headings_score(both, weights)


def _letters_changed(old: PageDigest, new: PageDigest) -> int:
    """Returns how many characters the changed words outside of headings have."""
    went, came = pair(old, new).word_runs
    return _plain_letters(old, went) + _plain_letters(new, came)


def _plain_letters(digest: PageDigest, runs: Longs) -> int:
    """Returns how many characters the words in these runs (start, end) have, without headings."""
    words, (places, _) = digest.words, spread(runs)
    plainly = ~_in_headings(digest)[words.nodes_at(places)]
    return int((words.ends[places] - words.starts[places])[plainly].sum())


@kept_of_tree
def _in_headings(digest: PageDigest) -> Mask:
    heads = np.zeros(len(digest), dtype=np.bool_)
    heads[heading_nodes(digest)] = True
    return below(heads, digest.sizes)


@kept
def _named_headings(digest: PageDigest) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in digest.headings]


def _headings_score(both: Pair, weights: Weights) -> int:
    total = 0
    for levels in both.once("headings", _headings_changed):
        gone, come = ([_heading_weight(level, weights) for level in side] for side in levels)
        # A heading that replaces another is one change.
        common = min(len(gone), len(come))
        total += sum(map(max, gone, come)) + sum(gone[common:]) + sum(come[common:])
    return total


def _headings_changed(old: PageDigest, new: PageDigest) -> list[tuple[list[int], list[int]]]:
    """Returns the levels of the headings that went, and of those that came in their place."""
    if same_headings(old, new):
        return []
    before, after = _named_headings(old), _named_headings(new)
    return [
        ([level for level, _ in before[slice(*gap.old)]], [level for level, _ in after[slice(*gap.new)]])
        for gap in (gaps(before, after) if before != after else ())
    ]
