"""A change type that is skipped, because what it rests on stayed the same, would have found nothing."""

from __future__ import annotations

import pytest

from webvigil.detect.find import find
from webvigil.document import PageDigest, read
from webvigil.document.masks import view
from webvigil.graph.aspects import Aspects
from webvigil.language import parse_expression
from webvigil.model.sentinel import ChangeType, Part, change_types

SHOP = """<!doctype html><html><head><title>Shop</title></head><body><!-- made by hand --><h1>Lamps</h1>
<p class=lead>Two <b>new</b> lamps. <a href=/all>All lamps</a></p><img src=/a.png srcset="/b.png 2x">
<table><caption>Prices</caption><tr><th>Name<th>Price<tr><td><a href=/aurora>Aurora</a><td>10 EUR</table>
<ul><li>red<li>blue</ul><dl><dt>Open<dd>9</dl><p hidden>sold out</p></body></html>"""
EDITS = {
    "nothing": ("", ""),
    "title": ("Shop", "Store"),
    "words": ("Two", "Three"),
    "link": ("/all", "/every"),
    "link in a table": ("/aurora", "/polaris"),
    "picture": ("/a.png", "/c.png"),
    "large picture": ("/b.png", "/c.png"),
    "cell": ("10 EUR", "12 EUR"),
    "span": ("<td>10", "<td colspan=2>10"),
    "item": ("<li>blue", "<li>green"),
    "description": ("<dd>9", "<dd>10"),
    "hidden": ("<p hidden>", "<p>"),
    "class": ("class=lead", "class=intro"),
    "tag": ("<b>new</b>", "<i>new</i>"),
    "element": ("<ul>", "<hr><ul>"),
    "comment": ("by hand", "by machine"),
    "caption": ("Prices", "Costs"),
}
WANTED = """any change; all links; all images; all words; all words by loctags; keywords: {sold, new};
keywords part {lam}; phrase: {new lamps}; regular expression: {EUR \\d|\\d+}; table: {1}; table: {Aurora};
table: {1} text only; table css: {table}; list: {1}; list: {red}; layout; tags; attributes; appearance;
comments; structure; content"""


def wanted() -> list[ChangeType]:
    found = [change for one in WANTED.split(";") for change in change_types(parse_expression(one.strip()))]
    assert len(found) == 22
    return found


def assert_sound(old: PageDigest, new: PageDigest) -> set[str]:
    """Asserts that the change types that are skipped find nothing. Returns their kinds."""
    aspects = Aspects(old, new)
    left_out = [change for change in wanted() if aspects.leave_out(change)]
    for change in left_out:
        assert not find(old, new, change).changed, change
    return {change.kind for change in left_out}


def page(text: str, url: str = "https://shop.test/", kind: str = "text/html") -> PageDigest:
    return read(text.encode(), kind, url)


@pytest.mark.parametrize("name", EDITS)
def test_what_is_left_out_finds_nothing(name: str):
    assert EDITS[name][0] in SHOP
    old, new = page(SHOP), page(SHOP.replace(*EDITS[name]) if name != "nothing" else SHOP)
    assert_sound(old, new)
    assert_sound(new, old)
    for selector in ("p.lead, p.intro", "table", "ul", "body"):
        part = [Part("css", selector)]
        assert_sound(view(old, within=part), view(new, within=part))


def test_a_page_that_is_the_same_leaves_out_what_it_can():
    kinds = {change.kind for change in wanted()}
    assert assert_sound(page(SHOP), page(SHOP)) == kinds - {"content"}


def test_new_words_leave_out_links_pictures_tables_and_markup():
    left = assert_sound(page(SHOP), page(SHOP.replace("Two", "Three")))
    assert left >= {"all links", "all images", "table", "list", "layout", "tags", "attributes", "comments"}


def test_relative_links_lead_elsewhere_from_another_address():
    old, new = page(SHOP), page(SHOP, "https://other.test/")
    left = assert_sound(old, new)
    assert not left & {"any change", "all links", "all images", "appearance"}
    assert "all words" in left


@pytest.mark.parametrize(
    ("kind", "text", "edit"),
    [
        ("application/xml", "<feed><link href='https://a.test/1'/><p>new lamps</p></feed>", ("/1", "/2")),
        ("application/xml", "<feed><p>new lamps</p></feed>", ("new", "old")),
        ("application/json", '{"lamps": ["new", "sold"], "n": 1}', ("1", "2")),
        ("text/plain", "new lamps at https://a.test/1", ("/1", "/2")),
    ],
)
def test_other_documents_are_searched_for_what_may_have_changed(kind: str, text: str, edit: tuple[str, str]):
    old, new = page(text, kind=kind), page(text.replace(*edit), kind=kind)
    assert_sound(old, new)
    assert_sound(old, page(SHOP))
