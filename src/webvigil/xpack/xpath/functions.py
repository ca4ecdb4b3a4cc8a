"""The functions that an XPath expression may call, each evaluated for all contexts at once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Longs, distinct
from webvigil.document.xpath_functions import OF_TEXTS
from webvigil.xpack.rows import XML_NAMESPACE
from webvigil.xpack.xpath.conversions import Floats, normalized, rounded, substring, to_numbers, translated
from webvigil.xpack.xpath.syntax import Binary, Call, Expression, Number, Path
from webvigil.xpack.xpath.values import Nodes, Paths, Value, for_first, to_float, to_text
from webvigil.xpack.xpath.view import ATTRIBUTE, Name, View

if TYPE_CHECKING:
    from webvigil.xpack.xpath.engine import Context, Evaluation

# Finds in `<!ATTLIST element attribute ID …` which attributes identify elements. Names are taken as written.
_ATTLIST = re.compile(r"<!ATTLIST\s+(\S+)\s+([^>]*)>")
_IS_ID = re.compile(r"(\S+)\s+ID\s")


def called(evaluation: Evaluation, call: Call, context: Context) -> Value:
    """Returns the value of a function call for all nodes of a context."""
    if call.name in _OF_NODES:
        return _OF_NODES[call.name](evaluation, call, context)
    if call.name in _OF_TEXTS:
        return _OF_TEXTS[call.name](*_texts(evaluation, call, context))
    return _OTHERS[call.name](evaluation, call, context)


# --- of nodes and contexts -----------------------------------------------------------------------------


def _one(context: Context, column: Longs) -> Value:
    """Returns a column of the context as a number, or as one number per context if there are several."""
    return float(column[0]) if len(context) == 1 else column.astype(np.float64)


def _count(evaluation: Evaluation, call: Call, context: Context) -> Value:
    """Counts nodes; where the table of paths or the axis gives the number, without listing the nodes."""
    argument = call.arguments[0]
    if isinstance(argument, Path) and len(context) > 1:
        found = evaluation.counts(argument, context)
        if found is not None:
            return found.astype(np.float64)
    value = evaluation.value(argument, context)
    if isinstance(value, Paths):
        return float(count_of(evaluation.view, value))
    nodes = evaluation.nodes(value, "count()", call.at)
    if nodes.context is None:
        return float(len(nodes.rows))
    return np.bincount(nodes.context, minlength=len(context)).astype(np.float64)


def count_of(view: View, paths: Paths) -> int:
    """Returns how many rows these paths have, from the table of paths."""
    return int(view.paths.count[paths.marked].sum())


def _sum(evaluation: Evaluation, call: Call, context: Context) -> Value:
    nodes = evaluation.nodes(evaluation.value(call.arguments[0], context), "sum()", call.at)
    numbers = to_numbers(evaluation.view.strings(nodes.rows))
    if nodes.context is None:
        # Added one after the other, as other processors do. numpy's sum adds in pairs and rounds differently.
        return float(np.cumsum(numbers)[-1]) if len(numbers) else 0.0
    sums: Floats = np.bincount(nodes.context, weights=numbers, minlength=len(context)).astype(np.float64)
    return sums


def _named(part: Callable[[Name], str]) -> Callable[[Evaluation, Call, Context], Value]:
    """Makes a function that returns a part of a node's name: written, local, or the namespace."""

    def function(evaluation: Evaluation, call: Call, context: Context) -> Value:
        view = evaluation.view

        def names(rows: Longs) -> list[str]:
            return [part(view.names[label]) for label in view.paths.label[view.path[rows]].tolist()]

        if call.arguments:
            value = evaluation.value(call.arguments[0], context)
            return for_first(view, evaluation.nodes(value, f"{call.name}()", call.at), len(context), names)
        return _single(names(context.rows))

    return function


def _single(found: list[str]) -> str | list[str]:
    return found[0] if len(found) == 1 else found


def _id(evaluation: Evaluation, call: Call, context: Context) -> Value:
    """Finds the elements whose identifiers are the words of the argument."""
    value = evaluation.value(call.arguments[0], context)
    view = evaluation.view
    if isinstance(value, (Nodes, Paths)):
        nodes = evaluation.nodes(value, "id()")
        texts: Any = view.strings(nodes.rows)
        contexts = nodes.context
    else:
        texts = to_text(view, value, len(context))
        contexts = None if isinstance(texts, str) else np.arange(len(context))
        texts = [texts] if isinstance(texts, str) else texts
    known = identified(view)
    found = [[known[word] for word in text.split() if word in known] for text in texts]
    rows = np.array([row for one in found for row in one], dtype=np.int64)
    if contexts is None:
        return Nodes(distinct(rows))
    keys = distinct(np.repeat(contexts, [len(one) for one in found]) * len(view) + rows)
    return Nodes(keys % len(view), keys // len(view))


def identified(view: View) -> dict[str, int]:
    """Maps each identifier to its element.

    Identifiers are the values of `xml:id`, of attributes that the doctype declares as ID, and of `id` in
    HTML.
    """
    declared = _declared_ids(view)
    rows = np.flatnonzero(view.kinds == ATTRIBUTE)
    labels = view.paths.label[view.path]
    found: dict[str, int] = {}
    for row in rows.tolist():
        attribute, owner = view.labels[labels[row]], int(view.parents[row])
        name = view.names[labels[owner]].written
        is_xml_id = attribute == ("@xml:id", XML_NAMESPACE)
        if is_xml_id or (name, attribute[0][1:]) in declared or ("", attribute[0][1:]) in declared:
            found.setdefault(view.values(np.array([row]))[0].strip(), owner)
    return found


def _declared_ids(view: View) -> set[tuple[str, str]]:
    """Returns the pairs (element, attribute) that identify; the element "" stands for all elements."""
    if view.packed.kind == "html":
        return {("", "id")}
    doctypes = [number for number, (name, _) in enumerate(view.labels) if name == "#doctype"]
    rows = np.flatnonzero(np.isin(view.paths.label[view.path], doctypes))
    return (
        {
            (element, found[1])
            for text in view.values(rows)
            for element, declarations in _ATTLIST.findall(text)
            for found in _IS_ID.finditer(f"{declarations} ")
        }
        if len(rows)
        else set()
    )


def _lang(evaluation: Evaluation, call: Call, context: Context) -> Value:
    """Says whether the language of each context node, by the nearest `xml:lang`, is the one asked for."""
    view, count = evaluation.view, len(context)
    wanted: Any = to_text(view, evaluation.value(call.arguments[0], context), count)
    spoken = [number for number, label in enumerate(view.labels) if label == ("@xml:lang", XML_NAMESPACE)]
    rows = np.flatnonzero(np.isin(view.paths.label[view.path], spoken))
    marked = np.zeros(len(view), dtype=np.bool_)
    marked[view.parents[rows]] = True
    sizes = (view.ends - np.arange(len(view))).astype(np.int32)
    nearest = np.where(marked, np.arange(len(view)), arrays.enclosing(marked, sizes))[context.rows]
    values = dict(zip(view.parents[rows].tolist(), view.values(rows) if len(rows) else [], strict=True))
    texts = [wanted] * count if isinstance(wanted, str) else wanted
    found = [_speaks(values.get(row), text) for row, text in zip(nearest.tolist(), texts, strict=True)]
    return found[0] if count == 1 else np.array(found, dtype=np.bool_)


def _speaks(language: str | None, wanted: str) -> bool:
    """Compares languages without case; `en` is also answered by `en-GB`."""
    if language is None:
        return False
    mine, asked = language.lower(), wanted.lower()
    return mine == asked or mine.startswith(f"{asked}-")


_OF_NODES: dict[str, Callable[[Evaluation, Call, Context], Value]] = {
    "last": lambda evaluation, call, context: _one(context, context.size),
    "position": lambda evaluation, call, context: _one(context, context.position),
    "count": _count,
    "sum": _sum,
    "id": _id,
    "lang": _lang,
    "name": _named(lambda name: name.written),
    "local-name": _named(lambda name: name.local),
    "namespace-uri": _named(lambda name: name.address),
}


# --- of strings ----------------------------------------------------------------------------------------


def _texts(evaluation: Evaluation, call: Call, context: Context) -> list[Any]:
    """Returns the arguments of a call as strings; without arguments, the string of the context node."""
    if not call.arguments:
        return [_single(evaluation.view.strings(context.rows))]
    found = [evaluation.value(argument, context) for argument in call.arguments]
    return [to_text(evaluation.view, value, len(context)) for value in found]


def _each(function: Callable[..., Any], *texts: str | list[str]) -> Any:
    """Calls a function on strings: once if all are the same for every context, otherwise once per context."""
    columns = [one for one in texts if isinstance(one, list)]
    if not columns:
        return function(*texts)
    spread = [one if isinstance(one, list) else [one] * len(columns[0]) for one in texts]
    return [function(*row) for row in zip(*spread, strict=True)]


def _as_booleans(function: Callable[..., Any]) -> Callable[..., Value]:
    def answer(*texts: str | list[str]) -> Value:
        found = _each(function, *texts)
        return np.array(found, dtype=np.bool_) if isinstance(found, list) else bool(found)

    return answer


def _as_numbers(function: Callable[[str], float]) -> Callable[..., Value]:
    def answer(*texts: str | list[str]) -> Value:
        found = _each(function, *texts)
        return np.array(found, dtype=np.float64) if isinstance(found, list) else float(found)

    return answer


def _as_texts(function: Callable[..., Any]) -> Callable[..., Value]:
    def answer(*texts: str | list[str]) -> Value:
        found: Value = _each(function, *texts)
        return found

    return answer


def _before(text: str, sign: str) -> str:
    # Python refuses to partition by the empty string; XPath finds it at the beginning.
    before, found, _ = text.partition(sign) if sign else ("", "", "")
    return before if found else ""


def _after(text: str, sign: str) -> str:
    if not sign:
        return text
    return text.partition(sign)[2]


_OF_TEXTS: dict[str, Callable[..., Value]] = {
    "string": _as_texts(lambda text: text),
    "concat": _as_texts(lambda *texts: "".join(texts)),
    "starts-with": _as_booleans(lambda text, start: text.startswith(start)),
    "contains": _as_booleans(lambda text, part: part in text),
    "substring-before": _as_texts(_before),
    "substring-after": _as_texts(_after),
    "string-length": _as_numbers(len),
    "normalize-space": _as_texts(normalized),
    "translate": _as_texts(translated),
    "matches": _as_booleans(OF_TEXTS["matches"]),
    "replace": _as_texts(OF_TEXTS["replace"]),
    "ends-with": _as_booleans(OF_TEXTS["ends-with"]),
    "lower-case": _as_texts(OF_TEXTS["lower-case"]),
    "upper-case": _as_texts(OF_TEXTS["upper-case"]),
}


# --- of numbers and booleans -----------------------------------------------------------------------------


def _substring(evaluation: Evaluation, call: Call, context: Context) -> Value:
    count = len(context)
    text: Any = to_text(evaluation.view, evaluation.value(call.arguments[0], context), count)
    numbers: list[Any] = [_number(evaluation, argument, context) for argument in call.arguments[1:]]
    if not isinstance(text, list) and not any(isinstance(one, np.ndarray) for one in numbers):
        return substring(text, numbers[0], numbers[1] if len(numbers) > 1 else None)
    texts = text if isinstance(text, list) else [text] * count
    columns = [np.broadcast_to(one, (count,)).tolist() for one in numbers]
    lengths = columns[1] if len(columns) > 1 else [None] * count
    return [substring(*row) for row in zip(texts, columns[0], lengths, strict=True)]


def _number(evaluation: Evaluation, argument: Expression, context: Context) -> Any:
    return to_float(evaluation.view, evaluation.value(argument, context), len(context))


def _to_number(evaluation: Evaluation, call: Call, context: Context) -> Value:
    if call.arguments:
        found: Value = _number(evaluation, call.arguments[0], context)
        return found
    text = _single(evaluation.view.strings(context.rows))
    return to_float(evaluation.view, text, len(context))


def _of_number(function: Callable[[float], float]) -> Callable[[Evaluation, Call, Context], Value]:
    """Makes an XPath function of a function of one number."""

    def answer(evaluation: Evaluation, call: Call, context: Context) -> Value:
        number = _number(evaluation, call.arguments[0], context)
        if isinstance(number, np.ndarray):
            return np.array([function(one) for one in number.tolist()], dtype=np.float64)
        return function(number)

    return answer


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    """Makes `floor` or `ceiling` keep NaN, infinities and the sign of zero."""

    def answer(number: float) -> float:
        if math.isnan(number) or math.isinf(number):
            return number
        return math.copysign(float(function(number)), number) if abs(number) < 1 else float(function(number))

    return answer


def _not(evaluation: Evaluation, call: Call, context: Context) -> Value:
    found = evaluation.boolean(call.arguments[0], context)
    return ~found if isinstance(found, np.ndarray) else not found


def _asking(call: Call) -> Expression:
    """Returns the comparison count(…) > 0, which says whether there are such nodes. It refuses an argument
    that is a text, a number or a boolean, as the function must."""
    return Binary(">", Call("count", call.arguments, call.at), Number(0.0))


def _string_join(evaluation: Evaluation, call: Call, context: Context) -> Value:
    nodes = evaluation.nodes(evaluation.value(call.arguments[0], context), "string-join()", call.at)
    count = len(context)
    between: Any = (
        to_text(evaluation.view, evaluation.value(call.arguments[1], context), count)
        if len(call.arguments) > 1
        else ""
    )
    texts = evaluation.view.strings(nodes.rows)
    if nodes.context is None:
        return str(between if isinstance(between, str) else between[0]).join(texts)
    found: list[list[str]] = [[] for _ in range(count)]
    for place, text in zip(nodes.context.tolist(), texts, strict=True):
        found[place].append(text)
    glue = [between] * count if isinstance(between, str) else between
    return _single([one.join(parts) for one, parts in zip(glue, found, strict=True)])


_OTHERS: dict[str, Callable[[Evaluation, Call, Context], Value]] = {
    "substring": _substring,
    "number": _to_number,
    "floor": _of_number(_whole(math.floor)),
    "ceiling": _of_number(_whole(math.ceil)),
    "round": _of_number(rounded),
    "abs": _of_number(abs),
    "exists": lambda evaluation, call, context: evaluation.boolean(_asking(call), context),
    "empty": lambda evaluation, call, context: _not(evaluation, Call("not", (_asking(call),)), context),
    "string-join": _string_join,
    "boolean": lambda evaluation, call, context: evaluation.boolean(call.arguments[0], context),
    "not": _not,
    "true": lambda evaluation, call, context: True,
    "false": lambda evaluation, call, context: False,
}
