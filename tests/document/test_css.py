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
