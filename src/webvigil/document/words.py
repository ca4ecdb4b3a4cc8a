"""Words of any script, with their places (C4).

A word is a run of letters, digits and the marks on them. An apostrophe between letters and a point or
comma between digits belong to the word (`don't`, `1,234.5`). Scripts written without spaces (Han,
Hiragana, Thai …) give one word per character with its marks. Symbols that carry meaning (currency,
`%`, `+`, emoji) are words of one character; other punctuation is not a word.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from webvigil.document.arrays import Longs, Mask
from webvigil.document.reading import Reading

# Classes of characters. 0 is "not looked up yet": the table fills with what pages really contain.
_OTHER, _LETTER, _DIGIT, _MARK, _SINGLE, _APOSTROPHE, _POINT = range(1, 8)
_classes: npt.NDArray[np.uint8] = np.zeros(0x110000, dtype=np.uint8)

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


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of a text: `words[k]` begins at `starts[k]` of the reading and comes from node `nodes[k]`,
    where it begins at `offsets[k]` of that node's text."""

    words: list[str]
    starts: Longs
    nodes: Longs
    offsets: Longs

    def __len__(self) -> int:
        return len(self.words)


def words(reading: Reading) -> Words:
    found = _Found(reading.text)
    index = np.searchsorted(reading.starts, found.starts, side="right") - 1
    if not len(index):
        empty = np.zeros(0, dtype=np.int64)
        return Words([], empty, empty, empty)
    return Words(found.words(), found.starts, reading.nodes[index], found.starts - reading.starts[index])


def words_of(text: str) -> list[str]:
    """The words of a plain text."""
    return _Found(text).words()


def vocabulary(words: list[str]) -> tuple[dict[str, int], Longs]:
    """Word → its number in order of first use, and the number of each of the words."""
    index = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return index, np.fromiter(map(index.__getitem__, words), dtype=np.int64, count=len(words))


def borders(text: str) -> tuple[Longs, Longs]:
    """Where each word starts and ends."""
    found = _Found(text)
    return found.starts, found.ends


class _Found:
    """The words of a text, by the classes of its characters, all at once."""

    def __init__(self, text: str) -> None:
        self._codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        kinds = _kinds(self._codes)
        _join_inner(kinds)
        self._inside: Mask = (kinds >= _LETTER) & (kinds <= _SINGLE)
        starts, stops = _runs(self._inside)
        self._cuts = _cuts(kinds, self._inside)
        self.starts: Longs = np.sort(np.concatenate([starts, self._cuts]))
        self.ends: Longs = stops if not len(self._cuts) else _ends(self.starts, stops)

    def words(self) -> list[str]:
        """Everything but words becomes spaces, and the text is split: far faster than slice by slice."""
        spaced = np.where(self._inside, self._codes, np.uint32(0x20))
        if len(self._cuts):
            spaced = np.insert(spaced, self._cuts, 0x20)
        return spaced.astype("<u4").tobytes().decode("utf-32-le").split()


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
    bases = np.append(np.flatnonzero(kinds != _MARK), len(kinds))
    behind = bases[np.searchsorted(bases, alone, side="right")]
    is_place = np.zeros(len(kinds) + 1, dtype=np.bool_)
    is_place[alone] = is_place[behind] = True
    cuts: Longs = np.flatnonzero(is_place[1:-1] & inside[1:] & inside[:-1]) + 1
    return cuts


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


def _kinds(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    kinds = _classes.take(codes)
    if not kinds.all():
        for code in np.unique(codes[kinds == 0]).tolist():
            _classes[code] = _class_of(chr(code))
        kinds = _classes.take(codes)
    return kinds


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
