"""The children of an element are paired in order: equal ones, similar ones, and those of one name."""

from __future__ import annotations

from collections import Counter

import pytest

from webvigil.detect.siblings import _between, _by_key, _likeness


@pytest.mark.parametrize(
    ("ones", "others", "places", "left"),
    [
        ([1, 2], [3], [], [([1, 2], [3])]),
        ([1, 2], [3], [(0, 0)], []),
        ([1, 2, 3], [4, 5, 6], [(1, 1)], [([1], [4]), ([3], [6])]),
        ([1, 2, 3], [4, 5], [(1, 0)], [([3], [5])]),
        ([1, 2, 3], [4, 5], [(1, 1)], [([1], [4])]),
        ([1, 2, 3, 4], [5, 6, 7, 8], [(0, 0), (3, 3)], [([2, 3], [6, 7])]),
        ([], [1], [], []),
    ],
)
def test_what_is_left_between_pairs_is_left_on_both_sides(
    ones: list[int], others: list[int], places: list[tuple[int, int]], left: list[tuple[list[int], list[int]]]
):
    assert list(_between(ones, others, places)) == left


@pytest.mark.parametrize(
    ("keys", "others", "pairs"),
    [
        ("a", "a", [(0, 0)]),
        ("a", "b", []),
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("abc", "bc", [(1, 0), (2, 1)]),
        ("abxc", "aybc", [(0, 0), (1, 2), (3, 3)]),
        ("", "a", []),
    ],
)
def test_equal_keys_are_paired_in_order(keys: str, others: str, pairs: list[tuple[int, int]]):
    assert _by_key(keys, others) == pairs


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [
        ("abcd", "abcd", 1.0),
        ("ab", "cd", 0.0),
        ("aabb", "ab", 2 / 3),
        ("abcd", "axyz", 0.25),
        ("abcde", "axyz", 0.0),
    ],
)
def test_the_likeness_is_the_share_of_common_features(one: str, other: str, likeness: float):
    assert _likeness(Counter(one), Counter(other)) == pytest.approx(likeness)
    assert _likeness(Counter(), Counter()) == 0
