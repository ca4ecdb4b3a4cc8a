"""Tests that word differences agree with a plain longest common subsequence (C4)."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.detect import pages
from webvigil.detect import alignment
from webvigil.detect.alignment import Gap, gaps, paired
from webvigil.detect.pair import Pair
from webvigil.detect.wording import wording
from webvigil.document import PageDigest, read

few_words = st.lists(st.sampled_from("abcde"), max_size=30)


def longest(old: list[str], new: list[str]) -> int:
    """Returns the length of the longest common subsequence, computed with the textbook table."""
    row = [0] * (len(new) + 1)
    for here in old:
        before = row
        row = [0]
        for place, there in enumerate(new):
            row.append(before[place] + 1 if here == there else max(before[place + 1], row[place]))
    return row[-1]


def stayed(old: list[str], new: list[str], found: list[Gap]) -> tuple[list[str], list[str]]:
    """Returns both sides without their gaps."""
    kept: list[list[str]] = [[], []]
    i = j = 0
    for gap in [*found, Gap(len(old), len(old), len(new), len(new))]:
        kept[0] += old[i : gap.old_start]
        kept[1] += new[j : gap.new_start]
        i, j = gap.old_end, gap.new_end
    return kept[0], kept[1]


@given(old=few_words, new=few_words)
def test_what_stays_is_a_longest_common_subsequence(old: list[str], new: list[str]):
    before, after = stayed(old, new, gaps(old, new))
    assert before == after
    assert len(before) == longest(old, new)


@given(old=few_words, new=few_words)
def test_gaps_are_in_order_never_empty_and_never_touch(old: list[str], new: list[str]):
    assert_in_order(gaps(old, new))


def assert_in_order(found: list[Gap]) -> None:
    for gap in found:
        assert gap.old_start < gap.old_end or gap.new_start < gap.new_end
    for one, other in pairwise(found):
        assert one.old_end < other.old_start
        assert one.new_end < other.new_start
        assert other.old_start - one.old_end == other.new_start - one.new_end


@given(old=few_words, new=few_words)
def test_reading_backwards_finds_the_same_gaps(old: list[str], new: list[str]):
    assert gaps(new, old) == [gap.swapped for gap in gaps(old, new)]


@settings(max_examples=60, deadline=None)
@given(both=pages.versions())
def test_the_words_of_a_page_are_aligned_as_well_as_can_be(both: tuple[PageDigest, PageDigest]):
    old, new = both
    words = old.words.words, new.words.words
    before, after = stayed(*words, list(Pair(old, new).word_gaps))
    assert before == after
    assert len(before) == longest(*words)


def test_what_came_is_told_from_where_it_begins():
    """`[date more] date more` and `date [more date] more` are the same difference; a reader sees the first,
    the item."""
    item = "<li><b>Today</b> <i>{}</i> <u>more</u></li>"
    old, new = page(f"<ul>{item.format('b')}</ul>"), page(f"<ul>{item.format('a')}{item.format('b')}</ul>")
    for before, after in ((old, new), (new, old)):
        (gap,) = Pair(before, after).word_gaps
        run = gap.new if after is new else gap.old
        assert new.words.words[slice(*run)] == ["Today", "a", "more"]


@settings(max_examples=60, deadline=None)
@given(both=pages.versions())
def test_cutting_at_blocks_first_keeps_an_alignment(both: tuple[PageDigest, PageDigest]):
    old, new = both
    words = old.words.words, new.words.words
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "EXACT", 12)
        patch.setattr(alignment, "BOUND", 60)
        found = list(Pair(old, new).word_gaps)
        assert [gap.swapped for gap in Pair(new, old).word_gaps] == found
    before, after = stayed(*words, found)
    assert before == after
    assert_in_order(found)


def copied(digest: PageDigest) -> PageDigest:
    """Returns the same document as a new digest that has nothing cached."""
    return PageDigest.from_bytes(digest.to_bytes())


@settings(max_examples=60, deadline=None)
@given(both=pages.versions(), padding=st.integers(0, 120))
def test_words_far_from_what_differs_need_not_be_looked_at(both: tuple[PageDigest, PageDigest], padding: int):
    around = f"<p>{' '.join(f'w{number}' for number in range(padding))}</p>"
    old, new = (read(f"{around}{page.as_document().decode()}{around}".encode(), "text/html") for page in both)
    assert len(wording(old).words) == len(old.words)
    assert len(wording(new).words) == len(new.words)
    expected = Pair(old, new).word_gaps
    assert Pair(copied(old), copied(new)).word_gaps == expected


_TALK = st.lists(st.sampled_from(["a", "b", "a b", "a b a b", "b a.", "c"]), max_size=6)


@settings(max_examples=100, deadline=None)
@given(start=_TALK, old=_TALK, new=_TALK, end=_TALK, padding=st.sampled_from([0, 20, 60]))
def test_words_are_aligned_as_if_the_lines_that_stayed_had_been_looked_at(start, old, new, end, padding):
    """The same few words again and again make gaps that can stand at many places."""
    around = ["a b"] * padding
    versions = [
        page("".join(f"<p>{line}</p>" for line in [*around, *start, *middle, *end, *around]))
        for middle in (old, new)
    ]
    found = Pair(*map(copied, versions)).word_gaps
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pair, "_same_words", (0, 0))
        assert Pair(*map(copied, versions)).word_gaps == found


def test_words_far_from_what_differs_are_not_hashed():
    lines = "".join(f"<p>Some words of line {number}.</p>" for number in range(100))
    old, new = (page(f"{lines}<p>{word} word</p>{lines}") for word in ("old", "new"))
    ((start, end, *_),) = Pair(old, new).word_gaps
    assert old.words.words[start:end] == ["old"]
    assert not old.words.numbers


def test_a_word_that_runs_on_into_other_nodes_is_one_word(monkeypatch: pytest.MonkeyPatch):
    """Equal texts with equally many words need not have equal words: a text in the next node may continue the
    last word."""
    monkeypatch.setattr(alignment, "EXACT", 1)
    body = "<p><i>one two three four US 38</i><b>T0</b><b>{}</b><u> five six seven eight</u></p>"
    old, new = (page(body.format(size)) for size in ("T1", "T12"))
    (gap,) = Pair(old, new).word_gaps
    assert old.words.words[gap.old_start : gap.old_end] == ["38T0T1"]
    assert new.words.words[gap.new_start : gap.new_end] == ["38T0T12"]


@pytest.mark.parametrize("shape", ["all new", "shuffled", "one word", "one node", "interleaved"])
def test_huge_pages_do_not_hold_us_up(shape: str):
    """Each side has a megabyte, which is far too much for the full table of a longest common subsequence."""
    old, new = huge(shape)
    start = time.process_time()
    found = list(Pair(old, new).word_gaps)
    assert time.process_time() - start < 2
    before, after = stayed(old.words.words, new.words.words, found)
    assert before == after
    assert found
    assert_in_order(found)


def huge(shape: str) -> tuple[PageDigest, PageDigest]:
    dice = random.Random(1)
    words = [f"w{number}" for number in range(120_000)]
    other = [f"v{number}" for number in range(120_000)]
    match shape:
        case "shuffled":
            other = dice.sample(words, len(words))
        case "one word":
            words, other = ["same"] * 200_000, ["same"] * 100_000 + ["other"] + ["same"] * 120_000
        case "one node" | "interleaved":
            other = [word if dice.random() < 0.9 else f"v{word}" for word in words]
    step = 10**9 if shape == "one node" else 6
    return tuple(
        page("".join(f"<p>{' '.join(side[at : at + step])}</p>" for at in range(0, len(side), step)))
        for side in (words, other)
    )  # type: ignore[return-value]


def page(body: str) -> PageDigest:
    return read(f"<body>{body}</body>".encode(), "text/html; charset=utf-8")


@given(old=st.lists(pages.texts, max_size=6), new=st.lists(pages.texts, max_size=6))
def test_pairs_are_in_order_and_leave_nothing_out(old: list[str], new: list[str]):
    found = paired(old, new)
    assert [i for i, _ in found if i is not None] == list(range(len(old)))
    assert [j for _, j in found if j is not None] == list(range(len(new)))
    assert sorted(paired(new, old), key=repr) == sorted([(j, i) for i, j in found], key=repr)


def test_texts_that_read_alike_are_pairs():
    old = ["The harbour is open", "Tea is served at four"]
    new = ["A new notice", "The harbour is now open", "Tea is served at five"]
    assert paired(old, new) == [(None, 0), (0, 1), (1, 2)]


@given(st.permutations(range(6)))
def test_the_largest_ascending_choice_of_pairs_is_taken(places: list[int]):
    chosen = range(1 << len(places))
    rows = ([one for at, one in enumerate(places) if bits >> at & 1] for bits in chosen)
    longest = max(len(row) for row in rows if all(a < b for a, b in pairwise(row)))
    ours, theirs = alignment._in_order(np.arange(len(places)), np.array(places))
    assert len(ours) == longest
    assert [places[one] for one in ours] == sorted(theirs.tolist()) == theirs.tolist()
