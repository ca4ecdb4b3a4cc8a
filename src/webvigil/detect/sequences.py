"""Sequences of words found in a page's words, all in one pass (G3), whatever their case.

The words are joined with a mark that stands in no word, so that one automaton over the joined text finds
whole words only: `cat` is not in `concatenate`. Scripts written without spaces have one word per
character, so there any run of characters can be found.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from ahocorasick_rs import AhoCorasick

from webvigil.document.arrays import Longs
from webvigil.document.words import words_of

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


def written_otherwise(old: str, new: str) -> bool:
    """May two texts have words that look the same and are written in two ways?"""
    if old.isascii() and new.isascii():
        return False
    if any(old.count(character) != new.count(character) for character in _ALIKE):
        return True
    return not (unicodedata.is_normalized("NFC", old) and unicodedata.is_normalized("NFC", new))


def folded(text: str) -> str:
    """Equal for texts that differ in case only."""
    return text.lower() if text.isascii() else plain(plain(text).casefold())


def compared(words: list[str], start: int = 0, end: int | None = None) -> list[str]:
    """The words with those of a run as they are compared: words that look the same are the same."""
    end = len(words) if end is None else end
    text = _joined(words[start:end])
    looks = plain(text)
    return words if looks == text else [*words[:start], *looks.split(_MARK)[1:-1], *words[end:]]


@lru_cache(maxsize=4096)
def folded_words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(folded, words_of(text))))


def joined(words: Iterable[str]) -> str:
    """Words as one text in which they can be searched for."""
    return folded(_joined(words))


def _joined(words: Iterable[str]) -> str:
    return _MARK.join(["", *words, ""])


class Near:
    """The words in and near some runs of a page, and an empty word (which no sequence has) between them."""

    def __init__(self, words: Sequence[str], runs: Iterable[tuple[int, int]], margin: int) -> None:
        self.words: list[str] = []
        # Where each stretch begins: here, and on the page.
        self._here: list[int] = []
        self._there: list[int] = []
        reached = -1
        for start, end in runs:
            start, end = max(start - margin, reached, 0), min(end + margin, len(words))
            if start > reached:
                self.words.append("")
                self._here.append(len(self.words))
                self._there.append(start)
            if end > start:
                self.words += words[start:end]
            reached = max(end, reached)

    def place(self, word: int) -> int:
        """Where a word stands on the page."""
        index = bisect_right(self._here, word) - 1
        return self._there[index] + word - self._here[index]


class Haystack:
    """Words as one text in which sequences of them can be searched for."""

    def __init__(self, words: Iterable[str]) -> None:
        self.text = joined(words)

    @cached_property
    def words(self) -> list[str]:
        """The words, folded."""
        return self.text.split(_MARK)[1:-1]

    @cached_property
    def _marks(self) -> Longs:
        """Where the mark before each word stands."""
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)
        return np.flatnonzero(codes == 0)

    def numbers(self, places: list[int]) -> list[int]:
        """Which word the mark at each place stands before."""
        return [int(number) for number in np.searchsorted(self._marks, places)]

    def places(self, sequence: Sequence[str], most: int) -> list[int]:
        """Where a sequence of folded words begins, the first `most` times."""
        needle, place = _joined(sequence), -1
        found: list[int] = []
        while len(found) < most and (place := self.text.find(needle, place + 1)) >= 0:
            found.append(place)
        return self.numbers(found) if found else []


class Finder:
    """Finds every occurrence of each sequence, overlapping ones too. Sequences are of folded words."""

    def __init__(self, sequences: Iterable[Sequence[str]]) -> None:
        self._automaton = AhoCorasick([_joined(sequence) for sequence in sequences])

    def hits(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """(which sequence, at which word), in the order of the page."""
        haystack = Haystack(words)
        found = self._automaton.find_matches_as_indexes(haystack.text, overlapping=True)
        if not found:
            return []
        numbers = haystack.numbers([start for _, start, _ in found])
        return sorted(zip([which for which, _, _ in found], numbers, strict=True), key=_by_place)

    def counts(self, words: Sequence[str]) -> dict[int, int]:
        """How often each sequence that occurs does."""
        found = self._automaton.find_matches_as_indexes(joined(words), overlapping=True)
        return Counter([which for which, _, _ in found])


@lru_cache(maxsize=256)
def finder(*sequences: tuple[str, ...]) -> Finder:
    return Finder(sequences)


def _by_place(hit: tuple[int, int]) -> tuple[int, int]:
    return hit[1], hit[0]
