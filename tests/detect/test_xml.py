"""Tests of XML and JSON pages, whose leaves are identified by the path to them (C13)."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.detect.laws import assert_lawful
from tests.detect.trees import Node, changed_trees, digest
from webvigil import diff
from webvigil.detect.find import find
from webvigil.document import PageDigest, read
from webvigil.document.words import words_of
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType, Part

ANY = ChangeType("any change")


def xml(text: str) -> PageDigest:
    return read(text.encode(), "application/xml")


def as_json(data: Any) -> PageDigest:
    return read(json.dumps(data).encode(), "application/json")


def brief(objects: tuple[ObjectChange, ...]) -> set[tuple[str, str, str | None, str | None]]:
    return {(str(one.status), one.object, one.before, one.after) for one in objects}


# --- oracles -------------------------------------------------------------------------------------


def replayed(count: Counter[tuple[str, str | None]], objects: tuple[ObjectChange, ...]) -> Counter[Any]:
    """Applies the findings to the old leaves, which must give the new leaves."""
    for one in objects:
        if one.status != "m":
            count[one.object, one.before] -= one.before is not None
            count[one.object, one.after] += one.after is not None
    return +count


def tree_leaves(root: Node, way: str = "") -> Counter[tuple[str, str | None]]:
    """Returns the leaves by walking the tree itself."""
    way = f"{way}/{root.name}"
    found: Counter[tuple[str, str | None]] = Counter(
        (f"{way}/@{name}", value) for name, value in root.attributes.items()
    )
    elements = [child for child in root.children if child.text is None]
    texts = [child.text for child in root.children if child.name == "#text"]
    if not elements:
        found[way, " ".join("".join(texts).split())] += 1
    found.update((way, " ".join(text.split())) for text in texts if elements and text.strip())
    for child in elements:
        found += tree_leaves(child, way)
    return found


@settings(max_examples=60, deadline=None)
@given(changed_trees())
def test_the_leaves_before_and_the_findings_give_the_leaves_after(pair: tuple[Node, Node]) -> None:
    objects = assert_lawful(digest(pair[0], "xml"), digest(pair[1], "xml"), ANY)
    assert replayed(tree_leaves(pair[0]), objects) == tree_leaves(pair[1])


scalars = st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["a", "b c", ""]))
data = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=12,
)


def json_leaves(value: Any, way: str = "$") -> Counter[tuple[str, str | None]]:
    found: Counter[tuple[str, str | None]] = Counter()
    if isinstance(value, dict):
        for key, inner in value.items():
            found += json_leaves(inner, f"{way}.{key}")
    elif isinstance(value, list):
        for inner in value:
            found += json_leaves(inner, f"{way}[*]")
    if not isinstance(value, dict | list) or not value:
        text = "" if value in ({}, []) else value if isinstance(value, str) else json.dumps(value)
        found[way, text] += 1
    return found


@settings(max_examples=80, deadline=None)
@given(data, data)
def test_json_before_and_the_findings_give_json_after(old: Any, new: Any) -> None:
    objects = assert_lawful(as_json(old), as_json(new), ANY)
    assert replayed(json_leaves(old), objects) == json_leaves(new)


@settings(max_examples=50, deadline=None)
@given(changed_trees())
def test_keywords_come_and_go_as_the_counts_of_the_page_say(pair: tuple[Node, Node]) -> None:
    keywords = ChangeType("keywords", ("one", "words here"))
    objects = assert_lawful(digest(pair[0], "xml"), digest(pair[1], "xml"), keywords)
    for keyword in keywords.arguments:
        found = [one for one in objects if one.object == keyword]
        before, after = (_keyword_counts(root, keyword).total() for root in pair)
        assert sum((one.new or 0) - (one.old or 0) for one in found) == after - before
        if len(found) == 1:
            assert (found[0].old, found[0].new) == (before, after)


def _keyword_counts(root: Node, keyword: str) -> Counter[str]:
    wanted = keyword.split()
    found: Counter[str] = Counter()
    for (way, text), times in tree_leaves(root).items():
        words = words_of(text or "")
        hits = sum(words[place : place + len(wanted)] == wanted for place in range(len(words)))
        found[way] += hits * times
    return +found


@settings(max_examples=50, deadline=None)
@given(changed_trees())
def test_the_laws_hold_for_phrases(pair: tuple[Node, Node]) -> None:
    for phrase in ("three words here", "one", "text that stands only once"):
        assert_lawful(digest(pair[0], "xml"), digest(pair[1], "xml"), ChangeType("phrase", (phrase,)))


# --- what a reader would say ---------------------------------------------------------------------

CATALOG = """<catalog>
  <item id="1"><name>Low risk growth</name><price>5</price></item>
  <item id="2"><name>Bonds</name><price>7</price></item>
</catalog>"""


def test_a_price_that_changed_is_one_update() -> None:
    old, new = xml(CATALOG), xml(CATALOG.replace("7", "8"))
    [one] = assert_lawful(old, new, ANY)
    assert (one.object, one.before, one.after) == ("/catalog/item/price", "7", "8")
    assert one.where == ("/catalog/item[2]/price",)


def test_a_text_that_is_the_whole_part_has_the_path_of_its_element_on_the_page() -> None:
    before, after = "<r><a>x</a><b>y</b></r>", "<r><a>z</a><b>y</b></r>"
    part = (Part("xpath", "//a/text()"),)
    found = diff(before, after, content_type="application/xml", within=part).findings[0].objects
    assert [(one.object, one.before, one.after) for one in found] == [("/r/a", "x", "z")]


def test_the_same_words_at_another_place_are_another_object() -> None:
    old, new = xml("<a><title>x</title><body>y</body></a>"), xml("<a><title>y</title><body>x</body></a>")
    assert brief(assert_lawful(old, new, ANY)) == {("u", "/a/title", "x", "y"), ("u", "/a/body", "y", "x")}
    found = assert_lawful(old, new, ChangeType("keywords", ("x",)))
    assert {(str(one.status), one.where) for one in found} == {("d", ("/a/title",)), ("i", ("/a/body",))}
    found = assert_lawful(old, new, ChangeType("phrase", ("x",)))
    assert {str(one.status) for one in found} == {"d", "i"}


def test_a_new_record_brings_its_leaves() -> None:
    new = CATALOG.replace("</catalog>", '<item id="3"><name>Gold</name></item></catalog>')
    assert brief(assert_lawful(xml(CATALOG), xml(new), ANY)) == {
        ("i", "/catalog/item/@id", None, "3"),
        ("i", "/catalog/item/name", None, "Gold"),
    }


def test_records_that_changed_places_have_moved() -> None:
    one, other = "<item><name>One of them</name></item>", "<item><name>The other one</name></item>"
    [moved] = assert_lawful(xml(f"<a>{one}{other}</a>"), xml(f"<a>{other}{one}</a>"), ANY)
    assert moved.status == "m"
    assert moved.object == "/a/item"


def test_indentation_and_comments_are_no_change() -> None:
    flat = "".join(line.strip() for line in CATALOG.splitlines())
    assert assert_lawful(xml(CATALOG), xml(flat.replace("</catalog>", "<!-- c --></catalog>")), ANY) == ()


def test_a_phrase_is_followed_in_its_leaf() -> None:
    old, new = xml(CATALOG), xml(CATALOG.replace("growth", "income"))
    [one] = assert_lawful(old, new, ChangeType("phrase", ("low risk growth",)))
    assert (one.status, one.before, one.after) == ("u", "Low risk growth", "Low risk income")
    gone = xml(CATALOG.replace("Low risk growth", "Something else"))
    [one] = assert_lawful(old, gone, ChangeType("phrase", ("low risk growth",)))
    assert one.status == "d"


def test_a_phrase_stays_when_words_come_around_it() -> None:
    new = xml(CATALOG.replace("Low risk growth", "Our big low risk growth fund"))
    assert assert_lawful(xml(CATALOG), new, ChangeType("phrase", ("low risk growth",))) == ()


def test_members_of_a_json_object_have_no_order_and_may_change_their_type() -> None:
    old, new = as_json({"a": 1, "b": "x", "c": None}), as_json({"c": 3, "b": "x", "a": 1})
    assert brief(assert_lawful(old, new, ANY)) == {("u", "$.c", "null", "3")}


def test_xhtml_is_read_as_html_is() -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{}</p></body></html>'
    old, new = xml(page.format("one word")), xml(page.format("two word"))
    assert [one.object for one in find(old, new, ANY).objects] != ["/html/body/p"]


def test_counts_agree_with_another_parser() -> None:
    new = CATALOG.replace("Bonds", "Low risk bonds")
    [one] = find(xml(CATALOG), xml(new), ChangeType("keywords", ("low",))).objects
    counts = [
        sum(
            "low" in (node.text or "").lower().split()
            for node in etree.fromstring(text.encode()).iter("name")
        )
        for text in (CATALOG, new)
    ]
    assert [one.old, one.new] == counts


@pytest.mark.parametrize("kind", ["any change", "keywords", "phrase"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a>" + "<b>x y</b>" * 10_000 + "</a>", "<a>" + "<b>y x</b>" * 10_000 + "</a>"),
        ("<a>" * 20_000 + "x" + "</a>" * 20_000, "<a>" * 19_000 + "y" + "</a>" * 19_000),
        ("<a>" + "x " * 40_000 + "</a>", "<a>" + "y x " * 20_000 + "</a>"),
    ],
    ids=["wide", "deep", "one long leaf"],
)
def test_hostile_documents_are_compared_soon(kind: str, before: str, after: str) -> None:
    old, new = xml(before), xml(after)
    started = time.process_time()
    find(old, new, ChangeType(kind, () if kind == "any change" else ("x",)))
    assert time.process_time() - started < 10
