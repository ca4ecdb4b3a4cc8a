"""Returns memory to the system after large pages were compared, so that the process does not stay large.

Three things hold on to memory when a large page is done. Caches keep the last few documents, however large
they are (`pages.documents`, `model.memo`). Objects in cycles wait for a search, which comes seldom here
(`garbage`). And the C library keeps freed memory for later use, in an arena for each thread. Therefore,
whenever the process has grown by some amount, the caches drop large documents, a search frees all cycles, and
the C library returns free memory to the system.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_log = logging.getLogger("webvigil.memory")

GROWTH = 48_000_000
"""Bytes by which the process must have grown since the last turn. A turn takes about a tenth of a second, so
less growth is not worth it."""
_GLANCE = 2.0  # seconds between two measurements
# After this many measurements without growth no large page is being compared any more.
_REST = 5
_STATM = Path("/proc/self/statm")
# Parameter and value for mallopt(3). Free memory in one arena cannot be used by threads of another. Only one
# thread runs Python at a time, so two arenas are enough.
_ARENA_MAX, _ARENAS = -8, 2
# Parameter and value for mallopt(3): blocks from this size on go back to the system once they are freed.
_MMAP_THRESHOLD, _OWN_BLOCK = -3, 1_000_000


class Relief:
    """Measures the memory of the process and reduces it. Each function in `let_go` drops large objects that
    can be made again."""

    def __init__(self, *let_go: Callable[[], None]) -> None:
        self._let_go = let_go
        self._low = resident()
        self._quiet = _REST
        self.turns = 0

    async def for_ever(self) -> None:
        while True:
            await asyncio.sleep(_GLANCE)
            if self._is_time():  # found out here, because a thread would cost more than the question
                await asyncio.to_thread(self.turn)

    def glance(self) -> None:
        """Reduces memory if it is time."""
        if self._is_time():
            self.turn()

    def _is_time(self) -> bool:
        """Says whether the process has grown since the last turn, and once more when growth has stopped: the
        last large page may have been too small to cause a turn by itself."""
        now = resident()
        self._low = min(self._low, now)
        grown = now - self._low >= GROWTH
        self._quiet = 0 if grown else self._quiet + 1
        return grown or self._quiet == _REST

    def turn(self) -> None:
        """Drops large objects, searches all garbage and returns free memory to the system."""
        before = resident()
        for one in self._let_go:
            one()
        gc.collect()
        _give_back()
        self._low = resident()
        self.turns += 1
        freed = before - self._low
        _log.debug("Returned %.0f MB of %.0f MB of memory to the system.", freed / 1e6, before / 1e6)


def resident() -> int:
    """Returns the bytes of memory that this process occupies; 0 on systems without /proc."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def prepare() -> None:
    """Tells the C library to keep little freed memory. Must run before the first thread starts. Does nothing
    on systems without mallopt."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_ARENA_MAX, _ARENAS)
        library.mallopt(_MMAP_THRESHOLD, _OWN_BLOCK)


def _give_back() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
