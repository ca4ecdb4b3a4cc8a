"""The values of XPath (numbers, strings, booleans, nodes) for one context or many, and their conversions.

A number, string or boolean that is the same for every context is a plain Python value. One that differs is an
array (of strings a list) with a value per context. Nodes are `Nodes`; a set made of whole paths is `Paths`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from webvigil.document.arrays import Longs, Mask
from webvigil.xpack.xpath.conversions import Floats, number_text, to_number, to_numbers
from webvigil.xpack.xpath.view import View


class Nodes(NamedTuple):
    """Rows in document order.

    `context` has the number of the context that each row belongs to; None means that all rows belong to every
    context.
    """

    rows: Longs
    context: Longs | None = None


class Paths(NamedTuple):
    """All rows on the marked paths, the same for every context."""

    marked: Mask


Value = float | Floats | str | list[str] | bool | Mask | Nodes | Paths


def is_nodes(value: Value) -> bool:
    return isinstance(value, (Nodes, Paths))


def is_boolean(value: Value) -> bool:
    return isinstance(value, bool) or (isinstance(value, np.ndarray) and value.dtype == np.bool_)


def is_number(value: Value) -> bool:
    is_array = isinstance(value, np.ndarray) and value.dtype != np.bool_
    return is_array or (isinstance(value, (int, float)) and not isinstance(value, bool))


def as_nodes(view: View, value: Value) -> Nodes:
    """Returns nodes as rows; those of whole paths are looked up."""
    if isinstance(value, Paths):
        return Nodes(view.rows_of_paths(value.marked))
    assert isinstance(value, Nodes)
    return value


def to_boolean(view: View, value: Value, count: int) -> bool | Mask:
    """Converts a value: a set is true if it has a node, a number if it is neither 0 nor NaN."""
    if isinstance(value, Nodes):
        if value.context is None:
            return len(value.rows) > 0
        return np.bincount(value.context, minlength=count) > 0
    if isinstance(value, Paths):
        return bool(value.marked.any())
    if isinstance(value, list):
        return np.array([bool(text) for text in value], dtype=np.bool_)
    if isinstance(value, np.ndarray):
        return np.asarray(~np.isnan(value) & (value != 0), dtype=np.bool_)
    return not math.isnan(value) and value != 0 if isinstance(value, float) else bool(value)


def to_text(view: View, value: Value, count: int) -> str | list[str]:
    """Converts a value to a string; a set becomes the string of its first node."""
    if isinstance(value, (Nodes, Paths)):
        return for_first(view, value, count, view.strings)
    match value:
        case str() | list():
            return value
        case bool():
            return "true" if value else "false"
        case np.ndarray() if value.dtype == np.bool_:
            return ["true" if one else "false" for one in value.tolist()]
        case np.ndarray():
            return [number_text(one) for one in value.tolist()]
    return number_text(float(value))


def for_first(
    view: View, value: Nodes | Paths, count: int, answer: Callable[[Longs], list[str]]
) -> str | list[str]:
    """Returns a string for the first node of a set in document order, "" for an empty set.

    `answer` gives the strings of rows.
    """
    nodes = as_nodes(view, value)
    if nodes.context is None:
        return answer(nodes.rows[:1])[0] if len(nodes.rows) else ""
    context, first = np.unique(nodes.context, return_index=True)
    found = [""] * count
    for place, text in zip(context.tolist(), answer(nodes.rows[first]), strict=True):
        found[place] = text
    return found


def to_float(view: View, value: Value, count: int) -> float | Floats:
    """Converts a value to a number; strings and nodes by their text."""
    if isinstance(value, (Nodes, Paths, str, list)):
        text = to_text(view, value, count)
        return to_number(text) if isinstance(text, str) else to_numbers(text)
    return value.astype(np.float64) if isinstance(value, np.ndarray) else float(value)
