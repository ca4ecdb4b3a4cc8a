"""Memory that is given back: what large pages took does not stay with the process.

Three things hold on to it when a large page is over. Caches keep the last few documents, however large they
are (`pages.recent`, `detect.remembered`). Objects that refer to each other wait for a search, which comes
seldom here (`garbage`). And the C library keeps what was freed, in an arena for each thread, to use it again.
So, whenever the process has grown by some amount, the large things are let go, all garbage is searched, and
the C library gives back what is free.
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
"""So many bytes more than after the last turn are worth a search, which takes about a tenth of a second."""
_GLANCE = 2.0  # seconds
# So many glances without growth mean that the large pages are over.
_REST = 5
_STATM = Path("/proc/self/statm")
# Numbers of mallopt(3). With more arenas, each keeps what another could use; one thread runs at a time.
_ARENA_MAX, _ARENAS = -8, 2
# Blocks from this size on are given back to the system as soon as they are free.
_MMAP_THRESHOLD, _OWN_BLOCK = -3, 1_000_000


class Relief:
    """`let_go` is asked to let go of what is large and can be had again."""

    def __init__(self, *let_go: Callable[[], None]) -> None:
        self._let_go = let_go
        self._low = resident()
        self._quiet = _REST
        self.turns = 0

    async def for_ever(self) -> None:
        while True:
            await asyncio.sleep(_GLANCE)
            await asyncio.to_thread(self.glance)

    def glance(self) -> None:
        """Gives memory back if the process has grown since the last time, and once more when it is quiet
        again: the last large page may have been too small to be worth a turn by itself."""
        now = resident()
        self._low = min(self._low, now)
        grown = now - self._low >= GROWTH
        self._quiet = 0 if grown else self._quiet + 1
        if grown or self._quiet == _REST:
            self.turn()
            _log.debug("Gave back %.0f MB of %.0f MB.", (now - resident()) / 1e6, now / 1e6)

    def turn(self) -> None:
        for one in self._let_go:
            one()
        gc.collect()
        _give_back()
        self._low = resident()
        self.turns += 1


def resident() -> int:
    """The bytes of memory that this process takes now; 0 where the system does not tell."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def prepare() -> None:
    """Tells the C library to keep little. It comes before the first threads. Other systems ignore it."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_ARENA_MAX, _ARENAS)
        library.mallopt(_MMAP_THRESHOLD, _OWN_BLOCK)


def _give_back() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
