"""The nodes of the change detection graph; equal nodes are one object (G1).

    page ─► part ─► change node ─► composite node ─► interest ─► sentinels

A part is what `Within` and `Ignore` leave of a page. A change node is one change type, with its parameters,
on a part. Composite nodes are AND, OR and NOT of other nodes. An interest is everything of a sentinel that
matters when two versions are compared. Equal nodes are one object, however many sentinels share them: a
result that is kept by node serves all of them, and a million sentinels with the same wish cost one node. The
table of nodes holds weak references, so a node is freed when its last sentinel leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from webvigil.detect.keywords import is_part
from webvigil.detect.sequences import folded_words
from webvigil.document.derived import cached_property
from webvigil.document.patterns import compile_pattern
from webvigil.errors import PatternRefused
from webvigil.model.change_types import KINDS
from webvigil.model.logic import Joined, Operator, leaves
from webvigil.model.sentinel import (
    ChangeExpression,
    ChangeType,
    Compare,
    Part,
    Sentinel,
    WhenCondition,
    change_types,
    part_key,
)

ANY_CHANGE = ChangeType("any change")
_PAIRWISE = Compare()


@dataclass(frozen=True, eq=False)
class PartNode:
    """The part of the page that a sentinel sees. Without `within` and `ignore` it is the whole page."""

    within: tuple[Part, ...] = ()
    ignore: tuple[Part, ...] = ()

    @cached_property
    def key(self) -> str:
        """Equal for equal parts, and short."""
        return part_key(self.within, self.ignore)


@dataclass(frozen=True, eq=False)
class ChangeNode:
    """One change type on one part of the page."""

    part: PartNode
    change: ChangeType

    @cached_property
    def sound(self) -> bool:
        """True if all texts of this change type can be searched. A node that is not sound is computed alone,
        and its detector raises the error that names the reason."""
        match self.change.kind:
            case "keywords" | "phrase":
                return is_part(self.change) or all(map(folded_words, self.change.arguments))
            case "regular expression":
                return all(map(_is_readable, self.change.arguments))
        return True


@dataclass(frozen=True, eq=False)
class CompositeNode:
    """AND, OR or NOT of other nodes."""

    operator: Operator
    below: tuple[Node, ...]

    @property
    def joined(self) -> Joined:
        return self.operator, self.below


Node = ChangeNode | CompositeNode


@dataclass(frozen=True, eq=False)
class Interest:
    """Everything of a sentinel that matters for a comparison. Sentinels with the same interest get the same
    findings from one comparison."""

    top: Node
    when: WhenCondition | None = None
    compare: Compare = _PAIRWISE
    quiet: bool = False
    loud: tuple[Part, ...] = ()
    only_new: bool = False

    @cached_property
    def changes(self) -> tuple[ChangeNode, ...]:
        """The change nodes in the order they are written, each once."""
        return tuple(dict.fromkeys(leaves(self.top)))

    @property
    def part(self) -> PartNode:
        """The part that all change nodes of this interest look at."""
        return self.changes[0].part

    @cached_property
    def on_linked_pages(self) -> Interest:
        """The same interest on a page that is watched because the named page links to it (B7). `Within` names
        a part of the named page, so on linked pages everything is watched; `Ignore` applies there, too."""
        if not self.part.within:
            return self
        top = _elsewhere(self.top, _one(PartNode, (), self.part.ignore))
        return _one(Interest, top, self.when, self.compare, self.quiet, self.loud, self.only_new)


def interest(sentinel: Sentinel) -> Interest:
    """Returns the interest of a sentinel: the same object for all sentinels that want the same."""
    part = _one(PartNode, sentinel.within, sentinel.ignore)
    top = _node(part, sentinel.monitor or ANY_CHANGE)
    told = sentinel.when, sentinel.compare or _PAIRWISE
    return _one(Interest, top, *told, is_quiet(sentinel), sentinel.loud, sentinel.only == "new")


def is_quiet(sentinel: Sentinel) -> bool:
    """Is what breathes on the page left out? By default, where a change type lets it (Q8)."""
    kinds = change_types(sentinel.monitor or ANY_CHANGE)
    return sentinel.quiet != "off" and any(KINDS[one.kind].quieted for one in kinds)


def _node(part: PartNode, expression: ChangeExpression) -> Node:
    """Returns the node for an expression of change types on this part."""
    if isinstance(expression, ChangeType):
        return _one(ChangeNode, part, expression)
    operator, operands = expression.joined
    return _one(CompositeNode, operator, tuple(_node(part, one) for one in operands))


def _elsewhere(node: Node, part: PartNode) -> Node:
    """Returns the node with the same change types on another part."""
    if isinstance(node, ChangeNode):
        return _one(ChangeNode, part, node.change)
    return _one(CompositeNode, node.operator, tuple(_elsewhere(one, part) for one in node.below))


N = TypeVar("N", PartNode, ChangeNode, CompositeNode, Interest)

_made: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()


def _one(make: Callable[..., N], *parts: Any) -> N:
    """Returns the only node of this kind with these parts, and makes it if there is none yet. Parts that are
    nodes are unique as well, so comparing them by identity is enough."""
    key = (make, *parts)
    found: N | None = _made.get(key)
    if found is None:
        found = _made.setdefault(key, make(*parts))
    return found


def _is_readable(pattern: str) -> bool:
    try:
        compile_pattern(pattern)
    except PatternRefused:
        return False
    return True
