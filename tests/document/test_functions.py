"""The functions that an XPath may call take as many arguments as in libxml2 and as later standards say."""

from __future__ import annotations

import pytest
from lxml import etree

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
