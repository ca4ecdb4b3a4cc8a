"""Whose turn it is at which host (F4): so many requests at a time, a rest between two, and no more at all to
a host that is not there or asks to be left alone for long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from webvigil.errors import HostBusy, HostUnreachable, PageError, PageUnreachable

_PATIENCE = 2
_LONGEST_REST = 60.0
"""Whoever wants a longer rest is not visited again in this crawl."""
_SHORT_REST = 10.0
_BUSY_PATIENCE = 3


@dataclass(slots=True)
class _Host:
    free: asyncio.Semaphore
    next_at: float = 0.0
    failures: int = 0
    rests: int = 0
    left_alone: str = ""
    probing: asyncio.Lock = field(default_factory=asyncio.Lock)


class Turns:
    """`delay` is the rest between two requests to a host, in seconds."""

    def __init__(self, delay: Callable[[str], float], *, at_a_time: int = 1) -> None:
        self._delay = delay
        self._at_a_time = at_a_time
        self._hosts: dict[str, _Host] = {}

    def is_free(self, host: str) -> bool:
        known = self._hosts.get(host)
        return known is None or (not known.free.locked() and known.next_at <= time.monotonic())

    def left_alone(self, host: str) -> str:
        """Why we do not ask there any more; "" while we do."""
        known = self._hosts.get(host)
        return known.left_alone if known else ""

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """What goes wrong inside tells how the host is."""
        known = self._of(host)
        async with known.free:
            if known.left_alone:
                raise PageUnreachable(known.left_alone)
            await asyncio.sleep(max(0.0, known.next_at - time.monotonic()))
            try:
                yield
                known.failures = 0
            except PageError as error:
                _learn(known, error)
                raise
            finally:
                known.next_at = max(known.next_at, time.monotonic() + self._delay(host))

    @asynccontextmanager
    async def probing(self, host: str) -> AsyncIterator[None]:
        """Forms of a host are asked one after the other, so that what they may ask together holds."""
        async with self._of(host).probing:
            yield

    def _of(self, host: str) -> _Host:
        if host not in self._hosts:
            self._hosts[host] = _Host(asyncio.Semaphore(self._at_a_time))
        return self._hosts[host]


def _learn(host: _Host, error: PageError) -> None:
    if isinstance(error, HostBusy):
        rest = error.wait / 1000 or _SHORT_REST
        host.rests += 1
        host.next_at = time.monotonic() + rest
        if rest > _LONGEST_REST or host.rests > _BUSY_PATIENCE:
            host.left_alone = "the host asks to be left alone"
    elif isinstance(error, HostUnreachable):
        host.failures += 1
        if host.failures >= _PATIENCE:
            host.left_alone = "the host is not there"
    else:
        host.failures = 0
