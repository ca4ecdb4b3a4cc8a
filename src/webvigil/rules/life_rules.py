"""The lives of many sentinels: each sentinel becomes rules on events, and events move the lives on (E5).

Every sentinel has a rule on its next boundary: on the time, if that is known, or on the start or end event of
the sentinel it waits for, with further rules on the news that this event will not come. Crossing a boundary
raises the sentinel's own `start` or `end` event, which other sentinels wait for; after its last end it raises
`over`. Another rule warns the user before the last end.

Each step is reported as it happens, with the record to store. After a restart the lives go on from those
records, and everything that became due in the meantime happens first, in order, each at its own time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from webvigil.events import At, Detector, Expression, Occurrence, Primitive, Rule, RuleFailure, VirtualClock
from webvigil.model.life import Crossing, LifeEvent, LifeRecord
from webvigil.model.sentinel import AtEvent
from webvigil.rules import life as living
from webvigil.rules.life import Life

_BOUNDARY, _OVER, _GONE, _WARNING = "boundary", "over", "gone", "warning"
_RAISED = {Crossing.STARTED: "start", Crossing.ENDED: "end", Crossing.EXPIRED: "over"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One move of a sentinel's life: the record before, the life afterwards, and the events."""

    owner: str
    before: LifeRecord
    after: Life
    events: tuple[LifeEvent, ...]


Tell = Callable[[Step], None]


class Lives:
    """All lives that move on one clock. Names are unique per owner, and sentinels of different owners never
    hear of each other's events."""

    def __init__(self, clock: VirtualClock, tell: Tell) -> None:
        self._clock = clock
        self.failures: list[RuleFailure] = []
        self._detector = Detector(clock, on_failure=self.failures.append)
        self._tell = tell
        self._placed: set[str] = set()
        self._lives: dict[tuple[str, str], Life] = {}

    def take_up(self, owner: str, lives: Iterable[Life]) -> None:
        """Adds these lives and lets them go on from their records."""
        taken = list(lives)
        for life in taken:
            self._set(owner, life)
        for life in sorted(taken, key=self._is_due):
            self._plan(owner, life.name)
        for life in taken:
            self._miss_the_removed(owner, life.name)

    def _is_due(self, life: Life) -> bool:
        """Sorts the lives that are due to the end: all other lives must have their rules in place to hear of
        the events."""
        return life.record.next_at is not None and life.record.next_at <= self._clock.now()

    def _miss_the_removed(self, owner: str, name: str) -> None:
        """Moves a life on whose awaited sentinel was removed while no process watched: an awaited end counts
        as happened now, an awaited start makes the life fail."""
        awaited = self._lives[owner, name].awaited
        if awaited is None or (owner, awaited.sentinel) in self._lives:
            return
        if living.boundary_of(awaited) == "end":
            self._hear(owner, name, self._clock.now())
        else:
            self._fail(owner, name, awaited.sentinel, self._clock.now())

    def remove(self, owner: str, name: str) -> None:
        """Removes a sentinel: its life ends now, and sentinels that still wait for one of its events learn
        that the event will not come."""
        life = self._lives.get((owner, name))
        if life is None:
            return
        if life.record.within:
            self._raise(owner, name, "end")
        self._forget(owner, name)
        self._raise(owner, name, "gone")

    def drop(self, owner: str, name: str) -> None:
        """Stops moving a sentinel's life without raising any event for other sentinels."""
        if (owner, name) in self._lives:
            self._forget(owner, name)

    def life(self, owner: str, name: str) -> Life | None:
        return self._lives.get((owner, name))

    def all(self) -> list[tuple[str, Life]]:
        return [(owner, life) for (owner, _), life in self._lives.items()]

    # --- One sentinel's rules ----------------------------------------------------------------------

    def _plan(self, owner: str, name: str) -> None:
        """Puts the rules in place that fit where the sentinel stands. A boundary that is already due is
        crossed now."""
        self._unplan(owner, name)
        life = self._lives[owner, name]
        now = self._clock.now()
        if life.record.next_at is not None and life.record.next_at <= now:
            self._cross(owner, name, now)
            return
        if life.record.next_at is not None:
            event = At(life.record.next_at)
            self._add(owner, name, _BOUNDARY, event, lambda seen: self._cross(owner, name, seen.end))
        elif life.awaited is not None:
            self._plan_waiting(owner, name, life.awaited)
        warning = living.warning_time(life)
        if warning is not None:
            self._plan_warning(owner, name, warning, now)

    def _plan_warning(self, owner: str, name: str, at: datetime, now: datetime) -> None:
        if at <= now:
            self._warn(owner, name, at)
        else:
            self._add(owner, name, _WARNING, At(at), lambda seen: self._warn(owner, name, seen.end))

    def _plan_waiting(self, owner: str, name: str, awaited: AtEvent) -> None:
        """Adds rules for the awaited event and for the news that it will not come, because the other sentinel
        has ended or was removed."""
        boundary = living.boundary_of(awaited)
        other = awaited.sentinel
        event = Primitive(_event(owner, other, boundary))
        self._add(owner, name, _BOUNDARY, event, lambda seen: self._hear(owner, name, seen.end))
        if boundary == "start":
            over = Primitive(_event(owner, other, "over"))
            self._add(owner, name, _OVER, over, lambda seen: self._wait_in_vain(owner, name, other, seen.end))
        gone = Primitive(_event(owner, other, "gone"))
        self._add(owner, name, _GONE, gone, lambda seen: self._fail(owner, name, other, seen.end))

    def _add(
        self, owner: str, name: str, what: str, event: Expression, action: Callable[[Occurrence], None]
    ) -> None:
        rule = Rule(name=_rule(owner, name, what), event=event, action=action)
        self._placed.add(rule.name)
        self._detector.add(rule)

    def _unplan(self, owner: str, name: str) -> None:
        for what in (_BOUNDARY, _OVER, _GONE, _WARNING):
            rule = _rule(owner, name, what)
            if rule in self._placed:
                self._placed.remove(rule)
                self._detector.remove(rule)

    # --- What happens ------------------------------------------------------------------------------

    def _hear(self, owner: str, name: str, at: datetime) -> None:
        life = self._lives[owner, name]
        self._step(owner, life.record, living.heard(life, at), [])

    def _wait_in_vain(self, owner: str, name: str, other: str, at: datetime) -> None:
        life, over = self._lives[owner, name], self._lives[owner, other]
        self._step(owner, life.record, *living.in_vain(life, over, at))

    def _fail(self, owner: str, name: str, other: str, at: datetime) -> None:
        life = self._lives[owner, name]
        reason = f"the sentinel {other!r} that it waits for was removed"
        self._step(owner, life.record, *living.failed(life, at, reason))

    def _cross(self, owner: str, name: str, at: datetime) -> None:
        """Crosses a boundary. Sentinels on which this one depends cross theirs first if they are due at the
        same moment, whichever timer fired first."""
        for other in self._relied_on(owner, name):
            self._catch_up(owner, other, at)
        self._pass_boundaries(owner, name, at)

    def _catch_up(self, owner: str, name: str, at: datetime) -> None:
        """Handles now what happened to the awaited sentinel at this very moment; the rule for that event
        would run later."""
        awaited = self._lives[owner, name].awaited
        other = self._lives.get((owner, awaited.sentinel)) if awaited else None
        if awaited and other:
            boundary = living.boundary_of(awaited)
            if at == (other.record.ended_at if boundary == "end" else other.record.started_at):
                self._hear(owner, name, at)
            elif boundary == "start" and other.record.over and other.record.ended_at == at:
                self._wait_in_vain(owner, name, other.name, at)
        self._pass_boundaries(owner, name, at)

    def _pass_boundaries(self, owner: str, name: str, at: datetime) -> None:
        life = self._lives[owner, name]
        if life.record.next_at is not None and life.record.next_at <= at:
            self._step(owner, life.record, *living.pass_boundaries(life, at, self._others(owner)))

    def _relied_on(self, owner: str, name: str) -> list[str]:
        """Returns all sentinels whose events decide about this one, directly or through others, each after
        those on which it depends itself."""
        found: list[str] = []
        seen, waiting = {name}, [(one, False) for one in living.named_in(self._lives[owner, name])]
        while waiting:
            one, explored = waiting.pop()
            if explored:
                found.append(one)
            elif one not in seen and (owner, one) in self._lives:
                seen.add(one)
                more = living.named_in(self._lives[owner, one])
                waiting += [(one, True), *((another, False) for another in more)]
        return found

    def _warn(self, owner: str, name: str, at: datetime) -> None:
        life = self._lives[owner, name]
        self._step(owner, life.record, *living.warned(life, at))

    def _step(self, owner: str, before: LifeRecord, after: Life, events: list[LifeEvent]) -> None:
        """Stores the new life, reports the step, plans the next rules, and raises the events that other
        sentinels wait for."""
        self._set(owner, after)
        self._tell(Step(owner=owner, before=before, after=after, events=tuple(events)))
        self._plan(owner, after.name)
        for event in events:
            if event.what in _RAISED:
                self._raise(owner, after.name, _RAISED[event.what])

    def _raise(self, owner: str, name: str, what: str) -> None:
        self._detector.raise_event(_event(owner, name, what))

    # --- The lives by owner and name ----------------------------------------------------------------

    def _set(self, owner: str, life: Life) -> None:
        self._lives[owner, life.name] = life

    def _forget(self, owner: str, name: str) -> None:
        self._unplan(owner, name)
        del self._lives[owner, name]

    def _others(self, owner: str) -> living.OtherLife:
        def record(name: str) -> LifeRecord | None:
            life = self._lives.get((owner, name))
            return life.record if life else None

        return record


def _rule(owner: str, name: str, what: str) -> str:
    return f"{what} of {owner}/{name}"


def _event(owner: str, name: str, what: str) -> str:
    return f"{what}({owner}/{name})"
