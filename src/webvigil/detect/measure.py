"""How much changed: the share of what is watched, and the score (C15, T2).

The share is that of the watched text in both versions: what came and went, of all there was and is. Words,
links and images are counted; other texts are measured in characters, without white space. Of a phrase
the watched text is the phrase, wherever it stands.

The score adds up what kind of thing changed, as BEH's table I does: a link weighs as much as 256
characters of text. Words in a heading are scored as a heading, not as text. To that comes what the
reader is interested in: the j-th occurrence of a keyword in the difference adds 2 to the power of j + 5.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq

from webvigil.detect import all_images, all_links, lists, tables, value, visual
from webvigil.detect.alignment import TOLD, gaps
from webvigil.detect.pair import Pair, pair
from webvigil.detect.places import title
from webvigil.detect.remembered import kept
from webvigil.detect.sequences import Haystack, finder, folded_words
from webvigil.detect.wording import wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.document.headings import heading_nodes
from webvigil.document.reading import visible_length
from webvigil.document.words import words_of
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What one change of each category weighs (BEH table I)."""

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
HIGHEST = 2**53 - 1  # the largest whole number that every reader of JSON takes exactly

_HEADING_PATH = re.compile(r"/h([1-6])(?:\[\d+\])?(?:/|$)")
_LONG = 1_000_000
_Objects = Sequence[ObjectChange] | None
_LINKS, _IMAGES = ChangeType("all links"), ChangeType("all images")


# --- share ---------------------------------------------------------------------------------------


def share(old: PageDigest, new: PageDigest, change: ChangeType, objects: Sequence[ObjectChange]) -> float:
    """How much of what is watched changed, from 0 to 1."""
    match change.kind:
        case "visual":
            return visual.share(old, new)
        case "all links":
            amount, extent = _count(objects), all_links.count(old) + all_links.count(new)
        case "all images":
            amount, extent = _count(objects), all_images.count(old) + all_images.count(new)
        case "any change" | "all words" if not change.arguments:
            amount, extent = _units(old, new, objects)
        case "phrase":
            amount, extent = sum(map(characters, objects)), _phrases(old, new, change, objects)
        case "table":
            amount, extent = sum(map(characters, objects)), tables.letters(old, new, change)
        case "list":
            amount, extent = sum(map(characters, objects)), lists.letters(old, new, change)
        case "value":
            amount, extent = sum(map(characters, objects)), value.letters(old, new, change)
        case _:
            amount, extent = sum(map(characters, objects)), _letters(old) + _letters(new)
    return min(1.0, amount / extent) if extent else 1.0


def characters(one: ObjectChange) -> int:
    """How many characters of an object came and went; one that only moved is as it was."""
    if one.status is Status.MOVED:
        return 0
    if one.old is not None and one.new is not None:
        return abs(one.new - one.old) * len("".join(one.object.split()))
    if not one.before or not one.after:
        return visible_length(one.before or one.after or "")
    return sum(map(len, differing(one)))


def differing(one: ObjectChange) -> list[str]:
    """What the old form of an object has and the new has not, then what only the new has."""
    before, after = one.before or "", one.after or ""
    return (_known if len(before) + len(after) < _LONG else _differing)(before, after)


def _differing(old: str, new: str) -> list[str]:
    if new < old:  # of several ways to compare them the same one, whichever is older
        come, gone = _sides(new, old)
    else:
        gone, come = _sides(old, new)
    return gone + come


# The share and the score of a finding both ask this of each of its objects. What is remembered holds on to
# both texts, which may be a page each; so only short ones are.
_LONG = 10_000
_known = lru_cache(maxsize=256)(_differing)


def _sides(old: str, new: str) -> tuple[list[str], list[str]]:
    before, after = old.split(), new.split()
    if not before or not after or len(before) * len(after) > _LONG:
        return before, after
    gone, come = [], []
    steps: list[Any] = LCSseq.opcodes(before, after).as_list()
    for tag, i, i_end, j, j_end in steps:
        if tag != "equal":
            gone += before[i:i_end]
            come += after[j:j_end]
    return gone, come


def _count(objects: Iterable[ObjectChange]) -> int:
    """How many came and went; one that was replaced did both."""
    return sum(
        abs(one.new - one.old) if one.old is not None and one.new is not None else 2 for one in objects
    )


def _units(old: PageDigest, new: PageDigest, objects: Sequence[ObjectChange]) -> tuple[int, int]:
    """Words, and links and images if they are watched, each counted as one."""
    amount = _words_in(objects) if _is_some(old, new, objects) else pair(old, new).words_changed
    extent = len(old.words) + len(new.words)
    others = [one for one in objects if one.old is not None]
    if others:
        extent += sum(all_links.count(digest) + all_images.count(digest) for digest in (old, new))
    return max(1, amount + _count(others)), extent


def _is_some(old: PageDigest, new: PageDigest, objects: Sequence[ObjectChange]) -> bool:
    """Are words among those that differ left out (Q1)? Each place where words differ is one object."""
    if not all(one.kind == "text" or one.is_html for one in (old, new)):
        return False
    name = title(new)[1] or title(old)[1]
    places = sum(one.old is None and not (name and one.where == name) for one in objects)
    return places < min(TOLD, len(pair(old, new).word_gaps))


def _words_in(objects: Iterable[ObjectChange]) -> int:
    return sum(
        len((one.before or "").split()) + len((one.after or "").split()) for one in objects if one.old is None
    )


def _phrases(old: PageDigest, new: PageDigest, change: ChangeType, objects: Iterable[ObjectChange]) -> int:
    """The characters of all occurrences, and of what became of them or was before."""
    phrases = {folded_words(argument) for argument in change.arguments}
    extent = sum(
        len("".join(words)) * finder(words).counts(wording(digest).haystack).get(0, 0)
        for words in phrases
        for digest in (old, new)
    )
    forms = [text for one in objects for text in (one.before, one.after) if text]
    return extent + sum(len("".join(text.split())) for text in forms if folded_words(text) not in phrases)


@kept
def _letters(digest: PageDigest) -> int:
    """White space aside, so it does not matter how lines are made of the texts."""
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
    """What the objects of a finding weigh."""
    match change.kind:
        case "all links":
            total = weights.link * _changes(objects)
        case "all images" | "visual":
            total = weights.image * _changes(objects)
        case "any change":
            total = _page_score(old, new, objects, weights)
        case "exact change":
            total = _page_score(old, new, None, weights)
        case "all words" if not change.arguments:
            total = _words_score(old, new, objects, weights)
        case _:
            total = sum(_object_score(one, weights) for one in objects)
    return min(total + topic_score(objects, interests), HIGHEST)


def topic_score(objects: Iterable[ObjectChange], interests: Sequence[str]) -> int:
    """2^6 for the first occurrence of an interest keyword in the difference, 2^7 for the second …"""
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
    """Everything in table I. A background that took the place of another is one change. Of words, links and
    images only what is among the objects, if these are given."""
    same = pair(old, new).once("markup", PageDigest.same_markup)
    markup = 0 if same else _markup_score(old, new, objects, weights)
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
        + weights.applet * sum(_gone_and_come(_applets(old), _applets(new)))
        + weights.background_image * max(_gone_and_come(_background_images(old), _background_images(new)))
        + weights.background_colour * max(_gone_and_come(_background_colours(old), _background_colours(new)))
    )


def _gone_and_come(before: list[str], after: list[str]) -> tuple[int, int]:
    """How many objects of a kind went, and how many came."""
    if before == after:
        return 0, 0
    old, new = Counter(before), Counter(after)
    return (old - new).total(), (new - old).total()


@kept
def _applets(digest: PageDigest) -> list[str]:
    """Only HTML has them: in JSON and XML an `object` is whatever its author calls so."""
    found: list[str] = []
    if not digest.is_html:
        return found
    for node in digest.nodes_of("applet", "object", "embed").tolist():
        names = (digest.attribute(node, name) for name in ("code", "data", "src"))
        found.append(next((name for name in names if name), ""))
    return found


@kept
def _background_images(digest: PageDigest) -> list[str]:
    return [one.image for one in digest.backgrounds if one.image]


@kept
def _background_colours(digest: PageDigest) -> list[str]:
    return [one.color for one in digest.backgrounds if one.color]


def _words_score(old: PageDigest, new: PageDigest, objects: _Objects, weights: Weights) -> int:
    both = pair(old, new)
    if not both.word_gaps:
        return 0
    if objects is not None and _is_some(old, new, objects):
        return sum(_object_score(one, weights) for one in objects if one.old is None)
    return weights.text * both.once("letters", _letters_changed) + _headings_score(both, weights)


def _letters_changed(old: PageDigest, new: PageDigest) -> int:
    """The characters of the words that came and went outside of headings."""
    went, came = pair(old, new).word_runs
    before, after = _plain_letters(old), _plain_letters(new)
    return int(
        (before[went[:, 1]] - before[went[:, 0]]).sum() + (after[came[:, 1]] - after[came[:, 0]]).sum()
    )


@kept
def _plain_letters(digest: PageDigest) -> Longs:
    """How many characters the words before each (and before the end) have, but for those in headings."""
    words, heads = digest.words, heading_nodes(digest)
    lengths = words.ends - words.starts
    edges = np.searchsorted(words.nodes, np.stack([heads, heads + digest.sizes[heads]], axis=1))
    for first, last in edges.tolist():
        lengths[first:last] = 0
    return np.append(0, np.cumsum(lengths))


@kept
def _named_headings(digest: PageDigest) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in digest.headings]


def _headings_score(both: Pair, weights: Weights) -> int:
    total = 0
    for levels in both.once("headings", _headings_changed):
        gone, come = ([_heading_weight(level, weights) for level in side] for side in levels)
        # A heading that took the place of another is one change.
        common = min(len(gone), len(come))
        total += sum(map(max, gone, come)) + sum(gone[common:]) + sum(come[common:])
    return total


def _headings_changed(old: PageDigest, new: PageDigest) -> list[tuple[list[int], list[int]]]:
    """The levels of the headings that went, and of those that came in their place."""
    before, after = _named_headings(old), _named_headings(new)
    return [
        ([level for level, _ in before[slice(*gap.old)]], [level for level, _ in after[slice(*gap.new)]])
        for gap in (gaps(before, after) if before != after else ())
    ]
