"""The parts of a parsed XPath 1.0 expression, and what can be told from them before it is evaluated.

Most are named tuples, as other records of packed files are: making a dataclass takes half a millisecond,
which each `webvigil query` would spend on every one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

AXES = (
    "ancestor",
    "ancestor-or-self",
    "attribute",
    "child",
    "descendant",
    "descendant-or-self",
    "following",
    "following-sibling",
    "namespace",
    "parent",
    "preceding",
    "preceding-sibling",
    "self",
)
# The axes whose positions count backwards, from the nearest node.
REVERSE = frozenset({"ancestor", "ancestor-or-self", "preceding", "preceding-sibling"})


@dataclass(frozen=True, slots=True)
class Test:
    """A node test. `kind` is name, node, text, comment or processing-instruction."""

    kind: str
    prefix: str | None = None
    name: str | None = None  # None: any name
    at: int = field(default=0, compare=False)  # the place in the expression, for error messages


class Number(NamedTuple):
    value: float


class Literal(NamedTuple):
    value: str


class Variable(NamedTuple):
    name: str
    at: int = 0


class Call(NamedTuple):
    name: str
    arguments: tuple[Expression, ...]
    at: int = 0


class Binary(NamedTuple):
    operator: str
    left: Expression
    right: Expression


class Negative(NamedTuple):
    operand: Expression


class Step(NamedTuple):
    axis: str
    test: Test
    predicates: tuple[Expression, ...] = ()


class Path(NamedTuple):
    """A path.

    `start` is None for the context node, "/" for the root, else the expression before the steps.
    """

    start: Expression | str | None
    steps: tuple[Step, ...]


class Filter(NamedTuple):
    primary: Expression
    predicates: tuple[Expression, ...]


Expression = Number | Literal | Variable | Call | Binary | Negative | Path | Filter

_OF_CONTEXT = ("local-name", "namespace-uri", "name", "string", "string-length", "normalize-space", "number")
_NUMERIC = frozenset(
    {"last", "position", "count", "string-length", "number", "sum", "floor", "ceiling", "round", "abs"}
)
_ARITHMETIC = frozenset({"+", "-", "*", "div", "mod"})


def depends_on_context(expression: Expression) -> bool:
    """Says whether the value may change with the context node, its position or the size of the context."""
    match expression:
        case Call(name, arguments):
            own = name in ("last", "position", "lang") or (not arguments and name in _OF_CONTEXT)
            return own or any(map(depends_on_context, arguments))
        case Binary(_, left, right):
            return depends_on_context(left) or depends_on_context(right)
        case Negative(operand):
            return depends_on_context(operand)
        case Path(start, _):
            return start is None or (not isinstance(start, str) and depends_on_context(start))
        case Filter(primary, _):
            return depends_on_context(primary)
    return False


def is_positional(predicate: Expression) -> bool:
    """Says whether a predicate may depend on positions. A predicate that is a number asks for a position."""
    return _may_be_number(predicate) or _asks_position(predicate)


def _may_be_number(expression: Expression) -> bool:
    """Says whether a predicate may be a number. A variable may; what it holds is not known here."""
    match expression:
        case Number() | Negative() | Variable():
            return True
        case Binary(operator, _, _):
            return operator in _ARITHMETIC
        case Call(name, _):
            return name in _NUMERIC
        case Filter(primary, ()):
            return _may_be_number(primary)
    return False


def _asks_position(expression: Expression) -> bool:
    """Says whether an expression calls position() or last() for its own context.

    Predicates inside it are not looked at: their calls are about positions of their own.
    """
    match expression:
        case Call(name, arguments):
            return name in ("position", "last") or any(map(_asks_position, arguments))
        case Binary(_, left, right):
            return _asks_position(left) or _asks_position(right)
        case Negative(operand):
            return _asks_position(operand)
        case Path(start, _) if start is not None and not isinstance(start, str):
            return _asks_position(start)
        case Filter(primary, _):
            return _asks_position(primary)
    return False


EVERYTHING = Test("node")
_ANYWHERE = Step("descendant-or-self", EVERYTHING)


def shortened(steps: list[Step]) -> tuple[Step, ...]:
    """Joins the two steps that `//X` stands for into one: `descendant::X`.

    `//X` means the children X of all nodes. That is the same as the descendants X unless positions count.
    """
    found: list[Step] = []
    for step in steps:
        plain = not any(map(is_positional, step.predicates))
        if found and found[-1] == _ANYWHERE and plain and step.axis in ("child", "descendant"):
            found[-1] = Step("descendant", step.test, step.predicates)
        else:
            found.append(step)
    return tuple(found)
