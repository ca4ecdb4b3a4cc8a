"""Two XML or JSON pages and phrases in, the changed occurrences out; each belongs to its leaf (C13, CX-Diff).

If the leaf has changed, the words at the place of the phrase are compared with it: if enough of its words are
left (the update factor), the occurrence is updated, otherwise it is gone. The same words in another leaf are
another occurrence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from webvigil.detect.alignment import Gap, gaps
from webvigil.detect.context import UPDATE_FACTOR, in_order
from webvigil.detect.leaf_changes import Change, Pair, change_between, first_told
from webvigil.detect.leaf_search import Searched
from webvigil.detect.leaves import may_hold
from webvigil.detect.places import Where
from webvigil.detect.sequences import finder
from webvigil.detect.wording import folded, folded_words
from webvigil.document import PageDigest
from webvigil.document.words import words_of
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

# Occurrences that went times those that came. Beyond it they are not paired by their places: the time grows
# with both numbers.
_MOST_PAIRS = 10_000

Span = tuple[int, int]


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    phrases = {" ".join(argument.split()): folded_words(argument) for argument in change.arguments}
    for argument, phrase in phrases.items():
        if not phrase:
            raise PatternRefused(f"the phrase {argument!r} has no letter or digit to look for")
    wanted = {name: one for name, one in phrases.items() if may_hold(old, one) or may_hold(new, one)}
    if not wanted:
        return []
    found, here, there = change_between(old, new), Where(new), Where(old)
    steps = [
        (name, was, is_now, pair)
        for name, phrase in wanted.items()
        for pair, before, after in _texts(found, phrase)
        for was, is_now in _changed(before, after, phrase)
    ]
    told, more = first_told(
        [_status(was, is_now) for _, was, is_now, _ in steps],
        *([-1 if (leaf := pair[side]) is None else leaf.node for *_, pair in steps] for side in (0, 1)),
    )
    return [*(_change(here, there, *steps[place]) for place in told), *more]


def _status(was: str | None, is_now: str | None) -> Status:
    return Status.NEW if was is None else Status.GONE if is_now is None else Status.UPDATED


def _change(
    here: Where, there: Where, name: str, was: str | None, is_now: str | None, pair: Pair
) -> ObjectChange:
    one, other = pair
    stays = other is not None and is_now is not None
    where = here.paths(other.node) if other and stays else there.paths(one.node if one else 0)
    return ObjectChange(object=name, status=_status(was, is_now), before=was, after=is_now, where=where)


@dataclass(slots=True)
class _Text:
    """The words of a leaf (none if there is no leaf), and where the phrase is among them."""

    words: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def text(self, span: Span) -> str:
        return " ".join(self.words[slice(*span)])

    def is_like(self, span: Span, phrase: tuple[str, ...]) -> bool:
        """Returns True if enough of the phrase is left in these words."""
        start, end = span
        if not 0 < UPDATE_FACTOR * (end - start) <= len(phrase):
            return False
        words = [folded(word) for word in self.words[start:end]]
        return in_order(phrase, words) >= UPDATE_FACTOR * max(len(phrase), len(words))


def _texts(found: Change, phrase: tuple[str, ...]) -> list[tuple[Pair, _Text, _Text]]:
    """Returns the pairs of leaves that contain the phrase, before or after. All texts are searched in one
    pass."""
    texts, before, after = found.texts
    spans: dict[int, list[Span]] = {}
    hits = Searched(texts).hits(finder(phrase))
    for text, start in zip(hits.texts.tolist(), hits.words.tolist(), strict=True):
        spans.setdefault(text, []).append((start, start + len(phrase)))
    holds = np.zeros(len(texts) + 1, dtype=np.bool_)
    holds[list(spans)] = True
    # Where the text is the same, so is every occurrence in it.
    places = np.flatnonzero((holds[before] | holds[after]) & (before != after))
    sides = (before[places].tolist(), after[places].tolist())
    read = {
        number: _Text(words_of(texts[number]) if number >= 0 else [], spans.get(number, []))
        for number in {*sides[0], *sides[1]}
    }
    return [
        (found.pair(place), read[was], read[is_now])
        for place, was, is_now in zip(places.tolist(), *sides, strict=True)
    ]


def _changed(before: _Text, after: _Text, phrase: tuple[str, ...]) -> Iterator[tuple[str | None, str | None]]:
    """Yields the occurrences in a leaf that differ before and after."""
    if not before.spans and not after.spans:
        return
    between = gaps(before.words, after.words)
    leads = _counterparts(before, between, len(after.words))
    backs = _counterparts(after, [gap.swapped for gap in between], len(before.words))
    same = _met(leads, backs)
    stayed, stayed_there = {span for span, _ in same}, {there for _, there in same}
    for span, there in leads.items():
        if span not in stayed:
            yield before.text(span), after.text(there) if after.is_like(there, phrase) else None
    for span, there in backs.items():
        if span not in stayed_there:
            yield before.text(there) if before.is_like(there, phrase) else None, after.text(span)


def _counterparts(text: _Text, between: list[Gap], length: int) -> dict[Span, Span]:
    """Returns for each occurrence the words at its place on the other side, up to the nearest words that
    stayed."""
    stayed = [-1] * len(text.words)
    place, shift = 0, 0
    for gap in [*between, Gap(len(text.words), len(text.words), length, length)]:
        stayed[place : gap.old_start] = range(place + shift, gap.old_start + shift)
        place, shift = gap.old_end, gap.new_end - gap.old_end
    behind = list(accumulate((one + 1 for one in stayed), max, initial=0))
    ahead = list(accumulate((length if one < 0 else one for one in reversed(stayed)), min, initial=length))[
        ::-1
    ]
    return {
        (start, end): (
            stayed[start] if stayed[start] >= 0 else behind[start],
            stayed[end - 1] + 1 if stayed[end - 1] >= 0 else ahead[end],
        )
        for start, end in text.spans
    }


def _met(leads: dict[Span, Span], backs: dict[Span, Span]) -> list[tuple[Span, Span]]:
    """Returns pairs of an old and a new occurrence of which one leads to the other, each occurrence at most
    once."""
    found = [(span, there) for span, there in leads.items() if there in backs]
    gone = leads.keys() - {span for span, _ in found}
    come = backs.keys() - {there for _, there in found}
    if len(gone) * len(come) > _MOST_PAIRS:
        return found
    near = [(i, j) for i in gone for j in come if _overlap(leads[i], j) or _overlap(backs[j], i)]
    for span, there in sorted(near, key=lambda pair: (pair[0][0] + pair[1][0], abs(pair[0][0] - pair[1][0]))):
        if span in gone and there in come:
            found.append((span, there))
            gone, come = gone - {span}, come - {there}
    return found


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
