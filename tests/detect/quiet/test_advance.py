"""How far a time on a page went on, read from two lines (Q2)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect.quiet.advance import DAY, Advances, advances, shrank
from webvigil.detect.quiet.calm import differing
from webvigil.detect.quiet.ticking import units

MINUTE, HOUR = 60, 3600


def between(before: str, after: str) -> Advances:
    was, now = differing(before, after)
    return advances(before, was, after, now)


@pytest.mark.parametrize(
    ("before", "after", "passed"),
    [
        ("2 min.", "3 min.", MINUTE),
        ("59 seconds", "1 minute", 10),
        ("in use for a minute", "in use for an hour", HOUR),
        ("just now", "2 mins ago", 2 * MINUTE),
        ("il y a 5 minutes", "il y a 2 heures", 2 * HOUR),
        ("vor 3 Stunden", "vor 1 Tag", 22 * HOUR),
        ("1 hour, 59 minutes", "2 hours, 0 minutes", MINUTE),
        ("up 1d 4h", "up 1d 5h", HOUR),
        ("1.3 hours", "1.4 hours", 6 * MINUTE),
        ("3 分钟前", "2 小时前", 2 * HOUR),
        ("2 मिनट पहले", "3 मिनट पहले", MINUTE),
        ("about an hour", "about 2 hours", HOUR),
        ("at 2:41pm", "at 2:42pm", MINUTE),
        ("at 11:59am", "at 12:00pm", MINUTE),
        ("23:59:50", "00:00:20", 30),
        ("12:59", "1:00", MINUTE),
        ("2026-11-17 14:41", "2026-11-17 15:41", HOUR),
    ],
)
def test_what_passed_is_among_the_ways_to_read_it(before: str, after: str, passed: int):
    assert any(one.least <= passed <= one.most for one in between(before, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("12 items", "13 items"),
        ("$ 12.50", "$ 13.50"),
        ("version 2.3", "version 2.4"),
        ("3 min.", "sold out"),
        ("3 min.", "14:41"),
        ("1:2:3", "1:2:4"),
        ("ratio 3/4 h", "ratio 3/5 h"),
        ("2026-11-17 14:41", "2026-11-18 14:41"),
    ],
)
def test_what_is_no_time_on_both_sides_went_on_nowhere(before: str, after: str):
    assert not between(before, after)


def test_an_age_that_is_smaller_shrank():
    assert shrank(between("3 days ago", "1 minute ago"))
    assert shrank(between("5 hours", "2 hours"))
    assert shrank(between("Yesterday", "Today"))
    assert shrank(between("Last week", "This week"))
    assert shrank(between("last month", "2 days ago"))
    assert shrank(between("Within an Hour", "Within a Minute"))
    assert not shrank(between("5 minutes ago", "6 minutes ago"))
    assert not shrank(between("5 minutes ago", "4 minutes ago"))  # one may be rounded up, the other down
    assert not shrank(between("12 items", "2 items"))
    assert not shrank(between("Today", "Yesterday"))
    assert not shrank(between("14 minutes ago", "1/4 hour ago"))
    assert not shrank(between("Within a Minute", "Within an Hour"))


def test_times_that_people_appoint_are_even():
    assert [one.even for one in between("Opens 9:00", "Opens 9:30")] == [True]
    assert [one.even for one in between("Opens 9:01", "Opens 9:31")] == [False]


@given(st.integers(0, DAY * 400), st.integers(0, DAY * 40))
def test_an_age_goes_on_as_the_clock_does(age: int, passed: int):
    """Whatever the age is and however much time passed, that time is among the ways to read the two lines."""
    found = between(_shown(age) + " old", _shown(age + passed) + " old")
    same = _shown(age) == _shown(age + passed)
    assert same or any(one.least <= passed <= one.most for one in found)
    assert not shrank(found)


@given(st.integers(0, DAY - 1), st.integers(0, DAY // 2))
def test_a_clock_goes_on_as_the_clock_does(start: int, passed: int):
    before, after = (f"{one // HOUR % 24:02}:{one // 60 % 60:02}" for one in (start, start + passed))
    if before != after:
        assert any(
            one.least <= passed % (DAY / 2) <= one.most or one.least <= passed <= one.most
            for one in between(f"now {before}", f"now {after}")
        )


def _shown(seconds: int) -> str:
    for name, unit in (("days", DAY), ("hours", HOUR), ("minutes", MINUTE)):
        if seconds >= unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} seconds"


def test_units_of_all_languages_are_known():
    assert units()["hour"] == units()["std"] == units()["heures"] == {3600}
    assert units()["m"] >= {60}
    assert len(units()) > 400


def test_a_hostile_line_is_answered_at_once():
    line = "1 " * 200 + "about an " * 40 + "3 min. " * 60
    started = time.process_time()
    for place in range(0, 380, 2):
        advances(line, (place, place + 1), line + "x", (place, place + 1))
    assert time.process_time() - started < 1


def test_a_long_row_of_units_is_no_age_and_is_soon_read():
    """Each "m" may be a minute or a month, and none of them may follow a second."""
    row = "1s " + "1m " * 40
    started = time.process_time()
    assert between(row, "2" + row[1:]) == ()
    assert time.process_time() - started < 2
