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

    def numbers(self, places: list[int] | Longs) -> list[int]:
        """Which word the mark at each place stands before."""
        numbers: list[int] = np.searchsorted(self.marks, places).tolist()
        return numbers

    def places(self, sequence: Sequence[str], most: int) -> list[int]:
        """Where a sequence of folded words begins, the first `most` times."""
        needle, place = _joined(sequence), -1
        found: list[int] = []
        while len(found) < most and (place := self.text.find(needle, place + 1)) >= 0:
            found.append(place)
        return self.numbers(found) if found else []


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

    def numbers(self, places: list[int]) -> list[int]:
        """Which word of the page the mark at each place stands before."""
        marks = np.searchsorted(_marks(self.text), places)
        # A piece has one mark more than it has words.
        sizes = self._ends - self._starts + 1
        firsts = np.cumsum(sizes) - sizes
        pieces = np.searchsorted(firsts, marks, side="right") - 1
        numbers: list[int] = (self._starts[pieces] + marks - firsts[pieces]).tolist()
        return numbers


class Finder:
    """Finds every occurrence of each sequence, overlapping ones too. Sequences are of folded words."""

    def __init__(self, sequences: Iterable[Sequence[str]]) -> None:
        joined_sequences = [_joined(sequence) for sequence in sequences]
        self._automaton = AhoCorasick(joined_sequences)
        self._is_one = len(joined_sequences) == 1

    def hits(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """(which sequence, at which word), in the order of the page."""
        return self.hits_in(Haystack(words))

    def hits_in(self, haystack: Haystack | Near) -> list[tuple[int, int]]:
        """The same where the words are prepared."""
        found = self._automaton.find_matches_as_indexes(haystack.text, overlapping=True)
        if not found:
            return []
        numbers = haystack.numbers([start for _, start, _ in found])
        if self._is_one:  # found in the order of the page
            return [(0, number) for number in numbers]
        which = [which for which, _, _ in found]
        order = np.lexsort((which, numbers)).tolist()
        return [(which[place], numbers[place]) for place in order]

    def counts(self, haystack: Haystack | Near) -> dict[int, int]:
        """How often each sequence that occurs does."""
        found = self._automaton.find_matches_as_indexes(haystack.text, overlapping=True)
        if self._is_one:
            return {0: len(found)} if found else {}
        return Counter([which for which, _, _ in found])


@lru_cache(maxsize=256)
def finder(*sequences: tuple[str, ...]) -> Finder:
    return Finder(sequences)
