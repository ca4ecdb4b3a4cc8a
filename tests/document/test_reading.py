"""Text in reading order (D4): blocks separate, inline elements do not, hidden text is not read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import paths, read, reading, words
from webvigil.document.fast import twins
from webvigil.document.masks import view
from webvigil.document.reading import OwnedTexts, changed_lines, same_headings, step_by_step
from webvigil.model.sentinel import Part


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


HIDING = b"""<title>T</title><div hidden id=d title=u>a<p>b</p><script>s</script></div>
<p>c <i hidden>e</i></p><!--f-->"""


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        # Who asks for a hidden element wants to read it; what else is hidden stays so.
        (Part("css", "title"), "T"),
        (Part("css", "div"), "a\nb"),
        (Part("css", "div p"), "b"),
        (Part("css", "script"), "s"),
        (Part("css", "i"), "e"),
        (Part("css", "p"), "b\nc"),
        (Part("css", "body"), "c"),
        (Part("css", "head"), "T"),
        (Part("css", "html"), "c"),
        (Part("xpath", "//div/@title"), "u"),
        (Part("xpath", "//comment()"), "f"),
        (Part("xpath", "//script/text()"), "s"),
    ],
)
def test_what_is_hidden_is_read_in_a_part_that_consists_of_it(part: Part, shown: str):
    found = view(read(HIDING, "text/html"), within=[part])
    assert found.visible_text == shown


BLOCKS = "<p>a <b>b</b>\n c</p>  d<br> <br>e<div>f <i> g</i>h<p>i</p></div><pre> j\n k </pre>l \xa0<p></p>m"


@pytest.mark.parametrize(
    ("tag", "lines"),
    [
        ("b", ["a b c"]),
        ("p", ["a b c", "i", ""]),
        ("i", ["f gh"]),
        ("div", ["f gh", "i"]),
        ("pre", ["j k"]),
        ("br", [""]),
        ("body", ["a b c", "d", "e", "f gh", "i", "j k", "l", "m"]),
    ],
)
def test_the_lines_around_a_node_are_whole_lines(tag: str, lines: list[str]):
    digest = read(BLOCKS.encode(), "text/html; charset=utf-8")
    assert digest.visible_text.split("\n") == ["a b c", "d", "e", "f gh", "i", "j k", "l", "m"]
    found = [reading.lines_around(digest, node).text for node in digest.nodes_of(tag).tolist()]
    assert "\n".join(dict.fromkeys(found)).split("\n") == lines


def test_a_reading_knows_its_nodes_where_they_begin():
    digest = read(BLOCKS.encode(), "text/html; charset=utf-8")
    shown = digest.shown
    places = [
        (digest.own_text(node).strip(), start) for node, start in zip(shown.nodes, shown.starts, strict=True)
    ]
    assert places == [
        ("a", 0), ("b", 2), ("c", 4), ("d", 6), ("e", 8), ("f", 10), ("g", 12), ("h", 13), ("i", 15),
        ("j\n k", 17), ("l", 21), ("m", 23),
    ]  # fmt: skip
    assert [shown.place_at(offset)[1] for offset in (0, 1, 2, 3, 12, 13, 19, 23)] == [0, 1, 0, 1, 0, 0, 2, 0]
    assert shown.node_at(12) == shown.nodes_at([12])[0] == shown.place_at(12)[0]


@pytest.mark.parametrize(
    ("page", "tag", "text"),
    [
        ("<p>a<nav>b</nav>c</p>", "nav", "a\nc"),
        ("a<i>b</i>c", "i", "ac"),
        ("a<i>b</i>c", "b", "abc"),
        ("<p>a</p><p>b</p>", "p", ""),
        ("<i>a</i><b>b</b>", "i", "b"),
    ],
)
def test_text_outside_of_elements_keeps_its_lines(page: str, tag: str, text: str):
    assert reading.text_outside(read(page.encode(), "text/html"), tag) == text


def test_headings_are_told_with_level_and_node():
    digest = read(b"<h1> a\n<b>b</b></h1><h2 hidden>c</h2><h6>d<h3>e</h3></h6><h7>f</h7>", "text/html")
    nodes = digest.nodes_of("h1", "h6", "h3").tolist()
    assert digest.headings == ((1, "a b", nodes[0]), (6, "d", nodes[1]), (3, "e", nodes[2]))
    assert read(b"<h1>a</h1>", "text/xml").headings == ()


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title> a\n b </title><title>c</title>", "a b"),
        ("<svg><title>x</title></svg>", ""),
        ("<svg><g><title>x</title></g><symbol><title>y</title></symbol></svg>", ""),
        ("<p><title>x</title></p>", "x"),
        ("<title></title><p><title>x", ""),
    ],
)
def test_the_title_is_the_first_that_no_drawing_has(page: str, title: str):
    assert read(page.encode(), "text/html").title == title


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("a\nb\nc", "a\nx\nc", (2, 3, 3)),
        ("a\nb\nc", "a\nb\nc", (4, 5, 5)),
        ("a", "b", (0, 1, 1)),
        ("", "", (0, 0, 0)),
        ("", "a", (0, 0, 1)),
        ("a", "", (0, 1, 0)),
        ("a\nb", "a", (0, 3, 1)),
        ("a", "a\nb", (0, 1, 3)),
        ("ab\nc", "b\nc", (0, 2, 1)),
        ("a\nbc", "a\nb", (2, 4, 3)),
        ("a\na", "a\na\na", (2, 3, 5)),
        ("x\na", "x\ny\na", (2, 3, 5)),
    ],
)
def test_the_lines_that_changed_are_whole_lines(old: str, new: str, lines: tuple[int, int, int]):
    assert changed_lines(old, new) == lines


@pytest.mark.parametrize(
    ("one", "other", "ends"),
    [
        ("", "", (0, 0)),
        ("a", "a", (1, 0)),
        ("aa", "a", (1, 0)),
        ("ab", "cb", (0, 1)),
        ("abc", "axc", (1, 1)),
        ("abab", "abxab", (2, 2)),
        ("aaa", "aaaa", (3, 0)),
        ("xaa", "aa", (0, 2)),
        ("abc", "xyz", (0, 0)),
    ],
)
def test_equal_ends_of_two_texts_do_not_overlap(one: str, other: str, ends: tuple[int, int]):
    twin = reading.equal_ends
    plain = twins["equal_ends"][0] if "equal_ends" in twins else twin
    assert plain(one, other) == twin(one, other) == ends


def test_pieces_are_equal_when_texts_and_lines_are():
    pages = [
        read(page.encode()).pieces
        for page in ("<p>a<b>b</b>", "<div>a<i>b</i>", "<p>a<p>b", "<p>a<b>c</b>", "<p>a")
    ]
    assert [pages[0] == other for other in pages] == [True, True, False, False, False]
    assert pages[0] != "ab"
    assert pages[0].joined("|") == "ab"
    assert pages[2].joined("|") == "a|b"
    assert [*pages[2].texts] == ["a", "b"]


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("a<p>b</p>c", "a\nb\nc"),
        ("a<i>b</i>c", "abc"),
        ("a<br>b", "a\nb"),
        ("a<p hidden>x</p>b", "ab"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
    ],
)
def test_a_part_that_is_hidden_on_the_page_has_its_lines(inside: str, shown: str):
    for element in (f"<div id=d hidden>{inside}</div>", f"<div id=d>{inside}</div>"):
        digest = read(f"{element}<p>z".encode(), "text/html")
        assert view(digest, within=[Part("css", "#d")]).visible_text == shown


@given(st.lists(spaced, max_size=16).map("".join))
def test_without_the_accelerator_a_page_is_read_alike(page: str):
    twins_of_one = [read(page.encode(), "text/html; charset=utf-8") for _ in range(2)]
    for digest, accelerator in zip(twins_of_one, (None, reading.native), strict=True):
        with pytest.MonkeyPatch.context() as patch:
            for module in (reading, words, paths):
                patch.setattr(module, "native", accelerator)
            nodes = list(range(len(digest)))
            assert digest.paths(nodes) == [digest.path(node) for node in nodes]
            assert (digest.shown.text, digest.words.words) is not None
    plain, fast = twins_of_one
    nodes = list(range(len(plain)))
    assert plain.places.known.items() >= {(node, fast.path(node)) for node in nodes[1:]}
    assert plain.shown.text == fast.shown.text
    assert plain.shown.nodes.tolist() == fast.shown.nodes.tolist()
    assert plain.shown.starts.tolist() == fast.shown.starts.tolist()
    assert plain.words.words == fast.words.words
    assert plain.words.starts.tolist() == fast.words.starts.tolist()
    assert plain.words.ends.tolist() == fast.words.ends.tolist()


def test_without_the_accelerator_the_mark_of_line_breaks_is_a_character(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reading, "native", None)
    digest = read(b'["a \\u0000 b", " c", "\\u0000"]', "application/json")
    assert digest.visible_text == "a \0 b\nc\n\0"
    assert read(b'["a  b", " c ", " ", "d"]', "application/json").visible_text == "a b\nc\nd"


@pytest.mark.parametrize("depth", [599, 600, 601, 700])
def test_without_the_accelerator_a_deep_node_has_its_path(depth: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "native", None)
    digest = read(("<a>" * depth + "<b/><b>x</b>" + "</a>" * depth).encode(), "text/xml")
    assert digest.path(depth + 2) == "/a" * depth + "/b[2]"
    assert digest.path(depth + 3) == "/a" * depth + "/b[2]/text()"
    assert digest.path(depth) == "/a" * depth
    assert digest.paths([0, 1, 2]) == ["/", "/a", "/a/a"]
