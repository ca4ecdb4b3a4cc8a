"""Tests of which versions a sentinel compares (L7)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webvigil.graph.due import MOST_STEPS, steps
from webvigil.model.sentinel import Compare


def pairs(compare: Compare, newest: int, reference: int = 1) -> list[tuple[int, int]]:
    return [(step.old, step.new) for step in steps(reference, compare, newest)]


def test_pairwise_compares_with_the_version_it_knows():
    assert pairs(Compare(), 2) == [(1, 2)]
    assert pairs(Compare(), 5) == [(1, 5)]
    assert pairs(Compare(), 1) == []
    assert pairs(Compare(), 3, reference=0) == []


def test_every_compares_with_the_nth_after_and_goes_on_from_there():
    assert pairs(Compare("every", 3), 3) == []
    assert pairs(Compare("every", 3), 7) == [(1, 4), (4, 7)]
    assert steps(1, Compare("every", 3), 6)[-1].next == 4


def test_moving_compares_with_the_nth_and_moves_on_by_one():
    """This is the example of the language: moving 4 compares V1 with V4, then V2 with V5."""
    assert pairs(Compare("moving", 4), 3) == []
    assert pairs(Compare("moving", 4), 5) == [(1, 4), (2, 5)]
    assert steps(1, Compare("moving", 4), 5)[-1].next == 3


compares = st.one_of(
    st.builds(Compare, st.just("every"), st.integers(1, 5)),
    st.builds(Compare, st.just("moving"), st.integers(2, 5)),
)


@given(compares, st.lists(st.integers(1, 60), max_size=12))
def test_nothing_is_left_out_or_compared_twice_however_the_versions_come(compare: Compare, seen: list[int]):
    """Whether the versions come at once or one by one, the comparisons are the same, and no version before
    the reference is needed any more."""
    newest = sorted(seen)
    reference, found = 1, []
    for number in newest * 10:
        for step in steps(reference, compare, max(number, reference)):
            assert step.old >= reference
            found.append((step.old, step.new))
            reference = step.next
    gap = compare.n if compare.how == "every" else compare.n - 1
    stride = compare.n if compare.how == "every" else 1
    last = max(newest, default=1)
    assert found == [(old, old + gap) for old in range(1, last - gap + 1, stride)]


def test_who_slept_long_catches_up_in_several_looks():
    assert len(steps(1, Compare("moving", 2), 10_000)) == MOST_STEPS
