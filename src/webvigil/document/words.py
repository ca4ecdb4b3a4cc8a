"""Words of any script, with their places (C4).

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

from webvigil.document.arrays import Hashes, Longs, Mask
from webvigil.document.derived import cached_property
from webvigil.document.fast import accelerated, native
from webvigil.document.reading import Reading, changed_lines

# Classes of characters.
_UNKNOWN, _OTHER, _LETTER, _DIGIT, _MARK, _SINGLE, _APOSTROPHE, _POINT = range(8)
# One of so many characters may be beyond Latin-1, or a word of its own, in a text that is read as bytes.
_LONG = 2_000_000  # characters
_RARE = 32

# Written without spaces: each character is a word. (first, last) code points.
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
# Symbols by their category, but mostly drawn as lines between texts.
_RULES = frozenset("|=~¦")


class Words:
    """The words of a text: `words[k]` begins at `starts[k]` of the reading and comes from node `nodes[k]`,
    where it begins at `offsets[k]` of that node's text.

    Of a page that hardly changed few words are looked at, so they are cut out when they are asked for.
    """

    def __init__(self, reading: Reading, before: Words | None = None) -> None:
        """`before`: those of the version before. Only lines that are not the same are searched for words."""
        again = _Again(reading.text, before) if before is not None else None
        self._found = again if again and again.is_worth_it else _found(reading.text)
        self._reading = reading
        self.numbers: dict[bool, Hashes] = {}
        """Numbers for the words as they are compared or, folded, searched for, where they are known."""

    @property
    def kept(self) -> tuple[Words | None, int, int]:
        """The words of the version before, as long as they are there, and how many of its first and of its
        last ones are also the first and last here."""
        found = self._found
        return (found.before(), found.first, found.last) if isinstance(found, _Again) else (None, 0, 0)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def text(self) -> str:
        """The text that they are the words of."""
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
        """Some words."""
        if "words" in self.__dict__:
            return [self.words[place] for place in places.tolist()]
        return cut_out(self._reading.text, self.starts[places], self.ends[places])

    @cached_property
    def nodes(self) -> Longs:
        return np.repeat(self._reading.nodes, self._counts)

    @cached_property
    def offsets(self) -> Longs:
        return self.starts - np.repeat(self._reading.starts, self._counts)

    @cached_property
    def blocks(self) -> tuple[Longs, Longs]:
        """Of every text in which words begin: the first of them, and its node."""
        begins = self._counts > 0
        return self._borders[:-1][begins], self._reading.nodes[begins]

    @cached_property
    def _borders(self) -> Longs:
        """The first word that begins in each text or behind it, and one behind the last word."""
        return np.append(self.starts.searchsorted(self._reading.starts), len(self))

    @property
    def _counts(self) -> Longs:
        return self._borders[1:] - self._borders[:-1]


def words_of(text: str) -> list[str]:
    """The words of a plain text."""
    return _found(text).words()


def vocabulary(words: list[str]) -> tuple[dict[str, int], Longs]:
    """Word → its number in order of first use, and the number of each of the words."""
    index = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return index, np.fromiter(map(index.__getitem__, words), dtype=np.int64, count=len(words))


def borders(text: str) -> tuple[Longs, Longs]:
    """Where each word starts and ends."""
    found = _found(text)
    return found.starts, found.ends


@accelerated
def cut_out(text: str, starts: Longs, ends: Longs) -> list[str]:
    """The parts of a text from each start up to its end."""
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


@accelerated
def word_borders(text: str, class_of: Callable[[str], int]) -> tuple[Longs, Longs]:
    """Where each word of a text starts and ends, by the classes of its characters."""
    found = _Found(text)
    return found.starts, found.ends


def _found(text: str) -> _Found | _Walked:
    return _Walked(text) if native else _Found(text)


class _Walked:
    """The words of a text, character by character: that is for the compiled twin alone."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.starts, self.ends = word_borders(text, _class_of)

    def words(self) -> list[str]:
        return cut_out(self._text, self.starts, self.ends)


class _Again:
    """The words of a text that differs from another in some lines: words never reach over a line."""

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
        # Not held on to: it would hold on to the one before it.
        self.before = ref(before)
        self.first, self.last = first, len(before) - behind

    def words(self) -> list[str]:
        return cut_out(self._text, self.starts, self.ends)


class _Found:
    """The words of a text, by the classes of its characters, all at once."""

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
        """Everything but words becomes spaces, and the text is split: far faster than slice by slice."""
        if max(len(self._cuts), len(self._odd)) * _RARE > len(self._text):
            return self._words_of_any_script()
        spaced = np.where(self._inside, np.frombuffer(self._latin, np.uint8), np.uint8(0x20)).tobytes()
        places = [0, *self._cuts.tolist(), len(spaced)]
        words = _split(b" ".join([spaced[start:end] for start, end in pairwise(places)]).decode("latin-1"))
        # The words with a character that was replaced are read again.
        inner = self._odd[self._inside[self._odd]]
        again = np.unique(self.starts.searchsorted(inner, side="right") - 1)
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
    """The words between spaces. In a long text equal ones are one object, or they would fill the memory."""
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
    """Where runs of word characters start, and where they stop."""
    framed = np.zeros(len(inside) + 2, dtype=np.bool_)
    framed[1:-1] = inside
    edges = np.flatnonzero(framed[1:] != framed[:-1])
    return edges[::2], edges[1::2]


def _cuts(kinds: npt.NDArray[np.uint8], inside: Mask) -> Longs:
    """Where a word starts in the middle of a run: at a word of one character, and behind it."""
    alone = np.flatnonzero(kinds == _SINGLE)
    if not len(alone):
        return alone
    is_place = np.zeros(len(kinds) + 1, dtype=np.bool_)
    is_place[alone] = is_place[_behind(kinds, alone)] = True
    cuts: Longs = np.flatnonzero(is_place[1:-1] & inside[1:] & inside[:-1]) + 1
    return cuts


def _behind(kinds: npt.NDArray[np.uint8], places: Longs) -> Longs:
    """The first character behind each place that is no mark."""
    behind: Longs = places + 1
    last = places[-1] + 1 == len(kinds)
    if not (kinds[behind[: len(behind) - last]] == _MARK).any():
        return behind
    bases = np.append(np.flatnonzero(kinds != _MARK), len(kinds))
    return bases[np.searchsorted(bases, places, side="right")]


def _ends(starts: Longs, stops: Longs) -> Longs:
    """A word ends where its run stops, or where the next word starts within the run."""
    stop = stops[np.searchsorted(stops, starts, side="right")]
    following = np.append(starts[1:], np.iinfo(np.int64).max)
    ends: Longs = np.minimum(stop, following)
    return ends


def _join_inner(kinds: npt.NDArray[np.uint8]) -> None:
    """An apostrophe between letters and a point between digits become part of the word."""
    for inner, neighbour in ((_APOSTROPHE, _LETTER), (_POINT, _DIGIT)):
        places = np.flatnonzero(kinds[1:-1] == inner) + 1
        kept = places[(kinds[places - 1] == neighbour) & (kinds[places + 1] == neighbour)]
        kinds[kept] = neighbour


def _kinds(text: str, latin: bytes) -> tuple[npt.NDArray[np.uint8], Longs]:
    """The classes of the characters, and where those stand that Latin-1 has not."""
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
    """A question mark may be one, or stand for a character that Latin-1 has not."""
    classes = bytearray(_class_of(chr(code)) for code in range(256))
    classes[ord("?")] = _UNKNOWN
    return bytes(classes)


class _Classes(dict[str, int]):
    """Fills with what pages really contain."""

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
