"""A version is found by its number, by a word such as `latest`, and by a time (R6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.app.pages.versions import chosen, named
from webvigil.app.pages.view import SeenPage
from webvigil.errors import NotFound
from webvigil.model.installed import PageView
from webvigil.model.version import Version
from webvigil.store.memory import MemoryKnowledge

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


def test_a_negative_number_is_a_version_of_the_past():
    with pytest.raises(NotFound, match="no version -1"):
        chosen(KEPT, "-1", NOW, UTC)
    brought = replace(KEPT[-1], number=-1)
    assert chosen([*KEPT, brought], "-1", NOW, UTC) == brought


@pytest.mark.parametrize("name", ["", "--1", "-", "newish", "2026-13-01", "99999999999 days ago", "\u0663"])
def test_anything_else_is_no_version(name: str):
    with pytest.raises(ValueError, match="no version"):
        chosen(KEPT, name, NOW, UTC)


class Seen(SeenPage):
    """A page with the versions in `KEPT`, which counts how many of them were read."""

    read = 0

    def versions(self) -> list[Version]:
        Seen.read += len(KEPT)
        return KEPT

    def some(self, *, after=0, before=10**9, until=None, oldest_first=False, limit=50):  # type: ignore[no-untyped-def]
        found = [
            one for one in KEPT if after < one.number < before and (until is None or one.fetched_at <= until)
        ]
        piece = (found[::-1] if oldest_first else found)[:limit]
        Seen.read += len(piece)
        return piece


@pytest.mark.parametrize(
    ("name", "number"),
    [("latest", 9), ("previous", 8), ("first", 1), ("3", 3), ("2 days ago", 8), ("2026-11-10", 3)],
)
def test_a_version_is_found_without_reading_the_others(name: str, number: int):
    Seen.read = 0
    assert named(Seen(None, 1, None), name, NOW, UTC).number == number  # type: ignore[arg-type]
    assert Seen.read <= 2


def test_what_is_not_kept_is_told_with_what_is():
    with pytest.raises(NotFound, match="no version 4; there are 1 to 3, 5 to 9"):
        named(Seen(None, 1, None), "4", NOW, UTC)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="someday"):
        named(Seen(None, 1, None), "someday", NOW, UTC)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("view", "history", "visible"),
    [
        (PageView(first_version=3), False, [3]),
        (PageView(first_version=2), False, [3, 2]),
        (PageView(first_version=3), True, [3, 2, 1]),
        (PageView(first_version=1), False, [3, 2, 1]),
        (PageView(), False, [3, 2, 1]),
        (None, False, [3, 2, 1]),
    ],
)
def test_who_came_later_sees_the_version_that_was_newest_then_and_all_later_ones(
    view: PageView | None, history: bool, visible: list[int]
):
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    knowledge.sentinels.add(sentinel())
    for number in (1, 2, 3):
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(number))])
        knowledge.schedule.ask(due.id)
    seen = SeenPage(knowledge, due.id, view, history=history)
    assert [one.number for one in seen.versions()] == [one.number for one in seen.some()] == visible
    assert seen.count() == len(visible)
