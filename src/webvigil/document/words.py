"""A text in, its words with their places out, for every script (C4).

A word is a run of letters, digits and the marks on them. An apostrophe between letters and a point or
comma between digits belong to the word (`don't`, `1,234.5`). Scripts written without spaces (Han,
Hiragana, Thai …) give one word per character with its marks. Symbols that carry meaning (currency,
`%`, `+`, emoji) are words of one character; other punctuation is not a word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from weakref import ref

import numpy as np
import numpy.typing as npt

from webvigil.document.arrays import Hashes, Longs, Mask, distinct
from webvigil.document.fast import accelerated, native
from webvigil.document.reading import Reading, changed_lines
from webvigil.model.memo import cached_property

# Classes of characters.
_UNKNOWN, _OTHER, _LETTER, _DIGIT, _MARK, _SINGLE, _APOSTROPHE, _POINT = range(8)
# Words are split from texts of more than _LONG characters in pieces. A text is split as Latin-1 bytes as long
# as at most one of _RARE characters is beyond Latin-1 or a word of its own.
_LONG = 2_000_000  # characters
_RARE = 32
# The nodes of some words are looked up one by one if the page has so many times as many words.
_FEW = 20

# Scripts that are written without spaces, in which each character is a word: first and last code points.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3040, 0x309F),  # Hiragana
    (0x3100, 0x312F),  # Bopomofo
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xA000, 0xA4CF),  # Yi
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_FORMAT_IN_WORDS = frozenset("\u00ad\u200c\u200d\u2060")
_MEANING = frozenset("%‰#&@*§")
# Symbols by their Unicode category that mostly serve as lines between texts, so they are no words.
_RULES = frozenset("|=~¦")


class Words:
    """The words of a text: `words[k]` begins at `starts[k]` of the reading and comes from node `nodes[k]`,
    where it begins at `offsets[k]` of that node's text.

    Words are cut out of the text on use, because a comparison of a page that hardly changed needs few of
    them.
    """

    def __init__(self, reading: Reading, before: Words | None = None) -> None:
        """`before` are the words of the version before. Only lines that differ from it are searched for
        words."""
        again = _Again(reading.text, before) if before is not None else None
        self._found = again if again and again.is_worth_it else _found(reading.text)
        self._reading = reading
        self.numbers: dict[bool, Hashes] = {}
        """Hashes of the words, if they were computed: False for words as they are compared, True for words
        folded for a search without regard to case."""

    @property
    def kept(self) -> tuple[Words | None, int, int]:
        """The words of the version before, if they are still in memory, and how many words at the start and
        at the end are the same in both versions."""
        found = self._found
        return (found.before(), found.first, found.last) if isinstance(found, _Again) else (None, 0, 0)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def text(self) -> str:
        """The text that the words come from."""
        return self._reading.text

    @property
    def starts(self) -> Longs:
        return self._found.starts

    @cached_property
    def ends(self) -> Longs:
        return self._found.ends

    @cached_property
    def words(self) -> list[str]:
        return self._found.words()

    def at(self, places: Longs) -> list[str]:
        """Returns the words at these places."""
        if "words" in self.__dict__:
            return [self.words[place] for place in places.tolist()]
        return cut_out(self._reading.text, self.starts[places], self.ends[places])

    @cached_property
    def nodes(self) -> Longs:
        return np.repeat(self._reading.nodes, self._counts)

    def nodes_at(self, places: Longs) -> Longs:
        """Returns the text nodes of the words at these places. A few are looked up by where they start, which
        takes less time than the nodes of all words."""
        if "nodes" in self.__dict__ or _FEW * len(places) > len(self):
            return self.nodes[places]
        reading = self._reading
        return reading.nodes[reading.starts.searchsorted(self.starts[places], side="right") - 1]

    @cached_property
    def offsets(self) -> Longs:
        return self.starts - np.repeat(self._reading.starts, self._counts)

    @cached_property
    def blocks(self) -> tuple[Longs, Longs]:
        """For every text node in which words begin: the number of its first word, and the node."""
        begins = self._counts > 0
        return self._borders[:-1][begins], self._reading.nodes[begins]

    @cached_property
    def _borders(self) -> Longs:
        """For each text node the number of the first word that begins in it or behind it; then the number of
        words."""
        return np.append(self.starts.searchsorted(self._reading.starts), len(self))

    @property
    def _counts(self) -> Longs:
        return self._borders[1:] - self._borders[:-1]


def words_of(text: str) -> list[str]:
    """Returns the words of a plain text."""
    return _found(text).words()


def vocabulary(words: list[str]) -> tuple[dict[str, int], Longs]:
    """Returns a number for each distinct word, in order of first use, and the number of every word in the
    list."""
    index = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return index, np.fromiter(map(index.__getitem__, words), dtype=np.int64, count=len(words))


def borders(text: str) -> tuple[Longs, Longs]:
    """Returns where each word of a text starts and ends."""
    found = _found(text)
    return found.starts, found.ends


@accelerated
def cut_out(text: str, starts: Longs, ends: Longs) -> list[str]:
    """Returns the parts of a text from each start up to its end."""
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


@accelerated
def word_borders(text: str, class_of: Callable[[str], int]) -> tuple[Longs, Longs]:
    """Returns where each word of a text starts and ends. `class_of` gives the class of a character; the plain
    function does not need it."""
    found = _Found(text)
    return found.starts, found.ends


def _found(text: str) -> _Found | _Walked:
    return _Walked(text) if native else _Found(text)


class _Walked:
    """The words of a text, found character by character. Used only with the compiled `word_borders`, because
    such a loop is slow in Python."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.starts, self.ends = word_borders(text, _class_of)

    def words(self) -> list[str]:
        return cut_out(self._text, self.starts, self.ends)


class _Again:
    """The words of a text that differs from the version before in some lines. Only these lines are searched,
    because a word never runs over a line break."""

    def __init__(self, text: str, before: Words) -> None:
        start, old_end, end = changed_lines(before.text, text)
        self.is_worth_it = 2 * (end - start) < len(text)
        if not self.is_worth_it:
            return
        inner = _found(text[start:end])
        first, behind = before.starts.searchsorted((start, old_end)).tolist()
        moved = len(text) - len(before.text)
        self._text = text
        self.starts: Longs = np.concatenate(
            [before.starts[:first], inner.starts + start, before.starts[behind:] + moved]
        )
        self.ends: Longs = np.concatenate(
            [before.ends[:first], inner.ends + start, before.ends[behind:] + moved]
        )
        # A weak reference: otherwise each version would keep all versions before it in memory.
        self.before = ref(before)
        self.first, self.last = first, len(before) - behind

    def words(self) -> list[str]:
        return cut_out(self._text, self.starts, self.ends)


class _Found:
    """The words of a text, found with array operations on the classes of all its characters."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._latin = text.encode("latin-1", "replace")
        kinds, self._odd = _kinds(text, self._latin)
        _join_inner(kinds)
        self._inside: Mask = kinds - np.uint8(_LETTER) <= _SINGLE - _LETTER
        starts, self._stops = _runs(self._inside)
        self._cuts = _cuts(kinds, self._inside)
        self.starts: Longs = np.sort(np.concatenate([starts, self._cuts])) if len(self._cuts) else starts

    @cached_property
    def ends(self) -> Longs:
        return _ends(self.starts, self._stops) if len(self._cuts) else self._stops

    def words(self) -> list[str]:
        """Returns the words. All characters outside words become spaces and the text is split, which is far
        faster than one slice per word."""
        if max(len(self._cuts), len(self._odd)) * _RARE > len(self._text):
            return self._words_of_any_script()
        spaced = np.where(self._inside, np.frombuffer(self._latin, np.uint8), np.uint8(0x20)).tobytes()
        places = [0, *self._cuts.tolist(), len(spaced)]
        words = _split(b" ".join([spaced[start:end] for start, end in pairwise(places)]).decode("latin-1"))
        # Words with a character that Latin-1 does not have are cut out of the original text.
        inner = self._odd[self._inside[self._odd]]
        again = distinct(self.starts.searchsorted(inner, side="right") - 1)
        for word, start, end in zip(
            *(run.tolist() for run in (again, self.starts[again], self.ends[again])), strict=True
        ):
            words[word] = self._text[start:end]
        return words

    def _words_of_any_script(self) -> list[str]:
        codes = np.frombuffer(self._text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        spaced = np.insert(np.where(self._inside, codes, np.uint32(0x20)), self._cuts, 0x20)
        return _split(spaced.astype("<u4").tobytes().decode("utf-32-le"))


def _split(spaced: str) -> list[str]:
    """Returns the words between spaces. In a long text equal words share one object to save memory."""
    if len(spaced) <= _LONG:
        return spaced.split()
    known: dict[str, str] = {}
    words: list[str] = []
    start = 0
    while start < len(spaced):
        end = spaced.find(" ", start + _LONG)
        piece = spaced[start : end if end >= 0 else len(spaced)].split()
        words += map(known.setdefault, piece, piece)
        start = end if end >= 0 else len(spaced)
    return words


def _runs(inside: Mask) -> tuple[Longs, Longs]:
    """Returns where runs of word characters start and stop."""
    framed = np.zeros(len(inside) + 2, dtype=np.bool_)
    framed[1:-1] = inside
    edges = np.flatnonzero(framed[1:] != framed[:-1])
    return edges[::2], edges[1::2]


def _cuts(kinds: npt.NDArray[np.uint8], inside: Mask) -> Longs:
    """Returns where a word starts in the middle of a run: at a word of one character, and behind it."""
    alone = np.flatnonzero(kinds == _SINGLE)
    if not len(alone):
        return alone
    is_place = np.zeros(len(kinds) + 1, dtype=np.bool_)
    is_place[alone] = is_place[_behind(kinds, alone)] = True
    cuts: Longs = np.flatnonzero(is_place[1:-1] & inside[1:] & inside[:-1]) + 1
    return cuts


def _behind(kinds: npt.NDArray[np.uint8], places: Longs) -> Longs:
    """Returns the first character behind each place that is no combining mark."""
    behind: Longs = places + 1
    last = places[-1] + 1 == len(kinds)
    if not (kinds[behind[: len(behind) - last]] == _MARK).any():
        return behind
    bases = np.append(np.flatnonzero(kinds != _MARK), len(kinds))
    return bases[np.searchsorted(bases, places, side="right")]


def _ends(starts: Longs, stops: Longs) -> Longs:
    """Returns the ends of the words: where the run stops, or where the next word starts within the run."""
    stop = stops[np.searchsorted(stops, starts, side="right")]
    following = np.append(starts[1:], np.iinfo(np.int64).max)
    ends: Longs = np.minimum(stop, following)
    return ends


def _join_inner(kinds: npt.NDArray[np.uint8]) -> None:
    """Changes the classes of apostrophes between letters and of points between digits, so that they are part
    of the word."""
    for inner, neighbour in ((_APOSTROPHE, _LETTER), (_POINT, _DIGIT)):
        places = np.flatnonzero(kinds[1:-1] == inner) + 1
        kept = places[(kinds[places - 1] == neighbour) & (kinds[places + 1] == neighbour)]
        kinds[kept] = neighbour


def _kinds(text: str, latin: bytes) -> tuple[npt.NDArray[np.uint8], Longs]:
    """Returns the class of each character, and the places of the characters that Latin-1 does not have."""
    kinds = np.frombuffer(bytearray(latin.translate(_latin_classes())), dtype=np.uint8)
    odd = np.flatnonzero(kinds == _UNKNOWN)
    if len(odd) * _RARE <= len(kinds):
        kinds[odd] = [_classes[character] for character in map(text.__getitem__, odd.tolist())]
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)[odd]
        distinct, places = np.unique(codes, return_inverse=True)
        kinds[odd] = np.array([_classes[chr(code)] for code in distinct.tolist()], dtype=np.uint8)[places]
    return kinds, odd


@cache
def _latin_classes() -> bytes:
    """Returns the classes of the Latin-1 characters. The question mark is unknown, because it also stands for
    every character that Latin-1 does not have."""
    classes = bytearray(_class_of(chr(code)) for code in range(256))
    classes[ord("?")] = _UNKNOWN
    return bytes(classes)


class _Classes(dict[str, int]):
    """A cache of the classes of characters, filled on use with the characters that pages contain."""

    def __missing__(self, character: str) -> int:
        found = self[character] = _class_of(character)
        return found


_classes = _Classes()


def _class_of(character: str) -> int:
    category = unicodedata.category(character)
    if character in _FORMAT_IN_WORDS or category[0] == "M" or "\U0001f3fb" <= character <= "\U0001f3ff":
        return _MARK
    if character in "'’":
        return _APOSTROPHE
    if character in ".,":
        return _POINT
    code = ord(character)
    if any(first <= code <= last for first, last in _UNSPACED) and category[0] in "LN":
        return _SINGLE
    if category[0] == "L" or category == "Pc":
        return _LETTER
    if category[0] == "N":
        return _DIGIT
    if (category in ("Sc", "Sm", "So") and character not in _RULES) or character in _MEANING:
        return _SINGLE
    return _OTHER
