"""A quick run takes the share of the cases that a test names, never none, and the same ones each time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import pytest

from tests.sampling import left_out


@dataclass(frozen=True)
class Case:
    nodeid: str
    of: int = 0

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return pytest.mark.sampled(self.of).mark if self.of and name == "sampled" else None


def taken(*cases: Case) -> list[Case]:
    left = cast("list[Case]", left_out(cast("list[pytest.Item]", cases)))
    return [one for one in cases if one not in left]


@pytest.mark.parametrize(("count", "of", "share"), [(1, 3, 1), (3, 3, 1), (4, 3, 2), (100, 4, 25), (5, 1, 5)])
def test_the_share_is_taken(count: int, of: int, share: int):
    assert len(taken(*(Case(f"a.py::test_x[{n}]", of) for n in range(count)))) == share


def test_each_test_has_its_own_share():
    cases = [Case(f"a.py::test_{name}[{n}]", 3) for name in "xyz" for n in range(9)]
    assert [sum(f"test_{name}[" in one.nodeid for one in taken(*cases)) for name in "xyz"] == [3, 3, 3]


def test_what_is_not_sampled_is_taken_whole():
    cases = [Case(f"a.py::test_x[{n}]") for n in range(9)]
    assert taken(*cases) == cases


def test_every_row_and_every_column_of_a_table_is_taken():
    cases = [Case(f"a.py::test_x[{row}-{column}]", 3) for row in range(40) for column in range(9)]
    places = [one.nodeid[len("a.py::test_x[") : -1].split("-") for one in taken(*cases)]
    assert {column for _, column in places} == {*map(str, range(9))}
    assert len({row for row, _ in places}) > 35


def test_a_case_more_changes_little():
    cases = [Case(f"a.py::test_x[{n}]", 3) for n in range(31)]
    assert len({*taken(*cases[:-1])} - {*taken(*cases)}) <= 1
