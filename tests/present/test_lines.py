"""A change is told in one line for each object (P5)."""

from __future__ import annotations

import pytest

from webvigil import diff
from webvigil.detect.headline import headline
from webvigil.model.change import Finding, ObjectChange, Status, Surrounding
from webvigil.present.lines import amounts, lines

FEED = "<rss><channel>{}</channel></rss>"
ITEM = "<item><title>{}</title></item>"
TABLE = "<table><tr><th>name<th>price<tr><td>one<td>1{}</table>"


def told(old: str, new: str, monitor: str = "any change") -> list[str]:
    found = diff(old.encode(), new.encode(), monitor)
    return [str(line) for finding in found.findings for line in lines(finding)]


def test_a_new_entry_of_a_feed_is_told_by_what_it_says():
    one, two = ITEM.format("One"), ITEM.format("Two")
    assert told(FEED.format(one), FEED.format(one + two)) == ["+ item · title: Two"]
    assert told(FEED.format(one + two), FEED.format(one)) == ["- item · title: Two"]


def test_a_new_leaf_of_json_is_told_by_what_it_says():
    assert told('{"items": ["x"]}', '{"items": ["x", "y"]}') == ["+ items 2: y"]


@pytest.mark.parametrize(
    ("old", "new", "monitor", "line"),
    [
        ("<p>a c", "<p>a b c", "all words", "+ b (in “a b c”)"),
        ("<p>a", '<p id="q">a', "attributes", "+ p@id: q"),
        (TABLE.format(""), TABLE.format("<tr><td>two<td>2"), "table: {1}", "+ two | 2"),
        ("<ul><li>u<li>w</ul>", "<ul><li>w</ul>", "list: {1}", "- u"),
        ("<p>a b", "<p>a c", "all words", "~ b → c"),
        ("<b>a</b>", "<b>a</b><b>c</b>", "tags", "+ b (1 → 2)"),
    ],
)
def test_nothing_is_said_twice(old: str, new: str, monitor: str, line: str):
    assert told(old, new, monitor) == [line]


SHOP = (
    "<h1>Prices</h1><table><tr><th>Name<th>Price<th>Stock"
    "<tr><td>Aurora lamp<td>€ 49<td>12<tr><td>Echo chair<td>€ 9<td>4</table>"
)


@pytest.mark.parametrize("monitor", ["any change", "table: {1}"])
def test_the_changed_cells_of_a_row_are_one_line(monitor: str):
    new = SHOP.replace("€ 49", "€ 51").replace(">12", ">10").replace("€ 9<", "€ 8<")
    assert told(SHOP, new, monitor) == [
        "~ Aurora lamp · Price: € 49 → € 51; Stock: 12 → 10",
        "~ Echo chair · Price: € 9 → € 8",
    ]


def test_both_cells_of_a_row_are_marked_in_it():
    new = SHOP.replace("€ 49", "€ 51").replace(">12", ">10")
    ((line,),) = [list(lines(finding)) for finding in diff(SHOP.encode(), new.encode()).findings]
    assert [text for text, marked in line.new if marked] == ["51", "10"]
    assert [text for text, marked in line.old if marked] == ["49", "12"]


def test_cells_without_headings_are_told_by_their_row():
    old = "<table><tr><td>Aurora lamp<td>4<td>5<tr><td>Echo chair<td>7<td>8</table>"
    assert told(old, old.replace("4", "3").replace("<td>5", "<td>6"), "table: {1}") == [
        "~ Aurora lamp: 4 → 3; 5 → 6"
    ]


def test_a_region_that_looks_different_is_told_by_its_place():
    place = "1264×69 at 8,8"
    region = ObjectChange(object=place, status=Status.UPDATED, before=place, after=place)
    seen = Finding(type="visual", objects=(region,), share=0.09)
    assert [str(line) for line in lines(seen)] == [f"~ {place} → looks different"]
    named = Finding(type="visual", objects=(region._replace(label="Reviews"),), share=0.09)
    assert [str(line) for line in lines(named)] == ["~ Reviews: looks different"]
    assert headline([named]) == "Reviews looks different"
    assert amounts([seen]) == "1 region changed, 9\u00a0% of the picture"


def test_a_line_says_what_changed_and_shows_the_words_around_it():
    around = Surrounding("Brands: 96", "Brands: 95", ((8, 10),), ((8, 10),))
    one = ObjectChange("96", Status.UPDATED, before="96", after="95", label="Brands", surrounding=around)
    (line,) = lines(Finding(type="any change", objects=(one,)))
    assert str(line) == "~ Brands: 96 → 95"
    assert line.old == [("Brands: ", False), ("96", True)]
    assert line.new == [("Brands: ", False), ("95", True)]


def test_a_link_is_told_by_its_text_and_its_address():
    one = ObjectChange("https://shop.test/jobs", Status.NEW, old=0, new=1, link_text="Carpenter wanted")
    (line,) = lines(Finding(type="all links", objects=(one,)))
    assert str(line) == "+ Carpenter wanted (https://shop.test/jobs)"


def test_words_within_a_sentence_are_told_with_the_sentence():
    old = "<h1>Visit</h1><p>Parking behind the house</p>"
    assert told(old, old.replace("the house", "the big house")) == [
        "+ Visit: big (in “Parking behind the big house”)"
    ]
    assert told(old, old.replace(" behind the house", "")) == [
        "- Visit: behind the house (in “Parking behind the house”)"
    ]
    assert told(old, old + "<p>Tickets") == ["+ Visit: Tickets"]


def test_a_value_that_came_or_went_is_told_without_its_selector():
    def shop(more: str = "") -> str:
        heads = "<thead><tr><th>Product<th>Price</tr></thead>"
        return f"<table>{heads}<tr><td>Rope<td>€ 5</tr>{more}</table>"

    bell = shop("<tr><td>Bell<td>€ 10</tr>")
    for old, new, said in ((bell, shop(), "- Bell · Price: € 10"), (shop(), bell, "+ Bell · Price: € 10")):
        (finding,) = diff(old, new, 'value css "td:nth-of-type(2)"').findings
        assert [str(line) for line in lines(finding)] == [said]
