"""Many sentinels are read piece by piece, each once, and never with one question too many."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.app.sentinels.lookup import every, named, watching
from webvigil.model.wanted import LARGEST_ID, LARGEST_PIECE, WantedSentinels


class Many:
    """So many sentinels, the newest first, and what was asked of them."""

    def __init__(self, count: int) -> None:
        self._ids = range(count, 0, -1)
        self.asked: list[WantedSentinels] = []

    def some(self, wanted: WantedSentinels) -> list[Any]:
        self.asked.append(wanted)
        found = [
            one
            for one in self._ids
            if one < wanted.before
            and (wanted.names is None or f"s{one}" in wanted.names)
            and (wanted.pages is None or {one, -one} & {*wanted.pages})
        ]
        return [SimpleNamespace(id=one, name=f"s{one}") for one in found[: wanted.limit]]


@pytest.mark.parametrize(
    ("count", "questions"),
    [
        (0, 1),
        (1, 1),
        (LARGEST_PIECE - 1, 1),
        (LARGEST_PIECE, 2),
        (LARGEST_PIECE + 1, 2),
        (2 * LARGEST_PIECE + 1, 3),
    ],
)
def test_all_are_read_with_few_questions(count: int, questions: int):
    many: Any = Many(count)
    assert [one.id for one in every(many, WantedSentinels(user="jill"))] == list(range(count, 0, -1))
    assert len(many.asked) == questions
    assert {one.limit for one in many.asked} == {LARGEST_PIECE}
    assert many.asked[0].before == LARGEST_ID


@pytest.mark.parametrize(("asked", "questions"), [(0, 0), (1, 1), (500, 1), (501, 2), (1_000, 2)])
def test_names_are_asked_for_500_at_a_time(asked: int, questions: int):
    many: Any = Many(600)
    names = [f"s{number + 1}" for number in range(asked)]
    found = named(many, "jill", [*names, *names])
    assert set(found) == {f"s{number + 1}" for number in range(min(asked, 600))}
    assert len(many.asked) == questions
    assert {one.user for one in many.asked} <= {"jill"}


def test_a_sentinel_that_watches_several_of_the_pages_is_told_once():
    many: Any = Many(3)
    assert [one.id for one in watching(many, "jill", [2, -2, 3, *range(1_000, 1_600), -3])] == [3, 2]
