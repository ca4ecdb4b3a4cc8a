"""Many short texts in, the sequences of words in each of them out, all searched in one go."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from webvigil.detect.sequences import Finder
from webvigil.detect.wording import word_hashes
from webvigil.document.arrays import Hashes, Longs
from webvigil.document.words import borders
from webvigil.model.memo import cached_property


class Hits(NamedTuple):
    """Occurrences of sequences: for each the number of the sequence, of the text, and of the word of the text
    that it begins with."""

    sequences: Longs
    texts: Longs
    words: Longs


class Searched:
    """Some texts. No occurrence reaches from one of them into the next."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts

    def hits(self, finder: Finder) -> Hits:
        """Returns every occurrence of the finder's sequences, in the order of the texts."""
        which, places = finder.found(self)
        _, _, homes, firsts = self._words
        texts = homes[places]
        return Hits(which, texts, places - firsts[texts])

    @cached_property
    def hashes(self) -> Hashes:
        """A number for each folded word, and for the empty word between two texts."""
        starts, ends, _, _ = self._words
        return word_hashes(self._text, starts, ends, folding=True)

    @property
    def pieces(self) -> tuple[Longs, Longs]:
        """The pieces that are searched: all words."""
        return np.array([0]), np.array([len(self.hashes)])

    @cached_property
    def _text(self) -> str:
        return "\n".join(self._texts)

    @cached_property
    def _words(self) -> tuple[Longs, Longs, Longs, Longs]:
        """Where each word starts and ends and the text that it is in; then for each text its first word. An
        empty word goes before the first word of each text but the first."""
        starts, ends = borders(self._text)
        lengths = np.fromiter(map(len, self._texts), dtype=np.int64, count=len(self._texts))
        homes = np.searchsorted(np.cumsum(lengths + 1), starts, side="right")
        begins = np.zeros(len(homes), dtype=np.bool_)
        begins[1:] = homes[1:] != homes[:-1]
        places = np.arange(len(homes)) + np.cumsum(begins)
        found = np.zeros((3, int(places[-1]) + 1 if len(places) else 0), dtype=np.int64)
        found[:, places] = starts, ends, homes
        firsts = np.zeros(len(self._texts), dtype=np.int64)
        firsts[homes[begins]] = places[begins]
        return found[0], found[1], found[2], firsts
