"""How far a time on a page went on, read from two lines (Q2)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect.quiet.advance import DAY, Advance, Advances, advances, shrank
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


def clock(least: float, most: float, unit: int, shown: int, *, even: bool = False) -> Advances:
    return (Advance(least, most, unit, clock=True, shown=shown, even=even),)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("14:41", "14:42", clock(0, 120, 60, 52_920)),
        ("14:41:10", "14:41:12", clock(1, 3, 1, 52_872)),
        ("14:41", "14:41:30", clock(-30, 90, 60, 52_890)),
        ("2:41 pm", "2:42 pm", clock(0, 120, 60, 52_920)),
        ("12:10 am", "12:12 am", clock(60, 180, 60, 720)),
        ("12:10 pm", "12:12 pm", clock(60, 180, 60, 43_920)),
        ("11:50", "1:05", clock(4_440, 4_560, 60, 3_900, even=True)),
        ("13:50", "1:05", clock(40_440, 40_560, 60, 3_900, even=True)),
        ("0:10", "0:05", clock(86_040, 86_160, 60, 300, even=True)),
        ("13:50", "13:40", clock(85_740, 85_860, 60, 49_200, even=True)),
        ("9:00", "9:30", clock(1_740, 1_860, 60, 34_200, even=True)),
        ("9:00", "9:31", clock(1_800, 1_920, 60, 34_260)),
        ("9:01", "9:30", clock(1_680, 1_800, 60, 34_200)),
        ("9:00:00", "9:05:00", clock(299, 301, 1, 32_700)),
        ("2026-11-17 9:01", "2026-11-17 9:02", clock(0, 120, 60, 32_520)),
        ("9:01", "2026-11-17 9:02", clock(0, 120, 60, 32_520)),
        ("2026-11-17 9:01", "2026-11-18 9:01", ()),
    ],
)
def test_a_clock_tells_how_far_it_went_to_the_unit_that_it_shows(before: str, after: str, found: Advances):
    whole = (0, len(before)), (0, len(after))
    assert advances(before, whole[0], after, whole[1]) == found


@pytest.mark.parametrize(
    ("before", "after", "least", "most", "unit"),
    [
        ("2 minutes", "3 minutes", 0, 120, 60),
        ("59 seconds", "1 minute", -29.5, 61, 60),
        ("1 minute", "30 seconds", -90, 0.5, 60),
        ("1.5 hours", "2.5 hours", 3_240, 3_960, 360),
        ("1 hour, 5 minutes", "1 hour, 7 minutes", 60, 180, 60),
        ("1.25 hours", "1.75 hours", 1_764, 1_836, 36),
    ],
)
def test_an_age_tells_how_far_it_went_to_the_unit_that_it_shows(
    before: str, after: str, least: float, most: float, unit: float
):
    (one,) = advances(before, (0, len(before)), after, (0, len(after)))
    assert (one.clock, one.unit) == (False, pytest.approx(unit))
    assert (one.least, one.most) == (pytest.approx(least), pytest.approx(most))


def test_of_several_times_in_a_line_the_one_at_the_place_is_read():
    before, after = "open 8:00, now 14:41, tea at 17:00", "open 8:00, now 14:42, tea at 17:00"
    place = (before.index("14:41"), before.index("14:41") + 5)
    assert advances(before, place, after, place) == clock(0, 120, 60, 52_920)
    last = (before.index("17:00"), len(before))
    assert advances(before, last, after, last) == clock(-60, 60, 60, 61_200, even=True)
    both = (place[0], last[1])
    assert advances(before, both, after, both) == ()
