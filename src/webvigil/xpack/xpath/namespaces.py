"""A packed document in, a view of it with namespace nodes out, for expressions that use the namespace axis.

On this axis every element has a node for each prefix that has a meaning there. Documents do not hold these
nodes. They are woven in as rows right after their element, and everything else treats them like attributes.
"""

from __future__ import annotations

import numpy as np

from webvigil.document.arrays import Ints, Longs
from webvigil.errors import PatternRefused
from webvigil.model.memo import cached_property
from webvigil.xpack.packed import Packed
from webvigil.xpack.paths import PathTable, parents_of, path_table
from webvigil.xpack.rows import XML_NAMESPACE, Label
from webvigil.xpack.xpath.syntax import Binary, Call, Expression, Filter, Negative, Path
from webvigil.xpack.xpath.view import ELEMENT, View

# The most namespace nodes (elements times prefixes) of a document; beyond this the axis is refused, for they
# would fill the memory.
_MOST = 5_000_000


def asks_for_namespaces(expression: Expression) -> bool:
    """Says whether an expression uses the namespace axis anywhere."""
    match expression:
        case Path(start, steps):
            inside = any(asks_for_namespaces(one) for step in steps for one in step.predicates)
            before = start is not None and not isinstance(start, str) and asks_for_namespaces(start)
            return inside or before or any(step.axis == "namespace" for step in steps)
        case Filter(primary, predicates):
            return any(map(asks_for_namespaces, (primary, *predicates)))
        case Call(_, arguments):
            return any(map(asks_for_namespaces, arguments))
        case Binary(_, left, right):
            return asks_for_namespaces(left) or asks_for_namespaces(right)
        case Negative(operand):
            return asks_for_namespaces(operand)
    return False


class NamespaceView(View):
    """A document with its namespace nodes.

    `origin` has, for each row, the number of the row in the file, and -1 for a namespace node.
    """

    def __init__(self, packed: Packed) -> None:
        super().__init__(packed)
        plain = View(packed)
        number = {label: index for index, label in enumerate(plain.labels)}
        extra: list[list[int]] = []
        label_of_row = plain.paths.label[plain.path]
        for scope in _scopes(plain):
            pairs = [(f"&{prefix}", address) for prefix, address in scope.items()]
            extra.append([number.setdefault(pair, len(number)) for pair in pairs])
        self._weave(plain, label_of_row, extra)
        self._labels: tuple[Label, ...] = tuple(number)

    def _weave(self, plain: View, labels: Longs, extra: list[list[int]]) -> None:
        """Inserts the namespace nodes behind their elements; `extra` has the labels for each element."""
        elements = np.flatnonzero(plain.kinds == ELEMENT)
        counts = np.zeros(len(plain), dtype=np.int64)
        counts[elements] = [len(one) for one in extra]
        if int(counts.sum()) > _MOST:
            raise PatternRefused("this document has too many namespaces for the namespace axis")
        at = np.arange(len(plain)) + np.cumsum(counts) - counts
        total = len(plain) + int(counts.sum())
        self.origin = np.full(total, -1, dtype=np.int64)
        self.origin[at] = np.arange(len(plain))
        own = np.empty(total, dtype=np.int32)
        depths = np.empty(total, dtype=np.int32)
        woven = self.origin < 0
        own[at], depths[at] = labels, plain.depths
        own[woven] = [label for one in extra for label in one]
        depths[woven] = np.repeat(plain.depths + 1, counts)
        self._rows = depths, own

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        return self._labels

    @cached_property
    def _table(self) -> tuple[PathTable, Longs]:
        return path_table(*self._rows)

    @cached_property
    def paths(self) -> PathTable:
        return self._table[0]

    @cached_property
    def path(self) -> Longs:
        return self._table[1]

    @cached_property
    def depths(self) -> Ints:
        return self._rows[0]

    @cached_property
    def parents(self) -> Longs:
        return parents_of(self.depths).astype(np.int64)

    @cached_property
    def _plain(self) -> View:
        return View(self.packed)

    def values(self, rows: Longs) -> list[str]:
        """Returns the values of these rows; that of a namespace node is the address of its namespace."""
        origin = self.origin[rows]
        woven = origin < 0
        found = np.empty(len(rows), dtype=object)
        found[woven] = [self.labels[label][1] for label in self.paths.label[self.path[rows[woven]]].tolist()]
        if not woven.all():
            found[~woven] = self._plain.values(origin[~woven])
        return found.tolist()


def _scopes(view: View) -> list[dict[str, str]]:
    """Returns, for each element in document order, the meaning of every prefix there."""
    labels = view.paths.label[view.path].tolist()
    ends, parents = view.ends.tolist(), view.parents.tolist()
    declared: dict[int, dict[str, str]] = {}
    declarations = [
        number
        for number, (name, _) in enumerate(view.labels)
        if name == "@xmlns" or name.startswith("@xmlns:")
    ]
    declares = np.isin(np.array(labels), declarations if view.packed.kind == "xml" else [])
    rows = np.flatnonzero(declares)
    texts = view.values(rows) if len(rows) else []
    for row, address in zip(rows.tolist(), texts, strict=True):
        prefix = view.labels[labels[row]][0].removeprefix("@xmlns").removeprefix(":")
        declared.setdefault(parents[row], {})[prefix] = address
    found: list[dict[str, str]] = []
    open_scopes: list[tuple[int, dict[str, str]]] = [(len(labels), {"xml": XML_NAMESPACE})]
    for row in np.flatnonzero(view.kinds == ELEMENT).tolist():
        while open_scopes[-1][0] <= row:
            open_scopes.pop()
        scope = open_scopes[-1][1]
        if row in declared:
            scope = scope | declared[row]
            open_scopes.append((ends[row], scope))
        found.append(scope)
    return found
