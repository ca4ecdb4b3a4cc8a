"""Where time comes from: the real clock, or a virtual one that moves when it is told to (E6).

Nothing in this package asks the machine for the time; it asks the clock that it was given.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol

from webvigil.errors import EventRefused
from webvigil.events.times import ZERO, in_utc, later


class Clock(Protocol):
    def now(self) -> datetime:
        """The present time, aware, in UTC."""


class Timed(Protocol):
    """Something with timers, such as a detector."""

    def next_due(self) -> datetime | None:
        """When the earliest timer is due."""

    def catch_up(self) -> int:
        """Let happen what is due; how many timers that were."""


class SystemClock:
    """The machine's clock. A `Runner` makes a detector keep up with it."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class VirtualClock:
    """Stands still until it is advanced; on its way it stops at every timer of those attached to it."""

    def __init__(self, start: datetime) -> None:
        self._now = in_utc(start)
        self._attached: list[Timed] = []

    def now(self) -> datetime:
        return self._now

    def attach(self, timed: Timed) -> None:
        self._attached.append(timed)

    def detach(self, timed: Timed) -> None:
        self._attached = [other for other in self._attached if other is not timed]

    def advance(self, by: timedelta = ZERO, *, to: datetime | None = None) -> None:
        """Move on `by` an interval, or `to` a time. Timers go off in order, each at its own time."""
        target = later(self._now, by) if to is None else in_utc(to)
        if target is None or target < self._now:
            raise EventRefused(f"it is {self._now}: no way from there to {to or by}")
        while (first := self._first(target)) is not None:
            due, timed = first
            self._now = max(self._now, due)
            timed.catch_up()
        self._now = max(self._now, target)

    def _first(self, target: datetime) -> tuple[datetime, Timed] | None:
        """The earliest timer up to `target`; of several at the same time, the one attached first."""
        best: tuple[datetime, Timed] | None = None
        for timed in self._attached:
            due = timed.next_due()
            if due is not None and due <= target and (best is None or due < best[0]):
                best = due, timed
        return best
