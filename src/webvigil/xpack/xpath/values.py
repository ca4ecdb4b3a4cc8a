"""The values of XPath, for one context or for many at once.

A number, string or boolean is a plain one where it is the same for every context, and an array (of strings a
list) with one per context where it is not. Nodes are `Nodes`; a set given by whole paths is `Paths`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from webvigil.document.arrays import Longs, Mask
from webvigil.xpack.xpath.conversions import Floats, number_text, to_number, to_numbers
from webvigil.xpack.xpath.view import View


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Rows in document order; `context` says for each to which context it belongs, None: to all."""

    rows: Longs
    context: Longs | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
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
    if isinstance(value, Paths):
        return Nodes(view.rows_of_paths(value.marked))
    assert isinstance(value, Nodes)
    return value


def to_boolean(view: View, value: Value, count: int) -> bool | Mask:
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
    """A string of the first node of a set, in document order; "" for an empty set."""
    nodes = as_nodes(view, value)
    if nodes.context is None:
        return answer(nodes.rows[:1])[0] if len(nodes.rows) else ""
    context, first = np.unique(nodes.context, return_index=True)
    found = [""] * count
    for place, text in zip(context.tolist(), answer(nodes.rows[first]), strict=True):
        found[place] = text
    return found


def to_float(view: View, value: Value, count: int) -> float | Floats:
    if isinstance(value, (Nodes, Paths, str, list)):
        text = to_text(view, value, count)
        return to_number(text) if isinstance(text, str) else to_numbers(text)
    return value.astype(np.float64) if isinstance(value, np.ndarray) else float(value)
