"""An expression and a document in, its value out: evaluated on arrays for all context nodes at once.

A path without predicates is followed in the table of paths alone; rows are opened only by what needs them. A
predicate is evaluated once for all the nodes it is asked of. Where that would make too many pairs at once,
the nodes are halved until it does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from webvigil.document.arrays import Longs, Mask, distinct
from webvigil.errors import PatternRefused
from webvigil.model.memo import cached_property
from webvigil.xpack.rows import XML_NAMESPACE
from webvigil.xpack.xpath import axes, functions
from webvigil.xpack.xpath.axes import Matching, TooWide, counted, expanded, reached
from webvigil.xpack.xpath.conversions import Floats
from webvigil.xpack.xpath.parser import refused
from webvigil.xpack.xpath.relations import OPERATORS, compared
from webvigil.xpack.xpath.syntax import (
    Binary,
    Call,
    Expression,
    Filter,
    Literal,
    Negative,
    Number,
    Path,
    Step,
    Test,
    Variable,
    depends_on_context,
    is_positional,
)
from webvigil.xpack.xpath.values import (
    Nodes,
    Paths,
    Value,
    as_nodes,
    is_nodes,
    is_number,
    to_boolean,
    to_float,
)
from webvigil.xpack.xpath.view import ELEMENT, View

# The pairs of rows that an evaluation may look at before it is refused: some ten seconds of work. It keeps an
# expression with nested axes on a large document from blocking a worker.
PATIENCE = 1_000_000_000
# On these axes the paths of the result follow from the paths of the start, without looking at rows.
_ON_PATHS = frozenset({"child", "attribute", "self", "descendant", "descendant-or-self"})


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """The context nodes of an evaluation: rows, and what `position()` and `last()` give for each."""

    rows: Longs
    position: Longs
    size: Longs

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, chosen: slice) -> Context:
        return Context(self.rows[chosen], self.position[chosen], self.size[chosen])


ONE = np.ones(1, dtype=np.int64)
# The context that is passed to expressions whose value does not depend on the context.
NOWHERE = Context(np.zeros(1, dtype=np.int64), ONE, ONE)


class Evaluation:
    """The evaluation of one expression on one document."""

    def __init__(
        self,
        view: View,
        expression: str,
        namespaces: Mapping[str, str] | None,
        variables: Mapping[str, Value],
    ) -> None:
        self.view = view
        self.expression = expression
        self._given_namespaces = namespaces
        self.variables = variables
        self._matching: dict[tuple[Test, str], Matching] = {}
        self._constants: dict[int, Value] = {}
        self._looked = 0

    @cached_property
    def namespaces(self) -> dict[str, str]:
        """Returns the address that each prefix means: as the caller says, otherwise as in the document."""
        found = {"xml": XML_NAMESPACE}
        if self._given_namespaces is not None:
            return found | dict(self._given_namespaces)
        for name, address in self.view.packed.labels:
            prefix, colon, _ = name.removeprefix("@").partition(":")
            if address and colon:
                found.setdefault(prefix, address)
        return found

    @cached_property
    def root(self) -> Context:
        """Returns the context of the whole expression: the root element, as with lxml.

        In a document without elements it is the document itself.
        """
        if self._root_path is not None:
            return Context(self.view.rows_of_paths(self._whole_path(self._root_path).marked)[:1], ONE, ONE)
        return Context(np.zeros(1, dtype=np.int64), ONE, ONE)

    @cached_property
    def _root_path(self) -> int | None:
        """Returns the number of the path of the root element, None in a document without elements."""
        view = self.view
        found = np.flatnonzero((view.paths.parent == 0) & (view.path_kinds == ELEMENT))
        return int(found[0]) if len(found) else None

    def answer(self, expression: Expression) -> Value:
        """Returns the value of the whole expression."""
        return self.value(expression, self.root if depends_on_context(expression) else NOWHERE)

    def refuse(self, at: int, message: str) -> PatternRefused:
        """Returns the error for a mistake at a column of the expression, to be raised by the caller."""
        return refused(self.expression, at, message)

    def value(self, expression: Expression, context: Context) -> Value:
        """Returns the value of a part of the expression for all nodes of a context."""
        if len(context) != 1 and not depends_on_context(expression):
            return self._constant(expression)
        match expression:
            case Number(value) | Literal(value):
                return value
            case Path():
                return self._path(expression, context)
            case Binary():
                return self._binary(expression, context)
            case Call():
                return functions.called(self, expression, context)
            case Filter(primary, predicates):
                nodes = self.nodes(self.value(primary, context), "a predicate")
                return self._filtered(nodes, predicates)
            case Negative(operand):
                negative: Value = -self._number(operand, context)
                return negative
            case Variable():
                return self._variable(expression)

    def _constant(self, expression: Expression) -> Value:
        """Returns the value of a part that does not depend on the context; it is evaluated once and kept."""
        # Kept by identity: the hash of an expression would walk through all its parts.
        if id(expression) not in self._constants:
            self._constants[id(expression)] = self.value(expression, NOWHERE)
        return self._constants[id(expression)]

    def _variable(self, variable: Variable) -> Value:
        if variable.name not in self.variables:
            raise self.refuse(variable.at, f"the variable ${variable.name} has no value")
        return self.variables[variable.name]

    def nodes(self, value: Value, what: str, at: int = 0) -> Nodes:
        """Returns a value as nodes. Raises PatternRefused if it is a number, a string or a boolean."""
        if not is_nodes(value):
            raise self.refuse(at, f"{what} needs nodes, not a value,")
        return as_nodes(self.view, value)

    # --- operators --------------------------------------------------------------------------------

    def _binary(self, expression: Binary, context: Context) -> Value:
        sign = expression.operator
        if sign in ("and", "or"):
            return self._logical(sign, expression, context)
        if sign == "|":
            return self._union(expression, context)
        if sign in OPERATORS:
            left, right = self.value(expression.left, context), self.value(expression.right, context)
            return compared(self.view, sign, left, right, len(context))
        left_number = self._number(expression.left, context)
        return _arithmetic(sign, left_number, self._number(expression.right, context))

    def _logical(self, sign: str, expression: Binary, context: Context) -> bool | Mask:
        """Evaluates `and` and `or`; the right side only if the left side leaves the answer open."""
        left = self.boolean(expression.left, context)
        if isinstance(left, bool) and left == (sign == "or"):
            return left
        right = self.boolean(expression.right, context)
        found: Any = np.logical_and(left, right) if sign == "and" else np.logical_or(left, right)
        return found if isinstance(found, np.ndarray) else bool(found)

    def boolean(self, expression: Expression, context: Context) -> bool | Mask:
        """Returns a part of the expression as a boolean for each node of the context.

        Whether a path finds nodes at all is often answered by counting them, without listing them.
        """
        if isinstance(expression, Path) and len(context) > 1 and depends_on_context(expression):
            found = self.counts(expression, context)
            if found is not None:
                return found > 0
        return to_boolean(self.view, self.value(expression, context), len(context))

    def counts(self, expression: Path, context: Context) -> Longs | None:
        """Returns how many nodes a path of one plain step finds from each node of the context.

        Returns None for all other paths, whose nodes must be listed.
        """
        if expression.start is not None or len(expression.steps) != 1 or expression.steps[0].predicates:
            return None
        step = expression.steps[0]
        return counted(self.view, context.rows, step.axis, self.matching(step.test, step.axis))

    def _number(self, expression: Expression, context: Context) -> Any:
        return to_float(self.view, self.value(expression, context), len(context))

    def _union(self, expression: Binary, context: Context) -> Value:
        left, right = self.value(expression.left, context), self.value(expression.right, context)
        if isinstance(left, Paths) and isinstance(right, Paths):
            return Paths(left.marked | right.marked)
        ours, theirs = self.nodes(left, "|"), self.nodes(right, "|")
        if ours.context is None and theirs.context is None:
            return Nodes(distinct(np.concatenate([ours.rows, theirs.rows])))
        mine, others = self._per_context(ours, len(context)), self._per_context(theirs, len(context))
        return self._unique(np.concatenate([mine[0], others[0]]), np.concatenate([mine[1], others[1]]))

    def _per_context(self, nodes: Nodes, count: int) -> tuple[Longs, Longs]:
        """Returns nodes as pairs (context, row). Nodes that every context shares are repeated for each."""
        if nodes.context is not None:
            return nodes.context, nodes.rows
        if count * len(nodes.rows) > axes.WIDEST and count > 1:
            raise TooWide
        return np.repeat(np.arange(count), len(nodes.rows)), np.tile(nodes.rows, count)

    def _unique(self, context: Longs, rows: Longs) -> Nodes:
        """Removes double pairs of context and row, and sorts them by context and document order."""
        keys = distinct(context * len(self.view) + rows)
        return Nodes(keys % len(self.view), keys // len(self.view))

    # --- paths ------------------------------------------------------------------------------------

    def _path(self, path: Path, context: Context) -> Value:
        """Follows the steps of a path: in the table of paths while that is possible, then on rows."""
        found = self._start(path, context)
        for step in path.steps:
            if isinstance(found, Paths) and self._stays_on_paths(step):
                found = self._along_paths(found, step)
                continue
            nodes = as_nodes(self.view, found)
            found = self._step(nodes, step) if nodes.context is None else self._steps(nodes, step)
        return found

    def _start(self, path: Path, context: Context) -> Nodes | Paths:
        """Returns the nodes from which a path starts."""
        if path.start is None and len(context) > 1:
            return Nodes(context.rows, np.arange(len(context)))
        if path.start == "/":
            return self._whole_path(0)
        if path.start is None:
            return Nodes(context.rows)
        assert not isinstance(path.start, str)
        found = self.value(path.start, context)
        if isinstance(found, Paths):
            return found
        return self.nodes(found, "a path")

    def _whole_path(self, path: int) -> Paths:
        marked = np.zeros(len(self.view.paths), dtype=np.bool_)
        marked[path] = True
        return Paths(marked)

    def _stays_on_paths(self, step: Step) -> bool:
        """Says whether a step can be followed in the table of paths.

        Neighbouring texts are one node for XPath, but the table of paths counts them separately.
        """
        if step.axis not in _ON_PATHS or step.predicates:
            return False
        return not (self.view.adjacent and step.test.kind in ("node", "text"))

    def _along_paths(self, found: Paths, step: Step) -> Paths:
        """Follows a step in the table of paths."""
        table = self.view.paths
        passing = self.labels(step.test, step.axis)[table.label]
        match step.axis:
            case "self":
                return Paths(found.marked & passing)
            case "child" | "attribute":
                below = found.marked[table.parent] & passing
                below[0] = False
                return Paths(below)
        inside, above = found.marked.copy(), table.parent
        if step.axis == "descendant":
            inside = found.marked[above]
            inside[0] = False
        # Each round doubles how far every path looks up, so that a path of depth n takes log n rounds.
        inside |= inside[above]
        while above.any():
            above = above[above]
            inside |= inside[above]
        if step.axis == "descendant":
            return Paths(inside & passing)
        return Paths(inside & (passing | (found.marked & self.labels(step.test, "self")[table.label])))

    def labels(self, test: Test, axis: str) -> Mask:
        return self.view.labels_matching(test, axis, self._address(test))

    def _address(self, test: Test) -> str | None:
        """Returns the namespace that the prefix of a test means, None without a prefix.

        Raises PatternRefused for a prefix without a meaning.
        """
        if test.prefix is None:
            return None
        if test.prefix not in self.namespaces:
            raise self.refuse(test.at, f"the prefix {test.prefix!r} means no namespace")
        return self.namespaces[test.prefix]

    def matching(self, test: Test, axis: str) -> Matching:
        """Returns the rows that pass a test on an axis; each is computed once.

        They depend on the axis only by its principal kind of node, so that most axes share them.
        """
        kind = axis if axis in ("attribute", "namespace", "self") else "child"
        if (test, kind) not in self._matching:
            self._matching[test, kind] = Matching(self.view, self.labels(test, kind))
        return self._matching[test, kind]

    def _step(self, nodes: Nodes, step: Step) -> Nodes:
        """Follows a step from the nodes of one context, as a set of rows."""
        # Without positions it does not matter from which node a row was reached, so sets are enough.
        if not any(map(is_positional, step.predicates)):
            matching, on_self = self.matching(step.test, step.axis), self.matching(step.test, "self")
            rows = reached(self.view, nodes.rows, step.axis, matching, on_self)
            return self._filtered(Nodes(rows), step.predicates)
        try:
            owners, rows = self._expanded(nodes.rows, step)
        except TooWide:
            return self._halved(nodes, step)
        return Nodes(distinct(self._choose(owners, rows, step.predicates)[1]))

    def _halved(self, nodes: Nodes, step: Step) -> Nodes:
        """Follows a step from each half of the nodes separately, since both together make too many pairs."""
        middle = len(nodes.rows) // 2
        first, last = (
            self._step(Nodes(nodes.rows[:middle]), step),
            self._step(Nodes(nodes.rows[middle:]), step),
        )
        return Nodes(distinct(np.concatenate([first.rows, last.rows])))

    def _steps(self, nodes: Nodes, step: Step) -> Nodes:
        """Follows a step from the nodes of many contexts, as pairs of context and row."""
        assert nodes.context is not None
        owners, rows = self._expanded(nodes.rows, step)
        if any(map(is_positional, step.predicates)):
            owners, rows = self._choose(owners, rows, step.predicates)
            return self._unique(nodes.context[owners], rows)
        found = self._unique(nodes.context[owners], rows)
        return self._filtered(found, step.predicates)

    def _expanded(self, rows: Longs, step: Step) -> tuple[Longs, Longs]:
        """Lists the rows on the axis of each row. Raises PatternRefused when `PATIENCE` is exhausted."""
        matching, on_self = self.matching(step.test, step.axis), self.matching(step.test, "self")
        found = expanded(self.view, rows, step.axis, matching, on_self)
        self._looked += len(found[0])
        if self._looked > PATIENCE:
            raise PatternRefused(f"the XPath {self.expression!r} takes too long on this document")
        return found

    # --- predicates -------------------------------------------------------------------------------

    def _filtered(self, nodes: Nodes, predicates: tuple[Expression, ...]) -> Nodes:
        """Applies predicates to whole sets of nodes, whose positions count in document order."""
        for predicate in predicates:
            if is_positional(predicate):
                owners = np.zeros(len(nodes.rows), dtype=np.int64) if nodes.context is None else nodes.context
                owners, rows = self._choose(owners, nodes.rows, (predicate,))
                nodes = Nodes(rows, None if nodes.context is None else owners)
                continue
            # A row that belongs to many contexts is asked once, for the answer depends on the row alone.
            distinct, places = np.unique(nodes.rows, return_inverse=True)
            unplaced = np.ones(len(distinct), dtype=np.int64)
            holds = self._holds(predicate, Context(distinct, unplaced, unplaced))[places]
            nodes = Nodes(nodes.rows[holds], None if nodes.context is None else nodes.context[holds])
        return nodes

    def _choose(self, owners: Longs, rows: Longs, predicates: tuple[Expression, ...]) -> tuple[Longs, Longs]:
        """Applies predicates that may ask for positions. Each counts what the one before has left."""
        for predicate in predicates:
            if isinstance(predicate, Number):
                chosen = _positions(owners)[0] == predicate.value
            else:
                position, size = _positions(owners)
                chosen = self._holds(predicate, Context(rows, position, size))
            owners, rows = owners[chosen], rows[chosen]
        return owners, rows

    def _holds(self, predicate: Expression, context: Context) -> Mask:
        """Returns for each node of a context whether a predicate holds.

        If the predicate makes too many pairs, each half of the context is evaluated by itself.
        """
        if not len(context):
            return np.zeros(0, dtype=np.bool_)
        try:
            return self._holds_at_once(predicate, context)
        except TooWide:
            if len(context) == 1:
                raise
        middle = len(context) // 2
        halves = context.part(slice(middle)), context.part(slice(middle, None))
        return np.concatenate([self._holds(predicate, half) for half in halves])

    def _holds_at_once(self, predicate: Expression, context: Context) -> Mask:
        """Returns for each node of a context whether a predicate holds.

        A predicate that is a number holds for the node at that position. Raises TooWide if the predicate
        makes too many pairs.
        """
        if not is_positional(predicate):
            found: Any = self.boolean(predicate, context)
        else:
            value = self.value(predicate, context)
            found = (
                context.position == value if is_number(value) else to_boolean(self.view, value, len(context))
            )
        return np.broadcast_to(np.asarray(found, dtype=np.bool_), (len(context),))


def _positions(owners: Longs) -> tuple[Longs, Longs]:
    """Returns the position of each place in its run of equal owners, from 1, and the length of the run."""
    if not len(owners):
        return owners, owners
    starts = np.flatnonzero(np.concatenate([[True], owners[1:] != owners[:-1]]))
    sizes = np.diff(np.append(starts, len(owners)))
    return np.arange(len(owners)) - np.repeat(starts, sizes) + 1, np.repeat(sizes, sizes)


def _arithmetic(sign: str, left: Any, right: Any) -> float | Floats:
    """Computes with IEEE 754 floats: a division by zero gives an infinity or NaN and raises nothing."""
    with np.errstate(all="ignore"):
        match sign:
            case "+":
                found = np.add(left, right)
            case "-":
                found = np.subtract(left, right)
            case "*":
                found = np.multiply(left, right)
            case "div":
                found = np.divide(left, right)
            case _:
                # XPath's mod has the sign of the dividend, as fmod has; numpy's mod has that of the divisor.
                found = np.fmod(left, right)
    return found if isinstance(found, np.ndarray) else float(found)
