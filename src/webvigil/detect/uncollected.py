"""While a detector runs, Python does not look for cycles.

A large page makes a million small values within a second and hardly a cycle among them; looking through all
of them again and again took a third to a half of the time on such pages. Where detectors of several threads
never leave a moment without one, cycles are looked for in between all the same.

The values of a large page are then counted among the old ones right away: the first look for cycles after it
would go through all of them, and take half a second for nothing.
"""

from __future__ import annotations

import gc
import time
from threading import Lock

LONGEST = 10.0  # seconds without a look for cycles
MANY = 100_000  # new values; fewer are looked through within milliseconds

_lock = Lock()
_running = 0
_was_on = False
_since = 0.0


class uncollected:  # noqa: N801 - used as a function
    """May be entered by several threads, and again inside; the last one out turns the collector on."""

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
    """All values are old now; whatever was frozen is looked at again by the next look at the old ones."""
    gc.freeze()
    gc.unfreeze()
