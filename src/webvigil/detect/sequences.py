"""Sequences of words and the words of a page in, all occurrences out, in one pass and in any case (G3).

A word is looked up by its number among the first words of all sequences, so only whole words are found: `cat`
is not in `concatenate`. In scripts written without spaces each character is a word, so any run of characters
can be found.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np

from webvigil.document.arrays import Hashes, Longs
from webvigil.document.derived import cached_property
from webvigil.document.fast import accelerated
from webvigil.document.hashes import string_hashes
from webvigil.document.words import Words, cut_out, words_of

# Joins words into one text to fold them in one go; no word of a page contains this character.
_MARK = "\0"
# Characters that are invisible inside a word (they allow or forbid a line break), and the typographic
# apostrophe.
_ALIKE = {"\u00ad": "", "\u200b": "", "\u2060": "", "\ufeff": "", "\u2019": "'"}


def plain(text: str) -> str:
    """Returns a text in which equal-looking words are equal, however accents are encoded and words may be
    broken."""
    if text.isascii():
        return text
    for character, replacement in _ALIKE.items():
        if character in text:
            text = text.replace(character, replacement)
    return unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """Returns a text that is equal for texts that differ in case only."""
    return text.lower() if text.isascii() else plain(plain(text).casefold())


def compared(words: list[str]) -> list[str]:
    """Returns the words as they are compared: words that look the same are equal."""
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
    """Returns the places of the words that are not ASCII."""
    return [place for place, plainly in enumerate(map(str.isascii, words)) if not plainly]


@lru_cache(maxsize=4096)
def folded_words(text: str) -> tuple[str, ...]:
    """Returns the folded words of a text."""
    return tuple(filter(None, map(folded, words_of(text))))


def _folded(words: list[str]) -> list[str]:
    """Returns the words as they are searched for. All are folded in one go, which is faster than one by
    one."""
    return folded(_joined(words)).split(_MARK)[1:-1]


def _joined(words: list[str]) -> str:
    return _MARK.join(["", *words, ""])


def hashes_of(words: Words, *, folding: bool) -> Hashes:
    """Returns a number for each word as it is compared or, with `folding`, as it is searched for. The numbers
    hold for this process only. Words that the version before has, too, keep its numbers and are not hashed
    again."""
    before, first, last = words.kept
    known = before.numbers.get(folding) if before is not None else None
    if known is None:
        found = _hashes(words, 0, len(words), folding)
    else:
        inner = _hashes(words, first, len(words) - last, folding)
        found = np.concatenate([known[:first], inner, known[len(known) - last :]])
    words.numbers[folding] = found
    return found


def _hashes(words: Words, start: int, end: int, folding: bool) -> Hashes:
    """Returns the numbers of the words from `start` up to `end`."""
    hashes, beyond = ascii_hashes(words.text, words.starts[start:end], words.ends[start:end], folding)
    if beyond:
        seen = words.at(np.array(beyond) + start)
        hashes[beyond] = string_hashes(_folded(seen) if folding else compared(seen))
    return hashes


@accelerated
def ascii_hashes(text: str, starts: Longs, ends: Longs, folding: bool) -> tuple[Hashes, list[int]]:
    """Returns a number for each word of a text that is ASCII, and the places of the others."""
    words = cut_out(text, starts, ends)
    hashes = string_hashes([word.lower() for word in words] if folding else words)
    beyond = beyond_ascii(words)
    hashes[beyond] = 0
    return hashes, beyond


class Haystack:
    """Words in which sequences of words can be searched."""

    def __init__(self, words: Words | list[str]) -> None:
        self._words = words

    @cached_property
    def words(self) -> list[str]:
        """The words, folded."""
        return _folded(self._words if isinstance(self._words, list) else self._words.words)

    @cached_property
    def hashes(self) -> Hashes:
        """A number for each folded word, for this process only."""
        if isinstance(self._words, list):
            return string_hashes(self.words)
        return hashes_of(self._words, folding=True)

    @property
    def pieces(self) -> tuple[Longs, Longs]:
        """The pieces that are searched: all words."""
        return np.array([0]), np.array([len(self.hashes)])

    def places(self, sequence: Sequence[str], most: int) -> list[int]:
        """Returns where a sequence of folded words begins, the first `most` times."""
        found: list[int] = finder(tuple(sequence)).found(self)[1][:most].tolist()
        return found


@dataclass(frozen=True, slots=True)
class Near:
    """The words in and near some runs of a page, given in order. Occurrences that reach beyond them are not
    found."""

    haystack: Haystack
    runs: Longs
    """Rows of (start, end)."""
    margin: int

    @property
    def hashes(self) -> Hashes:
        return self.haystack.hashes

    @property
    def pieces(self) -> tuple[Longs, Longs]:
        return self.runs[:, 0] - self.margin, self.runs[:, 1] + self.margin


class Finder:
    """Finds every occurrence of each sequence of folded words, overlapping ones, too."""

    def __init__(self, sequences: Iterable[Sequence[str]]) -> None:
        listed = list(sequences)
        self._lengths: Longs = np.array([len(sequence) for sequence in listed], dtype=np.int64)
        self._wanted = string_hashes(list(chain.from_iterable(listed)))

    def hits(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Returns (number of the sequence, number of the word) for each occurrence, in the order of the
        page."""
        return self.hits_in(Haystack(list(words)))

    def hits_in(self, haystack: Haystack | Near) -> list[tuple[int, int]]:
        """Does the same as `hits` for prepared words."""
        which, numbers = self.found(haystack)
        return list(zip(which.tolist(), numbers.tolist(), strict=True))

    def found(self, haystack: Haystack | Near) -> tuple[Longs, Longs]:
        """Does the same as `hits_in`, and returns two arrays."""
        return sequences_in(haystack.hashes, *haystack.pieces, self._wanted, self._lengths)

    def counts(self, haystack: Haystack | Near) -> dict[int, int]:
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
    apart = starts[1:] > ends[:-1]
    firsts = starts[np.append(True, apart)[: len(starts)]]
    lasts = ends[np.append(apart, True)[: len(ends)]]
    clipped = (np.clip(side, 0, length).tolist() for side in (firsts, lasts))
    return list(zip(*clipped, strict=True))


@lru_cache(maxsize=256)
def finder(*sequences: tuple[str, ...]) -> Finder:
    """Returns the finder for these sequences. The last ones are kept, because preparing one takes time."""
    return Finder(sequences)
