"""Tests of ignored words on pages that are too long for one exact comparison (C4)."""

from __future__ import annotations

import random

import pytest
from rapidfuzz.distance import LCSseq

from webvigil.detect.alignment import EXACT, gaps
from webvigil.detect.all_words import _kept, _Reader
from webvigil.detect.find import find
from webvigil.document import read
from webvigil.model.sentinel import ChangeType

EXCEPT = ("Lorem", "w7", "w1 w2")


def _page(lines):
    return read("".join(f"<p>{' '.join(line)}</p>" for line in lines).encode(), "text/html")


def _pages(seed):
    """Returns two pages of twelve hundred words of which the first, the last and some in between changed."""
    dice = random.Random(seed)
    lines = [[f"w{dice.randrange(300)}" for _ in range(12)] for _ in range(100)]
    later = [list(line) for line in lines]
    for place in (0, 99, *dice.sample(range(100), 12)):
        start = dice.randrange(12)
        later[place][start : start + 3] = dice.choices(["new", "lorem", "w7"], k=dice.randrange(4))
    return _page(lines), _page(later)


@pytest.mark.parametrize("seed", range(4))
def test_reading_backwards_looks_over_the_same_words(seed):
    old, new = _pages(seed)
    change = ChangeType("all words", EXCEPT)
    forth, back = find(old, new, change), find(new, old, change)
    assert forth.objects
    assert [(one.before, one.after) for one in forth.objects] == [
        (one.after, one.before) for one in back.objects
    ]
    assert (forth.share, forth.score) == (back.share, back.score)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_told_turns_the_old_words_into_the_new_ones(seed):
    excepted = [("lorem",), ("w7",), ("w1", "w2")]
    old, new = (_Reader(page, _kept(page, excepted)).words() for page in _pages(seed))
    assert len(old) * len(new) > EXACT
    place, built, stayed = 0, [], 0
    for gap in gaps(old, new):
        stayed += gap.old_start - place
        built += old[place : gap.old_start] + new[gap.new_start : gap.new_end]
        place = gap.old_end
    assert built + old[place:] == new
    # Long pages are cut at words that surely stayed, which may cost a word or two of the longest subsequence.
    assert stayed + len(old) - place >= LCSseq.similarity(old, new) - 5
