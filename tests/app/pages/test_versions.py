"""A version is found by its number, by a word such as `latest`, and by a time (R6)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from webvigil.app.pages.versions import chosen
from webvigil.errors import NotFound
from webvigil.model.version import Version

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


def version(number: int, fetched_at: datetime) -> Version:
    return Version(
        page=1, number=number, fetched_at=fetched_at, url="u", status=200, signature="", object="", size=0
    )


# Version 4 is no longer kept.
KEPT = [version(number, NOW - timedelta(days=10 - number)) for number in (9, 8, 7, 6, 5, 3, 2, 1)]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("latest", 9),
        ("Previous", 8),
        ("first", 1),
        ("3", 3),
        ("now", 9),
        ("yesterday", 9),
        ("2 days ago", 8),
        ("a week ago", 3),
        ("2026-11-10", 3),  # a day means its beginning; version 4, from noon of that day, is not kept
        ("2026-11-10 13:00", 3),
        ("2026-11-11 12:00", 5),
        ("2026-11-11T11:59:59Z", 3),
        ("11/12/2026", 5),
    ],
)
def test_a_version_has_many_names(name: str, number: int):
    assert chosen(KEPT, name, NOW, UTC).number == number


def test_times_are_those_of_the_user_unless_they_say_otherwise():
    dallas = ZoneInfo("America/Chicago")
    assert chosen(KEPT, "2026-11-11 06:00", NOW, dallas).number == 5
    assert chosen(KEPT, "2026-11-11 05:59", NOW, dallas).number == 3
    assert chosen(KEPT, "2026-11-11T12:00Z", NOW, dallas).number == 5


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("4", "no version 4; there are 1 to 3, 5 to 9"),
        ("0", "no version 0"),
        ("2026-01-01", "the first is 1, of 2026-11-07 12:00 UTC"),
    ],
)
def test_what_is_not_kept_is_not_found(name: str, told: str):
    with pytest.raises(NotFound, match=told):
        chosen(KEPT, name, NOW, UTC)


def test_a_page_with_one_version_has_no_previous_one():
    with pytest.raises(NotFound, match="only one version"):
        chosen(KEPT[:1], "previous", NOW, UTC)
    with pytest.raises(NotFound, match="no versions yet"):
        chosen([], "latest", NOW, UTC)


@pytest.mark.parametrize("name", ["", "-1", "newish", "2026-13-01", "99999999999 days ago", "\u0663"])
def test_anything_else_is_no_version(name: str):
    with pytest.raises(ValueError, match="no version"):
        chosen(KEPT, name, NOW, UTC)
