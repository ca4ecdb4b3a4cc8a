"""Two values and a sign such as `<=` in, a boolean out: the comparisons of XPath.

A comparison with a set of nodes holds if it holds for at least one node of the set.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from webvigil.document.arrays import Longs, Mask
from webvigil.xpack.xpath.conversions import Floats, to_numbers
from webvigil.xpack.xpath.values import (
    Nodes,
    Value,
    as_nodes,
    is_boolean,
    is_nodes,
    is_number,
    to_boolean,
    to_float,
    to_text,
)
from webvigil.xpack.xpath.view import View

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# The sign that means the same when the two sides change places.
_MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_EQUALITY = ("=", "!=")


def compared(view: View, sign: str, left: Value, right: Value, count: int) -> bool | Mask:
    """Compares two values; gives one boolean, or one per context where a side differs between contexts."""
    if is_nodes(left) and is_nodes(right):
        return _sets(view, sign, as_nodes(view, left), as_nodes(view, right), count)
    if is_nodes(right):
        return compared(view, _MIRRORED[sign], right, left, count)
    if is_nodes(left) and not is_boolean(right):
        return _set_and_value(view, sign, as_nodes(view, left), right, count)
    return _values(view, sign, left, right, count)


def _values(view: View, sign: str, left: Value, right: Value, count: int) -> bool | Mask:
    """Compares two values that are not sets, or a set with a boolean: then the set counts as "not empty".

    For = and != both sides become booleans, numbers or strings, the first of these that one of them is; for
    the other signs both become numbers.
    """
    left = to_boolean(view, left, count) if is_nodes(left) else left
    if sign in _EQUALITY and (is_boolean(left) or is_boolean(right)):
        pair: tuple[Any, Any] = to_boolean(view, left, count), to_boolean(view, right, count)
    elif sign in _EQUALITY and not (is_number(left) or is_number(right)):
        return _texts(sign, to_text(view, left, count), to_text(view, right, count))
    else:
        pair = to_float(view, left, count), to_float(view, right, count)
    found = OPERATORS[sign](*pair)
    return found if isinstance(found, np.ndarray) else bool(found)


def _texts(sign: str, left: str | list[str], right: str | list[str]) -> bool | Mask:
    if isinstance(left, str) and isinstance(right, str):
        return (left == right) == (sign == "=")
    if isinstance(left, str):
        left, right = right, left
    if isinstance(right, str):
        same = np.array([one == right for one in left], dtype=np.bool_)
    else:
        same = np.array([one == other for one, other in zip(left, right, strict=True)], dtype=np.bool_)
    return same if sign == "=" else ~same


def _set_and_value(view: View, sign: str, nodes: Nodes, value: Value, count: int) -> bool | Mask:
    """Compares each node of a set with a number or a string."""
    texts = view.strings(nodes.rows)
    by_text = sign in _EQUALITY and not is_number(value)
    ours: Any = texts if by_text else to_numbers(texts)
    other: Any = to_text(view, value, count) if by_text else to_float(view, value, count)
    if nodes.context is not None:
        holds = _each(sign, ours, _spread(other, nodes.context))
        return np.bincount(nodes.context[holds], minlength=count) > 0
    if isinstance(other, (str, float)):
        return bool(_each(sign, ours, other).any())
    return np.array([bool(_each(sign, ours, one).any()) for one in other], dtype=np.bool_)


def _spread(value: Any, context: Longs) -> Any:
    """Returns the value for each pair's context. A value that every context shares is returned as it is."""
    if isinstance(value, list):
        return [value[place] for place in context.tolist()]
    return value[context] if isinstance(value, np.ndarray) else value


def _each(sign: str, ours: Sequence[str] | Floats, other: Any) -> Mask:
    if isinstance(ours, np.ndarray):
        return np.asarray(OPERATORS[sign](ours, other), dtype=np.bool_)
    found = _texts(sign, list(ours), other)
    assert isinstance(found, np.ndarray)
    return found


def _sets(view: View, sign: str, left: Nodes, right: Nodes, count: int) -> bool | Mask:
    """Compares two sets of nodes: does the comparison hold for any pair of their nodes?"""
    if left.context is None and right.context is None:
        return _any_pair(sign, view.strings(left.rows), view.strings(right.rows))
    ours, theirs = _by_context(view, left, count), _by_context(view, right, count)
    return np.array([_any_pair(sign, a, b) for a, b in zip(ours, theirs, strict=True)], dtype=np.bool_)


def _by_context(view: View, nodes: Nodes, count: int) -> list[list[str]]:
    """Returns the strings of the nodes of each context."""
    texts = view.strings(nodes.rows)
    if nodes.context is None:
        return [texts] * count
    found: list[list[str]] = [[] for _ in range(count)]
    for place, text in zip(nodes.context.tolist(), texts, strict=True):
        found[place].append(text)
    return found


def _any_pair(sign: str, ours: list[str], theirs: list[str]) -> bool:
    """Says whether a comparison holds for any pair, without trying all pairs.

    For = and != sets of strings answer, for the other signs the smallest and largest numbers.
    """
    if not ours or not theirs:
        return False
    if sign == "=":
        return not set(ours).isdisjoint(theirs)
    if sign == "!=":
        return len(set(ours) | set(theirs)) > 1
    mine, others = to_numbers(ours), to_numbers(theirs)
    # Comparisons with NaN are false; it must not become the smallest or largest number either.
    mine, others = mine[~np.isnan(mine)], others[~np.isnan(others)]
    if not len(mine) or not len(others):
        return False
    extremes = (mine.min(), others.max()) if sign in ("<", "<=") else (mine.max(), others.min())
    return bool(OPERATORS[sign](*extremes))
