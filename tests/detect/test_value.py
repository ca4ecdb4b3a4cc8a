"""Tests of values on a page: found by a selector, and compared by what they mean (C14)."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.detect.laws import assert_lawful
from webvigil.detect import product, value
from webvigil.detect.find import find
from webvigil.document import PageDigest, jsonpath, read
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def page(body: str) -> PageDigest:
    return read(f"<!doctype html><html><head><title>t</title></head><body>{body}</body></html>".encode())


def as_json(data: Any) -> PageDigest:
    return read(json.dumps(data).encode(), "application/json")


def changes(
    old: PageDigest, new: PageDigest, how: str, what: str
) -> list[tuple[str, str | None, str | None]]:
    objects = assert_lawful(old, new, ChangeType("value", (what,), how))
    return [(str(one.status), one.before, one.after) for one in objects]


PRICE = '<div id=p><span class="price">{}</span> per night</div>'


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ("css", "span.price"),
        ("css", "#p > span"),
        ("xpath", "//span[@class='price']"),
        ("xpath", "//span/text()"),
        ("xpath", "string(//span)"),
        ("regex", r"[$€][\d.,]+"),
    ],
)
def test_a_price_is_found_and_its_change_told(how: str, what: str) -> None:
    old, new = page(PRICE.format("$20.00")), page(PRICE.format("$18.00"))
    assert changes(old, new, how, what) == [("u", "$20.00", "$18.00")]
    finding = find(old, new, ChangeType("value", (what,), how))
    assert finding.note == "-2.00 USD (-10%)"
    assert changes(old, page(PRICE.format("$20")), how, what) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<strong>New!</strong><p>Bolt</p>", "<strong>Sale -20%</strong><p>Bolt</p>"),
        ("<b>Available</b> <i>Bolt</i>", "<b>Sold out</b> <i>Bolt</i>"),
        ("<i>3 minutes ago</i> EUR/USD", "<i>just now</i> EUR/USD"),
        ("<a>Gold 5.20</a>", "<a>Gold 6.30</a>"),
    ],
)
def test_a_value_is_followed_whatever_stands_beside_it(before: str, after: str) -> None:
    nut = "<div class=card><p>Nut</p><span class=v>1.00</span></div>"
    card = "<div class=card>{}<span class=v>{}</span></div>" + nut
    old, new = page(card.format(before, "5.20")), page(card.format(after, "6.30"))
    assert changes(old, new, "css", ".v") == [("u", "5.20", "6.30")]


def test_where_a_value_stands_is_told() -> None:
    old, new = page(PRICE.format("5")), page(PRICE.format("6"))
    [one] = find(old, new, ChangeType("value", ("span.price",), "css")).objects
    assert one == ObjectChange(
        object="span.price", status=one.status, before="5", after="6", where=("/html/body/div/span",)
    )


def test_a_value_that_went_is_gone() -> None:
    assert changes(page(PRICE.format("$20")), page("<p>sold out"), "css", "span.price") == [
        ("d", "$20", None)
    ]


def test_an_element_without_text_speaks_through_its_attributes() -> None:
    old, new = page('<meta itemprop=price content="19.90">'), page('<meta itemprop=price content="17.90">')
    assert changes(old, new, "css", "meta[itemprop=price]") == [("u", "19.90", "17.90")]
    old, new = page('<a href="?page=3">x</a>'), page('<a href="?page=4">x</a>')
    assert changes(old, new, "xpath", "//a/@href") == [("u", "?page=3", "?page=4")]


def test_xpath_may_count() -> None:
    old, new = page("<ul><li>a<li>b</ul>"), page("<ul><li>a<li>b<li>c</ul>")
    assert changes(old, new, "xpath", "count(//li)") == [("u", "2", "3")]


def test_several_values_are_followed_through_the_changes_around_them() -> None:
    rows = [f"<tr><td>Item {number}<td class=n>{number}0</tr>" for number in range(1, 6)]
    old = page("<table>" + "".join(rows))
    new = page("<table><tr><td>Fresh<td class=n>7</tr>" + "".join(rows).replace("40", "44"))
    assert sorted(changes(old, new, "css", "td.n"), key=str) == [("i", None, "7"), ("u", "40", "44")]


def test_json_is_asked_by_path() -> None:
    data = {"items": [{"price": 5, "name": "a"}, {"price": 7.5, "name": "b"}]}
    old = as_json(data)
    data["items"][1]["price"] = 8.0
    [one] = find(old, as_json(data), ChangeType("value", ("$.items[1].price",), "json")).objects
    assert (one.before, one.after, one.where) == ("7.5", "8.0", ("$.items[1].price",))
    assert changes(old, as_json(data), "json", "$..price") == [("u", "7.5", "8.0")]
    assert changes(old, as_json(data), "json", "$.items[0].price") == []


def test_json_inside_a_page_is_asked_too() -> None:
    script = '<script type="application/ld+json">{{"offers": {{"price": "{}"}}}}</script>'
    old, new = page(script.format("19.99")), page(script.format("18.99"))
    assert changes(old, new, "json", "$.offers.price") == [("u", "19.99", "18.99")]
    assert changes(old, page('<script type="application/json">{broken'), "json", "$.offers.price") == [
        ("d", "19.99", None)
    ]


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ("css", "span["),
        ("xpath", "//span["),
        ("regex", "(["),
        ("json", "items ="),
        ("json", "$.items["),
        ("json", "$[]"),
        ("json", "$" + ".a" * 60),
        ("color", "red"),
        ("css", ""),
    ],
)
def test_a_selector_that_cannot_be_read_is_refused(how: str, what: str) -> None:
    with pytest.raises(PatternRefused):
        find(page("<p>1"), page("<p>2"), ChangeType("value", (what,), how))


values = st.sampled_from(["1", "2", "3", "1.0", "$5", "€5", "x", "", "12 March 2026"])


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        (r"Model 5 costs (\d+)", "20"),
        (r"Model 5 costs (?P<price>\d+) (EUR)", "20"),
        (r"(Größe \d)|costs (\d+)", "20"),
        (r"(?<=costs )(\d)\d", "2"),
        (r"costs (?:\d+)", "costs 20"),
        (r"costs( never)? \d+", "costs 20"),
    ],
)
def test_a_group_in_the_expression_says_which_part_is_the_value(expression: str, found: str):
    digest = page("<p>Modèle: Model 5 costs 20 EUR</p>")
    (one,) = value.found(digest, ChangeType("value", (expression,), "regex"))
    assert (one.value.text, digest.path(digest.parent(one.node))) == (found, "/html/body/p")


@settings(max_examples=80, deadline=None)
@given(st.lists(values, max_size=5), st.lists(values, max_size=5), st.sampled_from(["css", "regex"]))
def test_the_laws_hold_for_any_values(before: list[str], after: list[str], how: str) -> None:
    old, new = (page("".join(f"<p>{value}</p>" for value in listed)) for listed in (before, after))
    assert_lawful(old, new, ChangeType("value", ("p" if how == "css" else r"[$€]?\d+(\.\d+)?",), how))


# --- JSON paths against plain Python -------------------------------------------------------------

DATA = {"a": {"b": [10, {"b": 11}, [12, 13]]}, "b": "x", "a key": [{"b": None}, 14], "c'd": 15}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$.b", ["x"]),
        ("$.a.b[0]", ["10"]),
        ("$.a.b[-1][1]", ["13"]),
        ("$['a key'][1]", ["14"]),
        ('$["a key"][*].b', ["null"]),
        ("$['c\\'d']", ["15"]),
        ("$.a.b[0:1]", ["10"]),
        ("$.a.b[2][0:]", ["12", "13"]),
        ("$.a.b[-1:][*]", ["12", "13"]),
        ("$.a.b[9]", []),
        ("$.nothing.here", []),
        ("$[*][*].b", ["null"]),
        ("$..b", ["101112 13".replace(" ", ""), "11", "x", "null"]),
        ("$..[0]", ["10", "12", "null"]),
        ("$.b.c", []),
    ],
)
def test_a_json_path_finds_what_it_says(path: str, expected: list[str]) -> None:
    digest = as_json(DATA)
    found = [digest.text(node) for node in jsonpath.select(digest, path)]
    assert sorted(found) == sorted(expected)


data = st.recursive(
    st.integers(0, 9),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(data, st.sampled_from("xyz"), st.integers(-3, 3))
def test_json_paths_agree_with_python(value: Any, key: str, place: int) -> None:
    digest = as_json(value)
    inside = list(walk(value))
    by_key = [one[key] for one in inside if isinstance(one, dict) and key in one]
    by_place = [one[place] for one in inside if isinstance(one, list) and -len(one) <= place < len(one)]
    for path, expected in ((f"$..{key}", by_key), (f"$..[{place}]", by_place)):
        found = [digest.text(node) for node in jsonpath.select(digest, path)]
        assert sorted(found) == sorted("".join(map(str, leaves(one))) for one in expected)


def walk(value: Any) -> Any:
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


def leaves(value: Any) -> list[int]:
    return [one for one in walk(value) if isinstance(one, int)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("how", "what", "before", "after"),
    [
        ("css", "p", "<p>1" * 10_000, "<p>2" * 10_000),
        ("css", "div", "<div>1" * 2_000, "<div>2" * 2_000),
        ("regex", r"\d", "1 " * 5_000, "2 " * 5_000),
        ("xpath", "//p", "<p>1" * 10_000, "<b>x</b><p>2" * 10_000),
    ],
)
def test_many_values_are_compared_soon(how: str, what: str, before: str, after: str) -> None:
    old, new = page(before), page(after)
    started = time.process_time()
    find(old, new, ChangeType("value", (what,), how))
    assert time.process_time() - started < 8


_JSON = '{"a": {"price": %s}, "items": [{"n": "<b>one</b> &amp; \\"x\\""}]}'


@pytest.mark.parametrize(
    "path", ["$.a.price", "a.price", ".a.price", "..price", "$['a'].price", "['a'].price"]
)
@pytest.mark.parametrize(
    ("content_type", "around"),
    [
        ("application/json", "%s"),
        ("text/plain", "%s"),
        ("text/html", "%s"),
        ("text/html; charset=utf-8", "\ufeff\n %s\n"),
        ("application/javascript", "%s"),
        ("text/javascript", "cb.done(%s);"),
        ("application/json", ")]}',\n%s"),
        ("text/plain", "while(1);%s"),
        ("text/plain", "for (;;); %s"),
        ("text/html", "<html><body><pre>%s</pre></body></html>"),
    ],
)
def test_json_is_found_whatever_its_type_says(content_type, around, path):
    change = ChangeType("value", (path,), "json")
    pages = [read((around % (_JSON % price)).encode(), content_type) for price in (5, 6)]
    (one,) = find(*pages, change).objects
    assert (one.before, one.after) == ("5", "6")


def test_json_that_is_called_html_is_read_as_it_is_written():
    page = read((_JSON % 5).encode(), "text/html")
    (one,) = value.found(page, ChangeType("value", ("items[0].n",), "json"))
    assert one.value.text == '<b>one</b> &amp; "x"'


@pytest.mark.parametrize(
    "page", ["{{ template }} <p>x</p>", "[1] Notes", "{", "{'a': 1}", "(1)", "f(x) = {}"]
)
def test_what_is_no_json_stays_what_it_was(page):
    assert read(page.encode(), "text/html").kind == "html"
    for content_type in ("text/html", "text/plain"):
        assert value.found(read(page.encode(), content_type), ChangeType("value", ("a",), "json")) == []


@pytest.mark.parametrize("module", [value, product])
@pytest.mark.parametrize(("many", "told", "ends"), [(1, 1, ""), (9, 9, ""), (10, 10, ""), (11, 10, "; …")])
def test_a_note_tells_by_how_much_the_first_ten_values_changed(module: Any, many: int, told: int, ends: str):
    moved = ObjectChange("price", Status.UPDATED, before="5", after="6")
    still = [
        moved._replace(after="sold out"),
        moved._replace(status=Status.NEW, before=None),
        moved._replace(status=Status.GONE, after=None),
    ]
    said = module.note(ChangeType("value"), [*still, *[moved] * many])
    assert said == "; ".join(["+1 (+20%)"] * told) + ends


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_of_several_values_those_that_mean_the_same_have_not_changed(count: int):
    old = page("".join(f"<b>{n},000.00</b>" for n in range(1, 5)))
    new = page("".join(f"<b>{n}000</b>" if n > count else f"<b>{n}001</b>" for n in range(1, 5)))
    found = find(old, new, ChangeType("value", ("b",), "css")).objects
    assert [(one.status, one.before, one.after) for one in found] == [
        ("u", f"{n},000.00", f"{n}001") for n in range(1, count + 1)
    ]
