"""`Within` and `Ignore` cut a page down to the parts that are watched (D5, L8)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import PageDigest, read
from webvigil.document.masks import _left, check, followed, mask, seen, single, union, view
from webvigil.document.patterns import compile_pattern
from webvigil.document.words import words_of
from webvigil.errors import PatternRefused
from webvigil.model.sentinel import Part

PAGE = b"""<!DOCTYPE html><title>Shop</title><div id=ad>Buy <b>now</b></div><div id=main><h1>Fish</h1>
<p>Cod <span class=price>3.50 &euro;</span></p><p>Eel <span class=price>9 &euro;</span></p>
<p>Seen 117 times, <a href=/c>comments</a></p></div>"""


def page():
    return read(PAGE, "text/html", "https://e.org/")


def test_within_a_selector_is_its_elements_with_all_in_them():
    part = view(page(), within=[Part("css", "span.price")])
    assert part.visible_text == "3.50 €\n9 €"
    assert [part.path(node) for node in part.nodes_of("span").tolist()] == [
        "/html/body/div[2]/p[1]/span",
        "/html/body/div[2]/p[2]/span",
    ]


def test_an_ignored_selector_is_gone_with_all_in_it():
    part = view(page(), ignore=[Part("css", "#ad"), Part("xpath", "//span")])
    assert part.words.words == ["Fish", "Cod", "Eel", "Seen", "117", "times", "comments"]
    assert [part.path(link.node) for link in part.links] == ["/html/body/div[2]/p[3]/a"]
    assert part.links[0].url == "https://e.org/c"


def test_within_and_ignore_go_together():
    part = view(
        page(), within=[Part("css", "#main")], ignore=[Part("css", "h1"), Part("regex", r"\d+ times")]
    )
    assert part.words.words == ["Cod", "3.50", "€", "Eel", "9", "€", "Seen", "comments"]


def test_an_expression_within_keeps_the_texts_that_hold_a_match():
    part = view(page(), within=[Part("regex", r"Seen \d+")])
    assert part.visible_text == "Seen 117 times,"


def test_an_expression_may_run_over_several_nodes():
    assert view(page(), within=[Part("regex", "Buy now")]).visible_text == "Buy now"


def test_words_can_be_kept_or_left_out_in_any_case():
    assert view(page(), within=[Part("words", ("COD",))]).visible_text == "Cod"
    left = view(page(), ignore=[Part("words", ("cod", "seen 117"))])
    assert "Cod" not in left.visible_text
    assert "117" not in left.visible_text
    assert "times" in left.visible_text


def test_a_change_outside_of_the_part_is_not_seen():  # G2
    old = view(page(), within=[Part("css", "#main")])
    moved = read(PAGE.replace(b"<div id=ad>Buy <b>now</b></div>", b"<p>new</p><ul><li>x</ul>"), "text/html")
    new = view(moved, within=[Part("css", "#main")])
    assert old == new
    assert old.structure_hash == new.structure_hash
    assert np.array_equal(old.subtree_hashes, new.subtree_hashes)
    assert new.path(1) == "/html/body/div"


def test_ignoring_a_counter_makes_two_versions_equal():
    later = read(PAGE.replace(b"117", b"118"), "text/html", "https://e.org/")
    ignore = [Part("regex", r"\d+ times")]
    assert page() != later
    assert view(page(), ignore=ignore) == view(later, ignore=ignore)


def test_a_group_looks_at_the_union_of_its_members():  # D5
    digest = page()
    first, second = mask(digest, Part("css", "h1")), mask(digest, Part("css", ".price"))
    assert seen(digest, union([first, second])).words.words == ["Fish", "3.50", "€", "9", "€"]


@pytest.mark.parametrize(
    "part",
    [
        Part("css", "p["), Part("css", ""), Part("xpath", "//["), Part("regex", "("), Part("words", ()),
        Part("words", ("!",)), Part("css", ("a", "b")),
    ],
)  # fmt: skip
def test_a_part_that_cannot_be_read_is_refused(part):
    with pytest.raises(PatternRefused):
        mask(page(), part)
    with pytest.raises(PatternRefused):
        check(part)


@pytest.mark.parametrize(
    "part", [Part("css", "p"), Part("xpath", "//p"), Part("regex", "p"), Part("words", "p")]
)
def test_a_good_part_is_accepted_before_there_is_a_page(part):
    check(part)


pieces = st.sampled_from(
    ["<div>", "</div>", "<p class=x>", "</p>", "<b>", "</b>", "one ", "two", "<br>", "<a href=/>"]
)


@given(st.lists(pieces, max_size=14).map("".join), st.data())
def test_a_part_is_the_tree_without_the_other_nodes(text, data):  # D5
    digest = read(text.encode(), "text/html")
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(digest), max_size=len(digest))))
    part = digest.part(kept)
    kept[0] = True
    assert part.origin.tolist() == np.flatnonzero(kept).tolist()
    for node, old in enumerate(part.origin.tolist()):
        assert part.tag(node) == digest.tag(old)
        assert part.attributes(node) == digest.attributes(old)
        assert part.own_text(node) == digest.own_text(old)
        assert part.path(node) == digest.path(old)
        above = next((one for one in digest.ancestors(old) if kept[one]), None)
        parent = int(part.parents[node])
        assert (None if parent < 0 else int(part.origin[parent])) == above
    assert digest.part(np.ones(len(digest), dtype=bool)) == digest


def test_a_part_of_a_part_still_has_the_paths_of_the_page():
    digest = page()
    inner = view(view(digest, within=[Part("css", "#main")]), within=[Part("css", "a")])
    assert inner.path(1) == "/html/body/div[2]/p[3]/a"
    assert inner.whole is digest


soups = st.lists(st.sampled_from(["<p>", "<b>", "</b>", "a", "b ", " a b", "A", "é"]), max_size=14).map(
    "".join
)


@given(soups, st.sampled_from([r"a", r"a b", r"\w+ \w+", r"(?s)a.*b", r"b\s*a"]))
def test_the_texts_of_a_match_are_those_its_letters_come_from(text, expression):  # D5
    digest = read(text.encode(), "text/html")
    shown = digest.shown
    expected = {
        shown.node_at(place)
        for start, end in compile_pattern(expression).spans(shown.text)
        for place in range(start, end)
        if place >= shown.starts[0]
    }
    assert {*np.flatnonzero(mask(digest, Part("regex", expression))).tolist()} == expected


@given(soups, st.sampled_from(["a", "a b", "É"]))
def test_ignored_words_are_cut_out_of_each_text(text, wanted):  # D5
    digest = read(text.encode(), "text/html")
    part = view(digest, ignore=[Part("words", wanted)])
    words = [word.casefold() for word in wanted.split()]
    for node in np.flatnonzero(digest.is_text).tolist():
        left = words_of(digest.own_text(node))
        for place in range(len(left) - len(words), -1, -1):
            if [word.casefold() for word in left[place : place + len(words)]] == words:
                del left[place : place + len(words)]
        assert words_of(part.own_text(node)) == left


@pytest.mark.parametrize(
    ("body", "part", "left"),
    [
        ("<p>Seen <b>5</b> minutes\n   ago by us</p>", Part("regex", r"\d+ minutes ago"), "Seen by us"),
        ("<p><i>10</i>:<i>30</i> Uhr</p><p>10:45</p>", Part("regex", r"\d+:\d+"), "Uhr"),
        ("<p>In <b>New</b> York, New<br>York</p>", Part("words", ("new york",)), "In , New\nYork"),
        ("<p>a <b>b</b> c d</p>", Part("words", ("a b", "a b c")), "d"),
        ("<p>low<b>er</b> lower</p>", Part("words", ("lower",)), ""),
        ("<p>  a  <b> 1 </b>  b 2  c</p>", Part("regex", r"a 1|2"), "b c"),
    ],
)
def test_ignored_matches_may_run_over_markup(body: str, part: Part, left: str):  # D5
    digest = read(body.encode(), "text/html; charset=utf-8")
    assert view(digest, ignore=[part]).visible_text == left


@pytest.mark.parametrize(
    ("expression", "nodes"),
    [
        ("//@href", ["/x", "a", "/y", "a"]),
        ("//a/@*", ["/x", "t", "a", "/y", "a"]),
        ("//p/text()", ["one ", " three"]),
        ("//p/text() | //a/@href", ["one ", "/x", "a", " three", "/y", "a"]),
        ("//p | //a/@title", ["p", "one ", "t", "a", "two", " three"]),
    ],
)
def test_attributes_and_texts_that_are_chosen_stand_alone_in_the_order_of_the_page(
    expression: str, nodes: list[str]
):
    body = b"<h1>H</h1><p>one <a href=/x title=t>two</a> three</p><ul><li><a href=/y>z</a></ul>"
    part = view(read(body, "text/html", "http://a.test/"), within=[Part("xpath", expression)])
    shown = [part.own_text(node) or part.tag(node) for node in range(1, len(part))]
    assert shown == nodes


@pytest.mark.parametrize(
    ("cuts", "left"),
    [
        ([], "  one   two three "),
        ([(0, 3)], "     two three "),
        ([(3, 4)], "  one  two three "),
        ([(4, 7)], "  one    three "),
        ([(0, 3), (8, 13)], "     two  "),
    ],
)
def test_pieces_are_counted_in_collapsed_white_space(cuts: list[tuple[int, int]], left: str):
    assert _left("  one   two three ", cuts) == left


def html(body: str) -> PageDigest:
    return read(body.encode(), "text/html; charset=utf-8")


def texts_of(digest: PageDigest) -> list[str]:
    return [digest.own_text(node) for node in range(len(digest)) if digest.is_text[node]]


@pytest.mark.parametrize(
    ("body", "expression", "left", "kept"),
    [
        ("<p>Seen <b>5</b> times ago</p>", r"\d+ times", ["Seen ", "", "  ago"], ["5", " times ago"]),
        ("<p>a <b>b</b> c</p>", "a b c", [" ", "", " "], ["a ", "b", " c"]),
        ("<p>xa <b>b</b> cx</p>", "a b c", ["x ", "", " x"], ["xa ", "b", " cx"]),
        ("<p>xa <b>b</b><i>c</i> dx</p>", "a bc d", ["x ", "", "", " x"], ["xa ", "b", "c", " dx"]),
        ("<p>a</p><p>b</p><p>c</p>", r"a\nb", ["", "", "c"], ["a", "b"]),
        ("<p>a</p><p>b</p><p>c</p>", r"b\nc", ["a", "", ""], ["b", "c"]),
        ("<p>a  b</p>", "a b", [""], ["a  b"]),
        ("<p>a\tb</p><p>b</p>", "a b", ["", "b"], ["a\tb"]),
        ("<p>x  a  b  y</p>", "a b", ["x    y"], ["x  a  b  y"]),
        ("<p>a b</p>", "x", ["a b"], []),
        ("<p>1 <b>2</b> 1 <b>2</b></p>", "1 2", [" ", "", "  ", ""], ["1 ", "2", " 1 ", "2"]),
        ("<p>a1 <b>2</b> 3b <i>4</i></p>", "1 2 3", ["a ", "", " b ", "4"], ["a1 ", "2", " 3b "]),
        ("<p>ab<b>c</b></p>", "a", ["b", "c"], ["ab"]),
        ("<p>ab<b>c</b></p>", "b", ["a", "c"], ["ab"]),
        ("<p>ab<b>c</b></p>", "bc", ["a", ""], ["ab", "c"]),
        ("<p>ab<b>c</b></p>", "c", ["ab", ""], ["c"]),
    ],
)  # fmt: skip
def test_an_expression_cuts_its_matches_out_and_keeps_the_texts_of_them(
    body: str, expression: str, left: list[str], kept: list[str]
):
    part = Part("regex", expression)
    assert texts_of(view(html(body), ignore=[part])) == left
    assert texts_of(view(html(body), within=[part])) == kept


@pytest.mark.parametrize(
    ("body", "words", "left", "kept"),
    [
        ("<p>one two one</p>", ("one",), [" two "], ["one two one"]),
        ("<p>one two one</p>", ("one two", "two one"), [" one"], ["one two one"]),
        ("<p>one two three</p>", ("one", "one two"), [" three"], ["one two three"]),
        ("<p>ONE two</p>", ("one",), [" two"], ["ONE two"]),
        ("<p>one <b>two</b> three</p>", ("two three",), ["one ", "", " "], ["two", " three"]),
        ("<p>one <b>two</b> three</p>", ("one two three",), [" ", "", " "], ["one ", "two", " three"]),
        ("<p>one <b>two</b> three</p>", ("Two", "three"), ["one ", "", " "], ["two", " three"]),
        ("<p>one <b>two</b><br>three</p>", ("two three",), ["one ", "two", "three"], ["two", "three"]),
        ("<p>on<b>e</b> two</p>", ("one",), ["", "", " two"], ["on"]),
        ("<p>x, one. y</p><p>one</p>", ("one",), ["x, . y", ""], ["x, one. y", "one"]),
        ("<p>zone one's</p>", ("one",), ["zone one's"], []),
        ("<p>日本</p>", ("本",), ["日"], ["日本"]),
        ("<p>a one</p><p>two b</p><p>c</p>", ("one two",), ["a one", "two b", "c"], ["a one", "two b"]),
        ("<p>b</p><p>one</p>", ("!", "one"), ["b", ""], ["one"]),
    ],
)
def test_words_cut_their_places_out_and_keep_the_texts_of_them(
    body: str, words: tuple[str, ...], left: list[str], kept: list[str]
):
    part = Part("words", words)
    assert texts_of(view(html(body), ignore=[part])) == left
    assert texts_of(view(html(body), within=[part])) == kept


def test_matches_are_cut_out_of_plain_text_line_by_line():
    digest = read(b"one two\nthree", "text/plain")
    assert texts_of(view(digest, ignore=[Part("regex", "one two")])) == ["\n", "three"]
    assert texts_of(view(digest, ignore=[Part("words", "two three")])) == ["one two\n", "three"]
    assert texts_of(view(digest, within=[Part("regex", "three")])) == ["three"]


ALONE = """<h1 title=T>H</h1><!--c--><p id=i class=k>one <a href=/x title=t>two</a> three</p>
<ul><li><a href=/y>z</a></ul>""".replace("\n", "")


@pytest.mark.parametrize(
    ("within", "ignore", "nodes"),
    [
        ("//@href", "", ["'/x'", "a href", "'/y'", "a href"]),
        ("//@href", "//li", ["'/x'", "a href"]),
        ("//comment()", "", ["'c'", "<c>"]),
        ("//comment()|//h1", "", ["h1 title", "'H'", "'c'", "<c>"]),
        ("//@*", "//@href", ["'T'", "h1 title", "'i'", "'k'", "p id class", "'t'", "a title"]),
        ("//p", "//@href", ["p id class", "'one '", "a title", "'two'", "' three'"]),
        (
            "//p|//@title",
            "",
            ["'T'", "h1 title", "p id class", "'one '", "'t'", "a href title", "'two'", "' three'"],
        ),
        (
            "//p|//@title",
            "//@title",
            ["p id class", "'one '", "a href", "'two'", "' three'"],
        ),
        ("//p/@id|//h1", "//h1", ["'i'", "p id"]),
        ("//p/text()", "", ["'one '", "' three'"]),
        ("//p/text()[1]", "", ["'one '"]),
        (
            "",
            "//@href|//body/comment()",
            [
                *("html", "head", "body", "h1 title", "'H'", "p id class", "'one '", "a title", "'two'"),
                *("' three'", "ul", "li", "a", "'z'"),
            ],
        ),
        (
            "",
            "//a|//@title",
            [
                *("html", "head", "body", "h1", "'H'", "<c>", "p id class", "'one '", "' three'"),
                *("ul", "li"),
            ],
        ),
    ],
)
def test_what_an_xpath_chooses_alone_stands_alone(within: str, ignore: str, nodes: list[str]):
    parts = [[Part("xpath", one) for one in several.split("|") if one] for several in (within, ignore)]
    found = view(html(ALONE), *parts)
    shown = [
        repr(found.own_text(node))
        if found.is_text[node]
        else f"<{found.own_text(node)}>" * bool(found.own_text(node))
        or " ".join([found.tag(node), *found.attributes(node)])
        for node in range(1, len(found))
    ]
    assert shown == nodes


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (Part("css", "  "), "css wants one text that is not empty"),
        (Part("css", ("a",)), "css wants one text that is not empty"),
        (Part("xpath", None), "xpath wants one text that is not empty"),
        (Part("regex", ""), "regex wants one text that is not empty"),
        (Part("json", ""), "json wants one text that is not empty"),
        (Part("words", ()), "there is no word among the words"),
        (Part("words", ("!", "")), "there is no word among the words"),
    ],
)
def test_a_part_without_an_argument_is_refused(part: Part, said: str):
    with pytest.raises(PatternRefused) as refused:
        check(part)
    assert str(refused.value) == said
    check(Part("main", None))
    check(Part("words", ("!", "a")))


def test_what_was_chosen_alone_is_followed_to_a_part_that_was_found_again():
    old = html("<div id=a title=t><!--c--><b class=k>x</b></div><p title=u>")
    new = html("<p title=u><section><div id=b title=s><!--d--><b class=m>y</b></div></section>")
    parts = [Part("xpath", "//div/@title"), Part("xpath", "//div/comment()"), Part("css", "b")]
    chosen = single(old, parts)
    assert chosen is not None
    assert [old.attribute_values[value] for value in old.attribute_value[chosen.rows].tolist()] == ["t"]
    assert old.nodes_of("b", "#text").tolist() == chosen.whole.nonzero()[0].tolist()[1:]
    (box,) = new.nodes_of("div").tolist()
    carried = np.zeros(len(new), dtype=bool)
    carried[box : box + int(new.sizes[box])] = True
    found = followed(chosen, old, new, carried)
    assert [new.attribute_values[value] for value in new.attribute_value[found.rows].tolist()] == ["s"]
    assert not found.leaves.any()
    assert not found.whole.any()
    assert single(old, [Part("css", "b")]) is None
    assert single(old, [Part("xpath", "//b")]) is None
    leaf = np.arange(len(new)) == new.nodes_of("#comment")[0]
    again = followed(chosen, old, new, leaf)
    assert (again.leaves.tolist(), again.rows.any(), again.whole.tolist()) == (
        leaf.tolist(),
        False,
        leaf.tolist(),
    )
