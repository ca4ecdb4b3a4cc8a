"""What a page shows of its product is read as its readers see it."""

from __future__ import annotations

import pytest

from webvigil.detect.shop.shown import price_places, shown
from webvigil.document import PageDigest, read

LAMP = "<h1>Lamp</h1>"


def page(text: str) -> PageDigest:
    return read(text.encode(), "text/html", "http://a.test/")


def told(text: str) -> str:
    """Returns the name, the price, the availability and the element with the price."""
    digest = page(text)
    found = shown(digest)
    price = f"{found.price.low}-{found.price.high} {found.price.currency}" if found.price else "-"
    place = digest.path(found.node) if found.node else "-"
    return f"{found.name}: {price}: {found.availability or '-'}: {place}"


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("<p><del>€ 9</del> € 5", "5-5 EUR: -: /html/body/p"),
        ("<p><span class=old>€ 9</span> € 5", "5-5 EUR: -: /html/body/p"),
        ("<p class=old-price>€ 9<p>€ 5<button>Go</button>", "5-5 EUR: -: /html/body"),
        ("<p><del>€ 9</del> <b><i>€</i> 5</b>", "5-5 EUR: -: /html/body/p/b"),
    ],
)
def test_beside_a_price_before_a_discount_the_one_of_today_counts(text: str, price: str):
    assert told(LAMP + text) == f"Lamp: {price}"


def test_a_price_before_a_discount_has_its_own_place():
    digest = page("<p><del>€ 9</del> € 5")
    found = {str(price): digest.path(node) for price, node in price_places(digest).items()}
    assert found == {"9": "/html/body/p/del", "5": "/html/body/p"}
