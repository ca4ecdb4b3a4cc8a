"""Tests that the longest common subsequence is exact against a plain table, and bounded on huge sequences."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from webvigil.detect import lcs
from webvigil.detect.alignment import ALIKE, _likeness, word_gaps
from webvigil.detect.lcs import Run, common_length, common_runs, gaps, increasing, likeness

letters = st.text(alphabet="abcd", max_size=30)


def longest(old: str, new: str) -> int:
    """Returns the length of the longest common subsequence, computed with the textbook table."""
    row = [0] * (len(new) + 1)
    for one in old:
        last = 0
        for place, other in enumerate(new):
            above = row[place + 1]
            row[place + 1] = last + 1 if one == other else max(above, row[place])
            last = above
    return row[-1]


@given(letters, letters)
def test_the_runs_are_a_longest_common_subsequence(old: str, new: str) -> None:
    runs = common_runs(old, new)
    assert sum(run.length for run in runs) == longest(old, new)
    for run in runs:
        assert old[run.old : run.old + run.length] == new[run.new : run.new + run.length]
    for before, after in pairwise(runs):
        assert before.old + before.length <= after.old
        assert before.new + before.length <= after.new


@given(letters, letters)
def test_of_many_longest_subsequences_the_one_of_an_independent_implementation_is_found(
    old: str, new: str
) -> None:
    equal = [step for step in LCSseq.opcodes(old, new) if step.tag == "equal"]
    assert common_runs(old, new) == [
        Run(step.src_start, step.dest_start, step.src_end - step.src_start) for step in equal
    ]
    assert word_gaps(list(old), list(new)) == list(gaps(common_runs(old, new), len(old), len(new)))


@given(st.text(max_size=200), st.text(max_size=200))
@example("", "")
@example("a" * 129, "a" * 64)
def test_texts_are_as_alike_as_an_independent_implementation_says(old: str, new: str) -> None:
    assert common_length(old, new) == LCSseq.similarity(old, new)
    assert likeness(old, new) == LCSseq.normalized_similarity(old, new)
    assert _likeness(old, new) == LCSseq.normalized_similarity(old, new, score_cutoff=ALIKE)


@given(letters, letters)
def test_runs_and_gaps_together_are_both_sequences(old: str, new: str) -> None:
    runs = common_runs(old, new)
    pieces = sorted(
        [(run.old, run.new, old[run.old : run.old + run.length], True) for run in runs]
        + [(gap[0], gap[2], old[gap[0] : gap[1]], False) for gap in gaps(runs, len(old), len(new))]
    )
    assert "".join(piece[2] for piece in pieces) == old


@given(letters, letters)
def test_a_divided_search_still_finds_a_common_subsequence(old: str, new: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs, "_PIECE", 3)
        runs = common_runs(old, new)
    for run in runs:
        assert old[run.old : run.old + run.length] == new[run.new : run.new + run.length]
    for before, after in pairwise(runs):
        assert before.old + before.length <= after.old
        assert before.new + before.length <= after.new


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 5)), max_size=9))
def test_the_heaviest_increasing_chain(pairs: list[tuple[int, int]]) -> None:
    numbers, weights = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    for given_weights in (weights, [3] * len(numbers), None):
        places = increasing(numbers, given_weights)
        assert _ascends([numbers[place] for place in places])
        weigh = given_weights or [1] * len(numbers)
        choices = [
            [place for place in range(len(numbers)) if chosen >> place & 1]
            for chosen in range(2 ** len(numbers))
        ]
        best = max(
            sum(weigh[place] for place in choice)
            for choice in choices
            if _ascends([numbers[place] for place in choice])
        )
        assert sum(weigh[place] for place in places) == best


def _ascends(numbers: list[int]) -> bool:
    return all(before < after for before, after in pairwise(numbers))


def test_equal_sequences_are_one_run() -> None:
    assert common_runs("abc", "abc") == [Run(0, 0, 3)]
    assert common_runs("", "abc") == []


def test_huge_sequences_of_few_letters_are_answered_soon() -> None:
    numbers = random.Random(1)
    old = [numbers.randrange(9) for _ in range(200_000)]
    new = [*old[:70_000], 11, 12, *old[70_200:150_000], *old[:50], *old[150_000:]]
    started = time.process_time()
    runs = common_runs(old, new)
    assert time.process_time() - started < 5
    assert sum(run.length for run in runs) > 199_500


def test_huge_sequences_without_anything_rare_are_answered_soon() -> None:
    old, new = [0, 1] * 50_000, [1, 0, 0] * 40_000
    started = time.process_time()
    assert sum(run.length for run in common_runs(old, new)) > 50_000
    assert time.process_time() - started < 5
