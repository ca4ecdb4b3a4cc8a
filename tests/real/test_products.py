"""A real shop, whose pages say nothing to programs: its product is followed through price and stock."""

from __future__ import annotations

from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.real.applications.oscar import Oscar
from webvigil import diff
from webvigil.app.sentinels.offers import on_page
from webvigil.detect.headline import headline
from webvigil.document import PageDigest, read

pytestmark = pytest.mark.real


def test_a_product_of_oscar_is_followed(tmp_path: Path):
    shop = Oscar()
    shop.install()
    url = shop.start(tmp_path)

    def product() -> PageDigest:
        with urlopen(f"{url}/catalogue/harbour-lamp_1/") as answer:
            return read(answer.read(), "text/html", url)

    try:
        first = product()
        assert on_page(first).offers[0].monitor == "product"
        assert on_page(first).offers[0].sample == "€ 9.50, in stock"
        shop.stocks(price="8.50", count=9)
        cheaper = product()
        assert _told(first, cheaper) == "Harbour lamp · Price: € 9.50 → € 8.50 (−10.5 %)"
        shop.stocks(price="8.50", count=0)
        empty = product()
        assert _told(cheaper, empty) == "Harbour lamp · Availability: in stock → out of stock"
        shop.edit()
        assert not diff(product(), product(), "product").changed
        shop.stocks(price="8.50", count=1)
        assert "Availability: out of stock → in stock" in _told(empty, product())
    finally:
        shop.stop()


def _told(old: PageDigest, new: PageDigest) -> str:
    return headline(diff(old, new, "product").findings).replace("\u00a0", " ")
