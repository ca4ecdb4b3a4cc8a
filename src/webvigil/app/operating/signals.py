"""Ctrl-C and SIGTERM: the first one asks to finish, the second one ends at once.

An end at once is no harm: what was under way is taken up by another when its lease has run out.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Programs that stop others tell a process and then its whole group: one wish, heard twice.
SAME_BREATH = 0.5
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_log = logging.getLogger("webvigil")


@contextmanager
def told_to_stop() -> Iterator[asyncio.Event]:
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
    now = time.monotonic()
    if told.is_set() and now - first[0] < SAME_BREATH:
        return
    if told.is_set():
        _log.warning("stopped at once")
        logging.shutdown()
        os._exit(128 + number)
    _log.info("finishing what is under way; once more ends at once")
    first.append(now)
    told.set()
