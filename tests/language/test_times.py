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
