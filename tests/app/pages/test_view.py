"""What a user sees of a page that others watch, too: versions from the first own one on, looks since then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.app.pages.view import SeenPage, eyes_of, logs_seen, looks_seen, seen_page
from webvigil.app.settings import read_settings
from webvigil.errors import NotFound
from webvigil.model.installed import PageView
from webvigil.model.moment import as_millis
from webvigil.model.user import User
from webvigil.model.version import Version
from webvigil.model.wanted import FROM_THE_PAST_ON

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def version(number: int) -> Version:
    """Version 5 is of today; each earlier number is a day older."""
    at = NOW - (5 - number) * DAY
    return Version(page=3, number=number, fetched_at=at, url="u", status=200, signature="", object="", size=0)


class Versions:
    """The versions 1 to 5 of a page."""

    def of(self, _: int) -> list[Version]:
        return [version(number) for number in (5, 4, 3, 2, 1)]

    def some(
        self, page: int, *, after: int, before: int, until: datetime | None, oldest_first: bool, limit: int
    ) -> list[Version]:
        found = [
            one
            for one in self.of(page)
            if after < one.number < before and (until is None or one.fetched_at <= until)
        ]
        return (found[::-1] if oldest_first else found)[:limit]

    def count(self, page: int, *, after: int) -> int:
        return sum(one.number > after for one in self.of(page))

    def get(self, _: int, number: int) -> Version:
        return version(number)


def look(
    days: int, error: str = "", troubles: tuple[tuple[int, str], ...] = (), picture: str = ""
) -> dict[str, Any]:
    return {"at": NOW - days * DAY, "error": error, "troubles": troubles, "picture": picture}


LOOKS = [look(0, picture="new"), look(1, picture="yesterday"), look(2, picture="old")]


def seen(view: PageView | None = None, *, history: bool = False) -> SeenPage:
    """A page with the versions -2 and -1 of the user's own archive."""
    knowledge: Any = SimpleNamespace(
        versions=Versions(),
        pasts=SimpleNamespace(of=lambda page, user: [version(-1), version(-2)]),
        journal=SimpleNamespace(fetch_log=lambda page, limit: LOOKS[:limit]),
    )
    return SeenPage(knowledge, 3, view, history, "jill")


def numbers(found: list[Version]) -> list[int]:
    return [one.number for one in found]


@pytest.mark.parametrize(
    ("first", "history", "visible"),
    [
        (0, False, [5, 4, 3, 2, 1]),
        (1, False, [5, 4, 3, 2, 1]),
        (2, False, [5, 4, 3, 2]),
        (5, False, [5]),
        (6, False, []),
        (5, True, [5, 4, 3, 2, 1]),
    ],
)
def test_versions_are_seen_from_the_one_that_was_newest_when_the_user_began(
    first: int, visible: list[int], *, history: bool
):
    page = seen(PageView(first_version=first), history=history)
    assert numbers(page.versions()) == [*visible, -1, -2]
    assert page.count() == len(visible) + 2
    assert numbers(page.some()) == [*visible, -1, -2]
    for number in range(1, 6):
        if number in visible:
            assert page.version(number).number == number
        else:
            with pytest.raises(NotFound, match=f"^page 3 has no version {number}$"):
                page.version(number)


def test_who_sees_everything_sees_all_versions():
    assert numbers(seen().versions()) == [5, 4, 3, 2, 1, -1, -2]


@pytest.mark.parametrize(("number", "is_there"), [(-1, True), (-2, True), (-3, False), (0, False), (1, True)])
def test_versions_of_the_archive_are_open_by_their_numbers(number: int, *, is_there: bool):
    assert seen()._is_open(number) is is_there


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"limit": 2}, [5, 4]),
        ({"limit": 5}, [5, 4, 3, 2, 1]),
        ({"limit": 6}, [5, 4, 3, 2, 1, -1]),
        ({"after": 0}, [5, 4, 3, 2, 1]),
        ({"after": 3}, [5, 4]),
        ({"after": -1}, [5, 4, 3, 2, 1]),
        ({"after": -2}, [5, 4, 3, 2, 1, -1]),
        ({"before": 2}, [1, -1, -2]),
        ({"before": -1}, [-2]),
        ({"before": -1, "limit": 5}, [-2]),
        ({"until": NOW - 3 * DAY}, [2, 1, -1, -2]),
        ({"until": NOW - 6 * DAY}, [-1, -2]),
        ({"until": NOW - 6 * DAY - timedelta(seconds=1)}, [-2]),
        ({"oldest_first": True}, [-2, -1, 1, 2, 3, 4, 5]),
        ({"oldest_first": True, "limit": 3}, [-2, -1, 1]),
        ({"oldest_first": True, "limit": 3, "after": 0}, [1, 2, 3]),
        ({"oldest_first": True, "after": -2, "limit": 2}, [-1, 1]),
        ({"after": FROM_THE_PAST_ON, "limit": 1}, [5]),
    ],
)
def test_a_piece_of_the_versions_goes_over_into_the_archive(asked: dict[str, Any], found: list[int]):
    assert numbers(seen().some(**asked)) == found


@pytest.mark.parametrize("asked", [{"after": 0}, {"after": 3, "limit": 9}, {"limit": 5}, {"limit": 4}])
def test_the_archive_is_not_read_for_a_piece_that_has_nothing_of_it(asked: dict[str, Any]):
    page = seen()
    page.knowledge.pasts = SimpleNamespace()  # type: ignore[misc]
    assert numbers(page.some(**asked))[0] == 5


def test_a_version_without_a_number_is_not_there():
    for view in (None, PageView(first_version=0), PageView(first_version=1)):
        with pytest.raises(NotFound, match=r"^page 3 has no version 0$"):
            seen(view).version(0)


class TestWhoSeesWhat:
    """Page 3 is watched by jill and by others; page 4 is not watched at all."""

    VIEW = PageView(first_version=2, since=as_millis(NOW - DAY), sentinels=frozenset({1}))

    def knowledge(self) -> Any:
        views = {"jill": {3: self.VIEW}}
        return SimpleNamespace(
            sentinels=SimpleNamespace(
                watch=lambda user, page: page == 3,
                views=lambda user, pages: {
                    one: views[user][one] for one in pages if one in views.get(user, {})
                },
            ),
            journal=SimpleNamespace(fetch_logs=lambda pages, limit: dict.fromkeys(pages, LOOKS[:limit])),
        )

    @pytest.mark.parametrize("shared", [False, True])
    def test_a_user_sees_the_pages_that_the_user_watches(self, *, shared: bool):
        settings = read_settings({"share_history": "yes" if shared else "no"}, environment={})
        known = self.knowledge()
        assert seen_page(known, settings, "jill", 3) == SeenPage(known, 3, self.VIEW, shared, "jill")
        for user, page in (("jill", 4), ("ann", 3)):
            with pytest.raises(NotFound, match=rf"^there is no page {page}$"):
                seen_page(known, settings, user, page)

    def test_who_sees_everything_sees_every_page_that_is_watched(self):
        known = self.knowledge()
        settings = read_settings({}, environment={})
        assert seen_page(known, settings, None, 3) == SeenPage(known, 3, None, False, None)
        with pytest.raises(NotFound, match=r"^there is no page 4$"):
            seen_page(known, settings, None, 4)

    def test_logs_are_those_that_the_user_may_see(self):
        settings = read_settings({"share_history": "no"}, environment={})
        made = logs_seen(self.knowledge(), settings, "jill", [3, 4], 9)
        assert {page: [one["picture"] for one in log] for page, log in made.items()} == {
            3: ["new", "yesterday"]
        }
        shared = read_settings({"share_history": "yes"}, environment={})
        assert len(logs_seen(self.knowledge(), shared, "jill", iter([3]), 9)[3]) == 3

    def test_an_administrator_sees_with_nobodys_eyes(self):
        assert eyes_of(User(name="jill", role="admin", created_at=NOW)) is None
        assert eyes_of(User(name="jill", created_at=NOW)) == "jill"


def test_looks_are_seen_since_the_user_began():
    view = PageView(since=as_millis(NOW - DAY))
    assert [one["picture"] for one in seen(view).looks(9)] == ["new", "yesterday"]
    assert [one["picture"] for one in seen(view, history=True).looks(9)] == ["new", "yesterday", "old"]
    assert [one["picture"] for one in seen().looks(2)] == ["new", "yesterday"]
    later = PageView(since=as_millis(NOW - DAY) + 1)
    assert [one["picture"] for one in seen(later).looks(9)] == ["new"]


@pytest.mark.parametrize("key", ["", "old", "none"])
def test_a_picture_of_a_look_that_is_not_seen_is_not_there(key: str):
    with pytest.raises(NotFound, match=r"^page 3 has no such picture$"):
        seen(PageView(since=as_millis(NOW - DAY))).picture_of_look(key)
    assert seen().picture_of_look("old") == "old"


@pytest.mark.parametrize(
    ("error", "troubles", "mine", "told"),
    [
        ("", (), {1}, ""),
        ("broken", ((1, "no part"), (2, "no row")), {1}, "broken; no part"),
        ("broken", ((1, "no part"), (2, "no row")), None, "broken; no part; no row"),
        ("", ((1, "no part"), (2, "no row")), {2}, "no row"),
        ("", ((1, "no part"),), set(), ""),
    ],
)
def test_troubles_are_those_of_the_users_own_sentinels(
    error: str, troubles: tuple[tuple[int, str], ...], mine: set[int] | None, told: str
):
    view = None if mine is None else PageView(sentinels=frozenset(mine))
    (one,) = looks_seen([look(0, error, troubles)], view)
    assert one == {"at": NOW, "error": told, "picture": ""}
