"""A change is told in one line for each object (P5)."""

from __future__ import annotations

import pytest

from webvigil import diff
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.notify.amounts import amounts as amounts_told
from webvigil.notify.amounts import in_words
from webvigil.present.lines import amounts, lines

FEED = "<rss><channel>{}</channel></rss>"
ITEM = "<item><title>{}</title></item>"
TABLE = "<table><tr><th>name<th>price<tr><td>one<td>1{}</table>"


def told(old: str, new: str, monitor: str = "any change") -> list[str]:
    found = diff(old.encode(), new.encode(), monitor)
    return [str(line) for finding in found.findings for line in lines(finding)]


def test_a_new_entry_of_a_feed_is_told_by_what_it_says():
    one, two = ITEM.format("One"), ITEM.format("Two")
    assert told(FEED.format(one), FEED.format(one + two)) == ["+ /rss/channel/item/title: Two"]
    assert told(FEED.format(one + two), FEED.format(one)) == ["- /rss/channel/item/title: Two"]


def test_a_new_leaf_of_json_is_told_by_what_it_says():
    assert told('{"items": ["x"]}', '{"items": ["x", "y"]}') == ["+ $.items[*]: y"]


@pytest.mark.parametrize(
    ("old", "new", "monitor", "line"),
    [
        ("<p>a c", "<p>a b c", "all words", "+ b"),
        ("<p>a", '<p id="q">a', "attributes", "+ p@id: q"),
        (TABLE.format(""), TABLE.format("<tr><td>two<td>2"), "table: {1}", "+ two | 2"),
        ("<ul><li>u<li>w</ul>", "<ul><li>w</ul>", "list: {1}", "- u"),
        ("<p>a b", "<p>a c", "all words", "~ b → c"),
        ("<b>a</b>", "<b>a</b><b>c</b>", "tags", "+ b (1 → 2)"),
    ],
)
def test_nothing_is_said_twice(old: str, new: str, monitor: str, line: str):
    assert told(old, new, monitor) == [line]


def test_a_region_that_looks_different_is_told_by_its_place():
    place = "1264×69 at 8,8"
    region = ObjectChange(object=place, status=Status.UPDATED, before=place, after=place)
    seen = Finding(type="visual", objects=(region,), share=0.09)
    assert [str(line) for line in lines(seen)] == [f"~ {place} → looks different"]
    assert amounts([seen]) == in_words(amounts_told([seen])) == "1 updated, 9 % of the picture"
