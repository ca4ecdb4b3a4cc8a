"""Text in reading order (D4): blocks separate, inline elements do not, hidden text is not read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document.reading import OwnedTexts, changed_lines, same_headings, step_by_step


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("one<br>two", "one\ntwo"),
        ("<b>a</b><i>b</i> <u>c</u>", "ab c"),
        ("<p>  many \n spaces </p>", "many spaces"),
        ("<td>1<td>2", "12"),
        ("<table><tr><td>1<td>2<tr><td>3</table>", "1\n2\n3"),
        ("<p>a<script>x</script>b<style>y</style></p>", "ab"),
        ("<p>a<template><p>t</template>b<noscript>n</noscript></p>", "ab"),
        ("<title>T</title><p>x", "x"),
        ("<p hidden>no</p><p>yes", "yes"),
        ("<p>a <span hidden>b</span>c", "a c"),
        ("<div>a<div>b</div>c</div>", "a\nb\nc"),
        ("<ul><li>x<li>y</ul>", "x\ny"),
        ("<textarea>in</textarea><button>go</button>", "in\ngo"),
        ("<select><option>a<option>b</select>", "a\nb"),
        ("<img alt=x>", ""),
        ("<p>a</p>  \n  <p>b</p>", "a\nb"),
        ("x <b> y</b>", "x y"),
        ("<svg><text>drawn</text></svg>", "drawn"),
    ],
)
def test_the_text_is_what_a_reader_sees(page, text):
    assert read(page.encode(), "text/html").visible_text == text


pieces = st.sampled_from(
    ["<p>", "</p>", "<b>", "</b>", "<br>", " a", "b ", "c", "\n", "<div>", "<script>", "</script>"]
)


@given(st.lists(pieces, max_size=14).map("".join))
def test_every_character_leads_back_to_its_node(page):
    digest = read(page.encode(), "text/html")
    raw, shown = digest.reading, digest.shown
    for place, character in enumerate(raw.text):
        node, offset = raw.place_at(place)
        text = digest.own_text(node)
        assert (text[offset] if offset < len(text) else "\n") == character
    for place, character in enumerate(shown.text):
        assert character.isspace() or character in digest.own_text(shown.node_at(place))
    for one in (raw, shown):
        places = range(len(one.text))
        assert one.nodes_at(places) == [one.node_at(place) for place in places]
    assert raw.text.split() == shown.text.split()
    assert digest.words.words == shown.text.split()


def test_what_is_not_html_has_a_line_per_text():
    assert read(b"<a><b>1</b><c>2</c></a>", "text/xml").visible_text == "1\n2"
    assert read(b'{"a": [1, "x"]}', "application/json").visible_text == "1\nx"


spaced = st.sampled_from(
    ["<p>", "</b>", "<b>", "<br>", " ", "\n ", "\xa0", "\u3000", "a", " b\t", "c ", "<td>"]
)


@given(st.lists(spaced, max_size=16).map("".join))
def test_all_at_once_the_same_lines_are_read_as_text_by_text(page):
    digest = read(page.encode(), "text/html; charset=utf-8")
    slowly = step_by_step(digest.pieces)
    assert digest.shown.text == slowly.text
    assert digest.shown.nodes.tolist() == slowly.nodes.tolist()
    assert digest.shown.starts.tolist() == slowly.starts.tolist()


def test_a_text_with_the_mark_of_line_breaks_in_it_is_read_all_the_same():
    digest = read(b'["a \\u0000 b", " c"]', "application/json")
    assert digest.visible_text == "a \0 b\nc"


@given(st.lists(spaced, max_size=10).map("".join), st.lists(spaced, max_size=10).map("".join))
def test_pages_read_alike_when_their_lines_are_the_same(one, other):
    old, new = (read(page.encode(), "text/html; charset=utf-8") for page in (one, other))
    same = old.same_lines(new)
    assert same == (step_by_step(old.pieces).text == step_by_step(new.pieces).text)
    assert old.same_lines(new) == same  # now that the lines are known


# JSON can write any character, so a text may hold the very mark that texts are put together with.
@given(st.lists(st.text("ab \n\t\0\u00a0\u2028", max_size=6), max_size=8))
def test_the_texts_of_many_nodes_are_those_of_each_of_them(texts: list[str]) -> None:
    digest = read(json.dumps(texts).encode(), "application/json", "https://example.org/")
    owners = digest.depths == digest.depths.max()
    owned = OwnedTexts(digest, owners)
    nodes = [*range(len(digest))]
    assert owned.of_all(nodes) == [owned.of(node) for node in nodes]


def test_the_texts_of_table_cells_are_read_together_as_each_alone() -> None:
    page = b"<table><tr><td> a <b>b</b>\n c<p>d</p><td><td><table><tr><td>in</table> out</table>"
    digest = read(page, "text/html", "https://example.org/")
    owned = OwnedTexts(digest, digest.is_tag(("td",)))
    nodes = digest.nodes_of("td").tolist()
    assert owned.of_all(nodes) == [owned.of(node) for node in nodes] == ["a b c d", "", "out", "in"]


TEXTS = st.text("aé日\n .", max_size=20)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_lines_that_changed_stand_between_equal_ones(start, old, new, end):
    before, after = start + old + end, start + new + end
    first, old_end, new_end = changed_lines(before, after)
    assert 0 <= first <= min(old_end, new_end)
    assert before[:first] == after[:first]
    assert before[old_end:] == after[new_end:]
    assert not first or after[first - 1] == "\n"
    assert after[new_end:][:1] in ("", "\n")


_HEADINGS = st.lists(
    st.sampled_from(
        ["<h1>a</h1>", "<h2>a</h2>", "<h2>a b</h2>", "<h2>a <i>b</i></h2>", "<h2><h3>a</h3></h2>", "<p>a</p>"]
    ),
    max_size=4,
)


@given(_HEADINGS, _HEADINGS)
def test_headings_that_are_surely_the_same_are_read_the_same(old, new):
    one, other = (read("".join(parts).encode()) for parts in (old, new))
    named = [[(heading.level, heading.text) for heading in page.headings] for page in (one, other)]
    assert same_headings(one, one)
    assert named[0] == named[1] or not same_headings(one, other)


def test_headings_may_stand_elsewhere_and_be_the_same():
    one, other = (read(f"{start}<h1>a <b>b</b></h1>c<h2>d</h2>".encode()) for start in ("", "<p>x</p>"))
    assert same_headings(one, other)
    assert not same_headings(one, read(b"<h1>a <b>b</b></h1>c<h3>d</h3>"))
