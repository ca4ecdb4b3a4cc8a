"""An XPath 1.0 expression and a packed document in, a number, string, boolean or nodes out (X4)."""

from __future__ import annotations

from collections.abc import Mapping

from webvigil.errors import PatternRefused
from webvigil.xpack.packed import Packed
from webvigil.xpack.xpath.engine import Evaluation
from webvigil.xpack.xpath.namespaces import NamespaceView, asks_for_namespaces
from webvigil.xpack.xpath.parser import parse
from webvigil.xpack.xpath.result import Found, Result
from webvigil.xpack.xpath.values import Nodes, Paths, Value
from webvigil.xpack.xpath.view import View

__all__ = ["Found", "Result", "evaluate", "parse"]


def evaluate(
    packed: Packed,
    expression: str,
    namespaces: Mapping[str, str] | None = None,
    variables: Mapping[str, object] | None = None,
) -> Result:
    """Evaluates an XPath expression on a packed document. Raises PatternRefused for a mistake in it.

    Prefixes mean what `namespaces` says; without it, what they mean in the document.
    """
    parsed = parse(expression)
    view = NamespaceView(packed) if asks_for_namespaces(parsed) else View(packed)
    known = {name: _variable(name, value) for name, value in (variables or {}).items()}
    evaluation = Evaluation(view, expression, namespaces, known)
    found = evaluation.answer(parsed)
    if isinstance(found, (Nodes, Paths)):
        return Found(view, found)
    assert isinstance(found, (float, str, bool))
    return found


def _variable(name: str, value: object) -> Value:
    """Turns the value that a caller gave for a variable into a value of XPath."""
    match value:
        case bool() | str() | float():
            return value
        case int():
            return float(value)
        case Found():
            return value.value
    raise PatternRefused(f"the variable ${name} must be a string, a number, a boolean or nodes")
