"""Expressions in, a graph of nodes out that detects equal events only once (E1).

Two expressions share a node when they are the same operator on the same nodes in the same context. Primitive
and absolute temporal events have no context, and neither has Or: their nodes are shared across contexts. A
node that nobody uses any more is removed, with its timers and its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from heapq import heappop, heappush

from webvigil.errors import EventRefused
from webvigil.events.context import Context
from webvigil.events.expression import (
    And,
    Aperiodic,
    AperiodicStar,
    At,
    Expression,
    Not,
    Or,
    Periodic,
    PeriodicStar,
    Plus,
    Primitive,
    Recurring,
    Seq,
)
from webvigil.events.nodes import (
    AbsoluteNode,
    AndNode,
    AperiodicNode,
    AperiodicStarNode,
    DelayedNode,
    Inbox,
    Node,
    NotNode,
    OrNode,
    PeriodicNode,
    PeriodicStarNode,
    PlusNode,
    PrimitiveNode,
    SeqNode,
)
from webvigil.events.occurrence import Moment, Occurrence
from webvigil.events.pattern import Pattern
from webvigil.events.rule import Listener
from webvigil.events.timers import TimerQueue

PLAIN: dict[type[Expression], type[Node]] = {
    Primitive: PrimitiveNode,
    Or: OrNode,
    And: AndNode,
    Seq: SeqNode,
    Not: NotNode,
    Aperiodic: AperiodicNode,
    AperiodicStar: AperiodicStarNode,
}
DELAYED: dict[type[Expression], type[DelayedNode]] = {
    Plus: PlusNode,
    Periodic: PeriodicNode,
    PeriodicStar: PeriodicStarNode,
}
KNOWN = {*PLAIN, *DELAYED, At, Pattern}
WITHOUT_CONTEXT = (Primitive, At, Pattern, Or)


class Graph:
    """The nodes that detect the events of all rules."""

    def __init__(self, timers: TimerQueue) -> None:
        self._timers = timers
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._made = 0

    def __len__(self) -> int:
        return len(self._nodes)

    def primitive(self, name: str) -> Node | None:
        return self._nodes.get((Primitive, name))

    def find(self, event: Expression, context: Context) -> Node | None:
        """Returns the node of an event, None if no rule needs that event."""
        operands = [self.find(operand, context) for operand in event.operands]
        found = [operand for operand in operands if operand is not None]
        return self._nodes.get(_key(event, context, found)) if len(found) == len(operands) else None

    def listen(self, event: Expression, context: Context, listener: Listener, now: datetime) -> Node:
        """Makes the nodes that an event needs and lets the listener hear of it.

        Raises EventRefused for an event that cannot be detected.
        """
        _refuse_unknown(event)
        node = self._grow(event, context, now)
        node.listeners[listener] = None
        return node

    def leave(self, node: Node, listener: Listener) -> None:
        """Takes a listener off a node, and removes the nodes that nobody needs any more."""
        del node.listeners[listener]
        self._prune(node)

    def spread(
        self, source: Node, occurrences: Sequence[Occurrence], moment: Moment
    ) -> list[tuple[Listener, Occurrence]]:
        """Carries what happened at one moment up the graph.

        Returns each listener with the occurrence it hears of.

        Nodes react in the order of their depth, so that each has heard all of its operands before it reacts.
        """
        heard: list[tuple[Listener, Occurrence]] = []
        ready: list[tuple[int, int, Node]] = []
        inboxes: dict[Node, Inbox] = {}
        node = source
        while True:
            for occurrence in occurrences:
                heard.extend((listener, occurrence) for listener in node.listeners)
                for parent, role in node.parents:
                    if parent not in inboxes:
                        inboxes[parent] = []
                        # The number of a node is unique, so that the nodes themselves are never compared.
                        heappush(ready, (parent.depth, parent.number, parent))
                    inboxes[parent].append((role, occurrence))
            if not ready:
                return heard
            node = heappop(ready)[2]
            occurrences = node.react(inboxes[node], moment)

    def _grow(self, event: Expression, context: Context, now: datetime) -> Node:
        """Returns the node of an event, and makes it and those of its operands if they do not exist."""
        operands = [self._grow(operand, context, now) for operand in event.operands]
        key = _key(event, context, operands)
        return self._nodes.get(key) or self._add(key, self._make(event, context, tuple(operands)), now)

    def _make(self, event: Expression, context: Context, operands: tuple[Node, ...]) -> Node:
        kind = type(event)
        if isinstance(event, At | Pattern):
            return AbsoluteNode(event, context, self._timers)
        if isinstance(event, Plus | Recurring) and kind in DELAYED:
            return DELAYED[kind](event, context, operands, self._timers)
        return PLAIN[kind](event, context, operands)

    def _add(self, key: tuple[object, ...], node: Node, now: datetime) -> Node:
        """Enters a new node into the graph, tells its operands of it and lets it begin."""
        self._made += 1
        node.key, node.number = key, self._made
        for operand, role in zip(node.operands, node.roles, strict=True):
            operand.parents[node, role] = None
        self._nodes[key] = node
        node.begin(now)
        return node

    def _prune(self, node: Node) -> None:
        """Removes a node that nobody uses, then its operands that nobody uses any more."""
        unsure = [node]
        while unsure:
            node = unsure.pop()
            if node.parents or node.listeners or node.key not in self._nodes:
                continue
            del self._nodes[node.key]
            node.close()
            for operand, role in zip(node.operands, node.roles, strict=True):
                del operand.parents[node, role]
            unsure.extend(node.operands)


def _refuse_unknown(event: Expression) -> None:
    """Raises EventRefused for an event of an unknown class anywhere in the expression.

    This is checked before anything is built, so that no half-built node stays in the graph.
    """
    if type(event) not in KNOWN:
        raise EventRefused(f"{event!r} is no event that can be detected")
    for operand in event.operands:
        _refuse_unknown(operand)


def _key(event: Expression, context: Context, operands: Sequence[Node]) -> tuple[object, ...]:
    """Returns what identifies a node: operator, context if it has one, own parameters, operands."""
    match event:
        case Primitive(name):
            return Primitive, name
        case At() | Pattern():
            return type(event), event
        case Plus(_, interval):
            own: tuple[object, ...] = (interval,)
        case Recurring(_, interval, _, name):
            own = (interval, name)
        case _:
            own = ()
    return type(event), None if isinstance(event, WITHOUT_CONTEXT) else context, *own, *operands
