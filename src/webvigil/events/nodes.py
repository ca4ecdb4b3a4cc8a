"""The nodes of the detection graph: one class per operator, each with just the state that it needs.

A node receives all that its operands did at one moment and returns its own occurrences at that moment. What
comes first within a moment is settled here, operator by operator; between moments the order is time's.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import IntEnum
from typing import ClassVar

from webvigil.events.context import INITIATORS, Context, Group
from webvigil.events.expression import At, Expression, Plus, Primitive, Recurring
from webvigil.events.occurrence import NOTHING, Moment, Occurrence
from webvigil.events.pattern import Pattern
from webvigil.events.rule import Listener
from webvigil.events.timers import Rank, Timer, TimerQueue
from webvigil.events.times import later
from webvigil.events.windows import Window, Windows


class Role(IntEnum):
    """Which operand of its parent a node is."""

    LEFT = 0
    MIDDLE = 1
    RIGHT = 2


Inbox = list[tuple[Role, Occurrence]]


class Node:
    """One event of the graph.

    `parents` are the nodes to tell of an occurrence, `listeners` the rules on this event.
    """

    __slots__ = (
        "context",
        "depth",
        "event",
        "key",
        "listeners",
        "name",
        "number",
        "operands",
        "parents",
    )
    roles: ClassVar[tuple[Role, ...]] = ()

    def __init__(self, event: Expression, context: Context, operands: tuple[Node, ...]) -> None:
        self.event = event
        self.context = context
        self.operands = operands
        self.name = str(event)
        self.depth: int = 1 + max((operand.depth for operand in operands), default=0)
        self.number = 0
        self.key: tuple[object, ...] = ()
        # Dicts, because they keep their order and remove quickly: a start event may have a hundred thousand.
        self.parents: dict[tuple[Node, Role], None] = {}
        self.listeners: dict[Listener, None] = {}

    def react(self, inbox: Inbox, moment: Moment) -> list[Occurrence]:
        """Returns the occurrences of this node, given all that its operands did at one moment."""
        raise NotImplementedError

    def begin(self, now: datetime) -> None:
        """Prepares the node when it enters the graph. Nodes with timers of their own set them."""

    def close(self) -> None:
        """Ends the node when it leaves the graph. Nodes with timers cancel them."""

    def _composed(self, parts: Group, moment: Moment) -> Occurrence:
        """Makes an occurrence of this node from its parts."""
        start = min(part.start for part in parts)
        return Occurrence(self.name, start, moment.time, parts, NOTHING, moment.number)


def _of(inbox: Inbox, role: Role) -> list[Occurrence]:
    """Returns the occurrences in the inbox that came from the operand in this role."""
    return [occurrence for its, occurrence in inbox if its is role]


class TemporalNode(Node):
    """A node that sets timers."""

    __slots__ = ()
    rank: Rank

    def go_off(self, timer: Timer, moment: Moment, now: datetime) -> list[Occurrence]:
        """Returns what happens when a timer goes off.

        `now` is later than `timer.due` when the timer is late.
        """
        raise NotImplementedError


class PrimitiveNode(Node):
    __slots__ = ()
    event: Primitive


class OrNode(Node):
    __slots__ = ()
    roles: ClassVar[tuple[Role, ...]] = (Role.LEFT, Role.RIGHT)

    def react(self, inbox: Inbox, moment: Moment) -> list[Occurrence]:
        arrived = _of(inbox, Role.LEFT) + _of(inbox, Role.RIGHT)
        # One occurrence may arrive in both roles: `a | a` happens only once for each a.
        distinct = {id(occurrence): occurrence for occurrence in arrived}
        return [self._composed((occurrence,), moment) for occurrence in distinct.values()]


class AndNode(Node):
    """Happens when both operands have happened, in any order.

    Within a moment left comes before right, so that `a & a` happens with each a.
    """

    __slots__ = ("_waiting",)
    roles: ClassVar[tuple[Role, ...]] = (Role.LEFT, Role.RIGHT)

    def __init__(self, event: Expression, context: Context, operands: tuple[Node, ...]) -> None:
        super().__init__(event, context, operands)
        self._waiting = {Role.LEFT: INITIATORS[context](), Role.RIGHT: INITIATORS[context]()}

    def react(self, inbox: Inbox, moment: Moment) -> list[Occurrence]:
        found = []
        for role, other in ((Role.LEFT, Role.RIGHT), (Role.RIGHT, Role.LEFT)):
            for arrived in _of(inbox, role):
                groups = self._waiting[other].take()
                found += [self._composed((*group, arrived), moment) for group in groups]
                if not groups or self.context is Context.RECENT:
                    self._waiting[role].open(arrived)
        return found


class SeqNode(Node):
    """Happens when right happens after left.

    Within a moment right is handled first, so that a left of the same moment does not count as earlier.
    """

    __slots__ = ("_waiting",)
    roles: ClassVar[tuple[Role, ...]] = (Role.LEFT, Role.RIGHT)

    def __init__(self, event: Expression, context: Context, operands: tuple[Node, ...]) -> None:
        super().__init__(event, context, operands)
        self._waiting = INITIATORS[context]()

    def react(self, inbox: Inbox, moment: Moment) -> list[Occurrence]:
        found = [
            self._composed((*group, last), moment)
            for last in _of(inbox, Role.RIGHT)
            for group in self._waiting.take()
        ]
        for first in _of(inbox, Role.LEFT):
            self._waiting.open(first)
        return found


class NotNode(SeqNode):
    """A sequence that the middle event breaks, also at the very moment of the start or the end."""

    __slots__ = ()
    roles: ClassVar[tuple[Role, ...]] = (Role.LEFT, Role.MIDDLE, Role.RIGHT)

    def react(self, inbox: Inbox, moment: Moment) -> list[Occurrence]:
        if _of(inbox, Role.MIDDLE):
            self._waiting.clear()
            return []
        return super().react(inbox, moment)


class BetweenNode(Node):
    """The base of nodes with windows from a start to an end.

    Ends are handled first, then middles, then starts, so that only what is strictly later counts as later.
    """

    __slots__ = ("_windows",)
    roles: ClassVar[tuple[Role, ...]] = (Role.LEFT, Role.MIDDLE, Role.RIGHT)

    def __init__(self, event: Expression, context: Context, operands: tuple[Node, ...]) -> None:
        super().__init__(event, context, operands)
        self._windows = Windows(context)

    def react(self, inbox: Inbox, moment: Moment) -> list[Occurrence]:
        found = []
        for end in _of(inbox, Role.RIGHT):
            for window in self._windows.end():
                found += self._ended(window, end, moment)
        for middle in _of(inbox, Role.MIDDLE):
            for window in self._windows:
                found += self._inside(window, middle, moment)
        for start in _of(inbox, Role.LEFT):
            self._open(start)
        return found

    def _open(self, start: Occurrence) -> Window | None:
        """Opens a window and returns it; None if the start joined an open window."""
        for window in self._windows.replaced():
            self._gone(window)
        return self._windows.start(start)

    def _gone(self, window: Window) -> None:
        """Forgets a window that is closed, by an end or because another replaces it."""

    def _inside(self, window: Window, middle: Occurrence, moment: Moment) -> list[Occurrence]:
        """Returns what happens with a `middle` inside a window."""
        return []

    def _ended(self, window: Window, end: Occurrence, moment: Moment) -> list[Occurrence]:
        """Returns what happens when an end closes a window."""
        self._gone(window)
        return []

    def _collected(self, window: Window, end: Occurrence, moment: Moment) -> list[Occurrence]:
        """Returns one occurrence with all that a window collected, none if it collected nothing."""
        if not window.inside:
            return []
        return [self._composed((*window.starts, *window.inside, end), moment)]


class AperiodicNode(BetweenNode):
    __slots__ = ()

    def _inside(self, window: Window, middle: Occurrence, moment: Moment) -> list[Occurrence]:
        return [self._composed((*window.starts, middle), moment)]


class AperiodicStarNode(BetweenNode):
    __slots__ = ()

    def _inside(self, window: Window, middle: Occurrence, moment: Moment) -> list[Occurrence]:
        window.inside.append(middle)
        return []

    def _ended(self, window: Window, end: Occurrence, moment: Moment) -> list[Occurrence]:
        return self._collected(window, end, moment)


class AbsoluteNode(TemporalNode):
    """A fixed time, or times by the calendar. A late timer stands for all times that were missed with it."""

    __slots__ = ("_timer", "_timers")
    rank = Rank.ABSOLUTE
    event: At | Pattern

    def __init__(self, event: Expression, context: Context, timers: TimerQueue) -> None:
        super().__init__(event, context, ())
        self._timers = timers
        self._timer: Timer | None = None

    def begin(self, now: datetime) -> None:
        due = self._after(now)
        self._timer = None if due is None else self._timers.set(due, self)

    def go_off(self, timer: Timer, moment: Moment, now: datetime) -> list[Occurrence]:
        self.begin(now)
        return [Occurrence(self.name, moment.time, moment.time, (), NOTHING, moment.number)]

    def close(self) -> None:
        if self._timer is not None:
            self._timers.cancel(self._timer)

    def _after(self, now: datetime) -> datetime | None:
        """Returns the first time of the event after `now`, None if there is none."""
        if isinstance(self.event, Pattern):
            return self.event.after(now)
        return self.event.time if self.event.time > now else None


class DelayedNode(BetweenNode, TemporalNode):
    """A node whose windows have a timer running: Plus, P and P*."""

    __slots__ = ("_timers", "interval")
    event: Plus | Recurring

    def __init__(
        self, event: Plus | Recurring, context: Context, operands: tuple[Node, ...], timers: TimerQueue
    ) -> None:
        super().__init__(event, context, operands)
        self._timers = timers
        self.interval = event.interval

    def resume(self, starts: Group, last: datetime, due: datetime | None) -> None:
        """Opens a window that was running before the detector stopped.

        Its interval last began at `last`. It is due at `due`; None stands for one interval after `last`.
        """
        window = super()._open(starts[0])
        if window is not None:
            window.starts.extend(starts[1:])
            window.last = last
            self._windows.reorder()
            self._set(window, due or later(last, self.interval))

    def close(self) -> None:
        for window in self._windows.all():
            self._gone(window)

    def _open(self, start: Occurrence) -> Window | None:
        window = super()._open(start)
        if window is not None:
            self._set(window, later(start.end, self.interval))
        return window

    def _set(self, window: Window, due: datetime | None) -> None:
        """Sets the timer of a window; None stands for a time that never comes."""
        window.timer = None if due is None else self._timers.set(due, self, window)

    def _gone(self, window: Window) -> None:
        if window.timer is not None:
            self._timers.cancel(window.timer)


class PlusNode(DelayedNode):
    __slots__ = ()
    roles: ClassVar[tuple[Role, ...]] = (Role.LEFT,)
    rank = Rank.RELATIVE

    def go_off(self, timer: Timer, moment: Moment, now: datetime) -> list[Occurrence]:
        assert timer.window is not None
        self._windows.remove(timer.window)
        return [self._composed(tuple(timer.window.starts), moment)]


class PeriodicNode(DelayedNode):
    __slots__ = ()
    roles: ClassVar[tuple[Role, ...]] = (Role.LEFT, Role.RIGHT)
    rank = Rank.PERIODIC

    def go_off(self, timer: Timer, moment: Moment, now: datetime) -> list[Occurrence]:
        window = timer.window
        assert window is not None
        # A late timer stands for all periods that were missed; the following ones keep their phase.
        window.last = timer.due + (now - timer.due) // self.interval * self.interval
        self._set(window, later(window.last, self.interval))
        return self._period(window, self._composed(tuple(window.starts), moment))

    def _period(self, window: Window, period: Occurrence) -> list[Occurrence]:
        """Returns what happens when the interval has passed."""
        return [period]

    def retime(self, interval: timedelta, since: datetime | None, now: datetime) -> None:
        """Goes on with another interval, counted from `since` or from when each window's last one began."""
        self.interval = interval
        for window in self._windows:
            self._gone(window)
            due = later(since or window.last, interval)
            self._set(window, None if due is None else max(due, now))


class PeriodicStarNode(PeriodicNode):
    __slots__ = ()

    def _period(self, window: Window, period: Occurrence) -> list[Occurrence]:
        window.inside.append(period)
        return []

    def _ended(self, window: Window, end: Occurrence, moment: Moment) -> list[Occurrence]:
        self._gone(window)
        return self._collected(window, end, moment)
