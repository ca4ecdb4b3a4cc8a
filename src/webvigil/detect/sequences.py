"""Sequences of words found in a page's words, all in one pass (G3), whatever their case.

The words are joined with a mark that stands in no word, so that one automaton over the joined text finds
whole words only: `cat` is not in `concatenate`. Scripts written without spaces have one word per
character, so there any run of characters can be found.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, repeat

import numpy as np
from ahocorasick_rs import AhoCorasick

from webvigil.document.arrays import Longs
from webvigil.document.derived import cached_property
from webvigil.document.fast import accelerated
from webvigil.document.words import Words, words_of

_MARK = "\0"
# Invisible inside a word (a place where it may be broken, or may not), and the two apostrophes.
_ALIKE = {"\u00ad": "", "\u200b": "", "\u2060": "", "\ufeff": "", "\u2019": "'"}


def plain(text: str) -> str:
    """Equal for texts that look the same: however their accents are encoded, wherever they may be broken."""
    if text.isascii():
        return text
    for character, replacement in _ALIKE.items():
        if character in text:
            text = text.replace(character, replacement)
    return unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """Equal for texts that differ in case only."""
    return text.lower() if text.isascii() else plain(plain(text).casefold())


def compared(words: list[str]) -> list[str]:
    """The words as they are compared: words that look the same are the same."""
    places = beyond_ascii(words)
    if not places:
        return words
    text = _joined([words[place] for place in places])
    looks = plain(text)
    if looks == text:
        return words
    answer = list(words)
    for place, word in zip(places, looks.split(_MARK)[1:-1], strict=True):
        answer[place] = word
    return answer


@accelerated
def beyond_ascii(words: list[str]) -> list[int]:
    """The places of the words that are not ASCII."""
    return [place for place, plainly in enumerate(map(str.isascii, words)) if not plainly]


@lru_cache(maxsize=4096)
def folded_words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(folded, words_of(text))))


def joined(words: Iterable[str]) -> str:
    """Words as one text in which they can be searched for."""
    return folded(_joined(words))


def _joined(words: Iterable[str]) -> str:
    return _MARK.join(["", *words, ""])


def _marks(text: str) -> Longs:
    """Where the marks stand. (What is not ASCII becomes a question mark: only the marks are looked for.)"""
    return np.flatnonzero(np.frombuffer(text.encode("ascii", "replace"), np.uint8) == 0)


class Haystack:
    """Words as one text in which sequences of them can be searched for."""

    def __init__(self, words: Iterable[str]) -> None:
        self.text = joined(words)

    @cached_property
    def words(self) -> list[str]:
        """The words, folded."""
        return self.text.split(_MARK)[1:-1]

    @cached_property
    def marks(self) -> Longs:
        """Where the mark before each word stands, and the last one."""
        return _marks(self.text)

    def numbers(self, places: list[int] | Longs) -> Longs:
        """Which word the mark at each place stands before."""
        return np.searchsorted(self.marks, places)

    def behind(self, marks: Longs) -> Longs:
        """Which word stands behind each of these marks, counted from the first one."""
        return marks

    def places(self, sequence: Sequence[str], most: int) -> list[int]:
        """Where a sequence of folded words begins, the first `most` times."""
        needle, place = _joined(sequence), -1
        found: list[int] = []
        while len(found) < most and (place := self.text.find(needle, place + 1)) >= 0:
            found.append(place)
        return self.numbers(found).tolist() if found else []


class Near:
    """The words in and near some runs (in order) of a page, cut out; nothing is found across a cut."""

    def __init__(self, words: Words, runs: Longs, margin: int) -> None:
        """`runs` are rows of (start, end)."""
        starts = np.maximum(runs[:, 0] - margin, 0)
        ends = np.minimum(runs[:, 1] + margin, len(words))
        cuts = starts[1:] > ends[:-1]
        self._starts: Longs = starts[np.append(True, cuts)[: len(starts)]]
        self._ends: Longs = ends[np.append(cuts, True)[: len(ends)]]
        pieces = [""]
        for start, end in zip(self._starts.tolist(), self._ends.tolist(), strict=True):
            pieces += words.run(start, end)
            pieces.append("")
        # Between two pieces stand two marks, and between two marks no word.
        self.text = folded(_MARK.join(pieces)) if len(pieces) > 1 else ""

    def numbers(self, places: list[int] | Longs) -> Longs:
        """Which word of the page the mark at each place stands before."""
        return self.behind(np.searchsorted(_marks(self.text), places))

    def behind(self, marks: Longs) -> Longs:
        """Which word of the page stands behind each of these marks, counted from the first one."""
        # A piece has one mark more than it has words.
        sizes = self._ends - self._starts + 1
        firsts = np.cumsum(sizes) - sizes
        pieces = np.searchsorted(firsts, marks, side="right") - 1
        numbers: Longs = self._starts[pieces] + marks - firsts[pieces]
        return numbers


class Finder:
    """Finds every occurrence of each sequence, overlapping ones too. Sequences are of folded words.

    Single words need no automaton: a page may be full of them, and cutting it up is quicker then.
    """

    def __init__(self, sequences: Iterable[Sequence[str]]) -> None:
        listed = list(sequences)
        self._automaton = AhoCorasick([_joined(sequence) for sequence in listed])
        self._alone = {sequence[0]: which for which, sequence in enumerate(listed) if len(sequence) == 1}
        self._is_alone = len(self._alone) == len(listed)

    def hits(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """(which sequence, at which word), in the order of the page."""
        return self.hits_in(Haystack(words))

    def hits_in(self, haystack: Haystack | Near) -> list[tuple[int, int]]:
        """The same where the words are prepared."""
        which, numbers = self.found(haystack)
        return list(zip(which.tolist(), numbers.tolist(), strict=True))

    def found(self, haystack: Haystack | Near) -> tuple[Longs, Longs]:
        """The same, as two columns."""
        if self._is_alone:
            which = self._which(haystack)
            marks = np.flatnonzero(which >= 0)
            return which[marks], haystack.behind(marks)
        found = self._automaton.find_matches_as_indexes(haystack.text, overlapping=True)
        rows = np.fromiter(chain.from_iterable(found), dtype=np.int64, count=3 * len(found)).reshape(-1, 3)
        which, numbers = rows[:, 0], haystack.numbers(rows[:, 1]) if len(rows) else rows[:, 1]
        order = np.lexsort((which, numbers))
        return which[order], numbers[order]

    def counts(self, haystack: Haystack | Near) -> dict[int, int]:
        """How often each sequence that occurs does."""
        if self._is_alone:
            which = self._which(haystack)
            counts = np.bincount(which[which >= 0])
            return {one: count for one, count in enumerate(counts.tolist()) if count}
        found = self._automaton.find_matches_as_indexes(haystack.text, overlapping=True)
        return Counter([which for which, _, _ in found])

    def _which(self, haystack: Haystack | Near) -> Longs:
        """Behind each mark: which of the words stands there, -1 for another one."""
        words = haystack.text.split(_MARK)
        kinds = map(self._alone.get, words, repeat(-1))
        return np.fromiter(kinds, dtype=np.int64, count=len(words))[1:]


@lru_cache(maxsize=256)
def finder(*sequences: tuple[str, ...]) -> Finder:
    return Finder(sequences)
