"""The policy with a fixed interval, which learns nothing. Looks that were missed are not made up for."""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.model.moment import Millis
from webvigil.pace.policy import Observation, Plain


def next_look(planned: Millis, interval: Millis, now: Millis) -> Millis:
    """Returns the first of the times planned, planned + interval, … that lies after `now`."""
    missed = max(0, now - planned) // interval
    return planned + (missed + 1) * interval


@dataclass(frozen=True, slots=True)
class NaiveState:
    looked: Millis


@dataclass(frozen=True, slots=True)
class Naive:
    """Looks at a fixed interval (A2): the yardstick for the policies that learn."""

    interval: Millis

    def start(self, now: Millis) -> NaiveState:
        return NaiveState(now)

    def observed(self, state: NaiveState, seen: Observation) -> NaiveState:
        return NaiveState(seen.now)

    def next_look(self, state: NaiveState, now: Millis) -> Millis:
        return max(now, state.looked + self.interval)

    def as_plain(self, state: NaiveState) -> Plain:
        return {"looked": state.looked}

    def from_plain(self, plain: Plain) -> NaiveState:
        return NaiveState(plain["looked"])
