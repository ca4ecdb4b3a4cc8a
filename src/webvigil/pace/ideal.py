"""The oracle: a policy that looks at the very moment of each change, the best that any policy could do."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from webvigil.model.moment import NEVER, Millis
from webvigil.pace.naive import NaiveState
from webvigil.pace.policy import Observation, Plain


@dataclass(frozen=True, slots=True)
class Ideal:
    """Knows the moments of all changes beforehand, in order (A2)."""

    changes: tuple[Millis, ...]

    def start(self, now: Millis) -> NaiveState:
        return NaiveState(now)

    def observed(self, state: NaiveState, seen: Observation) -> NaiveState:
        return NaiveState(seen.now)

    def next_look(self, state: NaiveState, now: Millis) -> Millis:
        place = bisect_right(self.changes, state.looked)
        return max(now, self.changes[place]) if place < len(self.changes) else NEVER

    def as_plain(self, state: NaiveState) -> Plain:
        return {"looked": state.looked}

    def from_plain(self, plain: Plain) -> NaiveState:
        return NaiveState(plain["looked"])
