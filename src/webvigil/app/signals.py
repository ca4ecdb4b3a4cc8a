"""Ctrl-C and SIGTERM: the first one asks to finish, the second one ends at once.

An end at once is no harm: what was under way is taken up by another when its lease has run out.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_log = logging.getLogger("webvigil")


@contextmanager
def told_to_stop() -> Iterator[asyncio.Event]:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, _heard, told, number)
    try:
        yield told
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


def _heard(told: asyncio.Event, number: signal.Signals) -> None:
    if told.is_set():
        _log.warning("stopped at once")
        logging.shutdown()
        os._exit(128 + number)
    _log.info("finishing what is under way; once more ends at once")
    told.set()
