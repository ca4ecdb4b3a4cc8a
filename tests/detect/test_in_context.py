"""Every object of a finding says what it is, and shows the sentence, row or item around it."""

from __future__ import annotations

import pytest

from webvigil.detect.in_context import DESCRIBED, LONGEST, _cut_around, _described, _Page
from webvigil.document import read
from webvigil.library import diff
from webvigil.model.change import ObjectChange, Status

SHOP = """
<html><head><title>The lamp shop</title></head><body>
<nav><a href="/">Home</a></nav>
<h1>Lamps</h1>
<table><caption>Prices</caption>
<tr><th>Name</th><th>Price</th></tr>
<tr><td>Aurora lamp</td><td>€ 10.00</td></tr>
<tr><td>Polaris lamp</td><td>€ 5.00</td></tr>
</table>
<h2>Sofas</h2>
<ul class="cards">
<li><h3>Polaris sofa</h3><p>€ 1,299.00</p></li>
<li><h3>Delta shelf</h3><p>€ 30.00</p></li>
</ul>
<h2>Contact</h2>
<dl><dt>Opening hours</dt><dd>9-17</dd><dt>Phone</dt><dd>12345</dd></dl>
<p>Seats: <b>5</b> left</p>
<form><label for="size">Size of the lamp</label> <select id="size"><option>Large</option></select></form>
<p>We are here. We open at nine in the morning. Come in.</p>
<figure><img src="/one.png" alt="A red lamp"><figcaption>Lamps at night</figcaption></figure>
</body></html>
"""


def objects(old: str, new: str, monitor: str = "any change", content_type: str = "") -> list[ObjectChange]:
    found = diff(old, new, monitor, url="https://shop.test/", content_type=content_type)
    return [one for finding in found.findings for one in finding.objects]


@pytest.mark.parametrize(
    ("was", "now", "label", "section"),
    [
        ("€ 10.00", "€ 12.00", "Aurora lamp · Price", "Prices"),
        ("€ 1,299.00", "€ 1,279.00", "Polaris sofa", "Sofas"),
        ("9-17", "9-18", "Opening hours", "Contact"),
        ("<b>5</b>", "<b>4</b>", "Seats", "Contact"),
        ("<option>Large", "<option>Small", "Size of the lamp", "Contact"),
        ("at nine", "at ten", "Contact", "Contact"),
        ("<title>The lamp shop", "<title>The sofa shop", "Title of the page", "The sofa shop"),
        ("/one.png", "/two.png", "A red lamp", "Contact"),
        ("Sofas</h2>", "Chairs</h2>", "Lamps", "Lamps"),
        (">Home<", ">Start<", "Navigation", "Navigation"),
    ],
)
def test_a_change_is_called_by_what_stands_around_it(was: str, now: str, label: str, section: str):
    one = objects(SHOP, SHOP.replace(was, now))[0]
    assert (one.label, one.section) == (label, section)


def test_the_row_around_a_cell_is_shown_with_the_changed_words_marked():
    (one,) = objects(SHOP, SHOP.replace("€ 10.00", "€ 12.00"))
    around = one.surrounding
    assert around is not None
    assert (around.before, around.after) == ("Aurora lamp | € 10.00", "Aurora lamp | € 12.00")
    assert [around.before[slice(*mark)] for mark in around.before_marks] == ["10.00"]
    assert [around.after[slice(*mark)] for mark in around.after_marks] == ["12.00"]


def test_each_changed_cell_of_a_row_marks_its_own_words():
    head = "<table><tr><th>Name</th><th>Price</th><th>Left</th></tr>"
    row = head + "<tr><td>Lantern</td><td>{}</td><td>{}</td></tr></table>"
    price, left = objects(row.format("€ 35.10", 7), row.format("€ 35.30", 6))
    assert [one.label for one in (price, left)] == ["Lantern · Price", "Lantern · Left"]
    marked = [one.surrounding.after[slice(*one.surrounding.after_marks[0])] for one in (price, left)]
    assert marked == ["35.30", "6"]
    assert [len(one.surrounding.before_marks) for one in (price, left)] == [1, 1]


def test_a_number_of_a_row_is_marked_in_its_own_cell():
    head = "<table><tr><th>Name</th><th>Price</th><th>Left</th></tr>"
    row = head + "<tr><td>Kayak</td><td>€ 673.80</td><td>{}</td></tr></table>"
    (left,) = objects(row.format(7), row.format(6))
    around = left.surrounding
    assert around.after[slice(*around.after_marks[0])] == "6"
    assert around.after_marks == ((len("Kayak | € 673.80 | "), len(around.after)),)
    twice = "<ul><li>Logic, Thursday 10 to 12, {} places left</li><li>Sets, Monday</li></ul>"
    (places,) = objects(twice.format(12), twice.format(11))
    assert places.surrounding.before_marks == ((26, 28),)


def test_a_column_has_its_name_in_the_row_of_headings():
    old = "<table><caption>Prices</caption><tr><th>Lamp<th>Price<tr><td>A<td>5<tr><td>B<td>6</table>"
    new = old.replace("<tr><td>A<td>5<tr><td>B<td>6", "<th>Stock<tr><td>A<td>5<td>1<tr><td>B<td>6<td>0")
    (column,) = objects(old, new)
    assert (column.label, column.section) == ("Stock", "Prices")
    around = column.surrounding
    assert around.after == "Lamp | Price | Stock"
    assert around.after[slice(*around.after_marks[0])] == "Stock"


def test_a_link_has_its_text():
    new = SHOP.replace("</nav>", '<a href="/jobs">Carpenter wanted</a></nav>')
    (link,) = [one for one in objects(SHOP, new) if one.old is not None]
    assert (link.object, link.link_text) == ("https://shop.test/jobs", "Carpenter wanted")


def test_json_is_called_by_the_keys_on_the_way():
    items = '[{"name": "Polaris sofa", "price": 1299}, {"id": 7, "price": 3}]'
    page = f'{{"shop": {{"items": {items}, "open": "9-17"}}}}'
    assert objects(page, page.replace("1299", "1279"))[0].label == "Polaris sofa · price"
    assert objects(page, page.replace(": 3}", ": 4}"))[0].label == "7 · price"
    assert objects(page, page.replace("9-17", "9-18"))[0].label == "shop · open"


def test_a_feed_is_called_by_the_titles_of_its_entries():
    page = (
        "<rss><channel><title>News</title>"
        "<item><title>Carpenter wanted</title><pubDate>Monday</pubDate></item>"
        "<item><title>Shop open</title><pubDate>Sunday</pubDate></item></channel></rss>"
    )
    (one,) = objects(page, page.replace("Monday", "Tuesday"), content_type="application/rss+xml")
    assert (one.label, one.section) == ("Carpenter wanted · pubDate", "News")


def test_an_attribute_is_called_by_its_name():
    old = '<h1>Lamp</h1><div id=x><a href="/a" data-price="5">Buy</a></div>'
    found = diff(old, old.replace('"5"', '"6"').replace("/a", "/b"), "attributes")
    assert [one.label for one in found.findings[0].objects] == ["Lamp · href", "Lamp · data-price"]


def test_a_long_sentence_is_cut_between_words():
    text = "alpha " * 400 + "changed " + "omega " * 400
    start = text.index("changed")
    line = _cut_around(text, (start, start + 7))
    assert len(line.text) <= LONGEST
    assert line.text.startswith("… alpha alpha ")
    assert [line.text[begin:end] for begin, end in line.marks] == ["changed"]


def _kept(text: str, kind: str = "text/html") -> _Page:
    return _Page(read(text.encode(), kind, "http://a.test/"))


@pytest.mark.parametrize(
    ("kind", "text", "path", "tag"),
    [
        ("text/html", "<p>a<p>b", "/html/body/p[2]", "p"),
        ("text/html", "<p>a<p>b", "/html/body/p[2]/text()", "p"),
        ("text/html", "<p title=x>a", "/html/body/p/@title", "p"),
        ("text/html", "<p>a", "/html/body/div", ""),
        ("text/html", "<p>a", "/html/body" + "/p" * 599, ""),
        ("application/json", '{"a": {"b": 1}}', "$.a.b", "number"),
        ("application/json", '{"a": {"b": 1}}', "$.a[", ""),
    ],
)
def test_a_path_leads_to_its_element(kind: str, text: str, path: str, tag: str):
    page = _kept(text, kind)
    for _ in range(2):
        node = page.node(path)
        assert (page.digest.tag(node) if node >= 0 else "") == tag


def test_a_deep_path_leads_to_its_element_up_to_six_hundred_steps():
    page = _kept("<a><b>x</b></a>" + "<div>" * 650)
    deepest = "/html/body" + "/div" * 598
    assert page.digest.tag(page.node(deepest)) == "div"
    assert page.node(deepest + "/div") == -1


def test_of_very_many_objects_the_first_of_each_status_are_described():
    def made(status: Status, number: int) -> list[ObjectChange]:
        return [ObjectChange(object="x", status=status)] * number

    assert _described(made(Status.NEW, DESCRIBED)) == range(DESCRIBED)
    many = made(Status.NEW, DESCRIBED) + made(Status.GONE, 3)
    places = _described(many)
    assert len(places) == DESCRIBED
    assert {*range(DESCRIBED, DESCRIBED + 3)} <= {*places}
    assert {*range(DESCRIBED - 3)} <= {*places}
    assert DESCRIBED - 3 not in places
