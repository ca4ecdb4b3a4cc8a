"""Tests of the aspects of a page: structure above layout, tags, attributes and comments (C10)."""

from __future__ import annotations

import time
from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from lxml import html

from tests.detect.laws import assert_lawful
from tests.detect.trees import Node, changed_trees, digest, walk
from webvigil.detect.find import find
from webvigil.document import PageDigest, read
from webvigil.model.change import Status
from webvigil.model.sentinel import ChangeType

ASPECTS = ("structure", "layout", "tags", "attributes", "comments")


def page(body: str) -> PageDigest:
    return read(f"<!doctype html><html><head><title>t</title></head><body>{body}</body></html>".encode())


def changed_aspects(before: str, after: str) -> set[str]:
    old, new = page(before), page(after)
    return {kind for kind in (*ASPECTS, "content") if find(old, new, ChangeType(kind)).changed}


@pytest.mark.parametrize(
    ("before", "after", "aspects"),
    [
        ("<p>one", "<p>two", {"content"}),
        ("<p>one", "<p>one<p>", {"structure", "layout", "tags"}),
        ("<p><b>one</b>", "<p><i>one</i>", {"structure", "layout", "tags"}),
        ("<p class=a>one", "<p class=b>one", {"structure", "attributes"}),
        ('<a href="/a">x</a>', '<a href="/b">x</a>', {"structure", "attributes"}),
        ("<p>one<!--a-->", "<p>one<!--b-->", {"structure", "comments"}),
        ("<p>one</p>", "<p>one</p>\n\n", set()),
        ("<p>one</p><p>two</p>", "<p>two</p><p>one</p>", {"content"}),
        ("<ul><li>a<ul><li>b</ul></ul>", "<ul><li>a<li>b</ul>", {"structure", "layout", "tags"}),
        ("<h2>a</h2><p>b", "<p>b</p><h2>a</h2>", {"structure", "layout", "content"}),
    ],
)
def test_each_aspect_sees_what_is_its_own(before: str, after: str, aspects: set[str]) -> None:
    assert changed_aspects(before, after) == aspects


@settings(max_examples=50, deadline=None)
@given(changed_trees())
def test_the_laws_hold_for_every_aspect(pair: tuple[Node, Node]) -> None:
    old, new = digest(pair[0]), digest(pair[1])
    found = {kind: bool(assert_lawful(old, new, ChangeType(kind))) for kind in ASPECTS}
    # No aspect changes without the aspect above it (ROC Fig. 22).
    assert found["structure"] or not any(found.values())
    assert found["layout"] or not found["tags"]


@settings(max_examples=50, deadline=None)
@given(changed_trees())
def test_layout_changes_with_the_tree_of_elements_and_not_else(pair: tuple[Node, Node]) -> None:
    old, new = (_skeleton(root) for root in pair)
    changed = find(digest(pair[0]), digest(pair[1]), ChangeType("layout")).changed
    assert changed == (old != new)


def _skeleton(root: Node) -> str:
    if root.text is not None:
        return ""
    return f"<{root.name}>{''.join(map(_skeleton, root.children))}</{root.name}>"


@settings(max_examples=50, deadline=None)
@given(changed_trees())
def test_the_attributes_before_and_the_findings_give_the_attributes_after(pair: tuple[Node, Node]) -> None:
    count = _attributes(pair[0])
    for one in find(digest(pair[0]), digest(pair[1]), ChangeType("attributes")).objects:
        count[one.object, one.before] -= one.before is not None
        count[one.object, one.after] += one.after is not None
    assert +count == _attributes(pair[1])


def _attributes(root: Node) -> Counter[tuple[str, str | None]]:
    return Counter(
        (f"{node.name}@{name}", value) for node in walk(root) for name, value in node.attributes.items()
    )


@settings(max_examples=50, deadline=None)
@given(changed_trees())
def test_the_comments_before_and_the_findings_give_the_comments_after(pair: tuple[Node, Node]) -> None:
    count = Counter(node.text for node in walk(pair[0]) if node.name == "#comment")
    for one in find(digest(pair[0]), digest(pair[1]), ChangeType("comments")).objects:
        count[one.before] -= one.before is not None
        count[one.after] += one.after is not None
    assert +count == Counter(node.text for node in walk(pair[1]) if node.name == "#comment")


def test_tags_are_counted_as_another_parser_counts_them() -> None:
    before = "<div><p>a</p><p>b</p><img src=x></div>"
    after = "<div><p>a</p><p>b</p><p>c</p><section></section></div>"
    counts = [Counter(node.tag for node in html.fromstring(text).iter()) for text in (before, after)]
    for one in find(page(before), page(after), ChangeType("tags")).objects:
        assert (one.old, one.new) == (counts[0][one.object], counts[1][one.object])
        counts[0][one.object] = counts[1][one.object]
    assert +counts[0] == +counts[1]


def test_a_moved_section_is_moved_and_not_deleted_and_inserted() -> None:
    part = "<section id=news><h2>News</h2><p>Something happened.</section>"
    [moved] = find(
        page(f"<div>{part}</div><aside></aside>"),
        page(f"<div></div><aside>{part}</aside>"),
        ChangeType("layout"),
    ).objects
    assert moved.status == Status.MOVED
    assert moved.object == "section#news"
    assert (moved.before, moved.after) == ("/html/body/div/section", "/html/body/aside/section")


hostile = cache(page)  # parsed once for all aspects


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ASPECTS)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<div class=a>" * 10_000, "<div class=b>" * 10_000),
        ("<div class=a>" * 10_000, "<div class=a><!--x-->" * 10_000),
        ("<p class=a>x" * 15_000, "<p class=a><b>x</b>" * 12_000),
        ("<div>" * 90 + "<p title=x>y" * 15_000, "<div>" * 90 + "<p title=z>y" * 15_000),
        ("", "<p>x"),
    ],
    ids=["deep", "deep with comments", "wide", "wide and deep", "empty"],
)
def test_hostile_pages_are_compared_soon(kind: str, before: str, after: str) -> None:
    old, new = hostile(before), hostile(after)
    started = time.process_time()
    find(old, new, ChangeType(kind))
    assert time.process_time() - started < 8
