"""The promise of a policy: what one look found in, the moment of the next look out.

A policy has no clock and does no I/O. What it remembers of a page is a frozen state that the caller keeps;
`as_plain` and `from_plain` turn the state into plain JSON values and back without losing a bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from webvigil.model.moment import Millis

HOUR: Millis = 3_600_000
DAY: Millis = 24 * HOUR
WEEK: Millis = 7 * DAY

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Observation:
    """What one look found.

    `last_modified` is when the server says the page changed; None if it does not say.
    """

    now: Millis
    changed: bool
    last_modified: Millis | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """The shortest and the longest wait between two looks. Raises ValueError if no wait fits between them."""

    shortest: Millis = 5_000
    longest: Millis = DAY

    def __post_init__(self) -> None:
        if not 0 < self.shortest <= self.longest:
            raise ValueError(f"the bounds {self.shortest} to {self.longest} ms leave no time for a look")

    def wait(self, wait: float) -> Millis:
        """Returns the wait that is nearest to `wait` within the bounds, in whole milliseconds."""
        return round(min(max(wait, self.shortest), self.longest))


State = TypeVar("State")


class Policy(Protocol[State]):
    """Decides when to look next at one page."""

    def start(self, now: Millis) -> State:
        """Returns the state of a page whose first version has just been taken."""

    def observed(self, state: State, seen: Observation) -> State:
        """Returns the state after a look."""

    def next_look(self, state: State, now: Millis) -> Millis:
        """Returns when to look again. It is never before `now`: a look that is overdue is due at once."""

    def as_plain(self, state: State) -> Plain:
        """Returns the state as JSON values, to be stored with the page."""

    def from_plain(self, plain: Plain) -> State:
        """Returns the state that `as_plain` has written."""
