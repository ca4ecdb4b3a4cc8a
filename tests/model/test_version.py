"""The headers of an answer are read: its type, its date, and how long to wait."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webvigil.model.version import Answer, date_of, retry_after

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = 86_400_000


def answer(**headers: str) -> Answer:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(url="http://a.test/", status=503, headers=named, body=b"")


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("0", 0),
        ("120", 120_000),
        (" 120 ", 120_000),
        ("86400", DAY),
        ("86401", DAY),
        ("9" * 5_000, DAY),
        ("-5", 0),
        ("soon", 0),
        ("", 0),
        ("²", 0),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30_000),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
        ("Tue, 03 Mar 2026 12:00:00 GMT", DAY),
    ],
)
def test_how_long_a_server_asks_us_to_wait(said: str, wait: int):
    assert retry_after(answer(Retry_After=said), NOON) == wait


def test_a_date_is_read_by_the_clock_of_the_server():
    date, until = "Sun, 01 Mar 2026 09:00:00 GMT", "Sun, 01 Mar 2026 09:00:05 GMT"
    assert retry_after(answer(Retry_After=until, Date=date), NOON) == 5_000
    assert retry_after(answer(Retry_After=until, Date="?"), NOON) == 0
    assert retry_after(answer(), NOON) == 0


def test_a_date_without_a_zone_is_utc():
    assert date_of("Sun, 01 Mar 2026 12:00:00 -0000") == NOON
    assert date_of("Sun, 01 Mar 2026 13:00:00 +0100") == NOON
    assert date_of("yesterday") is None


def test_headers_are_found_in_any_case_and_the_first_one_counts():
    one = answer(Content_Type="text/html", content_type="text/plain")
    assert (one.header("CONTENT-TYPE"), one.content_type) == ("text/html", "text/html")
    assert (one.header("x"), answer().content_type) == (None, "")
