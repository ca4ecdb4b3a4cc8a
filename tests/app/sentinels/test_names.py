"""A new sentinel is named after its page."""

from __future__ import annotations

import pytest

from webvigil.app.sentinels.names import name_of_page


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
