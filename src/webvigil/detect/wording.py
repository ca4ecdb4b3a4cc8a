"""The words of one version in, the forms in which they are compared and searched out, made once per version.

Words that look the same are equal when they are compared; words that differ in case only are equal when they
are searched for. A block is the words that begin in one text node; blocks with the same key have the same
words.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np

from webvigil.detect.alignment import Blocks
from webvigil.document import PageDigest, kept
from webvigil.document.arrays import Hashes, Longs
from webvigil.document.fast import accelerated
from webvigil.document.hashes import factors, string_hashes
from webvigil.document.words import Words, cut_out, words_of
from webvigil.model.memo import cached_property


class Wording:
    """The words of one version as they are compared and searched."""

    def __init__(self, digest: PageDigest) -> None:
        # Not the digest itself, because the digest keeps its wording, and that would be a cycle.
        self._words = digest.words

    @cached_property
    def words(self) -> list[str]:
        """The words as they are compared."""
        return compared(self._words.words)

    def word(self, place: int) -> str:
        """Returns one word as it is compared."""
        return compared(self._words.at(np.array([place])))[0]

    def __len__(self) -> int:
        """Returns how many words there are."""
        return len(self._words)

    @cached_property
    def hashes(self) -> Hashes:
        """A number for each word as it is compared, for this process only."""
        return hashes_of(self._words, folding=False)

    def hashes_in(self, start: int, end: int) -> Hashes:
        """Returns the numbers of a run of words. Those of other words need not be computed."""
        known = self._words.numbers.get(False)
        whole = known is not None or end - start == len(self)
        return self.hashes[start:end] if whole else hashes_between(self._words, start, end, folding=False)

    def blocks(self, start: int, end: int) -> Longs:
        """Returns where the blocks in a run of words begin. The run is not empty, and the blocks at its ends
        may be cut."""
        starts = self._words.blocks[0]
        first, last = starts.searchsorted(start, side="right"), starts.searchsorted(end)
        begins = starts[first - 1 : last].copy()
        begins[0] = start
        return begins

    def edges(self, first: int, last: int) -> list[int]:
        """Returns for each place before a word, and for the end: 2 between lines, 1 between texts, 0 within a
        text."""
        words = self._words
        starts = words.blocks[0]
        begun = starts[starts.searchsorted(first) : starts.searchsorted(last)]
        edges = [0] * (last - first)
        for word in begun.tolist():
            between = words.text[int(words.ends[word - 1]) if word else 0 : int(words.starts[word])]
            edges[word - first] = 2 if "\n" in between else 1
        for end in (0, len(words)):
            if first <= end < last:
                edges[end - first] = 2
        return edges


class Stretch:
    """The words of a version from `start` up to `end`, as they are compared. Places count from `start`."""

    def __init__(self, wording: Wording, start: int, end: int) -> None:
        self._wording = wording
        self._start = start
        self.hashes = wording.hashes_in(start, end)

    def word(self, place: int) -> str:
        return self._wording.word(self._start + place)

    def blocks(self, start: int, end: int) -> Blocks:
        """Returns the blocks in a run of words."""
        begins = self._wording.blocks(self._start + start, self._start + end) - self._start
        return Blocks(begins, block_keys(self.hashes, begins, end), end)

    def edges(self, first: int, last: int) -> list[int]:
        """Returns how much of a beginning is at each place, as `Wording.edges` does."""
        return self._wording.edges(self._start + first, self._start + last)


@kept
def wording(digest: PageDigest) -> Wording:
    """Returns the wording of a digest, which keeps it."""
    return Wording(digest)


@accelerated
def block_keys(items: Hashes, begins: Longs, end: int) -> Hashes:
    """Returns a number for each block of items. `begins` says where the blocks begin, `end` where the last
    one ends."""
    sizes = np.diff(begins, append=end)
    # For each item, how many items of its block are before it.
    ranks = np.arange(begins[0], end) - np.repeat(begins, sizes)
    by_rank = factors(int(sizes.max()))[ranks]
    keys: Hashes = np.add.reduceat(items[begins[0] : end] * by_rank, begins - begins[0])
    return keys + sizes.astype(np.uint64)


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


def folded_each(words: list[str]) -> list[str]:
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
        found = hashes_between(words, 0, len(words), folding=folding)
    else:
        inner = hashes_between(words, first, len(words) - last, folding=folding)
        found = np.concatenate([known[:first], inner, known[len(known) - last :]])
    words.numbers[folding] = found
    return found


def hashes_between(words: Words, start: int, end: int, *, folding: bool) -> Hashes:
    """Returns the numbers of the words from `start` up to `end`, as `hashes_of` does."""
    return word_hashes(words.text, words.starts[start:end], words.ends[start:end], folding=folding)


def word_hashes(text: str, starts: Longs, ends: Longs, *, folding: bool) -> Hashes:
    """Returns the numbers of the words of a text, as `hashes_of` does."""
    hashes, beyond = ascii_hashes(text, starts, ends, folding)
    if beyond:
        seen = cut_out(text, starts[beyond], ends[beyond])
        hashes[beyond] = string_hashes(folded_each(seen) if folding else compared(seen))
    return hashes


@accelerated
def ascii_hashes(text: str, starts: Longs, ends: Longs, folding: bool) -> tuple[Hashes, list[int]]:
    """Returns a number for each word of a text that is ASCII, and the places of the others."""
    words = cut_out(text, starts, ends)
    hashes = string_hashes([word.lower() for word in words] if folding else words)
    beyond = beyond_ascii(words)
    hashes[beyond] = 0
    return hashes, beyond
