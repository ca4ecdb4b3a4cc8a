"""A new sentinel is named after its page."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.store.making import sentinel
from webvigil.app.sentinels.names import first_free, free_name, name_of_page, title_of
from webvigil.model.installed import State, ToldSentinel, WatchedPage
from webvigil.store.memory import MemoryKnowledge


@pytest.mark.parametrize(
    ("title", "url", "name"),
    [
        ("Polaris sofa – The lamp shop", "http://127.0.0.1:8421/p/7", "polaris-sofa"),
        ("Polaris sofa | Shop", "https://shop.test/", "polaris-sofa"),
        ("Prices", "https://shop.test/", "prices"),
        ("A very long title of a page that goes on", "https://shop.test/", "a-very-long-title"),
        ("", "http://127.0.0.1:8421/shop/polaris-sofa.html", "polaris-sofa"),
        ("", "https://www.shop.test/index.html", "shop-test"),
        ("", "https://www.shop.test/jobs/42", "jobs"),
        ("", "https://www.shop.test/", "shop-test"),
        ("— | —", "https://shop.test/", "shop-test"),
        ("Größe & Gewicht", "https://shop.test/", "größe-gewicht"),
        ("one two three four five", "https://shop.test/", "one-two-three-four"),
        ("a" * 40, "https://shop.test/", "a" * 40),
        ("a" * 41, "https://shop.test/", "a" * 40),
        ("a" * 39 + " b", "https://shop.test/", "a" * 39),
        ("", "https://shop.test/tea/abc", "abc"),
        ("", "https://shop.test/tea/ab", "tea"),
        ("", "https://shop.test/tea/2026", "tea"),
        ("", "https://shop.test/tea/home", "tea"),
        ("", "https://shop.test/a%20b%20c", "a-b-c"),
        ("", "https://shop.test/x.jpeg5", "shop-test"),
        ("", "https://shop.test/tea.jpeg12", "tea-jpeg12"),
        ("", "", "page"),
    ],
)
def test_the_words_of_the_title_or_the_end_of_the_address_make_the_name(title: str, url: str, name: str):
    assert name_of_page(title, url) == name


@pytest.mark.parametrize(
    ("clause", "page", "title"),
    [
        ('Title "Opening hours"', "Town hall", "Opening hours"),
        ('Message title "{{ label }} now"', "Town hall", "Town hall"),
        ("", "Town hall", "Town hall"),
        ("", "", "hours"),
        ('Title "Opening hours"', "", "Opening hours"),
    ],
)
def test_a_sentinel_is_called_by_its_own_title_before_that_of_its_page(clause: str, page: str, title: str):
    told = ToldSentinel(
        name="hours",
        text=f"Create Sentinel hours Using http://town.test/\n{clause}",
        state=State.ACTIVE,
        installed_at=datetime(2026, 1, 1, tzinfo=UTC),
        pages=(
            WatchedPage(id=1, url="http://town.test/", due=None, latest=1, checks=1, failures=0, title=page),
        ),
        changes=0,
    )
    assert title_of(told) == title


@pytest.mark.parametrize(
    ("taken", "name"),
    [((), "tea"), (("tea",), "tea-2"), (("tea", "tea-2"), "tea-3"), (("tea", "tea-3"), "tea-2")],
)
def test_a_name_that_is_taken_gets_the_first_free_number(taken: tuple[str, ...], name: str):
    assert first_free("tea", taken.__contains__) == name


def test_names_are_taken_by_the_users_own_sentinels():
    knowledge = MemoryKnowledge(delay=0)
    for user in ("jill", "ann"):
        knowledge.users.add(user)
    knowledge.sentinels.add(sentinel("tea"))
    assert [free_name(knowledge.sentinels, user, "tea") for user in ("jill", "ann")] == ["tea-2", "tea"]
