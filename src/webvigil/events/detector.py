"""The local event detector: raise events, let time pass, and the rules on them are carried out (E1-E4, E6).

One moment after the other: what is raised, or a timer that goes off, is carried through the graph; then the
rules that heard of it run; what they raise waits in a queue, first come first served, and is a moment of its
own at the same time of day. Timers go off before what is raised at the same time.

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

# A start event that ten thousand others hang on is fine. Two rules that call each other get here in a second.
LONGEST_CASCADE = 100_000


class Raised(NamedTuple):
    time: datetime
    name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A temporal event that is to come, as `Detector.pending` lists it and `Detector.resume` takes it back.

    `last` is when its interval last began anew: its last occurrence, or its start. To resume an event, `last`
    or `at` is enough. `interval` is the present one of a periodic event; None: the one in its definition.
    """

    event: Expression
    context: Context = Context.RECENT
    at: datetime | None = None
    last: datetime | None = None
    interval: timedelta | None = None
    starts: tuple[Occurrence, ...] = ()


class Detector:
    def __init__(
        self,
        clock: Clock,
        *,
        on_failure: Callable[[RuleFailure], None] | None = None,
        longest_cascade: int = LONGEST_CASCADE,
    ) -> None:
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
        """It happens now. From within a rule: after what is under way, at the same time."""
        if self._busy:
            self._refuse_endless(name)
            self._queue.append(Raised(self._present(), name, parameters))
        else:
            self.catch_up()
            self._cause(Raised(self._present(), name, parameters))

    def catch_up(self, at_most: int | None = None) -> int:
        """Let the timers go off that are due; how many those were."""
        if self._busy:
            raise EventRefused("time does not pass while a rule is carried out")
        now = self.clock.now()
        done = 0
        while done != at_most and (timer := self._timers.pop(now)) is not None:
            self._cause(timer)
            done += 1
        return done

    def next_due(self) -> datetime | None:
        return self._timers.next_due()

    def on_sooner(self, call: Callable[[], None] | None) -> None:
        """Whom to tell when a timer was set that is due before all others."""
        self._timers.on_sooner = call

    # --- Rules (E3) --------------------------------------------------------------------------------

    def add(self, rule: Rule) -> None:
        """From now on. A rule on an event that is being detected already joins in."""
        if rule.name in self._rules:
            raise EventRefused(f"there is a rule {rule.name!r} already")
        self._added += 1
        listener = Listener(rule, self._added)
        node = self._graph.listen(rule.event, rule.context, listener, self._present())
        self._rules[rule.name] = listener, node

    def remove(self, name: str) -> None:
        """Never to run again. What only this rule needed is forgotten."""
        listener, node = self._in_place(name)
        del self._rules[name]
        listener.enabled = False
        self._graph.leave(node, listener)

    def enable(self, name: str) -> None:
        self._in_place(name)[0].enabled = True

    def disable(self, name: str) -> None:
        """Its event goes on being detected, but the rule does not run."""
        self._in_place(name)[0].enabled = False

    def rules(self) -> tuple[Rule, ...]:
        return tuple(listener.rule for listener, _ in self._rules.values())

    def size(self) -> int:
        """How many events are being detected, those inside others included."""
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
        """Give a periodic event another interval while it runs.

        The next occurrence is one new interval after the last one (or after the start, before the first), and
        at once if that has passed; with since="now", one new interval from now.
        """
        node = self._find(event, context)
        assert isinstance(node, PeriodicNode)
        now = self._present()
        node.retime(positive(interval), now if since == "now" else None, now)

    def pending(self) -> list[Pending]:
        """The temporal events to come, earliest first."""
        return [_pending(timer) for timer in self._timers]

    def resume(self, pending: Pending) -> None:
        """Put a temporal event back to where it was, as if it had never stopped.

        One that has become due meanwhile occurs at once, and once only, however often it was missed; after
        that it keeps its phase. Absolute events need not be resumed: their time is in their definition.
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
        """For a rule it is the time of what it reacts to, however late it comes to do so. Time does not run
        backwards, even when somebody sets the machine's clock back."""
        return self._moment.time if self._busy else max(self.clock.now(), self._moment.time)

    def _cause(self, cause: Timer | Raised) -> None:
        """Something happens by itself, and then all that rules make of it."""
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
        node = timer.owner
        assert node is not None
        moment = self._next_moment(max(timer.due, self._moment.time))
        self._tell(node, node.go_off(timer, moment, max(self.clock.now(), timer.due)), moment)

    def _be_raised(self, raised: Raised) -> None:
        moment = self._next_moment(raised.time)
        node = self._graph.primitive(raised.name)
        if node is not None:
            what = Occurrence(raised.name, moment.time, moment.time, (), raised.parameters, moment.number)
            self._tell(node, [what], moment)

    def _next_moment(self, time: datetime) -> Moment:
        self._moment = Moment(self._moment.number + 1, time)
        return self._moment

    def _tell(self, node: Node, occurrences: list[Occurrence], moment: Moment) -> None:
        heard = self._graph.spread(node, occurrences, moment)
        if len(heard) > 1:
            heard.sort(key=lambda one: one[0].order)
        for listener, occurrence in heard:
            if listener.enabled:
                self._carry_out(listener.rule, occurrence)

    def _carry_out(self, rule: Rule, occurrence: Occurrence) -> None:
        part: Literal["condition", "action"] = "condition"
        try:
            if rule.condition is None or rule.condition(occurrence):
                part = "action"
                rule.action(occurrence)
        except Exception as error:  # noqa: BLE001  whatever it is, it must not harm the other rules
            self._report(RuleFailure(rule=rule, occurrence=occurrence, part=part, error=error))

    def _report(self, failure: RuleFailure) -> None:
        log.warning("Went on after a failure: %s", failure, exc_info=failure.error)
        if self._on_failure is None:
            return
        try:
            self._on_failure(failure)
        except Exception:
            log.exception("Cannot report the failure of a rule.")

    def _refuse_endless(self, name: str) -> None:
        self._raised += 1
        if self._raised > self._longest_cascade:
            raise EndlessRules(
                f"one cause has led to {self._longest_cascade} events raised by rules, and now to {name!r}: "
                "rules seem to call each other without end"
            )

    # --- Finding -----------------------------------------------------------------------------------

    def _in_place(self, name: str) -> tuple[Listener, Node]:
        if name not in self._rules:
            raise NotFound(f"there is no rule {name!r}")
        return self._rules[name]

    def _find(self, event: Expression, context: Context) -> Node:
        node = self._graph.find(event, context)
        if node is None:
            raise NotFound(f"no rule is on {event} in the context {context}")
        return node


def _pending(timer: Timer) -> Pending:
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
    """When the interval last began anew, and when it is over, if that is known to differ."""
    due = None if pending.at is None else in_utc(pending.at)
    if pending.last is not None:
        return in_utc(pending.last), due
    if due is not None:
        return due - interval, due
    raise EventRefused(f"to resume {pending.event} it must be said when it last occurred, or is due")


def _stand_in(node: Node, time: datetime) -> Occurrence:
    """For a start of which nobody remembers more than the time."""
    return Occurrence(node.name, time, time, (), NOTHING, 0)
