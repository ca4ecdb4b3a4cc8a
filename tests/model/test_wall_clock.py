"""Times on the clocks of zones that are put forward and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from webvigil.model.wall_clock import leap, moment_of

BERLIN, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("Australia/Lord_Howe")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


def test_a_time_that_is_shown_once_has_one_moment():
    wall = datetime(2026, 7, 1, 9, 30)
    assert moment_of(wall, BERLIN) == moment_of(wall, BERLIN, fold=1) == utc(2026, 7, 1, 7, 30)


def test_a_time_that_is_shown_twice_has_two_moments():
    wall = datetime(2026, 10, 25, 2, 30)
    assert moment_of(wall, BERLIN) == utc(2026, 10, 25, 0, 30)
    assert moment_of(wall, BERLIN, fold=1) == utc(2026, 10, 25, 1, 30)


@pytest.mark.parametrize("minute", [0, 1, 30, 59])
@pytest.mark.parametrize("fold", [0, 1])
def test_a_time_that_is_leapt_over_is_the_moment_of_the_leap(minute: int, fold: int):
    assert moment_of(datetime(2026, 3, 29, 2, minute), BERLIN, fold) == utc(2026, 3, 29, 1)


def test_a_clock_may_leap_by_half_an_hour():
    assert moment_of(datetime(2026, 10, 4, 2, 15), LORD_HOWE) == utc(2026, 10, 3, 15, 30)
    wall = datetime(2026, 4, 5, 1, 45)
    assert moment_of(wall, LORD_HOWE, fold=1) - moment_of(wall, LORD_HOWE) == timedelta(minutes=30)


def test_a_leap_is_found_to_the_second():
    found = leap(utc(2026, 3, 28), utc(2026, 3, 30), BERLIN)
    assert found == utc(2026, 3, 29, 1)
    assert leap(found - timedelta(seconds=1), found, BERLIN) == found
    for before in range(1, 5):
        for after in range(4):
            around = found - timedelta(seconds=before), found + timedelta(seconds=after)
            assert leap(*around, BERLIN) == found
