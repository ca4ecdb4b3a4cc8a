"""A new sentinel is named after its page."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webvigil.app.sentinels.names import name_of_page, title_of
from webvigil.model.installed import State, ToldSentinel, WatchedPage


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
