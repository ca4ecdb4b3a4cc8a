"""Values of a JSON page and the expression of a filter in, which of the values it keeps out (RFC 9535).

An expression is evaluated for all values at once: a query in it is followed for all of them in arrays, and
only what is compared is made a value of Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from jsonpath import filter as library

from webvigil.document.arrays import Longs, Mask
from webvigil.document.json_tree import Budget, JsonTree
from webvigil.document.patterns import Pattern, compile_pattern
from webvigil.errors import PatternRefused

if TYPE_CHECKING:
    from webvigil.document.jsonpath import Pairs, Step

NOTHING = object()
"""What a query that finds nothing gives."""


def check(steps: Sequence[Step]) -> None:
    """Raises PatternRefused for a filter that can be read but not applied."""
    for step in steps:
        for one in step.selectors:
            if one.kept is not None:
                _check(one.kept)


def _check(expression: Any) -> None:
    match expression:
        case library.FunctionExtension():
            if expression.name not in _VALUES and expression.name not in _MATCHES:
                raise PatternRefused(f"the JSON path has a function {expression.name!r}, which is not known")
            if expression.name in _MATCHES and isinstance(expression.args[1], library.StringLiteral):
                compile_pattern(expression.args[1].value)
        case library.FilterQuery():
            check(_steps(expression))
    for inner in expression.children():
        _check(inner)


def holds(tree: JsonTree, nodes: Longs, expression: Any, budget: Budget) -> Mask:
    """Returns for which of the nodes, each of which stands there once, the expression holds."""
    budget.spend(len(nodes))
    match expression:
        case library.InfixExpression() if expression.logical:
            left = holds(tree, nodes, expression.left, budget)
            rest = left if expression.operator == "&&" else ~left
            answer = left.copy()
            answer[rest] = holds(tree, nodes[rest], expression.right, budget)
            return answer
        case library.InfixExpression():
            sides = [_values(tree, nodes, one, budget) for one in (expression.left, expression.right)]
            compared = [_compares(expression.operator, *pair) for pair in zip(*sides, strict=True)]
            return np.array(compared, dtype=np.bool_)
        case library.PrefixExpression():
            return ~holds(tree, nodes, expression.right, budget)
        case library.FilterQuery():
            owners, _ = _found(tree, nodes, expression, budget)
            return np.isin(np.arange(len(nodes)), owners)
        case library.FunctionExtension():
            return np.array(list(_matches(tree, nodes, expression, budget)), dtype=np.bool_)
    raise PatternRefused(f"the JSON path cannot test {expression}")


def _found(tree: JsonTree, nodes: Longs, query: Any, budget: Budget) -> Pairs:
    """Returns what a query finds, with the place of the node that it was asked for. A query from the root
    finds the same for all."""
    from webvigil.document.jsonpath import followed

    steps = _steps(query)
    if isinstance(query, library.RelativeFilterQuery):
        return followed(tree, np.arange(len(nodes)), nodes, steps, budget)
    root = np.ones(1, dtype=np.int64)
    _, found = followed(tree, root - 1, root, steps, budget)
    budget.spend(len(nodes) * len(found))
    return np.repeat(np.arange(len(nodes)), len(found)), np.tile(found, len(nodes))


def _steps(query: Any) -> tuple[Step, ...]:
    from webvigil.document.jsonpath import steps_of

    return steps_of(query.path)


def _values(tree: JsonTree, nodes: Longs, expression: Any, budget: Budget) -> list[Any]:
    """Returns what an operand is for each of the nodes."""
    match expression:
        case library.FilterExpressionLiteral():
            return [expression.value] * len(nodes)
        case library.Nil():
            return [None] * len(nodes)
        case library.FilterQuery():
            return _single(tree, len(nodes), _found(tree, nodes, expression, budget), budget)
        case library.FunctionExtension() if expression.name in _VALUES:
            return _VALUES[expression.name](tree, nodes, expression.args[0], budget)
    raise PatternRefused(f"the JSON path cannot compare {expression}")


def _single(tree: JsonTree, count: int, found: Pairs, budget: Budget) -> list[Any]:
    """Returns the value that was found for each of the owners. Of a key that stands twice the last counts, as
    for most readers of JSON."""
    values = [NOTHING] * count
    owners, nodes = found
    for owner, value in zip(owners.tolist(), tree.values(nodes, budget), strict=True):
        values[owner] = value
    return values


def _length(tree: JsonTree, nodes: Longs, argument: Any, budget: Budget) -> list[Any]:
    values = _values(tree, nodes, argument, budget)
    return [len(one) if isinstance(one, str | list | dict) else NOTHING for one in values]


def _count(tree: JsonTree, nodes: Longs, argument: Any, budget: Budget) -> list[Any]:
    owners, _ = _found(tree, nodes, argument, budget)
    counts: list[Any] = np.bincount(owners, minlength=len(nodes)).tolist()
    return counts


def _value(tree: JsonTree, nodes: Longs, argument: Any, budget: Budget) -> list[Any]:
    owners, found = _found(tree, nodes, argument, budget)
    alone = (np.bincount(owners, minlength=len(nodes)) == 1)[owners]
    return _single(tree, len(nodes), (owners[alone], found[alone]), budget)


_VALUES = {"length": _length, "count": _count, "value": _value}
_MATCHES = ("match", "search")


def _matches(tree: JsonTree, nodes: Longs, call: Any, budget: Budget) -> Iterator[bool]:
    texts, patterns = (_values(tree, nodes, one, budget) for one in call.args)
    for text, pattern in zip(texts, patterns, strict=True):
        yield isinstance(text, str) and isinstance(pattern, str) and _fits(text, pattern, call.name)


def _fits(text: str, pattern: str, how: str) -> bool:
    try:
        return _pattern(pattern, how).occurs_in(text)
    except PatternRefused:
        return False


@lru_cache(64)
def _pattern(pattern: str, how: str) -> Pattern:
    """Returns an expression of `match`, which must fit the whole text, or of `search`."""
    return compile_pattern(rf"\A(?:{pattern})\z" if how == "match" else pattern)


def _compares(operator: str, left: Any, right: Any) -> bool:
    match operator:
        case "==":
            return _equal(left, right)
        case "!=":
            return not _equal(left, right)
        case "<":
            return _less(left, right)
        case ">":
            return _less(right, left)
        case "<=":
            return _less(left, right) or _equal(left, right)
    return _less(right, left) or _equal(left, right)


def _equal(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    try:
        return bool(left == right)
    except RecursionError:
        return False


def _less(left: Any, right: Any) -> bool:
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (left, right))
    return (numbers or (isinstance(left, str) and isinstance(right, str))) and bool(left < right)
