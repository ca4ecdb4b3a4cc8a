"""Moments and spans as people read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from webvigil.model.moment import (
    NEVER,
    QUARTER,
    as_datetime,
    as_millis,
    every,
    in_words,
    on_clock,
    span,
    zone_named,
)

SECOND, MINUTE, HOUR, DAY, WEEK = 1_000, 60_000, 3_600_000, 86_400_000, 604_800_000


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (0, "a moment"),
        (899, "a moment"),
        (900, "1 second"),
        (1_000, "1 second"),
        (1_700, "1 second"),
        (1_750, "2 seconds"),
        (45 * SECOND, "45 seconds"),
        (53 * SECOND, "53 seconds"),
        (54 * SECOND, "1 minute"),
        (66 * SECOND, "1 minute"),
        (67 * SECOND, "67 seconds"),
        (104 * SECOND, "104 seconds"),
        (105 * SECOND, "2 minutes"),
        (HOUR, "1 hour"),
        (90 * MINUTE, "90 minutes"),
        (105 * MINUTE, "2 hours"),
        (DAY, "1 day"),
        (36 * HOUR, "36 hours"),
        (WEEK, "1 week"),
        (10 * DAY, "10 days"),
        (20 * DAY, "3 weeks"),
    ],
)
def test_a_span_in_words(length: int, words: str):
    assert in_words(length) == words
    one_less = words.removeprefix("1 ")
    assert every(length) == f"every {one_less}"


def test_a_moment_is_whole_milliseconds_since_1970():
    time = datetime(2026, 3, 1, 12, 0, 0, 1_999, tzinfo=UTC)
    assert as_millis(time) == 1_772_366_400_001
    assert as_datetime(1_772_366_400_001) == time.replace(microsecond=1_000)
    assert (as_millis(datetime(1970, 1, 1, tzinfo=UTC)), as_datetime(0).year) == (0, 1970)
    assert span(timedelta(seconds=1.5)) == 1_500


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        (ZoneInfo("Europe/Berlin"), "2026-03-01 13:00 CET"),
        (ZoneInfo("America/Sao_Paulo"), "2026-03-01 09:00 UTC-03"),
        (UTC, "2026-03-01 12:00 UTC"),
    ],
)
def test_a_time_is_shown_on_the_clock_of_its_reader(zone: ZoneInfo, shown: str):
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert on_clock(noon, zone) == shown
    assert on_clock(noon, zone, "%H", named=False) == shown[11:13]


def test_the_ends_of_time_are_shown_in_utc():
    assert on_clock(datetime.max.replace(tzinfo=UTC), timezone(timedelta(hours=5))) == "9999-12-31 23:59 UTC"


def test_an_unknown_zone_is_utc():
    assert [zone_named(name).key for name in ("Europe/Berlin", "Nowhere/X", "../x", "")] == [
        "Europe/Berlin",
        "UTC",
        "UTC",
        "UTC",
    ]


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "Australia/Eucla", "America/St_Johns", "Asia/Tokyo"])
def test_the_clocks_of_all_zones_differ_by_whole_quarters_of_an_hour(zone: str):
    offset = datetime(2026, 3, 1, tzinfo=ZoneInfo(zone)).utcoffset()
    assert offset is not None
    assert span(offset) % QUARTER == 0
    assert HOUR % QUARTER == 0


def test_never_is_the_largest_number_up_to_which_all_are_exact_in_json():
    assert float(NEVER - 1) != float(NEVER) == float(NEVER + 1)
