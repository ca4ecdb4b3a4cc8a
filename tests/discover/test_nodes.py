"""The XML of a service class: what is read of an element, and the line and words of each mistake."""

from __future__ import annotations

from typing import Any

import pytest

from webvigil.discover.nodes import LARGEST, Node, parsed
from webvigil.discover.types import MOST
from webvigil.errors import MistakeInText


def node(attributes: str = "", inner: str = "") -> Node:
    return Node(parsed(f"<!-- x -->\n<a {attributes}>{inner}</a>".encode()))


def mistake(work: Any) -> MistakeInText:
    with pytest.raises(MistakeInText) as caught:
        work()
    return caught.value


def test_an_element_knows_its_tag_line_and_text():
    one = node("b=' c '", " d <e/>")
    assert (one.tag, one.line, one.text, one.attribute("b"), one.attribute("x", "y")) == (
        "a",
        2,
        "d",
        " c ",
        "y",
    )
    assert (node().text, one.name("b"), one.attribute("x")) == ("", "c", "")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<a>" + b" " * LARGEST, "the text is too large for a service class: at most 524,288 bytes"),
        (b"<!DOCTYPE a><a/>", "a service class has no document type: remove <!DOCTYPE \u2026>"),
        (b"", "not XML: "),
        (b"<a>\n<b></a>", "not XML: "),
    ],
)
def test_what_is_no_class_is_refused(data: bytes, said: str):
    error = mistake(lambda: parsed(data))
    assert error.message.startswith(said)
    assert error.line >= 1


def test_a_class_may_be_as_large_as_is_read():
    assert parsed(b"<a>".ljust(LARGEST - 4) + b"</a>").tag == "a"


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("true", True),
        (" Yes ", True),
        ("1", True),
        ("false", False),
        ("NO", False),
        ("0", False),
        ("", "b is true or false, not ''"),
        ("x" * 41, f"b is true or false, not {'x' * 40!r}"),
    ],
)
def test_a_truth_is_said_in_words(said: str, value: bool | str):
    one = node(f"b='{said}'")
    if isinstance(value, bool):
        assert one.truth("b", not value) is value
    else:
        assert mistake(lambda: one.truth("b", default=True)).message == value
    assert (node().truth("b", default=True), node().truth("b", default=False)) == (True, False)


@pytest.mark.parametrize(
    ("name", "said", "value"),
    [
        ("b", "0", 0),
        ("b", f" {MOST} ", MOST),
        ("b", str(MOST + 1), f"b is a number up to {MOST:,}"),
        ("b", "9" * 30, f"b is a number up to {MOST:,}"),
        ("b", "-1", f"b is a number up to {MOST:,}"),
        ("b", "\u0663", f"b is a number up to {MOST:,}"),
        ("b", "unbounded", f"b is a number up to {MOST:,}"),
        ("maxOccurs", "unbounded", None),
        ("maxOccurs", "many", f"maxOccurs is a number up to {MOST:,} or unbounded"),
        ("b", "", 7),
    ],
)
def test_a_number_has_its_bound(name: str, said: str, value: int | str | None):
    one = node(f"{name}='{said}'")
    if isinstance(value, str):
        assert mistake(lambda: one.number(name, 7)).message == value
    else:
        assert one.number(name, 7) == value


def test_what_is_unknown_is_told_with_what_is_near():
    error = mistake(lambda: node("nmae='x'").only_attributes("name", "type"))
    assert error.message == "<a> has no attribute 'nmae'; did you mean 'name'?"
    assert (error.line, error.word, error.expected, error.suggestion) == (2, "nmae", ("name", "type"), "name")
    error = mistake(lambda: node("zzz='x'").only_attributes("name"))
    assert (error.message, error.suggestion) == ("<a> has no attribute 'zzz'", "")
    node("name='x'").only_attributes("name")


def test_children_are_those_that_may_stand_there():
    one = node("", "\n<b/><c/>\n<b/>")
    assert [(child.tag, child.line) for child in one.children("b", "c")] == [("b", 3), ("c", 3), ("b", 4)]
    error = mistake(lambda: one.children("b"))
    assert (error.message, error.line) == ("<c> cannot stand in <a>", 3)
    error = mistake(lambda: one.parts("b", "c"))
    assert (error.message, error.line) == ("there is a second <b>", 4)
    parts = node("", "<b/><c/>").parts("b", "c")
    assert list(parts) == ["b", "c"]
    assert one.needed(parts, "b") is parts["b"]
    assert mistake(lambda: one.needed(parts, "d")).message == "<a> needs <d>"
    assert mistake(lambda: node("name=' '").name()).message == "<a> needs name=\u2026"


def test_a_pattern_compiles_and_can_match():
    assert (node().pattern(""), node().pattern("a+")) == ("", "a+")
    never = "[^\\x00-\\x{10FFFF}]" + "a" * 60
    said = f"the pattern {never[:60]!r} can never match, whatever the page"
    assert mistake(lambda: node().pattern(never)).message == said
    assert mistake(lambda: node().pattern("(")).line == 2
