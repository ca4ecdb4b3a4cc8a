"""A host in, permission to make the next request to it out: few at a time, with a pause between (F4).

A host that cannot be reached, or that asks to be left alone for long, gets no more requests for a while.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from webvigil.errors import HostBusy, HostUnreachable, PageError, PageUnreachable

# Failures in a row after which a host counts as unreachable.
_PATIENCE = 2
_LONGEST_REST = 60.0
"""Seconds. A host that asks for a longer pause is left alone."""
# Seconds of pause where a busy host does not say how long it wants to rest.
_SHORT_REST = 10.0
# How often a host may answer that it is busy before it is left alone.
_BUSY_PATIENCE = 3
# Shortest time in seconds for which a host is left alone.
_LEFT_ALONE = 600.0
# Hosts that are remembered; beyond, those with nothing pending are forgotten.
_REMEMBERED = 10_000


@dataclass(slots=True)
class _Host:
    """What is known about one host: its pause, its failures, and until when it is left alone."""

    free: asyncio.Semaphore
    next_at: float = 0.0
    failures: int = 0
    rests: int = 0
    left_alone: str = ""
    left_until: float = 0.0
    probing: asyncio.Lock = field(default_factory=asyncio.Lock)


Reserve = Callable[[str, float], Awaitable[float]]
"""Reserves a host for some seconds. Returns 0, or for how many seconds somebody else has it."""


class Turns:
    """Hands out turns at hosts. `delay` returns the pause between two requests to a host, in seconds."""

    def __init__(
        self, delay: Callable[[str], float], *, at_a_time: int = 1, reserve: Reserve | None = None
    ) -> None:
        """`reserve` asks others who make requests to the host; without it there are none."""
        self._delay = delay
        self._reserve = reserve
        self._at_a_time = at_a_time
        self._hosts: dict[str, _Host] = {}

    def is_free(self, host: str) -> bool:
        known = self._hosts.get(host)
        return known is None or (not known.free.locked() and known.next_at <= time.monotonic())

    def left_alone(self, host: str) -> str:
        """Returns why a host gets no requests now, or "" if it gets them."""
        known = self._hosts.get(host)
        return known.left_alone if known and known.left_until > time.monotonic() else ""

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Waits for a turn at a host and holds it while the request runs. Errors of the request tell the
        state of the host."""
        known = self._of(host)
        async with known.free:
            if why := self.left_alone(host):
                raise PageUnreachable(why)
            await asyncio.sleep(max(0.0, known.next_at - time.monotonic()))
            while self._reserve and (wait := await self._reserve(host, self._delay(host))):
                await asyncio.sleep(wait)
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
        """Lets the forms of a host be asked one after the other. Otherwise two analyses could together exceed
        the host's budget."""
        async with self._of(host).probing:
            yield

    def _of(self, host: str) -> _Host:
        if host not in self._hosts:
            self._forget_some()
            self._hosts[host] = _Host(asyncio.Semaphore(self._at_a_time))
        return self._hosts[host]

    def _forget_some(self) -> None:
        """Forgets hosts without a pause, a lock or a request pending, if very many are remembered."""
        if len(self._hosts) >= _REMEMBERED:
            now = time.monotonic()
            self._hosts = {
                name: one
                for name, one in self._hosts.items()
                if max(one.next_at, one.left_until) > now or one.free.locked() or one.probing.locked()
            }


def _learn(host: _Host, error: PageError) -> None:
    """Updates what is known about a host after a failed request."""
    if isinstance(error, HostBusy):
        rest = error.wait / 1000 or _SHORT_REST
        host.rests += 1
        host.next_at = time.monotonic() + rest
        if rest > _LONGEST_REST or host.rests > _BUSY_PATIENCE:
            _leave_alone(host, "the host asks to be left alone", rest)
    elif isinstance(error, HostUnreachable):
        host.failures += 1
        if host.failures >= _PATIENCE:
            _leave_alone(host, "the host is not there", 0.0)
    else:
        host.failures = 0


def _leave_alone(host: _Host, why: str, rest: float) -> None:
    host.left_alone, host.left_until = why, time.monotonic() + max(rest, _LEFT_ALONE)
    host.failures = host.rests = 0
