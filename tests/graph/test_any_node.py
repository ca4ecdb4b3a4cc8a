"""Tests that every change type sees the texts, attributes and comments within an XPath (L8, D5).

The expected result comes from lxml: if its selections on both documents differ there is a change, and if they
are equal there is none.
"""

from __future__ import annotations

import re

import pytest
from lxml import etree, html

from webvigil.detect.find import evaluate
from webvigil.document import read
from webvigil.document.masks import view
from webvigil.graph.by_hand import cut
from webvigil.graph.part import views
from webvigil.language import parse
from webvigil.model.change import Finding
from webvigil.model.sentinel import ChangeType, Part

XML = """<rss xmlns:m="urn:m" version="2.0"><channel><title>News</title><!-- built one -->
<item id="i7" m:rank="r1"><title>Apples <![CDATA[cost]]> five</title><link>http://x.org/1</link></item>
<item id="i8"><title>Pears<b>bold</b>behind</title><?app state=1?></item></channel></rss>"""
HTML = """<!DOCTYPE html><!-- built one --><html><head><title>News</title></head><body>
<h1 class="i7">Apples</h1><a href="/one" title="tip">link</a> tail <p data-x="r1">Pears<b>bold</b>behind</p>
<script>state=1</script></body></html>"""
EDITS = [
    ("News", "Olds"), ("built one", "built two"), ("i7", "i9"), ("r1", "r2"), ("Apples", "Plums"),
    ("cost", "want"), ("x.org/1", "x.org/2"), ("bold", "thin"), ("behind", "before"), ("state=1", "state=2"),
    ("/one", "/two"), ("tip", "top"), ("tail", "head"),
]  # fmt: skip
EXPRESSIONS = [
    "//title", "//title/text()", "//item/title/text()", "//@id", "//@class", "//@m:rank", "//a/@href",
    "//@*", "//p/@data-x", "//p/text()", "//p/text()[2]", "//comment()", "//processing-instruction()",
    "//a/@title | //comment() | //p/text()", "//script", "//script/text()", "//item/@id | //title/text()",
    "//a/following-sibling::text()[1]", "//b/text() | //b", "//head/title",
]  # fmt: skip
READING = [
    "any change", "all words", "content", "keywords: {olds, news, one, two, i7, i9, r1, r2, apples, plums}",
    r"regular expression {\w+}", "phrase: {built one}",
]  # fmt: skip


def compare(kind: str, old: str, new: str, expression: str, monitor: str) -> bool:
    (sentinel,) = parse(
        f"Create Sentinel s Using https://a.org/ Monitor {monitor} Within xpath {{{expression}}}"
    )
    pages = [read(text.encode(), f"text/{kind}", "https://a.org/") for text in (old, new)]
    seen = views(pages[0], pages[1], sentinel)
    assert not isinstance(seen, Finding)
    assert sentinel.monitor is not None
    return evaluate(*seen, sentinel.monitor).changed


def selected(kind: str, text: str, expression: str) -> list[str]:
    root = html.document_fromstring(text) if kind == "html" else etree.fromstring(text)
    found = root.xpath(expression, namespaces={"m": "urn:m"})
    return [one if isinstance(one, str) else one.xpath("string(.)") for one in found]


def words(texts: list[str]) -> str:
    return " ".join(" ".join(texts).split())


def pairs():
    for kind, page in (("xml", XML), ("html", HTML)):
        for before, after in EDITS:
            if before in page:
                yield kind, page, page.replace(before, after)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_an_expression_selects_is_what_is_watched(expression):
    found = 0
    for kind, old, new in pairs():
        before, after = (selected(kind, text, expression) for text in (old, new))
        if before:
            found += 1
            told = compare(kind, old, new, expression, "any change")
            assert told == (before != after), (kind, before, after)
    assert found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("monitor", READING)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_type_that_reads_reads_what_is_selected(expression, monitor):
    for kind, old, new in pairs():
        before, after = (words(selected(kind, text, expression)) for text in (old, new))
        if not before or "*" in expression or expression in ("//title", "//head/title", "//b/text() | //b"):
            continue
        looked_for = re.findall(r"[^{}]+", monitor.partition("{")[2])
        if monitor.startswith(("keywords", "phrase")):
            wanted = [one.strip() for text in looked_for for one in text.split(",") if one.strip()]
            count = [[len(re.findall(rf"(?i)\b{one}\b", text)) for one in wanted] for text in (before, after)]
            expected = count[0] != count[1]
        else:
            expected = before != after
        assert compare(kind, old, new, expression, monitor) == expected, (kind, before, after)


def test_attributes_and_comments_keep_their_own_types():
    new = HTML.replace("/one", "/two").replace("built one", "built two")
    assert compare("html", HTML, new, "//a/@href", "attributes")
    assert compare("html", HTML, new, "//a/@href", "all links")
    assert not compare("html", HTML, new, "//a/@title", "attributes")
    assert not compare("html", HTML, new, "//a/@title", "all links")
    assert compare("html", HTML, new, "//comment()", "comments")


def test_a_value_is_looked_for_in_all_of_a_part():
    for kind, page in (
        ("html", "<p>1</p><div><p>5</p></div>"),
        ("xml", "<r><p>1</p><div><p>5</p></div></r>"),
    ):
        assert compare(kind, page, page.replace("5", "6"), "//p", "value xpath '//*'")


def test_an_ignored_attribute_leaves_its_element():
    page = b'<p id="a">one</p>'
    for content_type in ("text/html", "text/xml"):
        part = view(read(page, content_type), ignore=[Part("xpath", "//p/@id")])
        assert part.words.words == ["one"]
        assert not len(part.attribute_node)


def test_an_attribute_is_followed_when_its_element_is_called_otherwise():
    old = HTML.replace("<a ", '<a id="x" ')
    new = HTML.replace("<a ", '<a id="y" ')
    pages = [read(text.encode(), "text/html") for text in (old, new, new.replace("/one", "/two"))]
    within = [Part("xpath", "//a[@id='x']/@href")]
    same = cut(pages[0], pages[1], within, ())
    assert not evaluate(same.old, same.new, ChangeType("any change")).changed
    other = cut(pages[0], pages[2], within, ())
    assert evaluate(other.old, other.new, ChangeType("any change")).changed


def test_parts_of_xhtml_are_read_as_html():
    page = b'<html xmlns="http://www.w3.org/1999/xhtml"><body><div><a href="/one">x</a></div></body></html>'
    part = view(read(page, "application/xhtml+xml", "https://a.org/"), within=[Part("css", "div")])
    assert [link.url for link in part.links] == ["https://a.org/one"]


def test_the_parts_of_attributes_stand_on_lines_of_their_own():
    page = read(b'<p><a href="/one">x</a><a href="/two">y</a></p>', "text/html")
    assert view(page, within=[Part("xpath", "//@href")]).visible_text == "/one\n/two"
