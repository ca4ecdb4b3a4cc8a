"""L4, L5: dates, times and intervals as people write them."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.language import strategies
from webvigil.errors import MistakeInText
from webvigil.language import parse, print_sentinel, times
from webvigil.model.sentinel import AtTime, LifeSpan, Sentinel, WebPage

EST = timezone(timedelta(hours=-5))
CET = timezone(timedelta(hours=1))
CEST = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("12/02/2026", datetime(2026, 12, 2)),
        ("1/2/2026", datetime(2026, 1, 2)),
        ("12/02/02", datetime(2002, 12, 2)),
        ("12/31/68", datetime(2068, 12, 31)),
        ("01/01/69", datetime(1969, 1, 1)),
        ("02/29/2028", datetime(2028, 2, 29)),
        ("02/29/00", datetime(2000, 2, 29)),
        ("12/31/9999", datetime(9999, 12, 31)),
        ("12/02/2026 10:30", datetime(2026, 12, 2, 10, 30)),
        ("2026-12-02", datetime(2026, 12, 2)),
        ("2026-12-02T10:30", datetime(2026, 12, 2, 10, 30)),
        ("2026-12-02 10:30:15.25", datetime(2026, 12, 2, 10, 30, 15, 250_000)),
        ("2026-12-02T10:30Z", datetime(2026, 12, 2, 10, 30, tzinfo=UTC)),
        ("2026-12-02T10:30-0500", datetime(2026, 12, 2, 10, 30, tzinfo=EST)),
        ("2026-12-02T10:30:00+01:00", datetime(2026, 12, 2, 10, 30, tzinfo=CET)),
        ("2026-12-02 10:30 Europe/Berlin", datetime(2026, 12, 2, 10, 30, tzinfo=CET)),
        ("2026-07-02 10:30 Europe/Berlin", datetime(2026, 7, 2, 10, 30, tzinfo=CEST)),
        ("July 1, 2026", datetime(2026, 7, 1)),
        ("Sept. 1 2026 8:05", datetime(2026, 9, 1, 8, 5)),
        ("1 July 2026", datetime(2026, 7, 1)),
        ("7-1-2002-10-30-EST", datetime(2002, 7, 1, 10, 30, tzinfo=EST)),
        ("07-01-2002", datetime(2002, 7, 1)),
        ("07-01-02-23-59", datetime(2002, 7, 1, 23, 59)),
    ],
)
def test_every_form_of_a_date(text, meant):  # L4, CQ section 2
    (one,) = parse(f"Create Sentinel s Using sentinel t From {text} Fetch 1 day")
    assert one.life[0].start == AtTime(meant)
    assert (one.life[0].start.time.tzinfo is None) == (meant.tzinfo is None)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("2026-01-01T10:00+23:59", 23 + 59 / 60),
        ("2026-01-01T10:00-23:59:59", -24 + 1 / 3600),
        ("2026-01-01T10:00+00:00:01", 1 / 3600),
        ("2026-01-01T10:00-0130", -1.5),
        ("2026-01-01 10:00 gmt", 0),
        ("1-1-2026-10-0-est", -5),
        ("1-1-2026-10-0-EDT", -4),
        ("1-1-2026-10-0-CST", -6),
        ("1-1-2026-10-0-CDT", -5),
        ("1-1-2026-10-0-MST", -7),
        ("1-1-2026-10-0-MDT", -6),
        ("1-1-2026-10-0-PST", -8),
        ("1-1-2026-10-0-pdt", -7),
    ],
)
def test_a_zone_is_a_distance_from_utc(text: str, hours: float):
    assert times.moment(text).utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-01-01T10:00+24:00", "there is no zone +24:00"),
        ("2026-01-01T10:00-24:00", "there is no zone -24:00"),
        ("2026-01-01T10:00+10:60", "there is no zone +10:60"),
        ("2026-01-01T10:00 Nowhere", "there is no time zone Nowhere"),
        ("2026-01-01T10:00 ../x", "there is no time zone ../x"),
        ("2026-01-01T23:59:60", "23:59:60 is not a time of day"),
        ("2026-01-01T24:00", "24:00 is not a time of day"),
        ("2026-01-01 noon", "noon is not a time of day"),
        ("13/12/2026", "the month comes first: 12/13/2026"),
        ("12/13/0000", "there is no year 0"),
        ("13/13/2026", "there is no month 13"),
        ("Ju 1, 2026", "there is no month Ju"),
        ("July 0, 2026", "July 2026 has 31 days"),
        ("0 July 2026", "July 2026 has 31 days"),
        ("12-32-2026", "December 2026 has 31 days"),
        ("tomorrow", "write it as 12/31/2026, 2026-12-31 or December 31, 2026"),
    ],
)
def test_what_is_wrong_with_a_moment(text: str, reason: str):
    with pytest.raises(ValueError, match=r".") as caught:
        times.moment(text)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2026-12-31 23:59:59.999999", datetime(2026, 12, 31, 23, 59, 59, 999_999)),
        ("2026-12-31 0:00:00.000001", datetime(2026, 12, 31, 0, 0, 0, 1)),
        ("Jan 31 2026", datetime(2026, 1, 31)),
        ("31. DEC., 2026 7:05", datetime(2026, 12, 31, 7, 5)),
        ("0001-01-01", datetime(1, 1, 1)),
        ("1-2-69-3-4", datetime(1969, 1, 2, 3, 4)),
        ("1-2-68", datetime(2068, 1, 2)),
    ],
)
def test_a_moment_is_read_to_the_microsecond(text: str, meant: datetime):
    assert times.moment(text) == meant


@pytest.mark.parametrize(
    ("number", "unit", "length", "text"),
    [
        (1, "second", 1, "1 second"),
        (90, "SECS", 90, "90 second"),
        (2, "min", 120, "2 minute"),
        (3, "hrs", 10_800, "3 hour"),
        (14, "days", 1_209_600, "2 week"),
        (36_525, "day", 3_155_760_000, "36525 day"),
        (5, "Weeks", 3_024_000, "5 week"),
    ],
)
def test_an_interval_has_its_largest_whole_unit(number: int, unit: str, length: int, text: str):
    assert times.interval(number, unit) == timedelta(seconds=length)
    assert times.interval_text(timedelta(seconds=length)) == text


@pytest.mark.parametrize("length", [timedelta(0), timedelta(seconds=0.5), timedelta(36_525, seconds=1)])
def test_an_interval_of_no_whole_seconds_cannot_be_written(length: timedelta):
    with pytest.raises(ValueError, match=r".") as caught:
        times.interval_text(length)
    assert str(caught.value) == f"an interval has whole seconds and lasts at most 100 years, not {length}"


def test_an_interval_lasts_at_most_a_hundred_years():
    with pytest.raises(ValueError, match="an interval lasts at most 100 years"):
        times.interval(3_155_760_001, "second")


@pytest.mark.parametrize(("minutes", "text"), [(0, "0:00"), (59, "0:59"), (600, "10:00"), (1439, "23:59")])
def test_a_time_of_day_is_written(minutes: int, text: str):
    assert times.clock_text(minutes) == text


@pytest.mark.parametrize(("minutes", "last"), [(-1, 1439), (1440, 1439), (1441, 1440)])
def test_minutes_of_no_day_cannot_be_written(minutes: int, last: int):
    with pytest.raises(ValueError, match=f"^{minutes} minutes after midnight are no time of day$"):
        times.clock_text(minutes, last)
    if last == 1439:
        with pytest.raises(ValueError, match="no time of day"):
            times.clock_text(minutes)
    assert times.clock_text(last, last) == f"{last // 60}:{last % 60:02}"


@settings(max_examples=200, deadline=None)
@given(strategies.moments)
def test_a_moment_reads_back(time):
    assert times.moment(times.moment_text(time)) == time


@settings(max_examples=200, deadline=None)
@given(strategies.intervals)
def test_an_interval_reads_back(length):
    number, unit = times.interval_text(length).split()
    assert times.interval(int(number), unit) == length


_REGIONS = st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"])


@settings(max_examples=200, deadline=None)
@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2037, 1, 1)), _REGIONS)
def test_a_time_in_a_region_is_what_its_clocks_show(time, zone):
    time = time.replace(second=0, microsecond=0)
    exists = (
        time.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        == time
    )
    with contextlib.nullcontext() if exists else pytest.raises(ValueError, match="is skipped"):
        found = times.moment(f"{time:%Y-%m-%d %H:%M} {zone}")
        assert found.astimezone(ZoneInfo(zone)).replace(tzinfo=None) == time


def test_the_hour_that_comes_twice_is_the_first():  # daylight saving
    assert times.moment("2026-10-25 02:30 Europe/Berlin").utcoffset() == timedelta(hours=2)


def test_the_hour_that_is_skipped_is_a_mistake():
    with pytest.raises(ValueError, match="is skipped on that day in Europe/Berlin"):
        times.moment("2026-03-29 02:30 Europe/Berlin")


def test_a_time_in_a_region_can_be_printed():
    noon = datetime(2026, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    sentinel = Sentinel(name="s", target=WebPage("https://example.org/"), life=(LifeSpan(AtTime(noon)),))
    assert "From 2026-07-01T12:00:00+02:00" in print_sentinel(sentinel)
    assert parse(print_sentinel(sentinel)) == [sentinel]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("00/10/2026", "there is no month 0"),
        ("13/13/2026", "there is no month 13"),
        ("04/31/2026", "April 2026 has 30 days"),
        ("01/00/2026", "January 2026 has 31 days"),
        ("01/01/0000", "there is no year 0"),
        ("2026-02-29", "February 2026 has 28 days"),
        ("2026-01-01T24:00", "24:00 is not a time of day"),
        ("2026-01-01T10:60", "10:60 is not a time of day"),
        ("2026-01-01T10:00+99:00", r"there is no zone \+99:00"),
        ("9999-12-31T23:30-01:00", "the calendar ends with the year 9999"),
        ("0001-01-01T00:30+01:00", "the calendar ends with the year 9999"),
        ("3 Mayy 2026", "there is no month Mayy"),
        ("2026/12/31", "write it as 12/31/2026"),
        ("1/1/111111111111111111111111", "write it as 12/31/2026"),
    ],
)
def test_dates_that_do_not_exist(text, reason):
    with pytest.raises(MistakeInText, match=reason) as caught:
        parse(f"Create Sentinel s Using sentinel t\nFrom {text}")
    assert (caught.value.line, caught.value.column, caught.value.word) == (2, 6, text)
