"""Phrases on XML and JSON pages: each occurrence belongs to its leaf (C13, CX-Diff).

Where the leaf has changed, what stands in the place of the phrase is compared with it: with enough of
its words left (the update factor) it is updated, otherwise gone. The same words in another leaf are
another occurrence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from rapidfuzz.distance import LCSseq

from webvigil.detect.alignment import Gap, gaps
from webvigil.detect.leaves import Change, Leaf, words_of_leaves
from webvigil.detect.sequences import finder, folded, folded_words
from webvigil.detect.where import Where
from webvigil.document import PageDigest
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

UPDATE_FACTOR = 0.6
_MOST_PAIRS = 10_000

Span = tuple[int, int]


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    found, here, there = Change(old, new), Where(new), Where(old)
    objects = []
    for argument in change.arguments:
        phrase = folded_words(argument)
        if not phrase:
            raise PatternRefused(f"the phrase {argument!r} has no letter or digit to look for")
        before = _texts([one for one, _ in found.pairs], phrase)
        after = _texts([other for _, other in found.pairs], phrase)
        for (one, other), text, new_text in zip(found.pairs, before, after, strict=True):
            for was, is_now in _changed(text, new_text, phrase):
                stays = other is not None and is_now is not None
                where = here.paths(other.node) if other and stays else there.paths(one.node if one else 0)
                objects.append(_change(" ".join(argument.split()), was, is_now, where))
    return objects


def _change(name: str, was: str | None, is_now: str | None, where: tuple[str, ...]) -> ObjectChange:
    status = Status.NEW if was is None else Status.GONE if is_now is None else Status.UPDATED
    return ObjectChange(object=name, status=status, before=was, after=is_now, where=where)


@dataclass(slots=True)
class _Text:
    """The words of a leaf (none if there is no leaf), and where the phrase stands among them."""

    words: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def text(self, span: Span) -> str:
        return " ".join(self.words[slice(*span)])

    def is_like(self, span: Span, phrase: tuple[str, ...]) -> bool:
        """Is enough of the phrase left in these words?"""
        start, end = span
        if not 0 < UPDATE_FACTOR * (end - start) <= len(phrase):
            return False
        words = [folded(word) for word in self.words[start:end]]
        return LCSseq.similarity(phrase, words) >= UPDATE_FACTOR * max(len(phrase), len(words))


def _texts(leaves: list[Leaf | None], phrase: tuple[str, ...]) -> list[_Text]:
    """All leaves are read and searched in one pass."""
    places = [place for place, leaf in enumerate(leaves) if leaf is not None]
    words, homes = words_of_leaves([leaf for leaf in leaves if leaf is not None])
    texts = [_Text() for _ in leaves]
    begins: dict[int, int] = {}
    for number, (word, home) in enumerate(zip(words, homes, strict=True)):
        if word:
            begins.setdefault(home, number)
            texts[places[home]].words.append(word)
    for _, number in finder(phrase).hits(words):
        start = number - begins[homes[number]]
        texts[places[homes[number]]].spans.append((start, start + len(phrase)))
    return texts


def _changed(before: _Text, after: _Text, phrase: tuple[str, ...]) -> Iterator[tuple[str | None, str | None]]:
    """The occurrences in a leaf that are not the same before and after."""
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
    """For each occurrence what stands in its place on the other side, up to the nearest words that stayed."""
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
    """An old and a new occurrence of which one leads to the other are the same; each is one only."""
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
