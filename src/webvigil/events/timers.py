"""Timers: a heap of what is to come, earliest first.

Timers that are due at the same time go off in a fixed order that a rebuilt detector repeats: absolute times
first, then times relative to an event, then periodic ones; within each kind, in the order in which the events
were defined; within one event, in the order in which they were started.

A cancelled timer stays in the heap without an owner, because taking it out of the middle would be slow. It is
dropped when it comes to the top, or when more than half of the heap is cancelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from enum import IntEnum
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webvigil.events.nodes import TemporalNode
    from webvigil.events.windows import Window

# Up to so many cancelled timers the heap is not worth rebuilding.
FEW = 64


class Rank(IntEnum):
    """Which kind of timer goes first of those due at the same time.

    An end at a fixed time therefore comes before the last period, as in Snoop's definition of P.
    """

    ABSOLUTE = 0
    RELATIVE = 1
    PERIODIC = 2


class Timer:
    """Goes off once, for its owner. A cancelled timer has no owner.

    `window` is the window that the timer was set for, if any.
    """

    __slots__ = ("due", "owner", "window")

    def __init__(self, due: datetime, owner: TemporalNode, window: Window | None) -> None:
        self.due = due
        self.owner: TemporalNode | None = owner
        self.window = window


class TimerQueue:
    """All timers of a detector. `on_sooner` is called when a timer is set that is due before all others."""

    def __init__(self) -> None:
        self._heap: list[tuple[datetime, int, int, datetime, int, Timer]] = []
        self._set = 0
        self._cancelled = 0
        self.on_sooner: Callable[[], None] | None = None

    def __iter__(self) -> Iterator[Timer]:
        """Yields the timers still to go off, in order."""
        return (entry[-1] for entry in sorted(self._heap) if entry[-1].owner is not None)

    def set(self, due: datetime, owner: TemporalNode, window: Window | None = None) -> Timer:
        """Sets a timer for its owner and returns it."""
        timer = Timer(due, owner, window)
        self._set += 1
        # The running number breaks all ties, so that the timers themselves are never compared.
        since = due if window is None else window.since
        heappush(self._heap, (due, owner.rank, owner.number, since, self._set, timer))
        if self.on_sooner is not None and self._heap[0][-1] is timer:
            self.on_sooner()
        return timer

    def cancel(self, timer: Timer) -> None:
        timer.owner = timer.window = None
        self._cancelled += 1
        if self._cancelled > FEW and 2 * self._cancelled > len(self._heap):
            self._tidy()

    def next_due(self) -> datetime | None:
        """Returns when the earliest timer is due, None if there is none."""
        self._drop_cancelled()
        return self._heap[0][0] if self._heap else None

    def pop(self, now: datetime) -> Timer | None:
        """Takes the first timer that is due by now; None if there is none."""
        self._drop_cancelled()
        if not self._heap or self._heap[0][0] > now:
            return None
        return heappop(self._heap)[-1]

    def _drop_cancelled(self) -> None:
        """Drops cancelled timers from the top of the heap."""
        while self._heap and self._heap[0][-1].owner is None:
            heappop(self._heap)
            self._cancelled -= 1

    def _tidy(self) -> None:
        """Rebuilds the heap without its cancelled timers."""
        self._heap = [entry for entry in self._heap if entry[-1].owner is not None]
        self._cancelled = 0
        heapify(self._heap)
