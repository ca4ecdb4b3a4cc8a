"""While a detector runs, Python does not look for cycles.

A large page makes a million small values within a second and hardly a cycle among them; looking through all
of them again and again took a third to a half of the time on such pages.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_running = 0
_was_on = False


@contextmanager
def uncollected() -> Iterator[None]:
    """May be entered by several threads, and again inside; the last one out turns the collector on."""
    global _running, _was_on
    with _lock:
        if not _running:
            _was_on = gc.isenabled()
            gc.disable()
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if not _running and _was_on:
                gc.enable()
