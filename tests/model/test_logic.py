"""AND, OR and NOT mean the same wherever they stand: in `diff`, in a check, in a condition (G5, T1)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detect.pages import versions
from tests.graph.wishes import expressions
from webvigil.detect.in_context import in_context
from webvigil.document import read
from webvigil.errors import WebVigilError
from webvigil.graph.evaluate import Comparison
from webvigil.graph.nodes import interest
from webvigil.library import diff
from webvigil.model.change import Finding
from webvigil.model.logic import holds, leaves, rest
from webvigil.model.sentinel import (
    AllConditions,
    And,
    AnyCondition,
    Becomes,
    ChangeType,
    Condition,
    Not,
    NotCondition,
    Or,
    Sentinel,
    WebPage,
)
from webvigil.trigger.conditions import Case, worth_telling

_SENTINEL = Sentinel(name="s", target=WebPage("https://example.org/"))
_leaves = st.sampled_from("abcd")


def _joined(inner):
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.tuples(st.just("not"), st.tuples(inner)),
        st.tuples(st.sampled_from(("and", "or")), several),
    )


# A formula: a letter, or a word with its operands.
formulas = st.recursive(_leaves, _joined, max_leaves=8)
_EXPRESSIONS = {"and": And, "or": Or}
_CONDITIONS = {"and": AllConditions, "or": AnyCondition}


def _in_python(formula) -> str:
    if isinstance(formula, str):
        return formula
    operator, operands = formula
    inside = f" {operator} ".join(f"({_in_python(one)})" for one in operands)
    return f"not {inside}" if operator == "not" else inside


def _expression(formula):
    if isinstance(formula, str):
        return ChangeType("phrase", (formula,))
    operator, operands = formula
    made = tuple(map(_expression, operands))
    return Not(made[0]) if operator == "not" else _EXPRESSIONS[operator](made)


def _condition(formula):
    """A letter becomes `score >= n`, with another n for each letter."""
    if isinstance(formula, str):
        return Condition("score", ">=", float("abcd".index(formula)))
    operator, operands = formula
    made = tuple(map(_condition, operands))
    return NotCondition(made[0]) if operator == "not" else _CONDITIONS[operator](made)


@given(formulas, st.sets(_leaves))
def test_an_expression_and_its_nodes_are_true_when_python_says_so(formula, true):
    expected = eval(_in_python(formula), {letter: letter in true for letter in "abcd"})
    expression = _expression(formula)
    top = interest(replace(_SENTINEL, monitor=expression)).top
    assert holds(expression, lambda change: change.arguments[0] in true) is expected
    assert holds(top, lambda node: node.change.arguments[0] in true) is expected


@given(formulas, st.integers(-1, 4))
def test_a_condition_is_true_when_python_says_so(formula, score):
    expected = eval(_in_python(formula), {letter: score >= at for at, letter in enumerate("abcd")})
    findings = (Finding(type="any change", score=score),)
    case = Case(findings=findings, since=(), look=lambda: (read(b""), read(b"")))
    assert worth_telling(_condition(formula), case) is expected


@given(formulas)
def test_leaves_come_in_the_order_they_are_written(formula):
    written = re.findall(r"\b[abcd]\b", _in_python(formula))
    assert [one.arguments[0] for one in leaves(_expression(formula))] == written


@given(versions(), expressions)
def test_comparing_by_hand_and_a_check_agree(pages, expression):
    wanted = interest(replace(_SENTINEL, monitor=expression))
    try:
        by_hand = diff(*pages, expression)
    except WebVigilError:  # refused whatever the pages; a check refuses it where the pages differ
        return
    check = Comparison(*pages, [wanted]).of(wanted)
    assert check.changed is by_hand.changed
    assert [one.objects for one in in_context(*pages, check.findings)] == [
        one.objects for one in by_hand.findings
    ]


@pytest.mark.parametrize(
    ("formula", "left"),
    [
        ("a", "a"),
        ("t", True),
        ("f", False),
        (("not", ("a",)), ("not", ("a",))),
        (("not", ("t",)), False),
        (("not", ("f",)), True),
        (("and", ("a", "b")), ("and", ("a", "b"))),
        (("and", ("t", "b")), "b"),
        (("and", ("a", "t", "b")), ("and", ("a", "b"))),
        (("and", ("a", "f")), False),
        (("and", ("t", "t")), True),
        (("or", ("a", "b")), ("or", ("a", "b"))),
        (("or", ("f", "b")), "b"),
        (("or", ("a", "f", "b")), ("or", ("a", "b"))),
        (("or", ("a", "t")), True),
        (("or", ("f", "f")), False),
        (("or", (("and", ("a", "t")), ("not", ("f",)))), True),
        (("and", (("or", ("a", "f")), ("not", ("b",)))), ("and", ("a", ("not", ("b",))))),
    ],
)
def test_what_nobody_knows_yet_is_left_of_a_formula(formula, left):
    known = {"t": True, "f": False}
    found = rest(_expression(formula), lambda change: known.get(change.arguments[0]))
    assert found == (left if isinstance(left, bool) else _expression(left))


def test_what_becomes_true_is_asked_like_a_leaf():
    becoming = Becomes(Condition("contains", text="a"))
    assert rest(becoming, lambda one: True if one is becoming else None) is True
    assert rest(becoming, lambda one: None) is becoming
    assert holds(becoming, lambda one: one is becoming)
    assert not holds(becoming, lambda one: one is not becoming)
