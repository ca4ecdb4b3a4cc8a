"""Pauses Python's garbage collector while a detector runs.

A large page makes a million small objects within a second and hardly a cycle among them. Searching all of
them for cycles again and again took a third to a half of the time on such pages. If detectors of several
threads run without any pause between them, the collector runs from time to time all the same.

Afterwards the new objects of a large page are moved to the oldest generation at once. Otherwise the first
collection would search all of them, and take half a second for nothing.
"""

from __future__ import annotations

import gc
import time
from threading import Lock

LONGEST = 10.0  # seconds without a collection
MANY = 100_000  # new objects; fewer are searched within milliseconds

_lock = Lock()
_running = 0
_was_on = False
_since = 0.0


class uncollected:  # noqa: N801 - used as a function
    """A context in which the collector is paused. Threads may enter it together, and again inside; the last
    one out ends it."""

    def __enter__(self) -> None:
        global _running, _was_on, _since
        with _lock:
            if not _running:
                _was_on, _since = gc.isenabled(), time.monotonic()
                gc.disable()
            _running += 1

    def __exit__(self, *error: object) -> None:
        global _running, _since
        with _lock:
            _running -= 1
            overdue = _was_on and time.monotonic() - _since > LONGEST
            if not _running and _was_on:
                if gc.get_count()[0] > MANY and not overdue:
                    _grown_old()
                gc.enable()
            if overdue:
                _since = time.monotonic()
        if overdue:
            gc.collect()


def _grown_old() -> None:
    """Moves all objects to the oldest generation: freezing moves them out of all generations, unfreezing into
    the oldest."""
    gc.freeze()
    gc.unfreeze()
