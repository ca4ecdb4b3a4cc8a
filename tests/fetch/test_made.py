"""Tests of when a page was made, despite wrong clocks and dates that lie (A1, A3)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from webvigil.fetch.last_modified import made_at
from webvigil.model.moment import Millis, as_datetime, as_millis
from webvigil.model.version import Answer

NOW = as_millis(datetime(2026, 12, 1, 8, tzinfo=UTC))
HOUR = 3_600_000
YEAR = 365 * 24 * HOUR


def answer(**headers: str) -> Answer:
    said = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(url="http://site.test/", status=200, headers=said, body=b"")


def written(moment: Millis) -> str:
    return format_datetime(as_datetime(moment), usegmt=True)


@pytest.mark.parametrize("off", [0, 20_000, -20_000])
def test_the_word_of_a_server_whose_clock_agrees_is_taken_as_it_is(off: int):
    assert made_at(answer(last_modified=written(NOW - HOUR), date=written(NOW + off)), NOW) == NOW - HOUR


@pytest.mark.parametrize("off", [-10 * YEAR, -HOUR, HOUR, 10 * YEAR])
def test_a_clock_that_is_wrong_is_put_right(off: int):
    said = answer(last_modified=written(NOW - HOUR + off), date=written(NOW + off))
    assert made_at(said, NOW) == NOW - HOUR


def test_an_answer_that_a_cache_has_kept_is_not_a_clock_that_is_slow():
    said = answer(last_modified=written(NOW - 3 * HOUR), date=written(NOW - 2 * HOUR), age="7200")
    assert made_at(said, NOW) == NOW - 3 * HOUR


@pytest.mark.parametrize("ago", [0, 1_000, 2_000, -HOUR])
def test_made_just_now_or_later_says_nothing(ago: int):
    assert made_at(answer(last_modified=written(NOW - ago), date=written(NOW)), NOW) is None
    assert made_at(answer(last_modified=written(NOW - ago)), NOW) is None


def test_without_a_date_of_its_own_the_server_is_taken_at_its_word():
    assert made_at(answer(last_modified=written(NOW - HOUR)), NOW) == NOW - HOUR


@pytest.mark.parametrize("said", ["", "yesterday", "0", "Thu, 99 Foo 2026 99:99:99 GMT", "-1", "\x00" * 50])
def test_what_is_no_date_says_nothing(said: str):
    assert made_at(answer(last_modified=said, date=written(NOW)), NOW) is None
    assert made_at(answer(last_modified=written(NOW - HOUR), date=said, age=said), NOW) == NOW - HOUR


@pytest.mark.parametrize(
    ("off", "made"), [(60_000, NOW - HOUR), (61_000, NOW - HOUR - 61_000), (-61_000, NOW - HOUR + 61_000)]
)
def test_clocks_that_differ_by_more_than_a_minute_are_put_right(off: int, made: int):
    said = answer(last_modified=written(NOW - HOUR), date=written(NOW + off))
    assert made_at(said, NOW) == made


def test_a_page_that_is_three_seconds_old_was_made_for_somebody_else():
    said = answer(last_modified=written(NOW - 3_000), date=written(NOW))
    assert made_at(said, NOW) == NOW - 3_000


@pytest.mark.parametrize("age", ["-5", "x", "٣", ""])
def test_an_age_that_is_no_number_is_none(age: str):
    said = answer(last_modified=written(NOW - HOUR), date=written(NOW - 2 * HOUR), age=age)
    assert made_at(said, NOW) is None
    with_age = answer(last_modified=written(NOW - 3 * HOUR), date=written(NOW - 2 * HOUR), age=age)
    assert made_at(with_age, NOW) == NOW - HOUR
