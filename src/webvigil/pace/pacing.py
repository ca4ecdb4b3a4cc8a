"""The best-effort rule of a page: its memory and what a look found in, its next look and the reason out (F1).

There is one such rule for each page, shared by all sentinels that look at the page on change. It learns from
every successful look, whoever asked for it, and never from a failure. With a price (`budget`), a look must be
worth it; hints lower the number of changes that the page's own history must still foretell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from webvigil.model.moment import Millis, every
from webvigil.model.pace import NewPace, PaceRecord
from webvigil.pace.bea import Bea
from webvigil.pace.budget import threshold
from webvigil.pace.hints import Hints
from webvigil.pace.learned import ALONE, Learned, LearnedState
from webvigil.pace.memory import Memory, read, written
from webvigil.pace.naive import Naive
from webvigil.pace.policy import HOUR, Bounds, Observation, Policy
from webvigil.pace.words import habit

_DAMAGED = (ArithmeticError, ValueError, TypeError, KeyError, IndexError, AttributeError)
"""What a policy may raise on a state that is valid JSON but was not written by `as_plain`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A look that succeeded.

    `version` is the newest version; `told` is when it was made, as the server says.
    """

    now: Millis
    version: int
    told: Millis | None = None


def no_price(host: str) -> float | None:
    """Returns None: where no budget is set, each page is looked at as if it were alone."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """How pages are paced: the policy by name, and its settings.

    `interval` is the interval of `naive`. `price` returns what a look at a host costs, in milliseconds of
    delay. With `least`, at least so many changes must be pending, however cheap a look is. An answer that
    looks like no page is looked at again after `confirm_after` milliseconds; with 0 it is believed at once.
    A page is looked at a second time `second_look` milliseconds after its first look, to learn what differs
    without time passing; with 0 it is not.
    """

    name: str = "learned"
    bounds: Bounds = field(default_factory=lambda: Bounds(60_000, 24 * HOUR))
    interval: Millis = 300_000
    typical_gap: Millis = 0
    price: Callable[[str], float | None] = no_price
    least: float = 0.0
    confirm_after: Millis = 60_000
    second_look: Millis = 0

    def after_look(
        self, kept: PaceRecord, seen: Seen, *, host: str, weight: float = 1.0
    ) -> tuple[NewPace, str]:
        """Returns the pace of the page after a look, and what is known of the page in words.

        A damaged memory is dropped, and the page is learnt anew.
        """
        memory = self._memory(kept)
        try:
            return self._after(memory, kept.pings, seen, host, weight)
        except _DAMAGED:
            return self._after(None, kept.pings, seen, host, weight)

    def hinted(self, kept: PaceRecord, now: Millis, *, host: str, weight: float = 1.0) -> Millis:
        """Returns when the page is to be looked at, given one more hint than `kept` has."""
        memory = self._memory(kept)
        if memory is None:
            return now
        hints = memory.hints or Hints()
        try:
            state = self._policy.from_plain(memory.state)
            return self._next(state, now, hints, kept.pings + 1, host, weight)
        except _DAMAGED:
            return now

    @property
    def _policy(self) -> Policy[Any]:
        match self.name:
            case "bea":
                return Bea(bounds=self.bounds)
            case "naive":
                return Naive(self.interval)
        return Learned(bounds=self.bounds, typical_gap=self.typical_gap)

    def _memory(self, kept: PaceRecord) -> Memory | None:
        """Returns the memory of a page, None if it is damaged or was written by another policy."""
        memory = read(kept.memory)
        return memory if memory and memory.policy == self.name else None

    def _after(
        self, memory: Memory | None, pings: int, seen: Seen, host: str, weight: float
    ) -> tuple[NewPace, str]:
        policy = self._policy
        changed = memory is not None and seen.version != memory.version
        state = self._observed(policy, memory, Observation(seen.now, changed, seen.told))
        hints = _earned(memory.hints if memory else None, pings, changed)
        new = Memory(policy=self.name, state=policy.as_plain(state), version=seen.version, hints=hints)
        share = (weight * policy.rate(state)) ** 0.5 if isinstance(policy, Learned) else 0.0
        next_at = self._next(state, seen.now, hints, 0, host, weight)
        return (
            NewPace(memory=written(new), next_at=next_at, share=share, pings=pings),
            self._words(state, seen.now),
        )

    def _observed(self, policy: Policy[Any], memory: Memory | None, seen: Observation) -> Any:
        """Returns the state after a look.

        A state from the future, left by a clock that was wrong, is dropped.
        """
        if memory is None:
            return policy.start(seen.now)
        state = policy.from_plain(memory.state)
        if state.looked > seen.now + HOUR:  # clocks of several workers may differ by less
            return policy.start(seen.now)
        return policy.observed(state, seen)

    def _next(
        self, state: Any, now: Millis, hints: Hints | None, pings: int, host: str, weight: float
    ) -> Millis:
        """Returns when to look next, given the hints and the price of a look."""
        policy = self._policy
        if not isinstance(policy, Learned):
            planned = policy.next_look(state, now)
            return now if hints and hints.precision * pings >= 0.5 else planned
        wanted = self._wanted(policy.rate(state), host, weight)
        if hints:
            wanted = hints.threshold(wanted, pings)
        # A hint may bring a look sooner than the shortest wait between looks that nobody asked for.
        bounds = replace(self.bounds, shortest=1) if pings else self.bounds
        planned = replace(policy, bounds=bounds, threshold=wanted).next_look(state, now)
        return min(planned, now + self.bounds.longest)

    def _wanted(self, rate: float, host: str, weight: float) -> float:
        """Returns how many changes must be pending for a look: by the price, `ALONE` without a price."""
        price = self.price(host)
        return ALONE if price is None else max(threshold(price, rate, weight), self.least)

    def _words(self, state: Any, now: Millis) -> str:
        if isinstance(state, LearnedState):
            return habit(state, now)
        interval = self.interval if self.name == "naive" else state.interval
        return f"looked at {every(interval)} for now"


def _earned(hints: Hints | None, pings: int, changed: bool) -> Hints | None:
    """Returns what hints have earned after a look; None for a page that never had a hint."""
    return (hints or Hints()).after_look(pings, changed) if hints or pings else None
