"""Many lives together: each sentinel is compiled into rules on events, and the events make them live (E5).

For every sentinel there is a rule on its next boundary: on the time, if that is known, or on the start or
end event of the sentinel it waits for (and one on the news that this event will not come). Crossing a
boundary raises the sentinel's own `start` or `end` event, which is what others wait for; after its last end
it is `over`. Another rule warns before the last end.

What happens is told as it happens, with the record to keep; after a restart the lives are taken up from those
records, and everything that was due meanwhile happens first, in order, at its own time.
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
    """One sentinel moved on: what it was, what it is, and what happened."""

    owner: str
    before: LifeRecord
    after: Life
    events: tuple[LifeEvent, ...]


Tell = Callable[[Step], None]


class Lives:
    """Names are unique per owner; sentinels of different owners never hear of each other."""

    def __init__(self, clock: VirtualClock, tell: Tell) -> None:
        self._clock = clock
        self.failures: list[RuleFailure] = []
        self._detector = Detector(clock, on_failure=self.failures.append)
        self._tell = tell
        self._placed: set[str] = set()
        self._lives: dict[tuple[str, str], Life] = {}

    def take_up(self, owner: str, lives: Iterable[Life]) -> None:
        """Go on with these lives from where their records say."""
        taken = list(lives)
        for life in taken:
            self._set(owner, life)
        for life in sorted(taken, key=self._is_due):
            self._plan(owner, life.name)
        for life in taken:
            self._miss_the_removed(owner, life.name)

    def _is_due(self, life: Life) -> bool:
        """Those whose time has come go last: everybody else must be there to hear of it."""
        return life.record.next_at is not None and life.record.next_at <= self._clock.now()

    def _miss_the_removed(self, owner: str, name: str) -> None:
        """The sentinel it waits for was removed while nobody was there to see it."""
        awaited = self._lives[owner, name].awaited
        if awaited is None or (owner, awaited.sentinel) in self._lives:
            return
        if living.boundary_of(awaited) == "end":
            self._hear(owner, name, self._clock.now())
        else:
            self._fail(owner, name, awaited.sentinel, self._clock.now())

    def remove(self, owner: str, name: str) -> None:
        """It is gone: its life ends now, and whoever still waits for an event of it waits in vain."""
        life = self._lives.get((owner, name))
        if life is None:
            return
        if life.record.within:
            self._raise(owner, name, "end")
        self._forget(owner, name)
        self._raise(owner, name, "gone")

    def drop(self, owner: str, name: str) -> None:
        """Stop caring about it; others hear nothing."""
        if (owner, name) in self._lives:
            self._forget(owner, name)

    def life(self, owner: str, name: str) -> Life | None:
        return self._lives.get((owner, name))

    def all(self) -> list[tuple[str, Life]]:
        return [(owner, life) for (owner, _), life in self._lives.items()]

    def next_due(self) -> datetime | None:
        return self._detector.next_due()

    # --- One sentinel's rules ----------------------------------------------------------------------

    def _plan(self, owner: str, name: str) -> None:
        """Put in place the rules that fit where the sentinel stands; what is due already happens now."""
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
        """For the event, and for the news that it will not come: the other is over, or was removed."""
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
        """At one moment those that others rely on go first, whichever timer went off first."""
        for other in self._relied_on(owner, name):
            self._catch_up(owner, other, at)
        self._pass_boundaries(owner, name, at)

    def _catch_up(self, owner: str, name: str, at: datetime) -> None:
        """What happened to others at this very moment is heard now; its turn in the queue would be later."""
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
        """All whose events decide about it, directly or through others, each after those it relies on."""
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
        self._set(owner, after)
        self._tell(Step(owner=owner, before=before, after=after, events=tuple(events)))
        self._plan(owner, after.name)
        for event in events:
            if event.what in _RAISED:
                self._raise(owner, after.name, _RAISED[event.what])

    def _raise(self, owner: str, name: str, what: str) -> None:
        self._detector.raise_event(_event(owner, name, what))

    # --- The book ----------------------------------------------------------------------------------

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
