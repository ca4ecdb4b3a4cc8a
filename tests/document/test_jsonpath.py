"""JSON paths of RFC 9535 on digests: what they find, what they refuse, what they may cost (C14)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import jsonpath as library
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from webvigil.document import PageDigest, jsonpath, read
from webvigil.document.json_tree import Budget, tree_of
from webvigil.document.masks import check, mask, view
from webvigil.errors import PatternRefused
from webvigil.model.sentinel import Part

SHOP = {
    "items": [
        {"name": "lamp", "price": 12.5, "stock": 3, "tags": ["red", "new"], "maker": {"name": "Ada"}},
        {"name": "sofa", "price": 480, "stock": 0, "tags": [], "maker": {"name": "Bo"}},
        {"name": "cup", "price": 4, "sale": True, "tags": ["blue"], "maker": None},
    ],
    "limit": 100,
    "best": "cup",
}


def as_json(value: Any) -> PageDigest:
    return read(json.dumps(value).encode(), "application/json")


def found(value: Any, path: str) -> list[str]:
    digest = as_json(value)
    return digest.paths(jsonpath.select(digest, path))


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("$.items[?@.price < 10]", ["$.items[2]"]),
        ("items[?@.price < $.limit].name", ["$.items[0].name", "$.items[2].name"]),
        ("$.items[?(@.stock)].name", ["$.items[0].name", "$.items[1].name"]),
        ("$.items[?!@.stock].name", ["$.items[2].name"]),
        ("$.items[?@.sale == true].name", ["$.items[2].name"]),
        (
            "$.items[?@.name == $.best && @.price != 5 || @.stock > 2].price",
            ["$.items[0].price", "$.items[2].price"],
        ),
        ("$.items[?count(@.tags[*]) == 2].name", ["$.items[0].name"]),
        ("$.items[?length(@.name) <= 3].name", ["$.items[2].name"]),
        ("$.items[?match(@.name, '[ls].*')].name", ["$.items[0].name", "$.items[1].name"]),
        ("$.items[?search(@.name, 'of')].name", ["$.items[1].name"]),
        ("$.items[?value(@..name) == 'cup'].name", ["$.items[2].name"]),
        ("$.items[?@.maker == null].name", ["$.items[2].name"]),
        ("$.items[?@.tags[?@ == 'blue']].name", ["$.items[2].name"]),
        ("$.items[?@.tags == @.other].name", []),
        ("$.items[?@.nothing == @.other].name", ["$.items[0].name", "$.items[1].name", "$.items[2].name"]),
        ("$..[?@.name == 'Ada']", ["$.items[0].maker"]),
        ("$.items[0,2].name", ["$.items[0].name", "$.items[2].name"]),
        ("$.items[::2].name", ["$.items[0].name", "$.items[2].name"]),
        ("$.items[::-2].name", ["$.items[0].name", "$.items[2].name"]),
        ("$.items[1:0:-1].name", ["$.items[1].name"]),
        ("$['best','limit']", ["$.limit", "$.best"]),
        ("$.items[?@.price < 'a']", []),
        ("$.items[1].tags[?@]", []),
        ("$.items[2][?@]", [f"$.items[2].{name}" for name in ("name", "price", "sale", "tags", "maker")]),
    ],
)
def test_a_path_finds_what_it_says(path: str, places: list[str]):
    assert found(SHOP, path) == places


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("$.a[", "the JSON path '$.a[' cannot be read: unexpected end of query"),
        ("$[?@.a=1]", "the JSON path '$[?@.a=1]' cannot be read: unexpected token '='"),
        ("$[?foo(@)]", "the JSON path '$[?foo(@)]' cannot be read: function 'foo' is not defined"),
        ("$[?length(@.*) > 1]", "cannot be read: length() argument 0 must be of ValueType"),
        ("$[?match(@.a, '(')]", "missing )"),
        ("$[?" + "!" * 900 + "@.a]", "it is nested too deeply"),
        ("$." + "a" * 1000, "the JSON path is too long: at most 1000 characters"),
        ("$" + ".a" * 51, "the JSON path has too many steps: at most 50"),
        ("$[?@.a == 1" + " || @.a == 1" * 80 + "]", ""),
    ],
)
def test_a_path_that_cannot_be_read_is_refused(path: str, said: str):
    if not said:
        assert found([{"a": 1}], path) == ["$[0]"]
        return
    with pytest.raises(PatternRefused) as refused:
        check(Part("json", path))
    assert said in str(refused.value)


def test_a_page_of_another_kind_has_no_json():
    page = read(b"<p>1", "text/html")
    assert not mask(page, Part("json", "$.a")).any()
    with pytest.raises(PatternRefused, match="a JSON path finds parts of JSON; this page is html"):
        jsonpath.select(page, "$.a")


# --- against the library's own search -------------------------------------------------------------

KEYS = ["a", "b", "c"]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([0.5, 1.0, 1e300, -2.5]),
    st.sampled_from(["", "a", "ab", "1"]),
)
DATA = st.recursive(
    VALUES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=20,
)
QUERIES = st.builds(
    lambda root, steps: root + "".join(steps),
    st.sampled_from(["@", "@", "$"]),
    st.lists(st.sampled_from([".a", ".b", "[0]", "[-1]"]), max_size=2),
)
OPERANDS = st.one_of(QUERIES, st.sampled_from(["1", "0.5", "'a'", "true", "null", "''"]))
MANY = st.sampled_from(["@.*", "@..a", "$..b", "@[*][0]", "@[?@.a]", "@..[?@ > 0]", "@[::2]"])
TESTS = st.recursive(
    st.one_of(
        st.builds("{} {} {}".format, OPERANDS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), OPERANDS),
        # The library takes `@` alone for the truth of the value. In the RFC it is a test whether it is there.
        st.one_of(QUERIES.filter(lambda query: len(query) > 1), MANY),
        st.builds("count({}) > {}".format, MANY, st.integers(0, 2)),
        st.builds("value({}) == {}".format, MANY, OPERANDS),
        st.builds("length({}) >= 1".format, QUERIES),
        st.builds("match({}, 'a.*')".format, QUERIES),
        st.builds("search({}, 'b')".format, QUERIES),
    ),
    lambda inner: st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("!({})".format, inner),
    ),
    max_leaves=3,
)
STEPS = st.one_of(
    st.sampled_from(
        [".a", "['b','c']", "[*]", "..*", "..a", "[0]", "[-2]", "[1:]", "[::-1]", "[:-1:2]", "[-1:0:-2]"]
    ),
    st.builds("[?{}]".format, TESTS),
    st.builds("..[?{}]".format, TESTS),
)


class Library(library.JSONPathEnvironment):
    """The library, which takes `true` for 1 where it orders values. In the RFC only numbers and texts have an
    order."""

    def compare(self, left: object, operator: str, right: object) -> bool:
        if operator in ("<", ">", "<=", ">=") and bool in (type(left), type(right)):
            return len(operator) == 2 and super().compare(left, "==", right)
        return super().compare(left, operator, right)


LIBRARY = Library(strict=True)


def is_inside_a_text(value: Any, parts: tuple[int | str, ...]) -> bool:
    """Tells whether a path leads to a letter of a text. The library cuts slices out of texts, too; in the RFC
    a text has no members."""
    for part in parts:
        if isinstance(value, str):
            return True
        value = value[part]
    return False


@settings(max_examples=400, deadline=None)
@example({"a": True}, "$[?true > @]")
@example({"a": ["ab"]}, "$..*[1:]")
@example([True, 0, 1, False], "$[?@ > 0]")
@example([True, 0, 1, False], "$[?@ <= true]")
@given(DATA, st.lists(STEPS, min_size=1, max_size=3).map(lambda steps: "$" + "".join(steps)))
def test_paths_find_what_the_library_finds(value: Any, path: str):
    theirs = {
        "$" + "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in match.parts)
        for match in LIBRARY.finditer(path, value)
        if not is_inside_a_text(value, match.parts)
    }
    assert set(found(value, path)) == theirs


# --- hostile pages and paths ----------------------------------------------------------------------

WIDE = "[" + ",".join(["1"] * 500_000) + "]"
DEEP = "[" * 100_000 + "]" * 100_000
ROWS = json.dumps([{"a": {"b": [n, n + 1]}, "c": "text"} for n in range(28_000)])
SAME = '{"a":' * 1 + "[" + ",".join(['{"a":{"a":1}}'] * 70_000) + "]}"


@cache
def hostile(name: str) -> PageDigest:
    body = {"wide": WIDE, "deep": DEEP, "rows": ROWS, "same": SAME}[name]
    return read(body.encode(), "application/json")


@given(DATA, st.data())
def test_the_node_at_a_path_is_the_first_that_the_path_finds(value: Any, data: st.DataObject):
    digest = read(json.dumps(value).encode(), "application/json")
    nodes = [node for node in range(1, len(digest)) if not digest.is_text[node]]
    path = digest.path(data.draw(st.sampled_from(nodes)))
    for asked in (path, f"{path}[0]", f"{path}[-1]", f"{path}.a", f"{path}.*", f"{path}..a", f"{path}[1:2]"):
        assert jsonpath.node_at(digest, asked) == next(iter(jsonpath.select(digest, asked)), -1)


def test_a_key_that_stands_there_twice_is_found_once():
    digest = read(b'{"a": {"b": 1}, "a": {"c": 2}}', "application/json")
    for path in ("$.a", "$.a.b", "$.a.c", "$.a.d"):
        assert jsonpath.node_at(digest, path) == next(iter(jsonpath.select(digest, path)), -1)


def test_a_path_that_takes_too_long_says_so():
    with pytest.raises(PatternRefused, match=r"the JSON path '.*' takes too long on this page"):
        jsonpath.select(hostile("deep"), "$..[?@..*]")
    assert not mask(hostile("deep"), Part("json", "$..[?@..*]")).any(), "others on the page are not disturbed"


PAGES = ("wide", "deep", "rows", "same")
PATHS = (
    "$..*..*",
    "$..*..*..*..*",
    "$..[?@..*]",
    "$..[?@..[?@..[?@..*]]]",
    "$[?@ == 1 || @ == 2 || @ == 3]",
    "$[?count($..*) > 1]",
    "$..[?$..* ]",
    "$[?@ == $]",
    "$..[?@ == @]",
    "$[?search(@.c, '(x+x+)+y')]",
)


def _pairs() -> Iterator[Any]:
    """Yields every path with every page. A quick run takes every other pair: two pages for each path."""
    for row, path in enumerate(PATHS):
        for column, name in enumerate(PAGES):
            yield pytest.param(path, name, marks=pytest.mark.slow if (row + column) % 2 else ())


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("path", "name"), [*_pairs()])
def test_no_path_holds_a_worker(path: str, name: str):
    digest = hostile(name)
    begun = time.process_time()
    with suppress(PatternRefused):
        jsonpath.select(digest, path)
    assert time.process_time() - begun < 3


def test_a_filter_on_a_hundred_thousand_items_is_no_trouble():
    body = json.dumps([{"p": n} for n in range(100_000)]).encode()
    digest = read(body, "application/json")
    assert len(jsonpath.select(digest, "$[?@.p < 10 || @.p >= 99999]")) == 11


@pytest.mark.parametrize(
    ("body", "path", "count"),
    [
        ('[{"a": 1, "a": 2}]', "$[?@.a == 2]", 1),
        ('[{"a": 1, "a": 2}]', "$[?@.a == 1]", 0),
        ("[1e999, -1e999, 1]", "$[?@ > 5]", 1),
        (f"[{'9' * 5000}, 1]", "$[?@ > 5]", 1),
        (f"[1{'0' * 20}, 1{'0' * 19}1]", f"$[?@ == 1{'0' * 20}]", 1),
        ('["\\ud800", "a"]', "$[?@ == 'a']", 1),
        ("1", "$", 1),
        ("[]", "$[?@.a]", 0),
    ],
)
def test_odd_values_are_compared_as_they_are(body: str, path: str, count: int):
    assert len(jsonpath.select(read(body.encode(), "application/json"), path)) == count


# --- parts ----------------------------------------------------------------------------------------


def test_within_keeps_what_a_path_finds_and_ignore_drops_it():
    digest = as_json(SHOP)
    seen = view(
        digest, [Part("json", "$.items[?@.price < 100]")], [Part("json", "$..tags"), Part("json", "$..maker")]
    )
    assert seen.reading.text.split() == ["lamp", "12.5", "3", "cup", "4", "true"]
    assert "$.items[2].price" in seen.paths(list(range(len(seen))))


# --- places, keys and costs -----------------------------------------------------------------------

ROW = [[0, 1, 2, 3, 4], [], [5], {"a": 6}, 7]


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("$", "$"),
        ("$[*][0]", "$[0][0] $[2][0]"),
        ("$[*][-1]", "$[0][4] $[2][0]"),
        ("$[*][4]", "$[0][4]"),
        ("$[*][5]", ""),
        ("$[*][-5]", "$[0][0]"),
        ("$[*][-6]", ""),
        ("$[0][-2]", "$[0][3]"),
        ("$[0][1:3]", "$[0][1] $[0][2]"),
        ("$[0][:2]", "$[0][0] $[0][1]"),
        ("$[0][3:]", "$[0][3] $[0][4]"),
        ("$[0][2:2]", ""),
        ("$[0][-2:]", "$[0][3] $[0][4]"),
        ("$[0][:-3]", "$[0][0] $[0][1]"),
        ("$[0][-9:2]", "$[0][0] $[0][1]"),
        ("$[0][4:9]", "$[0][4]"),
        ("$[0][5:9]", ""),
        ("$[0][:]", "$[0][0] $[0][1] $[0][2] $[0][3] $[0][4]"),
        ("$[0][::2]", "$[0][0] $[0][2] $[0][4]"),
        ("$[0][1::2]", "$[0][1] $[0][3]"),
        ("$[0][::0]", ""),
        ("$[0][::-1]", "$[0][0] $[0][1] $[0][2] $[0][3] $[0][4]"),
        ("$[0][3:1:-1]", "$[0][2] $[0][3]"),
        ("$[0][4:0:-2]", "$[0][2] $[0][4]"),
        ("$[0][9:2:-1]", "$[0][3] $[0][4]"),
        ("$[0][-1:-4:-1]", "$[0][2] $[0][3] $[0][4]"),
        ("$[0][1::-1]", "$[0][0] $[0][1]"),
        ("$[0][-9::-1]", ""),
        ("$[0][::-9]", "$[0][4]"),
        ("$[0][1,1,3]", "$[0][1] $[0][3]"),
        ("$[2:]", "$[2] $[3] $[4]"),
        ("$[4]", "$[4]"),
        ("$[5]", ""),
        ("$[3].a", "$[3].a"),
        ("$[3].b", ""),
        ("$[3][0]", ""),
        ("$[0].a", ""),
        ("$..[0]", "$[0] $[0][0] $[2][0]"),
        ("$..a", "$[3].a"),
        ("$.*", "$[0] $[1] $[2] $[3] $[4]"),
        ("$..*", "$[0] $[0][0] $[0][1] $[0][2] $[0][3] $[0][4] $[1] $[2] $[2][0] $[3] $[3].a $[4]"),
        ("[0][1]", "$[0][1]"),
        ("a", ""),
        ("$[0][?@ > 2]", "$[0][3] $[0][4]"),
        ("$[?@ == 7]", "$[4]"),
    ],
)
def test_a_path_finds_these_places(path: str, places: str):
    digest = as_json(ROW)
    assert " ".join(digest.paths(jsonpath.select(digest, path))) == places
    first = digest.paths([node]) if (node := jsonpath.node_at(digest, path)) >= 0 else []
    assert first == places.split()[:1]
    assert np.flatnonzero(jsonpath.found_on(digest, path)).tolist() == jsonpath.select(digest, path)


def key(name: str) -> jsonpath.Step:
    return jsonpath.Step((jsonpath.Selector(key=name),))


def place(*numbers: int | None) -> jsonpath.Step:
    return jsonpath.Step((jsonpath.Selector(places=slice(*numbers)),))


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("$", ()),
        ("a.b", (key("a"), key("b"))),
        (".a", (key("a"),)),
        (" $.é ", (key("é"),)),
        ("$['it\\'s']", (key("it's"),)),
        ('$["x\\"y"]', (key('x"y'),)),
        ("$['x\"y']", (key('x"y'),)),
        ("$['\\u00e9' ]", (key("é"),)),
        ("[0]", (place(0, 1),)),
        ("$[ 2 ]", (place(2, 3),)),
        ("$[-1]", (place(-1, None),)),
        ("$[-2]", (place(-2, -1),)),
        ("$[1:2]", (place(1, 2),)),
        ("$[1:]", (place(1, None),)),
        ("$[:2]", (place(None, 2),)),
        ("$[0:0]", (place(0, 0),)),
        ("$[::2]", (place(None, None, 2),)),
        ("$[999999999]", (place(999999999, 1000000000),)),
        ("$.*", (jsonpath.Step((jsonpath.Selector(),)),)),
        ("$[*]", (jsonpath.Step((jsonpath.Selector(),)),)),
        ("$..a", (jsonpath.Step((jsonpath.Selector(key="a"),), deep=True),)),
        ("$..*", (jsonpath.Step((jsonpath.Selector(),), deep=True),)),
        ("$..[0]", (jsonpath.Step((jsonpath.Selector(places=slice(0, 1)),), deep=True),)),
        ("$['a', 0]", (jsonpath.Step((jsonpath.Selector("a"), jsonpath.Selector(places=slice(0, 1)))),)),
        ("$" + ".a" * 50, (key("a"),) * 50),
        ("$." + "a" * 998, (key("a" * 998),)),
        ("." + "a" * 999, (key("a" * 999),)),
    ],
)  # fmt: skip
def test_a_path_is_read_as_steps(path: str, steps: tuple[jsonpath.Step, ...]):
    assert jsonpath.parsed(path) == steps


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("$[]", "the JSON path '$[]' has brackets without a number or a key"),
        ("$[1 2]", "the JSON path '$[1 2]' has brackets without a number or a key"),
        ("$['\\q']", 'the key "\\q" in the JSON path cannot be read'),
        ("$.", "the JSON path '$.' cannot be read: expected a shorthand selector"),
        ("$.a b", "the JSON path '$.a b' cannot be read: unexpected token 'b'"),
        ("$" + ".a" * 51, "the JSON path has too many steps: at most 50"),
        ("$." + "a" * 999, "the JSON path is too long: at most 1000 characters"),
    ],
)
def test_what_is_wrong_with_a_path_is_said(path: str, said: str):
    with pytest.raises(PatternRefused) as refused:
        jsonpath.parsed(path)
    assert str(refused.value) == said
    with pytest.raises(PatternRefused):
        jsonpath.found_on(as_json(ROW), path)


def test_a_path_may_cost_what_its_budget_has():
    budget = Budget("$.a", 5)
    budget.spend(2)
    budget.spend(3)
    budget.spend(0)
    with pytest.raises(PatternRefused) as refused:
        budget.spend(1)
    assert str(refused.value) == "the JSON path '$.a' takes too long on this page"


def spent(digest: PageDigest, path: str) -> int:
    """Returns what a path costs: the least budget that is enough."""
    steps = jsonpath.parsed(path)
    for most in range(1_000):
        with suppress(PatternRefused):
            nodes = np.ones(1, dtype=np.int64)
            jsonpath.followed(tree_of(digest), nodes - 1, nodes, steps, Budget(path, most))
            return most
    raise AssertionError("it costs more than anybody expects")


@pytest.mark.parametrize(
    ("path", "cost"),
    [
        ("$", 0),
        ("$.*", 6),
        ("$.*.*", 6 + 5 + 8),
        ("$..*", 21 + 1 + 20 + 13),
        ("$[4]", 6),
        ("$[?@ == 7]", 6 + 5 + 0 + 3 * 5 + 20 * (11 + 1 + 3 + 3)),
    ],
)
def test_a_path_costs_what_it_looks_at(path: str, cost: int):
    assert spent(as_json(ROW), path) == cost


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0), ("-12", -12), ("1.5", 1.5), ("1e3", 1000.0), ("-0", 0), ("9" * 300, int("9" * 300)),
        ("9" * 301, 1e301), ("9" * 400, float("inf")),
    ],
)  # fmt: skip
def test_numbers_are_read_as_python_has_them(text: str, value: float):
    digest = read(f"[{text}, {text}]".encode(), "application/json")
    tree = tree_of(digest)
    found = tree.values(np.array([2, 4]), Budget("$"))
    assert found == [value, value]
    assert [type(one) for one in found] == [type(value)] * 2


def test_values_are_made_with_all_that_is_in_them():
    value = {"a": [1, {"b": "x", "c": None}, [], ""], "d": True, "e": False, "f": {}, "g": "x"}
    digest = as_json([value, value["a"], "", "y"])
    tree = tree_of(digest)
    nodes = np.array(digest.children(1))
    assert tree.values(nodes, Budget("$")) == [value, value["a"], "", "y"]
    assert tree.values(nodes[:0], Budget("$")) == []


def test_members_and_items_are_found_from_several_nodes_at_once():
    digest = as_json({"x": {"a": 1, "b": 2}, "y": {"b": 3}, "z": [4, 5]})
    tree = tree_of(digest)
    inner = np.array(digest.children(1))
    assert digest.paths(tree.members(inner, "b").tolist()) == ["$.x.b", "$.y.b"]
    assert digest.paths(tree.members(inner[2:], "b").tolist()) == []
    assert digest.paths(tree.items(inner, 1).tolist()) == ["$.z[1]"]
    assert digest.paths(tree.items(inner, 2).tolist()) == []
    assert tree.size == len(digest)
    owners, found = tree.children(np.arange(3), inner, Budget("$"))
    assert (owners.tolist(), digest.paths(found.tolist())) == (
        [0, 0, 1, 2, 2],
        ["$.x.a", "$.x.b", "$.y.b", "$.z[0]", "$.z[1]"],
    )
    owners, found = tree.below(np.arange(3), inner, Budget("$"))
    assert (owners.tolist(), digest.paths(found.tolist())) == (
        [0, 0, 0, 1, 1, 2, 2, 2],
        ["$.x", "$.x.a", "$.x.b", "$.y", "$.y.b", "$.z", "$.z[0]", "$.z[1]"],
    )


MIXED = [
    {"a": 1, "b": "x", "c": [1, 2], "d": {"e": 1}},
    {"a": 2, "b": "xy", "c": []},
    {"a": None, "b": True},
    "xyz",
    [1],
    1.0,
    1,
    True,
]


@pytest.mark.parametrize(
    ("test", "items"),
    [
        ("1 == 1", "01234567"),
        ("1 == 2", ""),
        ("@ == 1", "56"),
        ("@ == 1.0", "56"),
        ("@ == true", "7"),
        ("@ != 1", "012347"),
        ("@ == $[3]", "3"),
        ("@.a == '1'", ""),
        ("@.a < 2", "0"),
        ("@.a <= 2", "01"),
        ("@.a > 1", "1"),
        ("@.a >= 2", "1"),
        ("@.a == null", "2"),
        ("@.zz == null", ""),
        ("@.zz != null", "01234567"),
        ("@.a != @.zz", "012"),
        ("@.zz == @.yy", "01234567"),
        ("@.zz < @.yy", ""),
        ("@.zz <= @.yy", "01234567"),
        ("@.zz >= @.yy", "01234567"),
        ("@.zz > @.yy", ""),
        ("$[0].a == @.a", "0"),
        ("@.b < 'xy'", "0"),
        ("@.b <= 'xy'", "01"),
        ("@.b > 'x'", "1"),
        ("@.b <= true", "2"),
        ("@.b < true", ""),
        ("@.b == true", "2"),
        ("@.c == @.d", "234567"),
        ("@.c", "01"),
        ("!@.c", "234567"),
        ("@.c && @.d", "0"),
        ("@.c || @.a", "012"),
        ("@.c || !@.a", "0134567"),
        ("@.d.e == 1", "0"),
        ("length(@) == 3", "13"),
        ("length(@) == 1", "4"),
        ("length(@) == 4", "0"),
        ("length(@.a) == 1", ""),
        ("length('ab') == 2", "01234567"),
        ("count(@.c[*]) == 2", "0"),
        ("count(@.c[*]) == 0", "1234567"),
        ("count(@.*) > 3", "0"),
        ("value(@.a) == 2", "1"),
        ("value(@.c[*]) == 1", ""),
        ("value(@.*) == 1", "4"),
        ("match(@.b, 'x')", "0"),
        ("match(@.b, 'y|x')", "0"),
        ("match(@, 'x.z')", "3"),
        ("match(@.a, '1')", ""),
        ("match(@.b, @.b)", "01"),
        ("search(@.b, 'y')", "1"),
        ("search(@.b, @.zz)", ""),
        ("!search(@.b, 'x')", "234567"),
        ("@.a == 1, ?@.a == 2", "01"),
    ],
)
def test_a_filter_keeps_what_it_says(test: str, items: str):
    assert found(MIXED, f"$[?{test}]") == [f"$[{item}]" for item in items]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("$[?search(@.b, '(')]", "the expression '(' cannot be used: missing ): ("),
        ("$[?match(@.b, '(')]", "the expression '(' cannot be used: missing ): ("),
        ("$[?@.a[?match(@.b, '(')]]", "the expression '(' cannot be used: missing ): ("),
        ("$[?!(@.c && match(@.b, '('))]", "the expression '(' cannot be used: missing ): ("),
        (
            "$[?search(@, 'a') == 1]",
            "the JSON path \"$[?search(@, 'a') == 1]\" cannot be read: result of search() is not comparable",
        ),
        ("$[?keys(@)]", "the JSON path '$[?keys(@)]' cannot be read: function 'keys' is not defined"),
        ("$[?match(@.b)]", "the JSON path '$[?match(@.b)]' cannot be read: match() requires 2 arguments"),
    ],
)
def test_it_is_said_what_is_wrong_with_a_filter(path: str, said: str):
    with pytest.raises(PatternRefused) as refused:
        check(Part("json", path))
    assert str(refused.value) == said


def test_the_node_at_a_path_is_looked_for_from_the_root_alone():
    digest = as_json({"x": {"a": 1}, "b": [[2, 3]]})
    assert [jsonpath.node_at(digest, path) for path in ("$.a", "$[0]", "$.b[1]", "$")] == [-1, -1, -1, 1]
    (node,) = jsonpath.select(digest, "$.b[0][1]")
    assert jsonpath.node_at(digest, "$.b[0][1]") == node
    assert jsonpath.node_at(as_json(3), "$") == 1
