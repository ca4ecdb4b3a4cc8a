"""Whether a time on a page ticks, told by how much time passed between two looks (Q2)."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from webvigil.detect.quiet.advance import DAY, Advance, advances
from webvigil.detect.quiet.calm import differing
from webvigil.model.change import ObjectChange, Status
from webvigil.trigger.clock import Apart, ticking

MINUTE, HOUR = 60, 3600


def verdict(before: str, after: str, seconds: float, now: float = 0) -> str:
    was, moved = differing(before, after)
    one = ObjectChange(object=after, status=Status.UPDATED, before=before, after=after)
    found = ticking({one: advances(before, was, after, moved)}, Apart(seconds, seconds, now))
    return "surely" if one in found.surely else "maybe" if one in found.maybe else "no"


@pytest.mark.parametrize(
    ("before", "after", "seconds", "expected"),
    [
        ("12 min.", "42 min.", 30 * MINUTE, "surely"),
        ("3 seconds", "1 minute", MINUTE, "maybe"),
        ("2 min.", "3 min.", 30, "maybe"),
        ("3 days", "4 days", 12 * HOUR, "maybe"),
        ("3 days", "4 days", 30 * DAY, "no"),
        ("3 days", "5 days", 12 * HOUR, "no"),
        ("3 days", "2 days", DAY, "no"),
        ("3 days", "1 minute", DAY, "no"),
        ("2 years", "3 years", HOUR, "maybe"),
        ("20 min.", "45 min.", 5 * MINUTE, "no"),
        ("12 items", "13 items", MINUTE, "no"),
    ],
)
def test_an_age_ticks_if_it_went_on_by_as_much_as_the_looks_are_apart(
    before: str, after: str, seconds: float, expected: str
):
    assert verdict(before, after, seconds) == expected


@pytest.mark.parametrize(
    ("before", "after", "seconds", "now", "expected"),
    [
        ("2:41pm", "2:42pm", 30, 14 * HOUR + 42 * MINUTE, "surely"),
        ("14:41", "14:42", 30, 9 * HOUR + 12 * MINUTE, "surely"),  # in India
        ("6:41", "6:42", MINUTE, 0, "maybe"),  # sunrise, told at midnight
        ("9:00", "9:30", 30 * MINUTE, 9.5 * HOUR, "maybe"),  # an appointment
        ("14:41", "14:59", 30, 14 * HOUR + 59 * MINUTE, "no"),
        ("6:41", "6:42", DAY, 6 * HOUR + 42 * MINUTE, "no"),
    ],
)
def test_a_clock_ticks_if_it_shows_the_time_of_the_look(
    before: str, after: str, seconds: float, now: float, expected: str
):
    assert verdict(before, after, seconds, now) == expected


def test_a_version_that_was_seen_at_an_unknown_time_is_never_sure():
    before, after = "12 min.", "42 min."
    was, moved = differing(before, after)
    one = ObjectChange(object=after, status=Status.UPDATED, before=before, after=after)
    found = ticking({one: advances(before, was, after, moved)}, Apart(10 * MINUTE, 50 * MINUTE, 0))
    assert one in found.maybe


@given(st.integers(1, 59), st.integers(1, 59), st.integers(20, 3 * HOUR))
def test_an_age_that_did_otherwise_than_the_clock_is_never_left_out(old: int, new: int, seconds: int):
    """Further off than rounding and a late look can explain."""
    slack = 10 + 0.01 * seconds + 1.5 * MINUTE
    assume(abs((new - old) * MINUTE - seconds) > slack)
    assert verdict(f"{old} min.", f"{new} min.", seconds) == "no"


@given(st.integers(1, 50_000), st.integers(1, 50_000), st.floats(1, 40 * DAY))
def test_an_age_that_is_smaller_is_never_left_out(old: int, new: int, seconds: float):
    assume(new < old - 1)
    assert verdict(f"{old} hours", f"{new} hours", seconds) == "no"


@given(st.integers(0, 40 * DAY), st.integers(30, DAY))
def test_an_age_that_goes_on_with_the_clock_always_may_tick(age: int, seconds: int):
    before, after = f"{age // MINUTE} minutes", f"{(age + seconds) // MINUTE} minutes"
    assume(before != after)
    assert verdict(before, after, seconds) != "no"


# --- at the borders: two looks that are 100 seconds apart, which is known to 11 seconds ------------------

ONE = ObjectChange(object="x", status=Status.UPDATED)


def of(way: Advance, apart: Apart) -> str:
    found = ticking({ONE: (way,)}, apart)
    return "surely" if ONE in found.surely else "maybe" if ONE in found.maybe else "no"


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [
        (111, 200, "maybe"),
        (111.01, 200, "no"),
        (0, 89, "maybe"),
        (0, 88.99, "no"),
    ],
)
def test_a_time_fits_within_the_slack(least: float, most: float, expected: str):
    assert of(Advance(least, most, HOUR), Apart(100, 100, 0)) == expected


@pytest.mark.parametrize(("most", "expected"), [(0, "no"), (0.5, "maybe"), (1, "maybe")])
def test_a_time_that_did_not_go_on_does_not_tick(most: float, expected: str):
    assert of(Advance(-1, most, HOUR), Apart(5, 5, 0)) == expected


@pytest.mark.parametrize(("unit", "expected"), [(9, "surely"), (9.01, "maybe")])
def test_an_age_is_sure_from_five_units_on(unit: float, expected: str):
    assert of(Advance(100, 100, unit), Apart(100, 100, 0)) == expected


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [(80, 100, "surely"), (79.99, 100, "maybe"), (21_599, 21_599, "surely"), (21_600, 21_600, "maybe")],
)
def test_a_clock_is_sure_if_the_looks_are_known_to_be_close(least: float, most: float, expected: str):
    way = Advance(least, most, 9, clock=True, shown=5 * HOUR)
    assert of(way, Apart(least, most, 5 * HOUR)) == expected
    assert of(way._replace(even=True), Apart(least, most, 5 * HOUR)) == "maybe"
