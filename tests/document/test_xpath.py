"""XPath finds nodes in a digest, and the path of a node leads back to the node."""

import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from webvigil.detect.find import check as check_change
from webvigil.document import PageDigest, read, xpath
from webvigil.document.masks import check, view
from webvigil.errors import PatternRefused
from webvigil.model.sentinel import ChangeType, Part

PAGE = b"""<!DOCTYPE html><title>t</title><div id=a><p class=x>one <b>two</b> three<!--c--></p>
<p>four</p></div>
<svg xmlns="http://www.w3.org/2000/svg"><path d="m"/></svg><o:p @odd="1" x:y=2>strange</o:p>"""


def found(expression, page=PAGE, content_type="text/html"):
    digest = read(page, content_type)
    return [digest.path(int(node)) for node in np.flatnonzero(xpath.select(digest, expression))]


def test_elements_texts_comments_and_attributes_are_found():  # L8
    assert found("//p[@class='x']") == ["/html/body/div/p[1]"]
    assert found("//p/text()[2]") == ["/html/body/div/p[1]/text()[2]"]
    assert found("//comment()") == ["/html/body/div/p[1]/comment()"]
    assert found("//p/@class") == ["/html/body/div/p[1]"]
    assert found("//svg/path") == ["/html/body/svg/path"]
    assert found("//nothing") == []


pieces = st.sampled_from(
    ["<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "text", "<br>", "<!--c-->", "<o:p>", "\x0b"]
)


@given(st.lists(pieces, max_size=15).map("".join))
def test_every_path_finds_its_node(page):  # D4
    digest = read(f"<!DOCTYPE html>{page}".encode(), "text/html")
    for node in range(1, len(digest)):
        path = digest.path(node)
        if ("doctype" not in path and ":" not in path and digest.depths[node] > 1) or digest.tag(
            node
        ) == "html":
            assert np.flatnonzero(xpath.select(digest, path)).tolist() == [node]


def test_prefixes_mean_what_the_document_says():
    page = b'<a xmlns:x="urn:1"><x:b>1</x:b><b>2</b></a>'
    assert found("//x:b", page, "text/xml") == ["/a/x:b"]
    assert found("/a/b/text()", page, "text/xml") == ["/a/b/text()"]


def test_elements_are_numbered_in_any_order():
    tree = read(b"<title>t</title>" + b"<p><!--c-->" * 2_500, "text/html").tree
    elements, stranger = list(tree.root.iter()), etree.Element("p")
    assert tree.node_of(elements[2_100]) == tree.node_of(elements[2_099]) + 1
    assert tree.node_of(elements[0]) == 1
    assert tree.node_of(stranger) is None
    assert tree.node_of(elements[-1]) == tree.node_of(elements[-2]) + 1


def test_json_can_be_searched():
    assert found("//number[. > 1]", b'{"a": [1, 2]}', "application/json") == ["$.a[1]"]


@pytest.mark.parametrize(
    "expression", ["//[", "//p[", "count(//p)", "'text'", "//p[foo()]", "", "a" * 5000, "\0"]
)
def test_a_bad_expression_is_refused_with_a_reason(expression):
    with pytest.raises(PatternRefused, match="XPath"):
        found(expression)


@pytest.mark.parametrize(
    "expression", ["//dc:date", "//dc:*", "//p[@x:y]", "//p[. = 'a:b']/q:r", "count(//dc:date) > 0"]
)
def test_a_prefix_the_page_does_not_know_finds_nothing(expression: str):
    for page, kind in ((b"<p>x</p>", "text/html"), (b"<a xmlns:b='urn:b'><b:c/></a>", "text/xml")):
        assert xpath.values(read(page, kind), expression) in ([], [("false", 0)])


def test_plain_text_has_no_xpath():
    with pytest.raises(PatternRefused, match="markup"):
        found("//p", b"words", "text/plain")


@pytest.mark.parametrize(
    "expression", ["//*[//*[//*]]", "//*[following::*[preceding::*]]", "//p[count(//p) > count(//b)]"]
)
def test_an_expression_that_would_never_end_is_refused(expression):
    started = time.process_time()
    with pytest.raises(PatternRefused, match="too long"):
        found(expression, b"<p>x" * 20_000)
    assert time.process_time() - started < 3


def test_a_page_nested_too_deeply_is_refused():
    with pytest.raises(PatternRefused, match="deep"):
        found("//b", b"<b>" * 20_000 + b"</b>" * 20_000, "text/xml")


ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="urn:m"><entry><title>One</title>
<m:rank>1</m:rank><content><div xmlns="http://www.w3.org/1999/xhtml"><p>x</p></div></content></entry></feed>"""


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        ("//entry/title", "/feed/entry/title"),
        ("/feed/entry/m:rank", "/feed/entry/m:rank"),
        ("//content//p", "/feed/entry/content/div/p"),
        ("//atom:entry/atom:title[. != 'a:b']", "/feed/entry/title"),
        ("//*[local-name()='title']", "/feed/entry/title"),
        ("//*[namespace-uri()='http://www.w3.org/2005/Atom'][.='One']", "/feed/entry/title"),
    ],
)
def test_a_default_namespace_is_no_hindrance(expression, place):
    assert found(expression, ATOM, "application/atom+xml") == [place]
    digest = read(ATOM, "application/atom+xml")
    assert [digest.path(node) for _, node in xpath.values(digest, expression)] == [place]


def test_xhtml_is_searched_by_the_names_of_html():
    page = b'<html xmlns="http://www.w3.org/1999/xhtml"><body><div>x</div></body></html>'
    assert found("//body/div", page, "application/xhtml+xml") == ["/html/body/div"]


def test_names_with_a_colon_are_found_in_html():
    page = b'<svg><use xlink:href="#a"/></svg><g:price>5</g:price>'
    assert found("//use/@xlink:href", page) == ["/html/body/svg/use"]
    assert found("//g:price", page) == ["/html/body/g:price"]


def test_comments_around_the_page_are_found():
    assert found("//comment()", b"<!--a--><p>x</p><!--b-&-->") == ["/comment()", "/html/body/comment()"]
    assert found("//comment()[contains(., '&')]", b"<p>x</p><!--b & c-->") == ["/html/body/comment()"]


def test_the_document_is_its_root():
    assert found("/") == ["/html"]


WORDS = b"<ul><li>Red apple</li><li>green PEAR</li><li>blue plum 7</li></ul><ol><li/></ol>"


@pytest.mark.parametrize(
    ("predicate", "numbers"),
    [
        ("matches(., 'p+')", [1, 3]),
        ("matches(., 'P+', 'i')", [1, 2, 3]),
        ("fn:matches(., '^red')", []),
        ("re:test(., '^red', 'i')", [1]),
        ("matches(., '7$')", [3]),
        ("matches(., '.', 'q')", []),
        ("matches(., '^(?!red)', 'i')", [2, 3]),
        ("ends-with(., 'apple')", [1]),
        ("lower-case(.) = 'green pear'", [2]),
        ("upper-case(substring-before(., ' ')) = 'BLUE'", [3]),
        ("replace(., '(\\w+) (\\w+)', '$2-$1') = 'apple-Red'", [1]),
        ("replace(., ' ', '$ \\') = 'x'", []),
        ("exists(following-sibling::li[2])", [1]),
        ("empty(following-sibling::li)", [3]),
        ("string-join(../li[position() < 3], '+') = 'Red apple+green PEAR' and abs(-2) = 2", [1, 2, 3]),
        ("contains(., 'foo(') or (contains(., 'plum') and (1 = 1))", [3]),
    ],
)
def test_common_functions_of_later_versions_work(predicate, numbers):
    assert found(f"//ul/li[{predicate}]", WORDS) == [f"/html/body/ul/li[{number}]" for number in numbers]


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("//li[tokenize(., ' ')]", "tokenize.*substring-before"),
        ("//li[lowercase(.) = 'a']", "lowercase.*lower-case"),
        ("//li[set:distinct(.)]", "set:distinct"),
        ("//li[contains(.)]", "contains.*2 arguments, not 1"),
        ("//li[position(1)]", "position.*0 arguments, not 1"),
        ("//li[. = $wanted]", r"variables such as \$wanted"),
        ("//li[matches(., '(')]", r"'\('"),
        ("//li[matches(., 'a', 'z')]", "flags"),
        ("//nothing[matches(., 'a', 'i', 'i')]", "matches"),
    ],
)
def test_what_can_have_no_meaning_is_refused_on_every_page(expression, told):
    """Also on a page with no node to ask, and when a sentinel is checked."""
    with pytest.raises(PatternRefused, match=told):
        found(expression, b"<p>x")
    for part in (Part("xpath", expression),):
        with pytest.raises(PatternRefused, match=told):
            check(part)
    with pytest.raises(PatternRefused, match=told):
        check_change(ChangeType("value", (expression,), "xpath"))


def test_functions_do_not_hold_a_worker():
    page = b"<p>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" * 3_000
    started = time.process_time()
    with pytest.raises(PatternRefused, match="too long"):
        found(r"//p[matches(., '^(?=(a|aa)+$)\w+$')]", page)
    assert time.process_time() - started < 3


def written(digest, node, declared=""):
    """Returns a node as XML, written node by node."""
    inside = "".join(written(digest, child) for child in digest.children(node))
    name, text = digest.tag(node), digest.own_text(node)
    if name == "#text":
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\x0b", "\ufffd")
    if name == "#comment":
        return f"<!--{text}-->"
    if name[0] == "#":
        return ""
    attributes = "".join(f' {key}="{value}"' for key, value in digest.attribute_pairs(node))
    return f"<{name}{declared}{attributes}>{inside}</{name}>"


more_pieces = st.one_of(pieces, st.sampled_from(["<i a=1 b=2>", "</i>", "&lt;&amp;", "<!doctype html>"]))


@given(st.lists(more_pieces, max_size=15).map("".join), st.booleans())
def test_a_page_is_written_for_libxml2_as_node_by_node(body: str, qualified: bool):  # L8
    digest = read((body + "<o:p>" * qualified).encode(), "text/html")
    namespaces = xpath._made_up(digest)
    declared = "".join(f' xmlns:{prefix}="{address}"' for prefix, address in namespaces.items())
    plain = "".join(written(digest, node, declared) for node in digest.children(0))
    assert xpath._as_xml(digest, namespaces) == plain


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        # A page of 10 nodes; the sum of all depths is 28, the mean of all subtrees 3.8 nodes.
        ("//p", 28),
        ("/html/body/p", 28),
        ("descendant::p", 28),
        ("//p//b", 38),
        ("//p//b//c", 145),
        ("//p[b]", 28),
        ("//p[.//b]", 38),
        ("//p[contains(., 'a')]", 38),
        ("//p[../b]", 38),
        ("//p/following-sibling::b", 38),
        ("//p[//b]", 100),
        ("//p[following::b]", 100),
        ("//p[preceding::b]//b", 380),
        ("//p[b[//c]]", 100),
        ("//p[.//b[.//c]]", 145),
        ("//p[b][.//c]", 38),
        ("//p[a]//b[c]", 38),
        ("//p['//b']", 28),
        ("count(//p)", 28),
    ],
)
def test_the_cost_of_an_expression_is_estimated(expression: str, cost: int, monkeypatch: pytest.MonkeyPatch):
    digest = read(b"<p>a<b>b</b></p><p>c</p>", "text/html")
    monkeypatch.setattr(xpath, "_VISITS", cost)
    xpath.values(digest, expression)
    monkeypatch.setattr(xpath, "_VISITS", cost - 1)
    with pytest.raises(PatternRefused) as refused:
        xpath.values(digest, expression)
    assert str(refused.value) == (
        "the page is nested too deeply for XPath; use a CSS selector"
        if cost == 28
        else f"the XPath {expression!r} would take too long on this page"
    )


SPACES = b"""<?xml version="1.0"?><!DOCTYPE r><!-- a --><r xmlns="urn:d" xmlns:i="urn:i" i:k="1"
 xml:lang="en"><i:a k="2" i:k="3">1<![CDATA[2]]>3</i:a><?p q?>
<b xmlns:j="urn:i" j:k="4"><c>5</c>6</b>7</r><!-- z -->"""


@pytest.mark.parametrize(
    ("expression", "places", "rows"),
    [
        ("//i:a/@i:k", ["/r/i:a"], [5]),
        ("//@i:k", ["/r", "/r/i:a", "/r/b"], [2, 5, 7]),
        ("//@j:k", ["/r", "/r/i:a", "/r/b"], [2, 5, 7]),
        ("//@k", ["/r/i:a"], [4]),
        ("//@xml:lang", ["/r"], [3]),
        ("//@*", ["/r", "/r", "/r/i:a", "/r/i:a", "/r/b"], [2, 3, 4, 5, 7]),
        ("//i:a/text()", ["/r/i:a/text()"], []),
        ("//processing-instruction()", ["/r/processing-instruction('p')"], []),
        ("//comment()", ["/comment()[1]", "/comment()[2]"], []),
        ("//b/text()", ["/r/b/text()"], []),
        ("//r/text()", ["/r/text()"], []),
        ("//b/node()", ["/r/b/c", "/r/b/text()"], []),
        ("//c", ["/r/b/c"], []),
        ("//x:c", ["/r/b/c"], []),
        ("//i:c", [], []),
        ("//j:a", ["/r/i:a"], []),
        ("//*[@j:k]", ["/r", "/r/i:a", "/r/b"], []),
        ("//*[namespace-uri()='urn:d']", ["/r", "/r/b", "/r/b/c"], []),
        ("//*[name()='i:a']", ["/r/i:a"], []),
        ("//namespace::*", [], []),
    ],
)
def test_names_with_and_without_a_prefix_are_found(expression: str, places: list[str], rows: list[int]):
    digest = read(SPACES.replace(b"\n", b""), "text/xml")
    assert [digest.path(node) for _, node in xpath.values(digest, expression)] == places
    chosen = xpath.chosen(digest, expression)
    assert chosen.rows.nonzero()[0].tolist() == rows
    of_rows = {digest.path(int(node)) for node in digest.attribute_node[rows]}
    assert {digest.path(int(node)) for node in xpath.select(digest, expression).nonzero()[0]} == {
        *places
    } | of_rows
    texts = [digest.attribute_values[value] for value in digest.attribute_value[rows].tolist()]
    assert [text for text, _ in xpath.values(digest, expression) if text is not None] == texts


def test_a_text_of_several_nodes_is_found_as_a_whole():
    digest = read(SPACES.replace(b"\n", b""), "text/xml")
    marked = xpath.select(digest, "//i:a/text()").nonzero()[0].tolist()
    assert [digest.own_text(node) for node in marked] == ["1", "2", "3"]
    page = read(b"<p>1<b>2</b>3</p>4", "text/html")
    for expression, texts in (("//p/text()", ["1", "3"]), ("//b/text()", ["2"]), ("//body/text()", ["4"])):
        found = xpath.select(page, expression).nonzero()[0].tolist()
        assert [page.own_text(node) for node in found] == texts


def tree(digest: PageDigest) -> str:
    return str(etree.tostring(digest.tree.root.getroottree(), encoding="unicode"))


SPACES_WRITTEN = (
    '<!-- a --><r xmlns:i="urn:i" i:k="1" xml:lang="en"><i:a k="2" i:k="3">123</i:a><?p q?>'
    '<b xmlns:j="urn:i" j:k="4"><c>5</c>6</b>7</r><!-- z -->'
)
SOUP = (
    b"<!DOCTYPE html><!-- a--b- --><p o:x=1 o:1=3 @y=2 1z=4 xmlns=5>a<o:p>b</o:p><x_y>c</x_y><a&b>d</a&b>"
    b"\x0ce<!----></p>f<!--end-->"
)
SOUP_WRITTEN = (
    '<!-- a- -b- --><html xmlns:o="urn:x-webvigil:nowhere:o"><head/><body><p o:x="1">a<o:p>b</o:p>'
    "<x_y>c</x_y><a_b>d</a_b>\ufffde<!----></p>f<!--end--></body></html>"
)


@pytest.mark.parametrize(
    ("body", "content_type", "written"),
    [
        (
            SPACES.replace(b"\n", b""),
            "text/xml",
            SPACES_WRITTEN,
        ),
        (
            SOUP,
            "text/html",
            SOUP_WRITTEN,
        ),
        (b"<!--a--->", "text/html", "<!--a- --><html><head/><body/></html>"),
        (b"<a/>", "text/xml", "<a/>"),
        (b"", "text/html", "<html><head/><body/></html>"),
        (
            b'{"a":[1],"b c":null}',
            "application/json",
            '<object><array key="a"><number>1</number></array><null key="b c">null</null></object>',
        ),
        (b"3", "application/json", "<number>3</number>"),
    ],
)
def test_a_page_is_a_tree_of_libxml2(body: bytes, content_type: str, written: str):
    assert tree(read(body, content_type)) == written


@pytest.mark.parametrize(
    ("selector", "written"),
    [
        ("b", '<b xmlns:i="urn:i" xmlns:j="urn:i" j:k="4"><c>5</c>6</b>'),
        ("c", '<c xmlns:i="urn:i" xmlns:j="urn:i">5</c>'),
        (
            "i|a, c",
            '<part xmlns:i="urn:i" xmlns:j="urn:i"><i:a k="2" i:k="3">123</i:a><c>5</c></part>',
        ),
    ],
)
def test_a_part_of_xml_knows_the_prefixes_of_its_page(selector: str, written: str):
    part = view(read(SPACES.replace(b"\n", b""), "text/xml"), within=[Part("css", selector)])
    assert tree(part) == written
    assert [part.path(node) for _, node in xpath.values(part, "//c")] == ["/r/b/c"]


@pytest.mark.parametrize(
    ("part", "expression", "places"),
    [
        (Part("xpath", "//p/text()"), "//text()", ["/html/body/p/text()[1]"]),
        (Part("css", "b"), "//b", ["/html/body/p/b"]),
        (Part("css", "b"), "/b/text()", ["/html/body/p/b/text()"]),
        (Part("css", "b, i"), "//i", ["/html/body/i"]),
        (Part("css", "b, i"), "/*/*", ["/html/body/p/b", "/html/body/i"]),
        (Part("css", "i"), "//b", []),
    ],
)
def test_parts_of_a_page_are_searched_as_pages_are(part: Part, expression: str, places: list[str]):
    found = view(read(b"<p>1<b>2</b>3</p><i>4</i>", "text/html"), within=[part])
    assert [found.path(node) for _, node in xpath.values(found, expression)] == places


def test_a_part_of_a_hundred_texts_numbers_all_of_them():
    page = read(b"<ul>" + b"<li>a" * 1_200 + b"</ul>", "text/html")
    assert [node for _, node in xpath.values(page, "//li[last()]")] == [len(page) - 2]
    assert [node for _, node in xpath.values(page, "//li[999]")] == [5 + 2 * 998]
    assert sys.getsizeof(page.tree) >= 640 * 1_204


@pytest.mark.parametrize(
    ("body", "content_type", "expression", "said"),
    [
        (b"x", "text/plain", "//p", "XPath needs a page with markup; this one is plain"),
        (b"\0", "image/png", "//p", "XPath needs a page with markup; this one is plain"),
        (b"<p>", "text/html", "//p[", "the XPath '//p[' cannot be used: Invalid expression"),
        (b"<p>", "text/html", " ", "the XPath ' ' cannot be used: Invalid expression"),
        (b"<p>", "text/html", "a" * 4001, "the XPath is too long: at most 4000 characters"),
        (b"<p>", "text/html", "'a'", "the XPath \"'a'\" gives a value, not a part of the page"),
        (b"<p>", "text/html", "1 = 1", "the XPath '1 = 1' gives a value, not a part of the page"),
    ],
)
def test_it_is_said_why_a_page_cannot_be_searched(body: bytes, content_type: str, expression: str, said: str):
    with pytest.raises(PatternRefused) as refused:
        xpath.chosen(read(body, content_type), expression)
    assert str(refused.value) == said


def test_an_expression_of_the_most_characters_is_read():
    assert not xpath.select(read(b"<p>", "text/html"), "a" * 4000).any()


@pytest.mark.parametrize(("depth", "is_taken"), [(2_048, True), (2_049, False)])
def test_a_page_has_as_many_levels_as_libxml2_reads(depth: int, is_taken: bool):
    digest = read(b"<a>" * depth + b"</a>" * depth, "text/xml")
    if is_taken:
        assert digest.tree.root.tag == "a"
        return
    with pytest.raises(PatternRefused, match="the page is nested too deeply for XPath; use a CSS selector"):
        assert digest.tree
