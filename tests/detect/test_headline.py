"""One sentence tells what happened."""

from __future__ import annotations

import pytest

from tests.detect.test_in_context import SHOP
from webvigil.library import diff

NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("was", "now", "headline"),
    [
        ("€ 1,299.00", "€ 1,279.00", f"Polaris sofa: €{NBSP}1,299.00 → €{NBSP}1,279.00 (−1.5{NBSP}%)"),
        ("€ 10.00", "€ 12.00", f"Aurora lamp · Price: €{NBSP}10.00 → €{NBSP}12.00 (+20{NBSP}%)"),
        ("at nine", "at ten", "Contact: nine → ten"),
    ],
)
def test_one_changed_object_is_told_with_both_sides(was: str, now: str, headline: str):
    assert diff(SHOP, SHOP.replace(was, now)).headline == headline


def test_new_links_are_counted_as_links():
    links = "".join(f'<a href="/{name}">{name}</a> ' for name in ("Chairs", "Tables", "Jobs"))
    new = SHOP.replace("</nav>", f" {links}</nav>")
    assert diff(SHOP, new, "all links").headline == "3 new links: Chairs, Tables, Jobs"


def test_pages_without_a_difference_say_so():
    assert diff(SHOP, SHOP).headline == "Nothing changed"
