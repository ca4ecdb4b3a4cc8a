"""Windows: the time between a start and an end, for A, A*, P, P* and Plus, by the rules of each context.

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
    """The time since a start. `inside` has the occurrences it collected.

    The window was opened at `since`; its interval last began anew at `last`.
    """

    __slots__ = ("inside", "last", "since", "starts", "timer")

    def __init__(self, start: Occurrence) -> None:
        self.starts = [start]
        self.inside: list[Occurrence] = []
        self.since = self.last = start.end
        self.timer: Timer | None = None


class Windows:
    """The open windows of one node, oldest first."""

    __slots__ = ("_context", "_open")

    def __init__(self, context: Context) -> None:
        self._context = context
        # A list and not a deque, which is ten times as large: every node with windows has one of these.
        self._open: list[Window] = []

    def __iter__(self) -> Iterator[Window]:
        return iter(self._open)

    def replaced(self) -> list[Window]:
        """Removes and returns the windows that a new start is about to replace."""
        return self.all() if self._context is Context.RECENT else []

    def start(self, start: Occurrence) -> Window | None:
        """Opens a window and returns it; None if the start joined an open window."""
        if self._context is Context.CUMULATIVE and self._open:
            self._open[0].starts.append(start)
            return None
        window = Window(start)
        self._open.append(window)
        return window

    def reorder(self) -> None:
        """Sorts the windows by age again, after one was opened that is older than others."""
        self._open.sort(key=lambda window: window.since)

    def end(self) -> list[Window]:
        """Removes and returns the windows that an end closes."""
        if self._context is Context.CHRONICLE:
            return [self._open.pop(0)] if self._open else []
        return self.all()

    def all(self) -> list[Window]:
        """Removes and returns all windows."""
        taken, self._open = self._open, []
        return taken

    def remove(self, window: Window) -> None:
        self._open.remove(window)
