"""Tests of the notes on what a sentinel names and its page lacks, and whether that is grave (V3)."""

from __future__ import annotations

from types import ModuleType

import pytest

from webvigil.detect import carried, lists, tables
from webvigil.detect.find import find
from webvigil.detect.registry import functions_of
from webvigil.document import read
from webvigil.errors import PatternRefused
from webvigil.graph.missing import missing_for
from webvigil.graph.preview import emptied
from webvigil.language import parse
from webvigil.model.sentinel import ChangeType

SHOP = b"""<h1>Shop</h1><p class=price>5 EUR</p><ul><li>one<li>two</ul>
<table><caption>Hours</caption><tr><td>9-5</table>"""


def _missing(clauses: str, page: bytes = SHOP, kind: str = "text/html") -> list[tuple[str, bool]]:
    sentinel = parse(f"Create Sentinel s Using https://shop.test/\nMonitor {clauses}\n")[0]
    return [tuple(one) for one in missing_for(read(page, kind), sentinel)]


@pytest.mark.parametrize(
    "clauses",
    [
        "any change",
        'value css ".price"',
        "keywords: {shop, price} OR keywords: {eur}",
        "keywords all {shop, eur} disappear",
        "phrase: {5 EUR}",
        "regular expression: {\\d+ EUR}",
        'table: {caption "Hours"} AND list: {1}',
        'any change\nWithin css ".price", css ".preis"\nIgnore css \'.none\'',
        'any change\nWhen appears "shop" AND NOT changed > 50%',
        "all images",
    ],
)
def test_what_is_there_is_not_missing(clauses: str):
    assert not any(grave for _, grave in _missing(clauses))


def test_all_that_is_there_leaves_nothing_to_say():
    assert _missing('value css ".price" OR keywords: {shop} OR list: {1}\nWithin css "body"') == []


@pytest.mark.parametrize(
    ("clauses", "words"),
    [
        ('any change\nWithin css ".preis"', 'Within css ".preis" matches nothing on the page'),
        (
            'any change\nWithin css ".a", xpath "//b"',
            'Within css ".a" or Within xpath "//b" matches nothing on the page',
        ),
        ('value css ".preis"', 'there is no value at css ".preis" on the page'),
        ('value json "$.price"', 'there is no value at json "$.price" on the page'),
        ("list: {nine lives}", 'there is no list that is meant by "nine lives" on the page'),
        ('table: {css "#x"}', 'there is no table at css "#x" on the page'),
        ('value css ".price"\nWithin css "ul"', 'there is no value at css ".price" on the page'),
        ('value css ".price"\nIgnore css "p"', 'there is no value at css ".price" on the page'),
        ("product\nWithin css 'ul'", "the page shows no product with a price or an availability"),
    ],
)
def test_a_place_that_is_not_there_is_grave(clauses: str, words: str):
    assert _missing(clauses) == [(words, True)]


@pytest.mark.parametrize(
    ("clauses", "words"),
    [
        (
            "keywords: {shop, waiting list}",
            '"waiting list" is not on the page now; you will be told when it appears',
        ),
        (
            "keywords all {waiting list} appear",
            '"waiting list" is not on the page now; you will be told when it appears',
        ),
        (
            "keywords all {waiting list} disappear",
            '"waiting list" is not on the page now; you will be told when it has come and goes again',
        ),
        ("phrase: {sold out}", '"sold out" is not on the page now; you will be told when it appears'),
        (
            "regular expression: {USD \\d+}",
            'the expression "USD \\d+" matches nothing on the page now; you will be told when it does',
        ),
        (
            'any change\nWhen appears "sold out"',
            '"sold out" is not on the page now; you will be told when it appears',
        ),
        (
            'any change\nWhen NOT (changed > 5% AND disappears "sold out")',
            '"sold out" is not on the page now; you will be told when it has come and goes again',
        ),
        (
            'any change\nWithin css ".price", css ".preis"',
            'Within css ".preis" matches nothing on the page now',
        ),
    ],
)
def test_words_that_are_not_there_may_be_meant_to_appear(clauses: str, words: str):
    assert _missing(clauses) == [(words, False)]


def test_pages_of_every_kind_are_looked_at():
    assert _missing('value xpath "//price"', b"<shop><price>5</price></shop>", "application/xml") == []
    assert _missing('value json "$.price"', b'{"price": 5}', "application/json") == []
    assert _missing("keywords: {price}", b"the price is 5", "text/plain") == []
    assert _missing('value json "$.prize"', b'{"price": 5}', "application/json")[0][1]


def test_a_very_long_text_is_cut():
    words = _missing(f"phrase: {{{'very ' * 200}long}}")[0][0]
    assert len(words) < 300


def test_a_text_of_two_hundred_characters_is_named_whole():
    said = "is not on the page now; you will be told when it appears"
    assert _missing(f"phrase: {{{'x' * 200}}}") == [(f'"{"x" * 200}" {said}', False)]
    assert _missing(f"phrase: {{{'x' * 201}}}") == [(f'"{"x" * 199}…" {said}', False)]


def test_what_cannot_be_read_is_raised():
    with pytest.raises(PatternRefused):
        _missing('any change\nWithin xpath "//p["')


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ('contains "x" in css ".no"', 'When … in css ".no" matches nothing on the page now'),
        ('value < 5 in css ".no"', 'there is no value at css ".no" on the page'),
        ('appears "x" in css ".price"', '"x" is not on the page now; you will be told when it appears'),
    ],
)
def test_what_a_condition_names_and_is_not_there_is_only_worth_a_note(condition: str, words: str):
    assert _missing(f"any change\nWhen {condition}") == [(words, False)]
    assert _missing('any change\nWhen contains "x" in css ".price" OR value < 5 in css ".price"') == []


@pytest.mark.parametrize("kind", ["table", "list"])
@pytest.mark.parametrize(
    "page",
    [
        *(b"<table></table><ul></ul>", b"<table><tr></tr></table><ul><li></ul>", b"<p>Hours</p>"),
        *(b"<table><caption>Hours</caption></table><dl></dl>", b"<table><td>Hours</table><dl><dt>Hours</dl>"),
        SHOP,
    ],
)
@pytest.mark.parametrize(
    ("name", "option"),
    [
        *(
            ("1", ""),
            ("2", ""),
            ("0", ""),
            (" 1 ", "text only"),
            ("1", "caption"),
            ("1" * 7, ""),
        ),
        *(("Hours", ""), ("Hours", "caption"), ("table, ul", "css")),
    ],
)
def test_a_place_is_there_if_it_came_since_the_page_was_empty(kind: str, page: bytes, name: str, option: str):
    digest, change = read(page), ChangeType(kind, (name,), option)
    came = find(emptied(digest), digest, change).objects
    is_there = functions_of(kind).is_there
    assert is_there is not None
    assert bool(came) == is_there(digest, change)


@pytest.mark.parametrize(
    ("page", "media"),
    [
        (b"<ul><li>a<ol><li>b</ol><li>c</ul><table><td>d<table><td>e</table></table>", "text/html"),
        (b"<page><ul><li>a</li></ul><table><td>b</td></table></page>", "text/xml"),
        (b'{"ul": ["a"], "table": ["b"]}', "application/json"),
        (b"1. a", "text/plain"),
    ],
)
@pytest.mark.parametrize("module", [tables, lists])
def test_places_named_by_a_number_are_those_that_would_be_read(module: ModuleType, page: bytes, media: str):
    digest = read(page, media)
    for number in range(5):
        change = ChangeType(module.__name__.rpartition(".")[2].removesuffix("s"), (str(number),))
        found = carried.find(digest, module.grids(digest), change)
        assert module.is_there(digest, change) == (found is not None)
