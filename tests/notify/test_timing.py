"""Tests of quiet hours, summary times and rates against a clock read minute by minute (N1, N6)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.model.contact import Preferences
from webvigil.model.moment import Millis, as_datetime, as_millis
from webvigil.notify.timing import free_at, next_summary, quiet_until

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu")

zones = st.sampled_from(ZONES).map(ZoneInfo)
minutes = st.integers(0, 24 * 60 - 1)
# Moments around the days on which clocks are put forward and back, in both hemispheres.
moments = st.one_of(
    st.datetimes(datetime(2026, 3, 27), datetime(2026, 4, 7)),
    st.datetimes(datetime(2026, 10, 2), datetime(2026, 11, 3)),
    st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1)),
).map(lambda time: as_millis(time.replace(second=0, microsecond=0, tzinfo=UTC)))


def shown(moment: Millis, zone: ZoneInfo) -> int:
    local = as_datetime(moment).astimezone(zone)
    return local.hour * 60 + local.minute


def dial(begin: int, end: int) -> set[int]:
    """Returns the minutes of the day from the beginning to the end, past midnight if need be."""
    passed, minute = set(), begin
    while minute != end:
        passed.add(minute)
        minute = (minute + 1) % (24 * 60)
    return passed


@settings(max_examples=80, deadline=None)
@given(now=moments, begin=minutes, end=minutes, zone=zones)
def test_quiet_hours_end_at_the_first_minute_that_is_not_quiet(now, begin, end, zone):
    expected, quiet = now, dial(begin, end)
    while shown(expected, zone) in quiet:
        expected += MINUTE
    assert quiet_until(now, Preferences(quiet_from=begin, quiet_to=end), zone) == expected


@pytest.mark.parametrize(("begin", "end"), [("12:00", "14:00"), ("22:00", "07:00")])
def test_the_first_minute_of_quiet_hours_is_quiet_and_the_last_is_not(begin: str, end: str):
    def minute(clock: str) -> int:
        return int(clock[:2]) * 60

    preferences = Preferences(quiet_from=minute(begin), quiet_to=minute(end))
    day = as_millis(datetime(2026, 5, 5, tzinfo=UTC))
    first, last = day + minute(begin) * MINUTE, day + minute(end) * MINUTE
    length = (minute(end) - minute(begin)) % (24 * 60) * MINUTE
    assert quiet_until(first, preferences, ZoneInfo("UTC")) == first + length
    assert quiet_until(first - MINUTE, preferences, ZoneInfo("UTC")) == first - MINUTE
    assert quiet_until(last, preferences, ZoneInfo("UTC")) == last


def test_quiet_hours_in_words():
    berlin = ZoneInfo("Europe/Berlin")
    nightly = Preferences(quiet_from=22 * 60, quiet_to=7 * 60)
    at = as_millis(datetime(2026, 3, 28, 23, 0, tzinfo=berlin))
    end = quiet_until(at, nightly, berlin)
    assert as_datetime(end).astimezone(berlin) == datetime(2026, 3, 29, 7, 0, tzinfo=berlin)
    assert end - at == 7 * HOUR, "the night in which the clock is put forward is an hour shorter"
    noon = as_millis(datetime(2026, 3, 28, 12, 0, tzinfo=berlin))
    assert quiet_until(noon, nightly, berlin) == noon


@settings(max_examples=80, deadline=None)
@given(since=moments, days=st.integers(1, 4), at=minutes, zone=zones)
def test_summaries_of_days_come_at_the_users_hour(since, days, at, zone):
    found = next_summary(since, days * DAY, Preferences(summary_at=at), zone)
    assert since < found
    # Go on minute by minute to a day for summaries, on which the clock shows the hour for the first time.
    moment = since - since % MINUTE
    while True:
        moment += MINUTE
        local = as_datetime(moment).astimezone(zone)
        before = as_datetime(moment - MINUTE).astimezone(zone)
        if (local.date() - date(2024, 1, 1)).days % days:
            continue
        earlier = -1 if before.date() != local.date() else before.hour * 60 + before.minute
        first_time = local.utcoffset() == before.utcoffset() or local.fold == 0 or earlier < at
        if earlier < at <= local.hour * 60 + local.minute and first_time and not _was_shown(moment, at, zone):
            break
    assert found == moment


def _was_shown(moment: Millis, at: int, zone: ZoneInfo) -> bool:
    """Returns True if the clock showed this time earlier on the same day, before it was put back."""
    day = as_datetime(moment).astimezone(zone).date()
    for back in range(1, 3 * 60):
        before = as_datetime(moment - back * MINUTE).astimezone(zone)
        if before.date() == day and before.hour * 60 + before.minute == at:
            return True
    return False


def test_weekly_summaries_come_on_mondays_at_the_same_hour_all_year():
    berlin = ZoneInfo("Europe/Berlin")
    moment = as_millis(datetime(2026, 1, 1, tzinfo=UTC))
    for _ in range(52):
        moment = next_summary(moment, 7 * DAY, Preferences(summary_at=8 * 60), berlin)
        local = as_datetime(moment).astimezone(berlin)
        assert (local.isoweekday(), local.hour, local.minute) == (1, 8, 0)


@settings(max_examples=100, deadline=None)
@given(since=moments, every=st.integers(1, 47).filter(lambda hours: hours % 24), zone=zones)
def test_other_intervals_are_exact(since, every, zone):
    first = next_summary(since, every * HOUR, Preferences(), zone)
    second = next_summary(first, every * HOUR, Preferences(), zone)
    assert since < first <= since + every * HOUR
    assert second - first == every * HOUR


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 300), max_size=60), st.integers(0, 5))
def test_no_hour_has_more_than_the_rate(gaps, rate):
    """Each notice waits until it may be sent; then every window of an hour is checked."""
    now, sent = 0, []
    for gap in gaps:
        now = max(now + gap * MINUTE, free_at(now + gap * MINUTE, sent, rate))
        sent.append(now)
    for last in sent:
        window = [moment for moment in sent if last - HOUR < moment <= last]
        assert not rate or len(window) <= rate


@pytest.mark.parametrize(("rate", "expected"), [(0, 100), (3, 100), (2, 10 + HOUR), (1, 20 + HOUR)])
def test_one_more_is_sent_when_the_oldest_of_the_hour_has_left_it(rate, expected):
    assert free_at(100, [10, 20], rate) == expected


def test_a_day_that_never_was_has_its_summary_when_the_next_one_begins():
    apia = ZoneInfo("Pacific/Apia")  # the calendar of Apia went from 29 to 31 December 2011
    since = as_millis(datetime(2011, 12, 29, 12, 0, tzinfo=apia))
    found = next_summary(since, DAY, Preferences(summary_at=8 * 60), apia)
    assert as_datetime(found) - as_datetime(since) < timedelta(days=2)
