"""Patterns: times that recur by the calendar and the wall clock (E1)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.events.play import NEW_YEAR, Play
from webvigil.errors import EventRefused
from webvigil.events import Pattern

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def first_three(pattern: Pattern, start: datetime = NEW_YEAR) -> list[str]:
    found = []
    for _ in range(3):
        following = pattern.after(start)
        assert following is not None
        start = following
        found.append(start.astimezone(ZoneInfo(pattern.zone)).strftime("%Y-%m-%d %H:%M:%S"))
    return found


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (Pattern(hour=9), ["2026-01-01 09:00:00", "2026-01-02 09:00:00", "2026-01-03 09:00:00"]),
        (Pattern(), ["2026-01-01 01:00:00", "2026-01-01 02:00:00", "2026-01-01 03:00:00"]),
        (Pattern(minute=None), ["2026-01-01 00:01:00", "2026-01-01 00:02:00", "2026-01-01 00:03:00"]),
        (
            Pattern(minute=None, second=(50, 20)),
            ["2026-01-01 00:00:20", "2026-01-01 00:00:50", "2026-01-01 00:01:20"],
        ),
        (Pattern(hour=8, weekday=0), ["2026-01-05 08:00:00", "2026-01-12 08:00:00", "2026-01-19 08:00:00"]),
        (Pattern(hour=0, day=1), ["2026-02-01 00:00:00", "2026-03-01 00:00:00", "2026-04-01 00:00:00"]),
        (Pattern(hour=0, day=31), ["2026-01-31 00:00:00", "2026-03-31 00:00:00", "2026-05-31 00:00:00"]),
        (
            Pattern(hour=0, day=1, month=(3, 12)),
            ["2026-03-01 00:00:00", "2026-12-01 00:00:00", "2027-03-01 00:00:00"],
        ),
        (
            Pattern(hour=0, day=29, month=2),
            ["2028-02-29 00:00:00", "2032-02-29 00:00:00", "2036-02-29 00:00:00"],
        ),
        (
            Pattern(hour=0, day=13, weekday=4),
            ["2026-02-13 00:00:00", "2026-03-13 00:00:00", "2026-11-13 00:00:00"],
        ),
        (
            Pattern(hour=9, zone="Asia/Tokyo"),
            ["2026-01-02 09:00:00", "2026-01-03 09:00:00", "2026-01-04 09:00:00"],
        ),
    ],
    ids=str,
)
def test_times_recur_by_the_calendar(pattern: Pattern, expected: list[str]) -> None:
    assert first_three(pattern) == expected


def test_a_29th_of_february_on_a_sunday_is_waited_for_over_the_turn_of_the_century() -> None:
    assert Pattern(hour=0, day=29, month=2, weekday=6).after(datetime(2088, 3, 1, tzinfo=UTC)) == datetime(
        2128, 2, 29, tzinfo=UTC
    )


@pytest.mark.parametrize(
    "parts",
    [
        {"hour": 24},
        {"minute": -1},
        {"weekday": (0, 7)},
        {"day": (0, 5)},
        {"hour": ()},
        {"day": 30, "month": 2},
        {"day": 31, "month": (4, 6, 9, 11)},
        {"zone": "Mars/Olympus"},
        {"zone": "../passwd"},
        {"zone": ""},
    ],
    ids=str,
)
def test_a_time_that_no_clock_shows_is_refused(parts: dict[str, object]) -> None:
    with pytest.raises(EventRefused):
        Pattern(**parts)  # type: ignore[arg-type]


def test_at_the_end_of_the_calendar_there_is_no_next_time() -> None:
    assert Pattern(hour=9).after(datetime(9999, 12, 30, tzinfo=UTC)) is None


def test_a_daily_event_is_daily_when_the_clocks_change(play: Play) -> None:
    play.watch(Pattern(hour=2, minute=30, zone="Europe/Berlin"))
    play.clock.advance(365 * DAY)
    days = [told.end.astimezone(ZoneInfo("Europe/Berlin")).date() for told in play.seen]
    assert len(days) == len(set(days)) == 365


# --- Against all minutes of a few days ---------------------------------------------------------------

# Changes of an hour, one of half an hour, a whole day that an island skipped, and a zone without changes.
CHANGES = [
    ("Europe/Berlin", datetime(2026, 3, 29, 1, tzinfo=UTC)),
    ("Europe/Berlin", datetime(2026, 10, 25, 1, tzinfo=UTC)),
    ("America/New_York", datetime(2026, 11, 1, 6, tzinfo=UTC)),
    ("Australia/Lord_Howe", datetime(2026, 10, 3, 15, 30, tzinfo=UTC)),
    ("Pacific/Apia", datetime(2011, 12, 30, 10, tzinfo=UTC)),
    ("Asia/Kolkata", datetime(2026, 6, 1, tzinfo=UTC)),
]
parts = st.none() | st.sets(st.integers(0, 23), min_size=1, max_size=4).map(tuple)


@settings(max_examples=60, deadline=None)
@given(
    change=st.sampled_from(CHANGES),
    hour=parts,
    minute=st.sets(st.sampled_from([0, 10, 15, 30, 45, 59]), min_size=1).map(tuple),
    weekday=st.none() | st.integers(0, 6),
    offset=st.integers(-1500, 1500),
)
def test_the_next_time_is_the_first_that_the_wall_clock_shows(
    change: tuple[str, datetime],
    hour: tuple[int, ...] | None,
    minute: tuple[int, ...],
    weekday: int | None,
    offset: int,
) -> None:
    name, around = change
    pattern = Pattern(hour=hour, minute=minute, weekday=weekday, zone=name)
    start = around + offset * MINUTE
    expected = next((time for time in all_times(pattern, around) if time > start), None)
    found = pattern.after(start)
    if expected is None:
        assert found is not None
        assert found >= around + 3 * DAY
    else:
        assert found == expected


def all_times(pattern: Pattern, around: datetime) -> list[datetime]:
    """Returns all times of a pattern in the days around a moment, by walking through every minute.

    A minute that the clock leapt over counts when the next one is shown.
    """
    zone = ZoneInfo(pattern.zone)
    start = around - 4 * DAY
    shown = start.astimezone(zone).replace(tzinfo=None)
    found = []
    for step in range(7 * 24 * 60):
        instant = start + step * MINUTE
        now = instant.astimezone(zone).replace(tzinfo=None)
        while shown <= now:  # after the clock was put back, nothing counts until it shows a new minute
            if fits(pattern, shown):
                found.append(instant)
            shown += MINUTE
    return found


def fits(pattern: Pattern, shown: datetime) -> bool:
    asked = [(pattern.hour, shown.hour), (pattern.minute, shown.minute), (pattern.weekday, shown.weekday())]
    return all(values is None or value in values for values, value in asked)  # type: ignore[operator]


# --- Limits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "low", "high"),
    [
        ("month", 1, 12),
        ("day", 1, 31),
        ("weekday", 0, 6),
        ("hour", 0, 23),
        ("minute", 0, 59),
        ("second", 0, 59),
    ],
)
def test_each_part_has_its_range(part: str, low: int, high: int) -> None:
    assert getattr(Pattern(**{part: (high, low, low)}), part) == (low, high)
    assert getattr(Pattern(**{part: low}), part) == (low,)
    for wrong in (low - 1, high + 1, (low, high + 1), ()):
        with pytest.raises(EventRefused) as caught:
            Pattern(**{part: wrong})  # type: ignore[arg-type]
        assert str(caught.value) == f"a {part} lies between {low} and {high}, not {wrong}"


def test_a_pattern_has_one_text_and_says_what_is_wrong_with_it() -> None:
    assert str(Pattern()) == "every [minute 0, second 0] UTC"
    assert str(Pattern(month=2, weekday=(4, 0), zone="Asia/Tokyo")) == (
        "every [month 2, weekday 0/4, minute 0, second 0] Asia/Tokyo"
    )
    with pytest.raises(EventRefused) as caught:
        Pattern(month=2, day=30)
    assert str(caught.value) == "no day of any year is every [month 2, day 30, minute 0, second 0] UTC"
    with pytest.raises(EventRefused) as caught:
        Pattern(zone="Mars/Olympus")
    assert str(caught.value) == "there is no time zone 'Mars/Olympus'"


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


@pytest.mark.parametrize(
    ("pattern", "moment", "expected"),
    [
        (Pattern(second=None, minute=None), "2026-01-01T00:00:00", "2026-01-01T00:00:01"),
        (Pattern(second=None, minute=None), "2026-01-01T00:00:00.5", "2026-01-01T00:00:01"),
        (Pattern(second=None, minute=None), "2026-01-01T00:00:59", "2026-01-01T00:01:00"),
        (Pattern(second=None, minute=None), "2026-01-01T00:00:59.000001", "2026-01-01T00:01:00"),
        (Pattern(second=None, minute=None), "2026-12-31T23:59:59", "2027-01-01T00:00:00"),
        (Pattern(second=59, minute=59, hour=23), "2026-01-01T23:59:58.9", "2026-01-01T23:59:59"),
        (Pattern(second=59, minute=59, hour=23), "2026-01-01T23:59:59", "2026-01-02T23:59:59"),
        (Pattern(second=30, minute=None), "2026-01-01T10:20:30", "2026-01-01T10:21:30"),
        (Pattern(second=30, minute=None), "2026-01-01T10:20:29.5", "2026-01-01T10:20:30"),
        (Pattern(second=30, minute=None), "2026-01-01T10:20:30.5", "2026-01-01T10:21:30"),
        (Pattern(minute=(10, 50)), "2026-01-01T10:20:00", "2026-01-01T10:50:00"),
        (Pattern(minute=(10, 50)), "2026-01-01T10:50:00", "2026-01-01T11:10:00"),
        (Pattern(hour=(3, 9), minute=15), "2026-01-01T03:20:00", "2026-01-01T09:15:00"),
        (Pattern(hour=0, month=(1, 12)), "2026-01-31T00:00:00", "2026-12-01T00:00:00"),
        (Pattern(hour=0, month=3, day=1), "2026-01-31T00:00:00", "2026-03-01T00:00:00"),
        (Pattern(hour=7, second=None), "2026-01-31T07:00:05.000001", "2026-01-31T07:00:06"),
        (Pattern(hour=7, second=None), "2026-01-31T07:00:05.999999", "2026-01-31T07:00:06"),
        (Pattern(hour=7, minute=None, second=None), "2026-01-31T07:00:59.5", "2026-01-31T07:01:00"),
        (Pattern(hour=0, month=1, day=1), "2026-12-31T00:00:00", "2027-01-01T00:00:00"),
    ],
    ids=str,
)
def test_the_next_time_is_strictly_later(pattern: Pattern, moment: str, expected: str) -> None:
    assert pattern.after(at(moment)) == at(expected)


def test_the_last_time_that_is_found_lies_a_month_before_the_end_of_the_calendar() -> None:
    assert Pattern(hour=0).after(at("9999-11-28T00:00:00")) == at("9999-11-29T00:00:00")
    assert Pattern(hour=0).after(at("9999-11-29T00:00:00")) is None
