"""Tests that sdiff marks every node, and that its edit script always leads to the new document (C11)."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.detect.trees import Node, changed_trees, digest, trees
from webvigil.detect import matching
from webvigil.detect.edits import Delete, Insert, Move, Rewrite, SetAttribute, apply, edit_script
from webvigil.detect.sdiff import Mark, sdiff
from webvigil.document import PageDigest, read


def page(body: str) -> PageDigest:
    return read(f"<!doctype html><title>t</title><body>{body}".encode())


def marked(digest: PageDigest, marks: np.ndarray, mark: Mark) -> list[str]:
    return [digest.path(int(node)) for node in np.flatnonzero(marks & np.uint8(mark))]


# --- the law -------------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(changed_trees())
def test_the_edit_script_turns_the_old_tree_into_the_new_one(pair: tuple[Node, Node]) -> None:
    old, new = digest(pair[0]), digest(pair[1])
    assert apply(old, edit_script(old, new)) == new
    assert apply(new, edit_script(new, old)) == old


@settings(max_examples=80, deadline=None)
@given(trees, trees)
def test_unrelated_trees_are_turned_into_each_other(one: Node, other: Node) -> None:
    old, new = digest(one), digest(other)
    assert apply(old, edit_script(old, new)) == new


@settings(max_examples=80, deadline=None)
@given(trees)
def test_a_document_has_not_changed_from_itself(root: Node) -> None:
    old, new = digest(root), digest(root)
    assert not sdiff(old, new).changed
    assert edit_script(old, new) == []


@settings(max_examples=80, deadline=None)
@given(changed_trees())
def test_read_backwards_inserted_is_deleted_and_the_rest_stays(pair: tuple[Node, Node]) -> None:
    old, new = digest(pair[0]), digest(pair[1])
    there, back = sdiff(old, new), sdiff(new, old)
    swap = np.arange(32)
    swap[Mark.INSERTED], swap[Mark.DELETED] = Mark.DELETED, Mark.INSERTED
    assert (swap[there.old.marks] == back.new.marks).all()
    assert (swap[there.new.marks] == back.old.marks).all()
    assert (there.old.partners == back.new.partners).all()
    assert (there.old.below == back.new.below).all()


@settings(max_examples=80, deadline=None)
@given(changed_trees())
def test_marks_say_what_is_true_of_each_node(pair: tuple[Node, Node]) -> None:
    old, new = digest(pair[0]), digest(pair[1])
    difference = sdiff(old, new)
    assert difference.changed == (old != new)
    for node, (mark, partner) in enumerate(zip(difference.old.marks, difference.old.partners, strict=True)):
        if partner < 0:
            assert mark == Mark.DELETED
            continue
        assert difference.new.partners[partner] == node
        assert difference.new.marks[partner] == mark
        assert old.tag(node) == new.tag(int(partner))
        assert bool(mark & Mark.CONTENT) == (old.own_text(node) != new.own_text(int(partner)))
        assert bool(mark & Mark.ATTRIBUTE) == (old.attributes(node) != new.attributes(int(partner)))
        if mark == Mark.SAME and node:
            assert difference.old.partners[old.parents[node]] == new.parents[partner]
    for node in range(len(old)):
        below = difference.old.marks[node + 1 : node + int(old.sizes[node])]
        assert difference.old.below[node] == bool(below.any())


# --- documents too large to be searched node by node ---------------------------------------------


@pytest.fixture
def _coarsely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every document count as too large to be searched node by node."""
    monkeypatch.setattr(matching, "SEARCHED", 0)


coarse = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.usefixtures("_coarsely")
@coarse
@given(changed_trees())
def test_matched_coarsely_the_edit_script_still_leads_to_the_new_tree(pair: tuple[Node, Node]) -> None:
    old, new = digest(pair[0]), digest(pair[1])
    assert apply(old, edit_script(old, new)) == new
    assert apply(new, edit_script(new, old)) == old
    there, back = sdiff(old, new), sdiff(new, old)
    assert (there.old.partners == back.new.partners).all()
    assert there.changed == (old != new)


@pytest.mark.usefixtures("_coarsely")
@coarse
@given(trees, trees)
def test_matched_coarsely_partners_have_one_name_and_one_partner(one: Node, other: Node) -> None:
    old, new = digest(one), digest(other)
    difference = sdiff(old, new)
    for node in np.flatnonzero(difference.old.partners >= 0).tolist():
        partner = int(difference.old.partners[node])
        assert difference.new.partners[partner] == node
        assert old.tag(node) == new.tag(partner)
    assert apply(old, edit_script(old, new)) == new


@pytest.mark.usefixtures("_coarsely")
def test_matched_coarsely_few_changes_are_still_few_edits() -> None:
    """One item came, one went and one has another text, in lists whose items are all different."""
    items = [f"<li>item <b>number {number}</b></li>" for number in range(300)]
    changed = [*items[:40], "<li>fresh</li>", *items[40:200], *items[201:]]
    changed[120] = "<li>item <b>number 119, changed</b></li>"
    old, new = (page(f"<ul>{''.join(listed)}</ul>") for listed in (items, changed))
    assert Counter(type(edit) for edit in edit_script(old, new)) == {Insert: 2, Delete: 1, Rewrite: 1}


@pytest.mark.usefixtures("_coarsely")
def test_matched_coarsely_members_of_a_json_object_have_no_order() -> None:
    old = read(b'{"a": 1, "b": 2, "c": [1, 2]}', "application/json")
    new = read(b'{"c": [1, 2], "b": 3, "a": 1}', "application/json")
    assert [edit.after for edit in edit_script(old, new) if isinstance(edit, Rewrite)] == ["3"]


# --- what a reader would say ---------------------------------------------------------------------


def test_one_new_item_in_a_list_is_one_inserted_subtree() -> None:
    old = page("<ul><li>one<li>two<li>four</ul>")
    new = page("<ul><li>one<li>two<li>three<li>four</ul>")
    difference = sdiff(old, new)
    assert not difference.old.marks.any()
    assert marked(new, difference.new.marks, Mark.INSERTED) == [
        "/html/body/ul/li[3]",
        "/html/body/ul/li[3]/text()",
    ]
    assert [type(edit) for edit in edit_script(old, new)] == [Insert, Insert]


def test_a_changed_text_is_a_content_update_and_its_ancestors_know() -> None:
    old, new = page("<div><p>cheap<p>blue</div>"), page("<div><p>dear<p>blue</div>")
    difference = sdiff(old, new)
    assert marked(new, difference.new.marks, Mark.CONTENT) == ["/html/body/div/p[1]/text()"]
    below = [new.path(int(node)) for node in np.flatnonzero(difference.new.below)]
    assert below == ["/", "/html", "/html/body", "/html/body/div", "/html/body/div/p[1]"]
    assert [type(edit) for edit in edit_script(old, new)] == [Rewrite]


def test_a_changed_attribute_is_marked_at_its_element() -> None:
    old, new = page('<a class=x href="/a">go</a>'), page('<a href="/b">go</a>')
    difference = sdiff(old, new)
    assert marked(new, difference.new.marks, Mark.ATTRIBUTE) == ["/html/body/a"]
    node = int(old.nodes_of("a")[0])
    assert edit_script(old, new) == [
        SetAttribute(node, "class", "x", None),
        SetAttribute(node, "href", "/a", "/b"),
    ]


def test_a_section_taken_elsewhere_has_moved() -> None:
    part = "<section><h2>News</h2><p>Something happened today.</section>"
    old, new = page(f"{part}<p>Rest<p>More"), page(f"<p>Rest<p>More<div>{part}</div>")
    difference = sdiff(old, new)
    assert marked(new, difference.new.marks, Mark.MOVED) == ["/html/body/div/section"]
    assert marked(new, difference.new.marks, Mark.INSERTED) == ["/html/body/div"]
    assert [type(edit) for edit in edit_script(old, new)] == [Insert, Move]


def test_of_two_siblings_that_changed_places_the_smaller_one_moved() -> None:
    large = "<ul>" + "<li>item".join(map(str, range(20))) + "</ul>"
    old, new = page(f"<p>small</p>{large}"), page(f"{large}<p>small</p>")
    assert marked(new, sdiff(old, new).new.marks, Mark.MOVED) == ["/html/body/p"]


def test_a_wrapper_around_the_page_moves_what_it_holds_and_touches_nothing_else() -> None:
    body = "".join(f"<p class=c{number}>Paragraph number {number}" for number in range(30))
    inner = f"<div id=content>{body}</div>"
    old = page(f"<header>Top of it</header>{inner}")
    new = page(f"<div class=wrap><header>Top of it</header>{inner.replace('number 7', 'number 77')}</div>")
    script = edit_script(old, new)
    assert [type(edit) for edit in script] == [Rewrite, Insert, Move, Move]


def test_rows_whose_class_alternates_are_found_again() -> None:
    rows = [f"<td>Row {number}<td>{number * 17}" for number in range(40)]
    old = page("<table>" + "".join(f"<tr class=c{place % 2}>{row}" for place, row in enumerate(rows)))
    rows.insert(3, "<td>Fresh<td>99")
    new = page("<table>" + "".join(f"<tr class=c{place % 2}>{row}" for place, row in enumerate(rows)))
    kinds = [type(edit) for edit in edit_script(old, new)]
    assert kinds.count(Insert) == 5  # the row, its two cells, their two texts
    assert kinds.count(SetAttribute) == 37
    assert len(kinds) == 42


def test_a_deleted_element_is_one_edit() -> None:
    old, new = page("<p>a</p><div><b>x</b><i>y</i></div>"), page("<p>a</p>")
    assert edit_script(old, new) == [Delete(int(old.nodes_of("div")[0]))]


def test_a_sequence_made_to_hash_alike_is_told_apart() -> None:
    """The Thue-Morse sequence and its opposite have the same polynomial hash modulo a power of two, whatever
    the base."""
    ones = [number.bit_count() % 2 for number in range(2048)]
    old, new = (page("".join("<hr>" if one == chosen else "<br>" for one in ones)) for chosen in (0, 1))
    assert sdiff(old, new).changed
    assert apply(old, edit_script(old, new)) == new


# --- bad input -----------------------------------------------------------------------------------

WIDE = 20_000
HOSTILE = {
    "wide, all texts new": (
        "".join(f"<p>{number}" for number in range(WIDE)),
        "".join(f"<p>new {number}" for number in range(WIDE)),
    ),
    "wide, shifted": (
        "".join(f"<p>{number}" for number in range(WIDE)),
        "".join(f"<p>{number}" for number in range(500, WIDE + 500)),
    ),
    "wide, reversed": (
        "".join(f"<p>{number}" for number in range(WIDE)),
        "".join(f"<p>{number}" for number in reversed(range(WIDE))),
    ),
    "wide, all alike": ("<p>x" * WIDE, "<p>x<b>x</b>" * (WIDE // 2)),
    "deep": ("<div>" * 20_000 + "x", "<div>" * 19_000 + "y"),
    "deep and other names": ("<div>" * 20_000 + "x", "<section>" * 20_000 + "x"),
    "deep, all attributes new": ("<div class=a>" * 20_000, "<div class=b>" * 20_000),
    "many small gaps": (
        "".join(f"<ul><li>{number}<li>a {number}</ul>" for number in range(WIDE // 5)),
        "".join(f"<ul><li>b {number}<li>c {number}<li>{number}</ul>" for number in range(WIDE // 5)),
    ),
    "nothing": ("", "<p>x" * 10),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_compared_soon(name: str) -> None:
    old, new = page(HOSTILE[name][0]), page(HOSTILE[name][1])
    started = time.process_time()
    difference = sdiff(old, new)
    assert time.process_time() - started < 5
    assert difference.changed
    assert apply(old, edit_script(old, new)) == new
