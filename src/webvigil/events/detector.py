"""The event detector: raised events and passing time in, detected events and executed rules out (E1-E4, E6).

Time passes in moments, one after the other. A moment is an event that is raised or a timer that goes off. It
is carried through the graph of operators, then the rules on what occurred run. Events that these rules raise
wait in a queue, first come first served; each is a moment of its own at the same time of day. Timers go off
before events that are raised at the same time.

A detector belongs to one thread.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from webvigil.errors import EndlessRules, EventRefused, NotFound
from webvigil.events.clock import Clock, VirtualClock
from webvigil.events.context import Context
from webvigil.events.expression import Expression, Recurring
from webvigil.events.graph import Graph
from webvigil.events.nodes import DelayedNode, Node, PeriodicNode
from webvigil.events.occurrence import NOTHING, Moment, Occurrence
from webvigil.events.rule import Listener, Rule, RuleFailure
from webvigil.events.timers import Timer, TimerQueue
from webvigil.events.times import in_utc, positive

log = logging.getLogger(__name__)

# The most events that rules may raise in consequence of one cause. An event that sets off ten thousand others
# stays far below; two rules that call each other without end get here within a second.
LONGEST_CASCADE = 100_000


class Raised(NamedTuple):
    """A primitive event that was raised and waits for its moment."""

    time: datetime
    name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A temporal event that is to come, as `Detector.pending` lists it and `Detector.resume` takes it back.

    `at` is when the event is due. `last` is when its interval last began anew: at its last occurrence, or at
    its start. To resume an event, `last` or `at` is enough. `interval` is the present interval of a periodic
    event; None stands for the interval in its definition. `starts` are the occurrences that started it.
    """

    event: Expression
    context: Context = Context.RECENT
    at: datetime | None = None
    last: datetime | None = None
    interval: timedelta | None = None
    starts: tuple[Occurrence, ...] = ()


class Detector:
    """Detects the events that rules are on, and runs the rules."""

    def __init__(
        self,
        clock: Clock,
        *,
        on_failure: Callable[[RuleFailure], None] | None = None,
        longest_cascade: int = LONGEST_CASCADE,
    ) -> None:
        """`on_failure` is called when the condition or the action of a rule raises an exception.

        `longest_cascade` bounds how many events rules may raise in consequence of one cause.
        """
        self.clock = clock
        self._timers = TimerQueue()
        self._graph = Graph(self._timers)
        self._on_failure = on_failure
        self._longest_cascade = longest_cascade
        self._rules: dict[str, tuple[Listener, Node]] = {}
        self._added = 0
        self._queue: deque[Timer | Raised] = deque()
        self._moment = Moment(0, clock.now())
        self._busy = False
        self._raised = 0
        if isinstance(clock, VirtualClock):
            clock.attach(self)

    # --- Events ------------------------------------------------------------------------------------

    def raise_event(self, name: str, /, **parameters: Any) -> None:
        """Raises a primitive event with its parameters, at the present time.

        Called by a rule, the event waits until the rules of the present moment have run, and then happens at
        the same time of day. Raises EndlessRules when rules raise events without end.
        """
        if self._busy:
            self._refuse_endless(name)
            self._queue.append(Raised(self._present(), name, parameters))
        else:
            self.catch_up()
            self._cause(Raised(self._present(), name, parameters))

    def catch_up(self, at_most: int | None = None) -> int:
        """Sets off the timers that are due, at most `at_most` of them, and returns how many there were.

        Raises EventRefused when it is called by a rule.
        """
        if self._busy:
            raise EventRefused("time does not pass while a rule is carried out")
        now = self.clock.now()
        done = 0
        while done != at_most and (timer := self._timers.pop(now)) is not None:
            self._cause(timer)
            done += 1
        return done

    def next_due(self) -> datetime | None:
        """Returns when the earliest timer is due, None if there is none."""
        return self._timers.next_due()

    def on_sooner(self, call: Callable[[], None] | None) -> None:
        """Registers a function to call whenever a timer is set that is due before all others."""
        self._timers.on_sooner = call

    # --- Rules (E3) --------------------------------------------------------------------------------

    def add(self, rule: Rule) -> None:
        """Puts a rule in place from now on. Raises EventRefused if there is a rule of that name.

        Events that other rules are on already are not detected a second time: the rules share their state.
        """
        if rule.name in self._rules:
            raise EventRefused(f"there is a rule {rule.name!r} already")
        self._added += 1
        listener = Listener(rule, self._added)
        node = self._graph.listen(rule.event, rule.context, listener, self._present())
        self._rules[rule.name] = listener, node

    def remove(self, name: str) -> None:
        """Removes a rule and forgets the state of events that only this rule needed.

        Raises NotFound if there is no rule of that name.
        """
        listener, node = self._in_place(name)
        del self._rules[name]
        listener.enabled = False
        self._graph.leave(node, listener)

    def enable(self, name: str) -> None:
        """Lets a disabled rule run again."""
        self._in_place(name)[0].enabled = True

    def disable(self, name: str) -> None:
        """Keeps a rule from running. Its event goes on being detected."""
        self._in_place(name)[0].enabled = False

    def rules(self) -> tuple[Rule, ...]:
        return tuple(listener.rule for listener, _ in self._rules.values())

    def size(self) -> int:
        """Returns how many events are being detected, including those inside others."""
        return len(self._graph)

    # --- Temporal events (E4, E6) ------------------------------------------------------------------

    def retime(
        self,
        event: Recurring,
        interval: timedelta,
        *,
        context: Context = Context.RECENT,
        since: Literal["last", "now"] = "last",
    ) -> None:
        """Gives a periodic event another interval while it runs.

        The next occurrence is one new interval after the last one (before the first: after the start), and at
        once if that time has passed. With since="now" it is one new interval from now.
        """
        node = self._find(event, context)
        assert isinstance(node, PeriodicNode)
        now = self._present()
        node.retime(positive(interval), now if since == "now" else None, now)

    def pending(self) -> list[Pending]:
        """Returns the temporal events to come, earliest first."""
        return [_pending(timer) for timer in self._timers]

    def resume(self, pending: Pending) -> None:
        """Puts a temporal event back to where it was, as if the detector had never stopped.

        An event that has become due in the meantime occurs at once, and only once however often it was
        missed; after that it keeps its phase. Absolute events need not be resumed: their time is in their
        definition.
        """
        node = self._find(pending.event, pending.context)
        if not isinstance(node, DelayedNode):
            return
        if pending.interval is not None and isinstance(node, PeriodicNode):
            node.interval = positive(pending.interval)
        last, due = _phase(pending, node.interval)
        node.resume(pending.starts or (_stand_in(node.operands[0], last),), last, due)

    # --- How moments pass --------------------------------------------------------------------------

    def _present(self) -> datetime:
        """Returns the present time. For a rule that is the time of the moment it reacts to.

        Time never runs backwards here, even when somebody sets the machine's clock back.
        """
        return self._moment.time if self._busy else max(self.clock.now(), self._moment.time)

    def _cause(self, cause: Timer | Raised) -> None:
        """Lets a timer or a raised event happen, and then all events that rules raise in consequence."""
        self._queue.append(cause)
        self._busy, self._raised = True, 0
        try:
            while self._queue:
                self._happen(self._queue.popleft())
        finally:
            self._busy = False

    def _happen(self, cause: Timer | Raised) -> None:
        if isinstance(cause, Timer):
            self._go_off(cause)
        else:
            self._be_raised(cause)

    def _go_off(self, timer: Timer) -> None:
        """Lets a timer go off at the time it was due, or at the time of the last moment if that is later."""
        node = timer.owner
        assert node is not None
        moment = self._next_moment(max(timer.due, self._moment.time))
        self._tell(node, node.go_off(timer, moment, max(self.clock.now(), timer.due)), moment)

    def _be_raised(self, raised: Raised) -> None:
        """Lets a raised event happen. An event that no rule is on is dropped."""
        moment = self._next_moment(raised.time)
        node = self._graph.primitive(raised.name)
        if node is not None:
            what = Occurrence(raised.name, moment.time, moment.time, (), raised.parameters, moment.number)
            self._tell(node, [what], moment)

    def _next_moment(self, time: datetime) -> Moment:
        self._moment = Moment(self._moment.number + 1, time)
        return self._moment

    def _tell(self, node: Node, occurrences: list[Occurrence], moment: Moment) -> None:
        """Carries occurrences through the graph and runs the rules on all that came of them.

        Rules of higher priority run first.
        """
        heard = self._graph.spread(node, occurrences, moment)
        if len(heard) > 1:
            heard.sort(key=lambda one: one[0].order)
        for listener, occurrence in heard:
            # Looked at only now: a rule that ran before may have disabled or removed this one.
            if listener.enabled:
                self._carry_out(listener.rule, occurrence)

    def _carry_out(self, rule: Rule, occurrence: Occurrence) -> None:
        """Runs a rule: its action if its condition holds.

        An exception in either is reported and goes no further.
        """
        part: Literal["condition", "action"] = "condition"
        try:
            if rule.condition is None or rule.condition(occurrence):
                part = "action"
                rule.action(occurrence)
        except Exception as error:  # noqa: BLE001  one broken rule must not keep the others from running
            self._report(RuleFailure(rule=rule, occurrence=occurrence, part=part, error=error))

    def _report(self, failure: RuleFailure) -> None:
        """Logs the failure of a rule and passes it to `on_failure`, whose own exceptions are logged too."""
        log.warning("Could not carry out a rule: %s.", failure, exc_info=failure.error)
        if self._on_failure is None:
            return
        try:
            self._on_failure(failure)
        except Exception:
            log.exception("Could not report the failure of rule %s.", failure.rule.name)

    def _refuse_endless(self, name: str) -> None:
        """Counts the events that rules have raised since one cause. Raises EndlessRules beyond the limit."""
        self._raised += 1
        if self._raised > self._longest_cascade:
            raise EndlessRules(
                f"one cause has led to {self._longest_cascade} events raised by rules, and now to {name!r}: "
                "rules seem to call each other without end"
            )

    # --- Finding -----------------------------------------------------------------------------------

    def _in_place(self, name: str) -> tuple[Listener, Node]:
        """Returns a rule by name, with the node it listens to. Raises NotFound if there is none."""
        if name not in self._rules:
            raise NotFound(f"there is no rule {name!r}")
        return self._rules[name]

    def _find(self, event: Expression, context: Context) -> Node:
        """Returns the node that detects an event. Raises NotFound if no rule needs it."""
        node = self._graph.find(event, context)
        if node is None:
            raise NotFound(f"no rule is on {event} in the context {context}")
        return node


def _pending(timer: Timer) -> Pending:
    """Describes a timer as a pending event."""
    node, window = timer.owner, timer.window
    assert node is not None
    if window is None:
        return Pending(event=node.event, context=node.context, at=timer.due)
    interval = node.interval if isinstance(node, PeriodicNode) else None
    return Pending(
        event=node.event,
        context=node.context,
        at=timer.due,
        last=window.last,
        interval=interval,
        starts=tuple(window.starts),
    )


def _phase(pending: Pending, interval: timedelta) -> tuple[datetime, datetime | None]:
    """Returns when the interval of an event last began, and when the event is due (None: one interval later).

    Raises EventRefused if neither is known.
    """
    due = None if pending.at is None else in_utc(pending.at)
    if pending.last is not None:
        return in_utc(pending.last), due
    if due is not None:
        return due - interval, due
    raise EventRefused(f"to resume {pending.event} it must be said when it last occurred, or is due")


def _stand_in(node: Node, time: datetime) -> Occurrence:
    """Makes an occurrence in place of a start of which only the time is known."""
    return Occurrence(node.name, time, time, (), NOTHING, 0)
