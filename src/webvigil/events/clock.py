"""Clocks: the real one, and a virtual one that moves only when a test or a simulation advances it (E6).

Nothing in this package asks the machine for the time; it asks the clock that it was given.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol

from webvigil.errors import EventRefused
from webvigil.events.times import ZERO, in_utc, later


class Clock(Protocol):
    """A source of the present time."""

    def now(self) -> datetime:
        """Returns the present time as an aware datetime in UTC."""


class Timed(Protocol):
    """Something with timers that a virtual clock sets off, such as a detector."""

    def next_due(self) -> datetime | None:
        """Returns when the earliest timer is due, None if there is none."""

    def catch_up(self) -> int:
        """Sets off all timers that are due and returns how many there were."""


class SystemClock:
    """The machine's clock. A `Runner` sets off a detector's timers by it."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class VirtualClock:
    """A clock that stands still until it is advanced.

    On its way it stops at every timer of the detectors attached to it and sets the timer off at that time.
    """

    def __init__(self, start: datetime) -> None:
        self._now = in_utc(start)
        self._attached: list[Timed] = []

    def now(self) -> datetime:
        return self._now

    def attach(self, timed: Timed) -> None:
        """Sets off, from now on, the timers of `timed` while the clock is advanced."""
        self._attached.append(timed)

    def detach(self, timed: Timed) -> None:
        self._attached = [other for other in self._attached if other is not timed]

    def next_due(self) -> datetime | None:
        """Returns when the earliest timer of what is attached is due; None if there is none."""
        return min(filter(None, (timed.next_due() for timed in self._attached)), default=None)

    def advance(self, by: timedelta = ZERO, *, to: datetime | None = None) -> None:
        """Moves the clock on `by` an interval, or `to` a time.

        Timers go off in order, each at its own time. Raises EventRefused for a time in the past.
        """
        target = later(self._now, by) if to is None else in_utc(to)
        if target is None or target < self._now:
            raise EventRefused(f"it is {self._now}: no way from there to {to or by}")
        while (first := self._first(target)) is not None:
            due, timed = first
            self._now = max(self._now, due)  # a resumed event may have been due before now
            timed.catch_up()
        self._now = max(self._now, target)

    def _first(self, target: datetime) -> tuple[datetime, Timed] | None:
        """Returns the earliest timer due by `target`; of several at one time, that of the first attached."""
        best: tuple[datetime, Timed] | None = None
        for timed in self._attached:
            due = timed.next_due()
            if due is not None and due <= target and (best is None or due < best[0]):
                best = due, timed
        return best
