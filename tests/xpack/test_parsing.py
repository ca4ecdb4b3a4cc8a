"""How an XPath is read: what binds tighter, what a word means at its place, and what is told of a mistake."""

from __future__ import annotations

from typing import Any

import pytest

from webvigil.errors import PatternRefused
from webvigil.xpack.xpath.parser import parse
from webvigil.xpack.xpath.syntax import Path, depends_on_context, is_positional


def shape(expression: Any) -> Any:
    """Returns an expression in a short form: operators before their operands, steps as axis::test[…]."""
    match expression:
        case Path(start, steps):
            shown = start if start is None or isinstance(start, str) else shape(start)
            return [shown, *map(_step, steps)]
    match type(expression).__name__, expression:
        case "Binary", (operator, left, right):
            return (operator, shape(left), shape(right))
        case "Negative", (operand,):
            return ("-", shape(operand))
        case "Call", (name, arguments, _):
            return (f"{name}()", *map(shape, arguments))
        case "Filter", (primary, predicates):
            return ("filter", shape(primary), *map(shape, predicates))
    return expression[0]


def _step(step: Any) -> str:
    kind, prefix, name = step.test.kind, step.test.prefix, step.test.name
    test = ":".join(part for part in (prefix, name or "*") if part is not None) if kind == "name" else kind
    if kind == "processing-instruction" and name is not None:
        test = f"{kind}:{name}"
    return f"{step.axis}::{test}" + "".join(f"[{shape(one)}]" for one in step.predicates)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("/", ["/"]),
        ("/a/b", ["/", "child::a", "child::b"]),
        ("//a/text()", ["/", "descendant::a", "child::text"]),
        ("count(/a//b)", ("count()", ["/", "child::a", "descendant::b"])),
        ("a", [None, "child::a"]),
        (".", [None, "self::node"]),
        ("..", [None, "parent::node"]),
        ("@a", [None, "attribute::a"]),
        ("@*", [None, "attribute::*"]),
        ("*", [None, "child::*"]),
        ("p:a", [None, "child::p:a"]),
        ("p:*", [None, "child::p:*"]),
        ("self::a", [None, "self::a"]),
        ("following-sibling::node()", [None, "following-sibling::node"]),
        ("processing-instruction()", [None, "child::processing-instruction"]),
        ("processing-instruction('x')", [None, "child::processing-instruction:x"]),
        ("comment()", [None, "child::comment"]),
        ("a//b", [None, "child::a", "descendant::b"]),
        ("a//b[1]", [None, "child::a", "descendant-or-self::node", "child::b[1.0]"]),
        ("a//@b", [None, "child::a", "descendant-or-self::node", "attribute::b"]),
        ("//.", ["/", "descendant-or-self::node", "self::node"]),
        ("//a[b]", ["/", "descendant::a[[None, 'child::b']]"]),
        ("//a[last()]", ["/", "descendant-or-self::node", "child::a[('last()',)]"]),
        ("1 + 2 * 3", ("+", 1.0, ("*", 2.0, 3.0))),
        ("1 * 2 + 3", ("+", ("*", 1.0, 2.0), 3.0)),
        ("1 - 2 - 3", ("-", ("-", 1.0, 2.0), 3.0)),
        ("1 or 2 and 3", ("or", 1.0, ("and", 2.0, 3.0))),
        ("1 = 2 < 3", ("=", 1.0, ("<", 2.0, 3.0))),
        ("1 < 2 + 3", ("<", 1.0, ("+", 2.0, 3.0))),
        ("6 div 2 mod 4", ("mod", ("div", 6.0, 2.0), 4.0)),
        ("(1 + 2) * 3", ("*", ("+", 1.0, 2.0), 3.0)),
        ("-1", ("-", 1.0)),
        ("--1", ("-", ("-", 1.0))),
        ("---1", ("-", 1.0)),
        ("-a | b", ("-", ("|", [None, "child::a"], [None, "child::b"]))),
        ("a | b | c", ("|", ("|", [None, "child::a"], [None, "child::b"]), [None, "child::c"])),
        ("* * *", ("*", [None, "child::*"], [None, "child::*"])),
        ("div div div", ("div", [None, "child::div"], [None, "child::div"])),
        ("and and or or or", ("or", ("and", [None, "child::and"], [None, "child::or"]), [None, "child::or"])),
        ("a/mod", [None, "child::a", "child::mod"]),
        ("@div", [None, "attribute::div"]),
        ("'x'", "x"),
        ('"it\'s"', "it's"),
        ("$v", "v"),
        ("$ p:v", "p:v"),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1.5E-1", 0.15),
        ("concat('a', 'b', 'c')", ("concat()", "a", "b", "c")),
        ("(a)[1]", ("filter", [None, "child::a"], 1.0)),
        ("(a)/b", [[None, "child::a"], "child::b"]),
        ("$v//b", ["v", "descendant::b"]),
        ("id('x')/b", [("id()", "x"), "child::b"]),
        ("a[1][b]", [None, "child::a[1.0][[None, 'child::b']]"]),
        (" a \n/\tb ", [None, "child::a", "child::b"]),
    ],
)
def test_an_expression_is_read_as_the_standard_says(text: str, read: Any):
    assert shape(parse(text)) == read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "column 1: the end where a name or a node test was expected in ''"),
        ("a b", "column 3: 'b' where an operator was expected in 'a b'"),
        ("/a/", "column 4: the end where a name or a node test was expected in '/a/'"),
        ("a[1", "column 4: the end where ']' was expected in 'a[1'"),
        ("(1", "column 3: the end where ')' was expected in '(1'"),
        ("text(1)", "column 6: '1' where ')' was expected in 'text(1)'"),
        ("processing-instruction('x'", "column 27: the end where ')' was expected in \"processing-instr"),
        ("a['x]", 'column 3: a string that does not end in "a[\'x]"'),
        ("a#b", "column 2: '#' has no meaning here in 'a#b'"),
        ("a!b", "column 2: '!' has no meaning here in 'a!b'"),
        ("a/ä:§", "column 4: ':' has no meaning here in"),
        ("child:::a", "column 8: ':' has no meaning here in 'child:::a'"),
        ("chlid::a", "column 1: there is no axis 'chlid' (did you mean 'child'?) in 'chlid::a'"),
        ("zzzzzz::a", "column 1: there is no axis 'zzzzzz' in 'zzzzzz::a'"),
        ("cuont(a)", "column 1: there is no function 'cuont' (did you mean 'count'?) in 'cuont(a)'"),
        ("zzzzzz()", "column 1: there is no function 'zzzzzz' in 'zzzzzz()'"),
        ("1 + last(1)", "column 5: last() takes no argument, not 1, in '1 + last(1)'"),
        ("count()", "column 1: count() takes 1 argument, not 0, in 'count()'"),
        ("count(a, b)", "column 1: count() takes 1 argument, not 2, in 'count(a, b)'"),
        ("contains('a')", "column 1: contains() takes 2 arguments, not 1, in \"contains('a')\""),
        ("substring('a')", "column 1: substring() takes 2 or 3 arguments, not 1, in \"substring('a')\""),
        ("name(a, b)", "column 1: name() takes 0 or 1 arguments, not 2, in 'name(a, b)'"),
        ("concat('a')", "column 1: concat() takes at least 2 arguments, not 1, in \"concat('a')\""),
        ("concat('a' 'b')", "column 12: \"'b'\" where ',' was expected in \"concat('a' 'b')\""),
        ("'a' | ", "column 7: the end where a name or a node test was expected in \"'a' | \""),
    ],
)
def test_what_is_wrong_with_an_expression_is_said_with_its_place(text: str, said: str):
    with pytest.raises(PatternRefused) as refused:
        parse(text)
    assert str(refused.value).startswith(f"XPath, {said}")


def told(text: str) -> str:
    """Returns what is said about a mistake; "" if there is none."""
    try:
        parse(text)
    except PatternRefused as error:
        return str(error)
    return ""


def test_expressions_have_limits():
    assert told("a" * 10_000) == ""
    assert told("a" * 10_001) == "the XPath is too long: at most 10000 characters"
    assert told("(" * 49 + "1" + ")" * 49) == ""
    deep = told("(" * 50 + "1" + ")" * 50)
    assert deep.startswith("XPath, column 51: parentheses and brackets are nested too deeply in ")
    assert told("1" + "+1" * 200) == ""
    assert told("1" + "+1" * 201).startswith("XPath, column 402: too many operators in a row in ")
    assert told("a" + "|a" * 200) == ""
    many = told("a" + "|a" * 201)
    assert many.startswith("XPath, column 402: '|' where the end of so many alternatives was expected in ")


@pytest.mark.parametrize(
    ("before", "behind", "shown"),
    [
        (0, 79, "#" + "a" * 79),
        (0, 80, "#" + "a" * 59),
        (20, 80, "a" * 20 + "#" + "a" * 39),
        (50, 80, "a" * 40 + "#" + "a" * 39),
        (60, 80, "a" * 40 + "#" + "a" * 39),
        (200, 0, "a" * 79 + "#"),
    ],
)
def test_of_a_long_expression_the_part_with_the_mistake_is_shown(before: int, behind: int, shown: str):
    said = told("a" * before + "#" + "a" * behind)
    assert said == f"XPath, column {before + 1}: '#' has no meaning here in {shown!r}"


@pytest.mark.parametrize(
    ("text", "depends"),
    [
        ("/a", False),
        ("a", True),
        (".", True),
        ("1", False),
        ("$v", False),
        ("last()", True),
        ("position() + 1", True),
        ("1 + position()", True),
        ("-last()", True),
        ("-1", False),
        ("name()", True),
        ("name(/a)", False),
        ("name(a)", True),
        ("lang('en')", True),
        ("true()", False),
        ("concat('a', string())", True),
        ("$v/a", False),
        ("(a)/b", True),
        ("(/a)/b", False),
        ("(a)[1]", True),
        ("(/a)[b]", False),
        ("/a[position() = 1]", False),
    ],
)
def test_what_depends_on_where_it_is_asked(text: str, depends: bool):
    assert depends_on_context(parse(text)) is depends


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("1", True),
        ("-a", True),
        ("$v", True),
        ("a", False),
        ("'x'", False),
        ("1 + 1", True),
        ("2 mod 2", True),
        ("a = 1", False),
        ("a | b", False),
        ("count(a)", True),
        ("true()", False),
        ("string-length()", True),
        ("(1)", True),
        ("(a)[1]", False),
        ("position() = 1", True),
        ("1 = last()", True),
        ("not(last())", True),
        ("-last() = a", True),
        ("a[position() = 1]", False),
        ("/a[last()]", False),
        ("id(last())/a", True),
        ("(a[last()])[last()]", False),
        ("not(-last())", True),
        ("not((last())[1])", True),
    ],
)
def test_what_asks_for_a_position(text: str, is_so: bool):
    assert is_positional(parse(text)) is is_so
