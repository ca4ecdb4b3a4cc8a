"""CSS selectors find the same nodes in a digest as cssselect finds with lxml."""

import re

import numpy as np
import pytest
from cssselect import HTMLTranslator
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.document import css, read
from webvigil.document.masks import view
from webvigil.errors import PatternRefused
from webvigil.model.sentinel import Part

SELECTORS = (
    """
*; div; p > a; div p; h1 + p; h1 ~ p; .x; p.x.y; #main; [id]; a[href^=http]; a[href$='.html'];
a[href*=e]; [class~=y]; [lang|=en]; p:first-child; p:last-child; p:only-child; :nth-child(2n+1);
:nth-child(3); :nth-last-child(2); p:nth-of-type(2); p:nth-last-of-type(odd); p:first-of-type; a:last-of-type;
b:only-of-type; :not(p); div:not(.x); :is(h1, p) a; :root; p:empty; div:has(a); div:has(> p);
h1:has(+ p); p:has(~ a); a, p;
:nth-child(-n+2); :nth-child(even) > b; body > div > p:nth-child(4n); p:contains('on');
div:contains("two three"); a[href]:not([href='']); P; DIV.x; :link; input:checked; input:disabled""".strip()
    .replace("\n", " ")
    .split("; ")
)

PIECES = re.split(
    r"\|",
    "<div>|</div>|<div id=main class=x>|<p>|<p class='x y'>|</p>"
    "|<a href=http://e.org/a.html>|<a href=''>|</a>"
    "|<h1>|</h1>|<b>|</b>|one|two |three|<br>|<p lang=en-GB>|<!--c-->|"
    "<input type=checkbox checked>|<input disabled>",
)


def by_lxml(digest, selector):
    tree = digest.tree
    xpath = HTMLTranslator().css_to_xpath(selector)
    return sorted(tree.node_of(element) for element in tree.root.getroottree().xpath(xpath))


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join), st.sampled_from(SELECTORS))
@settings(max_examples=400)
def test_a_selector_finds_what_lxml_finds(page, selector):  # D5, L8
    digest = read(page.encode(), "text/html")
    assert np.flatnonzero(css.select(digest, selector)).tolist() == by_lxml(digest, selector)


@pytest.mark.parametrize(
    "selector",
    [
        "",
        "p >",
        "p[",
        "::before",
        "p::first-line",
        ":nonsense",
        "p:nth-child(x)",
        "a!b",
        "p:lang(en)",
        "(" * 3000,
        "a" * 5000,
    ],
)
def test_a_bad_selector_is_refused_with_a_reason(selector):
    with pytest.raises(PatternRefused, match="selector"):
        css.select(read(b"<p>x", "text/html"), selector)


def test_the_case_of_a_value_can_be_left_open():
    digest = read(b"<a rel=NoFollow>", "text/html")
    assert css.select(digest, "a[rel=nofollow i]").sum() == 1
    assert css.select(digest, "a[rel=nofollow]").sum() == 0


def test_names_of_xml_keep_their_case():
    digest = read(b"<r><Item/><item/></r>", "text/xml")
    assert css.select(digest, "Item").sum() == 1


def test_a_selector_on_a_page_without_elements_finds_nothing():
    assert not css.select(read(b"words", "text/plain"), "p").any()


def test_a_long_selector_is_evaluated_without_recursion():
    assert css.select(read(b"<p>x", "text/html"), "p" + ":not(div)" * 400).sum() == 1


def test_a_default_namespace_is_no_hindrance():
    page = b'<urlset xmlns="urn:s" xmlns:i="urn:i"><url><loc>a</loc><i:loc>b</i:loc></url></urlset>'
    digest = read(page, "text/xml")
    for selector, text in (
        ("url > loc", ["a"]),
        ("i|loc", ["b"]),
        ("sm|url sm|loc", ["a"]),
        ("*|loc", ["a", "b"]),
    ):
        nodes = css.select(digest, selector).nonzero()[0].tolist()
        assert [digest.text(node) for node in nodes] == text, selector


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        (":required", ["input", "select"]),
        ("select:required", ["select"]),
        (":enabled", ["input", "select"]),
        (":disabled", ["button"]),
    ],
)
def test_controls_are_found_by_their_state(selector, found):
    page = b"<input required><select required></select><button disabled>Send</button><p>text"
    digest = read(page, "text/html")
    assert [digest.tag(node) for node in np.flatnonzero(css.select(digest, selector))] == found


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("two", ["one two", "three two"]), ("four", ["four"]), ("e t", ["one two", "three two"]), ("five", [])],
)
def test_elements_are_found_by_the_text_that_they_contain(wanted: str, found: list[str]):
    page = read(b"<p>one two</p><p>three <b>tw</b>o</p><p>four</p>", "text/html")
    part = view(page, within=[Part("css", f'p:contains("{wanted}")')])
    assert part.visible_text.splitlines() == found


FULL = read(
    b"""<html id=h lang=en-GB><head id=d><title id=t>T</title><link id=l href=/s></head><body id=b>
<div id=x class="a b" title="">one<p id=p1>two</p><!-- c --><p id=p2 lang=en>three <b id=b1>fo</b>ur</p></div>
<div id=e class=ab><!-- c --></div><a id=k1 href=/a.html>see</a><a id=k2>see</a><area id=r href=/>
<form id=f><input id=i1 type=checkbox checked><input id=i2 disabled required><button id=u disabled>Go</button>
<select id=s disabled><optgroup id=g disabled><option id=o1 selected>1<option id=o2 disabled>2</select>
<textarea id=y disabled></textarea><fieldset id=z disabled>
<p id=q disabled checked selected href=/>ok</fieldset></form>""",
    "text/html",
)


def ids(selector: str) -> str:
    return " ".join(
        str(FULL.attribute(node, "id")) for node in css.select(FULL, selector).nonzero()[0].tolist()
    )


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("*", "h d t l b x p1 p2 b1 e k1 k2 r f i1 i2 u s g o1 o2 y z q"),
        (":not(*)", ""),
        (":root", "h"),
        (":scope", "h"),
        # An element is empty if it holds no element and no text.
        (":empty", "l e r i1 i2 y"),
        (":link", "l k1 r"),
        (":any-link", "l k1 r"),
        (":checked", "i1 o1"),
        (":disabled", "i2 u s g o2 y z"),
        (":enabled", "i1 o1"),
        (":required", "i2"),
        *((f":{state}", "") for state in ("hover", "active", "focus", "visited", "target", "focus-within")),
        ("a:focus-visible, p:hover", ""),
        # Text
        ('p:contains("four")', "p2"),
        (':contains("fo")', "h b x p2 b1"),
        ('div:contains("")', "x e"),
        # Values of attributes
        ("[title]", "x"),
        ('[title=""]', "x"),
        ("[class=ab]", "e"),
        ("div[class!=ab]", "x"),
        ("a[href!='/a.html']", "k2"),
        ("[class~=a]", "x"),
        ('[class~=""]', ""),
        ("[class^=a]", "x e"),
        ('[class^=""]', ""),
        ("[class$=b]", "x e"),
        ('[class$=""]', ""),
        ('[class*="a b"]', "x"),
        ('[class*=""]', ""),
        ("[lang|=en]", "h p2"),
        ("[lang|=en-G]", ""),
        ("[LANG=EN i]", "p2"),
        ("[LANG=EN]", ""),
        # What stands around
        ("div > p", "p1 p2"),
        ("body > b", ""),
        ("body b", "b1"),
        ("p + p", "p2"),
        ("#p2 + p", ""),
        ("#p2 ~ p", ""),
        ("#p1 ~ p", "p2"),
        ("a + a", "k2"),
        ("div ~ a", "k1 k2"),
        (":has(> b)", "p2"),
        (":has(b)", "h b x p2"),
        (":has(+ p)", "p1"),
        (":has(~ p)", "p1"),
        (":has(+ a)", "e k1"),
        (":has(~ area)", "x e k1 k2"),
        ("body:has(> p)", ""),
        # Numbers among siblings
        ("p:first-child", "p1 q"),
        ("p:last-child", "p2 q"),
        ("p:only-child", "q"),
        (":only-child", "h b1 g q"),
        ("div:first-of-type", "x"),
        ("div:last-of-type", "e"),
        ("div:only-of-type", ""),
        ("form:only-of-type", "f"),
        ("form > :nth-child(-n+2)", "i1 i2"),
        ("form > :nth-child(n+5)", "y z"),
        ("form > :nth-child(0n+1)", "i1"),
        ("form > :nth-child(3n-1)", "i2 y"),
        ("form > :nth-child(-2n+5)", "i1 u y"),
        ("form > :nth-last-child(1)", "z"),
        ("form > :nth-last-child(-n+1)", "z"),
        ("form > :nth-last-child(5)", "i2"),
        ("form > :nth-of-type(2)", "i2"),
        ("form > :nth-last-of-type(2)", "i1"),
        ("p:not(:is(#p1, #q))", "p2"),
    ],
)
def test_each_kind_of_selector_finds_its_elements(selector: str, found: str):
    assert ids(selector) == found


QUALIFIED = b"""<?xml version="1.0"?><!DOCTYPE r><r xmlns:i="urn:i" i:k="1"><?p q?><!--c-->
<i:a i:k="v">1</i:a><a>2</a>t</r>"""


@pytest.mark.parametrize(
    ("page", "selector", "found"),
    [
        (QUALIFIED, "*", ["/r", "/r/i:a", "/r/a"]),
        (QUALIFIED, "*|*", ["/r", "/r/i:a", "/r/a"]),
        (QUALIFIED, "i|*", ["/r/i:a"]),
        (QUALIFIED, "i|a", ["/r/i:a"]),
        (QUALIFIED, "a", ["/r/a"]),
        (QUALIFIED, "o|a", []),
        (QUALIFIED, "*|a", ["/r/i:a", "/r/a"]),
        (QUALIFIED, "A", []),
        (QUALIFIED, ":root", ["/r"]),
        (QUALIFIED, ":empty", []),
        (QUALIFIED, ":nth-child(2)", ["/r/a"]),
        (QUALIFIED, ":contains('12t')", ["/r"]),
        (QUALIFIED, "[i|k]", ["/r", "/r/i:a"]),
        (QUALIFIED, "[i|k=v]", ["/r/i:a"]),
        (QUALIFIED, "[i|K]", []),
        (QUALIFIED, "[k]", []),
        (b'<r xmlns="d" xmlns:i="i"><i:a>1</i:a><a>2</a></r>', "i|a", ["/r/i:a"]),
        (b'<r xmlns="d" xmlns:i="i"><i:a>1</i:a><a>2</a></r>', "o|a", ["/r/a"]),
        (b'<r xmlns="d" xmlns:i="i"><i:a>1</i:a><a>2</a></r>', "o|*", ["/r", "/r/a"]),
        (b'<r xmlns="d" xmlns:i="i"><i:a>1</i:a><a>2</a></r>', "a", ["/r/a"]),
    ],
)
def test_prefixes_of_xml_are_told_apart(page: bytes, selector: str, found: list[str]):
    digest = read(page.replace(b"\n", b""), "text/xml")
    assert digest.paths(css.select(digest, selector).nonzero()[0].tolist()) == found


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("p" * 4001, "the selector is too long: at most 4000 characters"),
        ("p >", "the selector 'p >' cannot be used: Expected selector, got <EOF at 3>"),
        ("p::before", "the selector 'p::before' cannot be used: ::before is no part of a page"),
        ("a, p::after", "the selector 'a, p::after' cannot be used: ::after is no part of a page"),
        (
            ":is(" * 790 + "a" + ")" * 790,
            f"the selector '{':is(' * 790}a{')' * 790}' cannot be used: it is nested too deeply",
        ),
        *(
            (f"p:{name}", f"the selector cannot be used: :{name} is not known")
            for name in ("nonsense", "first-line-child", "first-foo", "last-p", "only")
        ),
        ("p:nth-child(x)", "the selector cannot be used: :nth-child wants a form like 2n+1"),
        ("p:nth-last-of-type(y)", "the selector cannot be used: :nth-last-of-type wants a form like 2n+1"),
        ("p:lang(en)", "the selector cannot be used: :lang() is not known"),
        ("p:nth-foo(1)", "the selector cannot be used: :nth-foo() is not known"),
        ("p:last-child(1)", "the selector cannot be used: :last-child() is not known"),
    ],
)
def test_it_is_said_what_is_wrong_with_a_selector(selector: str, said: str):
    with pytest.raises(PatternRefused) as refused:
        css.select(FULL, selector)
    assert str(refused.value) == said


def test_a_selector_of_the_most_characters_is_read():
    assert ids("p" * 4000) == ""
