"""Sequences of words found in a page's words, all in one pass (G3), whatever their case.

The words are joined with a mark that stands in no word, so that one automaton over the joined text finds
whole words only: `cat` is not in `concatenate`. Scripts written without spaces have one word per
character, so there any run of characters can be found.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from ahocorasick_rs import AhoCorasick

from webvigil.document.words import words_of

_MARK = "\0"
# Invisible inside a word: a place where it may be broken, or may not.
_INVISIBLE = ("\u00ad", "\u200b", "\u2060", "\ufeff")


def folded(text: str) -> str:
    """Equal for texts that differ in case, or in how their accents are encoded."""
    if text.isascii():
        return text.lower()
    for character in _INVISIBLE:
        if character in text:
            text = text.replace(character, "")
    return unicodedata.normalize("NFC", text.casefold())


@lru_cache(maxsize=4096)
def folded_words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(folded, words_of(text))))


def joined(words: Iterable[str]) -> str:
    """Words as one text in which they can be searched for."""
    return folded(_MARK.join(["", *words, ""]))


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


class Finder:
    """Finds every occurrence of each sequence, overlapping ones too. Sequences are of folded words."""

    def __init__(self, sequences: Iterable[Sequence[str]]) -> None:
        self._automaton = AhoCorasick([_MARK.join(["", *sequence, ""]) for sequence in sequences])

    def hits(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """(which sequence, at which word), in the order of the page."""
        text = joined(words)
        found = self._automaton.find_matches_as_indexes(text, overlapping=True)
        if not found:
            return []
        marks = np.flatnonzero(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) == 0)
        starts = np.searchsorted(marks, [start for _, start, _ in found])
        return sorted(zip((which for which, _, _ in found), starts.tolist(), strict=True), key=_by_place)

    def counts(self, words: Sequence[str]) -> dict[int, int]:
        """How often each sequence that occurs does."""
        found: dict[int, int] = {}
        for which, _, _ in self._automaton.find_matches_as_indexes(joined(words), overlapping=True):
            found[which] = found.get(which, 0) + 1
        return found


@lru_cache(maxsize=256)
def finder(*sequences: tuple[str, ...]) -> Finder:
    return Finder(sequences)


def _by_place(hit: tuple[int, int]) -> tuple[int, int]:
    return hit[1], hit[0]
