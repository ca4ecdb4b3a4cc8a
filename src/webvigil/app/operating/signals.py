"""Ctrl-C and SIGTERM in, an orderly stop out: the first signal lets work finish, the second ends the process.

Ending at once does no harm: another worker repeats the unfinished work when its lease has run out.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Seconds within which a second signal counts as the same one: some supervisors signal a process and then its
# whole group, so that one request to stop arrives twice.
SAME_BREATH = 0.5
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_log = logging.getLogger("webvigil")


@contextmanager
def told_to_stop() -> Iterator[asyncio.Event]:
    """Handles Ctrl-C and SIGTERM while the context is open. The event is set by the first signal."""
    told = asyncio.Event()
    first: list[float] = []
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, _heard, told, number, first)
    try:
        yield told
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


def _heard(told: asyncio.Event, number: signal.Signals, first: list[float]) -> None:
    """Handles a signal: the first sets `told`, a second one a while later ends the process without cleaning
    up."""
    now = time.monotonic()
    if told.is_set() and now - first[0] < SAME_BREATH:
        return
    if told.is_set():
        _log.warning(
            "Stopped at once after a second signal. Unfinished work is taken up when its leases end."
        )
        logging.shutdown()
        os._exit(128 + number)
    _log.info("Stopping: waiting for the work under way. Press Ctrl-C again to stop at once.")
    first.append(now)
    told.set()
