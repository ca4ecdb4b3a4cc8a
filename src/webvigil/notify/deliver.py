"""Delivery from the outbox: at least once, in order, with back-off; what cannot be delivered is kept and
shown (N5).

Queues are worked off side by side, each in order: after a failure the rest of a queue waits behind it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from webvigil.errors import ChannelBusy, ChannelError, ChannelRefused
from webvigil.model.moment import Millis
from webvigil.model.notice import Receipt
from webvigil.model.work import OutboxItem
from webvigil.notify.channel import Channel
from webvigil.notify.channels import FOR_PEOPLE
from webvigil.notify.gate import Gate

LEASE: Millis = 120_000
FIRST_WAIT: Millis = 30_000
LONGEST_WAIT: Millis = 6 * 3_600_000
MOST_ATTEMPTS = 12
AT_A_TIME = 16
# Nothing is begun after half of the lease, and no sending takes the other half.
LONGEST_ROUND = LEASE / 2000
LONGEST_SENDING = 45.0

_log = logging.getLogger("webvigil.notify")


class Box(Protocol):
    """The part of the outbox that delivery needs."""

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]: ...

    def delivered_all(self, told: Sequence[tuple[OutboxItem, Receipt]]) -> None: ...

    def retry(self, item: OutboxItem, *, wait: Millis, error: str) -> bool: ...

    def give_up(self, item: OutboxItem, *, error: str) -> bool: ...

    def hold(self, item: OutboxItem, *, until: Millis) -> bool: ...

    def put_back(self, items: Sequence[OutboxItem]) -> None: ...


async def deliver_due(
    box: Box, channels: Mapping[str, Channel], worker: str, *, gate: Gate | None = None, count: int = 100
) -> int:
    """Deliver what is due now; says how many notices were taken up."""
    items = await asyncio.to_thread(box.claim, worker, count=count, lease=LEASE)
    round_ = _Round(box, channels, gate)
    async with asyncio.TaskGroup() as group:
        for queue in _queues(items):
            group.create_task(round_.work_off(queue))
    return len(items)


def _queues(items: Sequence[OutboxItem]) -> list[list[OutboxItem]]:
    queues: dict[str, list[OutboxItem]] = {}
    for item in items:
        queues.setdefault(item.notice.queue, []).append(item)
    return list(queues.values())


class _Round:
    def __init__(self, box: Box, channels: Mapping[str, Channel], gate: Gate | None) -> None:
        self._box = box
        self._channels = channels
        self._gate = gate
        self._slots = asyncio.Semaphore(AT_A_TIME)
        self._end = time.monotonic() + LONGEST_ROUND
        self._told: list[tuple[OutboxItem, Receipt]] = []
        self._settling = False

    async def work_off(self, queue: list[OutboxItem]) -> None:
        """Until one of them has to wait; those behind it were not tried."""
        for number, item in enumerate(queue):
            async with self._slots:
                tried = time.monotonic() < self._end
                go_on = tried and await self._passes(item) and await self._tell(item)
            if not go_on:
                await asyncio.to_thread(self._box.put_back, queue[number + tried :])
                return

    async def _passes(self, item: OutboxItem) -> bool:
        if self._gate is None or item.notice.channel not in FOR_PEOPLE:
            return True
        if self._gate.knows(item.notice):
            until = self._gate.closed_until(item.notice)
        else:
            until = await asyncio.to_thread(self._gate.closed_until, item.notice)
        if until:
            await asyncio.to_thread(self._box.hold, item, until=until)
            return False
        self._gate.passed(item.notice)
        return True

    async def _tell(self, item: OutboxItem) -> bool:
        """Whether the next one of the queue may follow."""
        try:
            receipt = await self._send(item)
        except ChannelError as error:
            return await asyncio.to_thread(_failed, self._box, item, error)
        self._told.append((item, receipt))
        await self._settle()
        return True

    async def _send(self, item: OutboxItem) -> Receipt:
        channel = self._channels.get(item.notice.channel)
        if channel is None:
            raise ChannelRefused(f"there is no channel {item.notice.channel!r} here")
        try:
            async with asyncio.timeout(LONGEST_SENDING):
                return await channel.send(item.notice)
        except TimeoutError as error:
            raise ChannelBusy(f"not taken within {LONGEST_SENDING:g} seconds") from error
        except ChannelError:
            raise
        except Exception as error:
            _log.exception("telling by %s met an error nobody expected", item.notice.channel)
            raise ChannelBusy("a fault in WebVigil; its log tells the operator more") from error

    async def _settle(self) -> None:
        """Those that were told while the last ones were written are written together."""
        while self._told and not self._settling:
            self._settling = True
            told, self._told = self._told, []
            try:
                await asyncio.to_thread(self._box.delivered_all, told)
            finally:
                self._settling = False


def _failed(box: Box, item: OutboxItem, error: ChannelError) -> bool:
    if not error.transient or item.attempts + 1 >= MOST_ATTEMPTS:
        box.give_up(item, error=str(error))
        return True
    asked = error.wait if isinstance(error, ChannelBusy) else 0
    wait = min(max(FIRST_WAIT * 2**item.attempts, asked), LONGEST_WAIT)
    box.retry(item, wait=wait, error=str(error))
    return False
