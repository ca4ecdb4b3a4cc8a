"""Which comparisons are due, and what a watch remembers when there is nothing to compare (L7)."""

from __future__ import annotations

import pytest

from webvigil.graph.due import Compared, Found, Step, at_rest, nothing_new, steps, unconfirmed
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.quiet import LeftOut, Why
from webvigil.model.sentinel import Compare
from webvigil.model.work import Watch


def watch(reference: int, measured_from: int = 0) -> Watch:
    return Watch(
        sentinel=1,
        user="jill",
        name="s",
        text="",
        interval=0,
        next_at=0,
        reference=reference,
        measured_from=measured_from,
    )


@pytest.mark.parametrize(
    ("references", "newest", "nothing"),
    [
        ([], 5, True),
        ([0], 5, True),
        ([5], 5, True),
        ([6], 5, True),
        ([4], 5, False),
        ([1], 5, False),
        ([1], 1, True),
        ([5, 0, 4], 5, False),
    ],
)
def test_a_watch_waits_for_a_version_after_the_one_it_knows(
    references: list[int], newest: int, nothing: bool
):
    assert nothing_new([watch(one) for one in references], newest) is nothing


@pytest.mark.parametrize(("reference", "kept"), [(0, 7), (1, 1), (7, 7)])
def test_a_watch_without_a_version_starts_with_the_newest(reference: int, kept: int):
    one = watch(reference, 3)
    assert at_rest(one, 7) == Compared(one, kept, 3)


def test_a_result_says_nothing_that_was_not_found():
    assert Compared(watch(4), 5) == (watch(4), 5, 0, (), "", "", ())


@pytest.mark.parametrize(
    ("reference", "compare", "newest", "expected"),
    [
        (0, Compare(), 5, []),
        (5, Compare(), 5, []),
        (6, Compare(), 5, []),
        (1, Compare(), 5, [Step(1, 5, 5)]),
        (4, Compare(), 5, [Step(4, 5, 5)]),
        (1, Compare("every", 2), 2, []),
        (1, Compare("every", 2), 3, [Step(1, 3, 3)]),
        (1, Compare("every", 2), 6, [Step(1, 3, 3), Step(3, 5, 5)]),
        (1, Compare("moving", 3), 2, []),
        (1, Compare("moving", 3), 3, [Step(1, 3, 2)]),
        (1, Compare("moving", 3), 4, [Step(1, 3, 2), Step(2, 4, 3)]),
    ],
)
def test_the_comparisons_that_a_watch_needs(
    reference: int, compare: Compare, newest: int, expected: list[Step]
):
    assert steps(reference, compare, newest) == expected


@pytest.mark.parametrize("compare", [Compare("every", 1), Compare("moving", 2)])
def test_twenty_comparisons_are_made_in_one_look(compare: Compare):
    assert len(steps(1, compare, 21)) == 20
    assert len(steps(1, compare, 22)) == 20


def test_what_is_not_confirmed_is_compared_again_and_told_to_nobody():
    gone, old = ObjectChange("a", Status.GONE), ObjectChange("b", Status.GONE)
    found = Found(old=1, new=2, findings=(Finding(type="all words", objects=(gone,)),))
    before = LeftOut(Why.JUST_GONE, old)
    one = Compared(watch(1, 9), 2, 2, (found,), left_out=(before,))
    assert unconfirmed(one) == Compared(watch(1, 9), 1, 9, left_out=(before, LeftOut(Why.JUST_GONE, gone)))
