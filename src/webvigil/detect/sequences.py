"""Sequences of words and the words of a page in, all occurrences out, in one pass and in any case (G3).

A word is looked up by its number among the first words of all sequences, so only whole words are found: `cat`
is not in `concatenate`. In scripts written without spaces each character is a word, so any run of characters
can be found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Protocol

import numpy as np

from webvigil.detect.wording import folded_each, hashes_between, hashes_of
from webvigil.document import PageDigest, kept
from webvigil.document.arrays import Hashes, Longs
from webvigil.document.fast import accelerated
from webvigil.document.hashes import string_hashes
from webvigil.document.words import Words
from webvigil.model.memo import cached_property

# With more places than this that differ, all words of a page are hashed before they are searched.
_FEW_RUNS = 20


class Searchable(Protocol):
    """Words in which sequences are searched: a number for each word, and where the pieces to search start and
    end."""

    @property
    def hashes(self) -> Hashes: ...

    @property
    def pieces(self) -> tuple[Longs, Longs]: ...


class Haystack:
    """Words in which sequences of words can be searched."""

    def __init__(self, words: Words | list[str]) -> None:
        self._words = words

    @cached_property
    def words(self) -> list[str]:
        """The words, folded."""
        return folded_each(self._words if isinstance(self._words, list) else self._words.words)

    @cached_property
    def hashes(self) -> Hashes:
        """A number for each folded word, for this process only."""
        if isinstance(self._words, list):
            return string_hashes(self.words)
        return hashes_of(self._words, folding=True)

    def hashes_in(self, starts: Longs, ends: Longs) -> Hashes:
        """Returns a number for each folded word in pieces of the page, given in order; other words may have
        any number. Hashing a few words takes less time than hashing all."""
        if isinstance(self._words, list) or "hashes" in self.__dict__:
            return self.hashes
        found = np.zeros(len(self._words), dtype=np.uint64)
        for start, end in _joined_pieces(starts, ends, len(found)):
            found[start:end] = hashes_between(self._words, start, end, folding=True)
        return found

    @property
    def pieces(self) -> tuple[Longs, Longs]:
        """The pieces that are searched: all words."""
        return np.array([0]), np.array([len(self.hashes)])

    def places(self, sequence: Sequence[str], most: int) -> list[int]:
        """Returns where a sequence of folded words begins, the first `most` times."""
        found: list[int] = finder(tuple(sequence)).found(self)[1][:most].tolist()
        return found


@kept
def haystack(digest: PageDigest) -> Haystack:
    """Returns the words of a digest as they are searched. The digest keeps them."""
    return Haystack(digest.words)


class Near:
    """The words in and near some runs (start, end) of a page, given in order. Occurrences that reach beyond
    them are not found."""

    def __init__(self, haystack: Haystack, runs: Longs, margin: int) -> None:
        self._haystack = haystack
        self._runs = runs
        self._margin = margin

    @cached_property
    def hashes(self) -> Hashes:
        """A number for each folded word of the page; words that are not near a run may have any number."""
        if len(self._runs) > _FEW_RUNS:
            return self._haystack.hashes
        return self._haystack.hashes_in(*self.pieces)

    @property
    def pieces(self) -> tuple[Longs, Longs]:
        return self._runs[:, 0] - self._margin, self._runs[:, 1] + self._margin


class Finder:
    """Finds every occurrence of each sequence of folded words, overlapping ones, too."""

    def __init__(self, sequences: Iterable[Sequence[str]]) -> None:
        listed = list(sequences)
        self._lengths: Longs = np.array([len(sequence) for sequence in listed], dtype=np.int64)
        self._wanted = string_hashes(list(chain.from_iterable(listed)))

    def hits_in(self, haystack: Searchable) -> list[tuple[int, int]]:
        """Returns (number of the sequence, number of the word) for each occurrence, in the order of the
        page."""
        which, numbers = self.found(haystack)
        return list(zip(which.tolist(), numbers.tolist(), strict=True))

    def found(self, haystack: Searchable) -> tuple[Longs, Longs]:
        """Does the same as `hits_in`, and returns two arrays."""
        return sequences_in(haystack.hashes, *haystack.pieces, self._wanted, self._lengths)

    def counts(self, haystack: Searchable) -> dict[int, int]:
        """Returns how often each sequence occurs, without those that do not."""
        return Counter(self.found(haystack)[0].tolist())


@accelerated
def sequences_in(
    items: Hashes, starts: Longs, ends: Longs, wanted: Hashes, lengths: Longs
) -> tuple[Longs, Longs]:
    """Returns every occurrence of some sequences in pieces of the items: the number of the sequence, and of
    the item. `wanted` holds the items of all sequences one after the other, `lengths` how many each has.

    The pieces come in order; what reaches outside of the items is cut off, and pieces that touch are one.
    """
    sequences: dict[int, list[tuple[int, list[int]]]] = {}
    for which, (end, length) in enumerate(zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True)):
        sequence = wanted[end - length : end].tolist()
        sequences.setdefault(sequence[0], []).append((which, sequence))
    hits = [
        (which, start + place)
        for start, end in _joined_pieces(starts, ends, len(items))
        for piece in [items[start:end].tolist()]
        for place in _begun(piece, sequences)
        for which, sequence in sequences[piece[place]]
        if piece[place : place + len(sequence)] == sequence
    ]
    found = np.array(hits, dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _begun(piece: list[int], sequences: Mapping[int, object]) -> list[int]:
    """Returns the places where one of the sequences may begin."""
    return [place for place, one in enumerate(piece) if one in sequences]


def _joined_pieces(starts: Longs, ends: Longs, length: int) -> list[tuple[int, int]]:
    """Returns where each piece starts and ends; pieces that touch are one, and what reaches outside of so
    many items is cut off."""
    found: list[tuple[int, int]] = []
    behind = -1
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        first = found.pop()[0] if found and start <= behind else max(0, min(start, length))
        found.append((first, max(0, min(end, length))))
        behind = end
    return found


@lru_cache(maxsize=256)
def finder(*sequences: tuple[str, ...]) -> Finder:
    """Returns the finder for these sequences. The last ones are kept, because preparing one takes time."""
    return Finder(sequences)
