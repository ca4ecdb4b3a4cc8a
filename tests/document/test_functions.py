"""The functions that an XPath may call take as many arguments as in libxml2 and as later standards say."""

from __future__ import annotations

import pytest
from lxml import etree

from webvigil.document import read
from webvigil.document.xpath import values
from webvigil.document.xpath_functions import CORE, LATER, check, matches, replaced, spelled
from webvigil.errors import PatternRefused

NODES = ("count", "sum", "id", "local-name", "namespace-uri", "name")


def told(expression: str) -> str:
    """Returns what is said against an expression; "" if it is taken."""
    try:
        check(expression)
    except PatternRefused as error:
        return str(error)
    return ""


def called(name: str, count: int) -> str:
    return f"{name}({', '.join(['//a' if name in NODES else repr('a')] * count)})"


@pytest.mark.parametrize("name", CORE)
def test_the_functions_of_xpath_1_take_what_libxml2_takes(name: str):
    page = etree.fromstring("<a/>")
    for count in range(5):
        expression = called(name, count)
        try:
            page.xpath(f"//a[{expression}]")
            is_taken = True
        except etree.XPathEvalError:
            is_taken = False
        assert (told(expression) == "") is is_taken, expression


# https://www.w3.org/TR/xpath-functions/; string-join() has a separator of "" if none is given.
@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("matches", {2, 3}),
        ("replace", {3, 4}),
        ("ends-with", {2}),
        ("lower-case", {1}),
        ("upper-case", {1}),
        ("string-join", {1, 2}),
        ("exists", {1}),
        ("empty", {1}),
        ("abs", {1}),
    ],
)
def test_functions_of_later_versions_take_what_their_standard_says(name: str, counts: set[int]):
    assert name in LATER
    assert {count for count in range(6) if not told(f"{name}({', '.join(['.'] * count)})")} == counts


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("count()", "count() takes 1 argument, not 0"),
        ("contains('a')", "contains() takes 2 arguments, not 1"),
        ("last(1)", "last() takes 0 arguments, not 1"),
        ("substring('a')", "substring() takes 2 or 3 arguments, not 1"),
        ("name(a, b)", "name() takes 0 or 1 arguments, not 2"),
        ("concat('a')", "concat() takes at least 2 arguments, not 1"),
        ("cuont(a)", "there is no function cuont(); did you mean count()?"),
        (
            "tokenize(.)",
            "there is no function tokenize(); write substring-before(…) and substring-after(…) instead",
        ),
        ("//a[$x]", "there are no variables such as $x"),
        ("$ p:x", "there are no variables such as $ p:x"),
    ],
)
def test_what_is_wrong_with_a_call_is_said(expression: str, said: str):
    assert told(expression) == f"the XPath {expression!r} cannot be used: {said}"


@pytest.mark.parametrize(
    "expression",
    [
        "//a[text() and node()]",
        "//a[(1 or 2) and (3)]",
        "concat('a,b)', \"c(\", ')')",
        "count(//a[contains(., 'x')][last()])",
        "child::a[not(b)]",
        "//a[matches(., concat('[', 'x'))]",
        "//a[matches(., 'x', 'imsxq')]",
        "//a[matches(., @flags, 'i')]",
        "//a[matches(., '[', @flags)]",
        ")",
    ],
)
def test_what_may_have_a_meaning_is_left_to_the_page(expression: str):
    assert told(expression) == ""


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ("//a[matches(., '[')]", "the expression '[' cannot be used"),
        ("//a[matches(., \"[\", 'i')]", "the expression '(?i)[' cannot be used"),
        ("//a[replace(., '[', 'x')]", "the expression '[' cannot be used"),
        ("//a[matches(., 'x', 'z')]", "the flags of an expression are some of i, m, s, x and q, not 'z'"),
        (
            "//a[replace(., 'x', 'y', 'z')]",
            "the flags of an expression are some of i, m, s, x and q, not 'z'",
        ),
    ],
)
def test_a_pattern_that_is_written_out_is_read_at_once(expression: str, part: str):
    assert part in told(expression)


@pytest.mark.parametrize(
    ("expression", "ours"),
    [
        ("fn:matches(., 'fn:x(')", "matches(., 'fn:x(')"),
        ("re:test(., 're:test(')", "matches(., 're:test(')"),
        ("fn:lower-case (.)", "lower-case (.)"),
        ("fn:x", "fn:x"),
        ("are:test(.)", "are:test(.)"),
    ],
)
def test_the_names_of_other_programs_are_known(expression: str, ours: str):
    assert spelled(expression) == ours


@pytest.mark.parametrize(
    ("text", "pattern", "flags", "found"),
    [
        ("Sale", "sale", "", False),
        ("Sale", "sale", "i", True),
        ("a.b", "a.b", "q", True),
        ("axb", "a.b", "q", False),
        ("AxB.", "b.", "qi", True),
        ("a\nb", "a.b", "", False),
        ("a\nb", "a.b", "s", True),
        ("a\nb", "^b", "m", True),
        ("ab", "a b", "x", True),
    ],
)
def test_flags_change_what_matches(text: str, pattern: str, flags: str, found: bool):
    assert matches(text, pattern, flags) is found


def test_matches_are_replaced_by_their_groups():
    assert replaced("a1 b2", r"([a-z])(\d)", "$2$1") == "1a 2b"
    assert replaced("a1", "A", r"\$x\y", "i") == r"$x\y1"


TAKES = {
    "0 arguments": ("last", "position", "true", "false"),
    "0 or 1 arguments": (
        "local-name", "namespace-uri", "name", "string", "string-length", "normalize-space", "number",
    ),
    "1 argument": (
        "count", "id", "boolean", "not", "lang", "sum", "floor", "ceiling", "round", "lower-case",
        "upper-case", "exists", "empty", "abs",
    ),
    "1 or 2 arguments": ("string-join",),
    "2 arguments": ("starts-with", "contains", "substring-before", "substring-after", "ends-with"),
    "2 or 3 arguments": ("substring", "matches"),
    "3 arguments": ("translate",),
    "3 or 4 arguments": ("replace",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("takes", "name"), [(takes, name) for takes, names in TAKES.items() for name in names]
)
def test_it_is_said_how_many_arguments_a_function_takes(takes: str, name: str):
    expression = f"{name}({', '.join(['a'] * 5)})"
    assert told(expression) == f"the XPath {expression!r} cannot be used: {name}() takes {takes}, not 5"


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("distinct-values", "a predicate such as [not(. = preceding::*)]"),
        ("min", "a predicate such as [not(. > //price)]"),
        ("avg", "sum(…) div count(…)"),
        ("data", "string(…)"),
        ("has-class", "contains(concat(' ', @class, ' '), ' name ')"),
        ("re:match", "matches(text, pattern)"),
        ("root", "/"),
    ],
)
def test_it_is_said_what_to_write_instead_of_a_function(name: str, instead: str):
    assert told(f"{name}(a)") == (
        f"the XPath '{name}(a)' cannot be used: there is no function {name}(); write {instead} instead"
    )


def test_a_function_like_none_is_answered_by_all_that_there_are():
    assert told("zzzz()") == (
        "the XPath 'zzzz()' cannot be used: there is no function zzzz(); there are abs, boolean, ceiling, "
        "concat, contains, count, empty, ends-with, exists, false, floor, id, lang, last, local-name, "
        "lower-case, matches, name, namespace-uri, normalize-space, not, number, position, replace, round, "
        "starts-with, string, string-join, string-length, substring, substring-after, substring-before, sum, "
        "translate, true, upper-case"
    )


LIST = read(
    b"<ul><li>Red apple<li>green PEAR<li> 7 </ul><ol><li></ol><a href=/x title=T>l</a><!--c-->", "text/html"
)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("string-join(//li)", "Red applegreen PEAR 7 "),
        ("string-join(//li, ',')", "Red apple,green PEAR, 7 ,"),
        ("string-join(//b)", ""),
        ("string-join(//a/@*, //ul)", "/xRed applegreen PEAR 7 T"),
        ("string-join(//a/@*, //b)", "/xT"),
        ("string-join(//a/@*, 1 = 1)", "/xtrueT"),
        ("string-join(//a/@*, 1 = 2)", "/xfalseT"),
        ("string-join(//a/@*, 12.50)", "/x12.5T"),
        ("string-join(//a/@*, 3)", "/x3T"),
        ("exists(//li)", "true"),
        ("exists(//b)", "false"),
        ("empty(//b)", "true"),
        ("empty(//li)", "false"),
        ("abs(-2)", "2"),
        ("abs(2.5)", "2.5"),
        ("abs(//li[3])", "7"),
        ("abs('x')", "nan"),
        ("abs(true())", "1"),
        ("abs(false())", "0"),
        ("abs('-3')", "3"),
        ("matches(//li, 'Red')", "true"),
        ("matches(//li, 'green')", "false"),
        ("matches(//b, '^$')", "true"),
        ("lower-case(//li)", "red apple"),
        ("upper-case(true())", "TRUE"),
        ("ends-with(//li, 'apple')", "true"),
        ("ends-with(//li, 'Red')", "false"),
        ("replace(1.50, '5', 'x')", "1.x"),
        ("replace('AbA', 'a', 'x', 'i')", "xbx"),
    ],
)
def test_functions_of_later_versions_give_what_their_standard_says(expression: str, value: str):
    assert values(LIST, expression) == [(value, 0)]


@pytest.mark.parametrize("call", ["string-join('a')", "exists('a')", "empty(1)"])
def test_functions_of_nodes_ask_for_nodes(call: str):
    name = call.partition("(")[0]
    with pytest.raises(PatternRefused) as refused:
        values(LIST, call)
    assert str(refused.value) == f"{name}() asks for nodes, such as {name}(//a)"


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("count(//li)", [("4", 0)]),
        ("10", [("10", 0)]),
        ("1 div 4", [("0.25", 0)]),
        ("1 = 1", [("true", 0)]),
        ("'a.0'", [("a.0", 0)]),
        ("//a/@*", [("/x", 13), ("T", 13)]),
        ("//comment()", [(None, 15)]),
        ("//li[5]", []),
        ("//ol/li", [(None, 12)]),
        ("//text()", [(None, 6), (None, 8), (None, 10), (None, 14)]),
        ("//li/..", [(None, 4), (None, 11)]),
        ("/", [(None, 1)]),
        (" / ", [(None, 1)]),
    ],
)
def test_an_expression_gives_texts_or_nodes(expression: str, found: list[tuple[str | None, int]]):
    assert values(LIST, expression) == found
    for most in range(4):
        assert values(LIST, expression, most) == (found[:most] if found and found[0][1] else found)


def test_the_flags_of_replace_are_its_fourth_argument():
    assert told("replace(., 'x', 'z', 'i')") == ""
    assert told("replace(., 'x', 'z')") == ""
    assert "not 'z'" in told("replace(., 'x', 'y', 'z')")
    assert "not 'z'" in told("matches(., 'x', 'z')")
    assert told("matches(., 'x', concat('i', 'z'))") == ""


def test_calls_of_functions_take_half_a_second_together(monkeypatch: pytest.MonkeyPatch):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    assert values(LIST, "//li[matches(., 'Red')]") == [(None, 5)]

    def later(by: float) -> float:
        now[0] += by
        return now[0]

    monkeypatch.setattr("time.monotonic", lambda: later(0.5))
    assert values(LIST, "matches('a', 'a')") == [("true", 0)]
    monkeypatch.setattr("time.monotonic", lambda: later(0.25))
    with pytest.raises(PatternRefused) as refused:
        values(LIST, "count(//li[matches(., 'e')])")
    said = "the XPath takes too long on this page; its functions have too much to read"
    assert str(refused.value) == said
