"""Windows: the time between a start and an end, for A, A*, P, P* and Plus, and what each context makes of it.

RECENT       one window; a new start replaces it
CHRONICLE    each start opens a window; an end closes the oldest
CONTINUOUS   each start opens a window; an end closes all
CUMULATIVE   one window; further starts join it
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from webvigil.events.context import Context
from webvigil.events.occurrence import Occurrence

if TYPE_CHECKING:
    from webvigil.events.timers import Timer


class Window:
    """`inside` is what it collected; it was opened at `since`, its interval last began anew at `last`."""

    __slots__ = ("inside", "last", "since", "starts", "timer")

    def __init__(self, start: Occurrence) -> None:
        self.starts = [start]
        self.inside: list[Occurrence] = []
        self.since = self.last = start.end
        self.timer: Timer | None = None


class Windows:
    __slots__ = ("_context", "_open")

    def __init__(self, context: Context) -> None:
        self._context = context
        self._open: list[Window] = []  # a deque would be ten times as large, and there are many of these

    def __iter__(self) -> Iterator[Window]:
        return iter(self._open)

    def replaced(self) -> list[Window]:
        """Take away what a new start is about to replace."""
        return self.all() if self._context is Context.RECENT else []

    def start(self, start: Occurrence) -> Window | None:
        """The new window; None when the start joined one."""
        if self._context is Context.CUMULATIVE and self._open:
            self._open[0].starts.append(start)
            return None
        window = Window(start)
        self._open.append(window)
        return window

    def reorder(self) -> None:
        """Oldest first again, after one was opened that is older than others."""
        self._open.sort(key=lambda window: window.since)

    def end(self) -> list[Window]:
        """Take away what an end closes."""
        if self._context is Context.CHRONICLE:
            return [self._open.pop(0)] if self._open else []
        return self.all()

    def all(self) -> list[Window]:
        """Take away all."""
        taken, self._open = self._open, []
        return taken

    def remove(self, window: Window) -> None:
        self._open.remove(window)
