"""Delivery from the outbox: at least once, with back-off; what cannot be delivered is kept and shown (N5)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from webvigil.errors import ChannelError, ChannelRefused
from webvigil.model.moment import Millis
from webvigil.model.notice import Receipt
from webvigil.model.work import OutboxItem
from webvigil.notify.channel import Channel

LEASE: Millis = 60_000
FIRST_WAIT: Millis = 30_000
LONGEST_WAIT: Millis = 6 * 3_600_000
MOST_ATTEMPTS = 12


class Box(Protocol):
    """The part of the outbox that delivery needs."""

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]: ...

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool: ...

    def retry(self, item: OutboxItem, *, wait: Millis, error: str) -> bool: ...

    def give_up(self, item: OutboxItem, *, error: str) -> bool: ...


async def deliver_due(box: Box, channels: Mapping[str, Channel], worker: str, *, count: int = 50) -> int:
    """Deliver what is due now; says how many notices were taken up."""
    items = await asyncio.to_thread(box.claim, worker, count=count, lease=LEASE)
    for item in items:
        await _deliver(box, channels, item)
    return len(items)


async def _deliver(box: Box, channels: Mapping[str, Channel], item: OutboxItem) -> None:
    try:
        channel = channels.get(item.notice.channel)
        if channel is None:
            raise ChannelRefused(f"there is no channel {item.notice.channel!r}")
        receipt = await channel.send(item.notice)
    except ChannelError as error:
        await asyncio.to_thread(_failed, box, item, error)
    else:
        await asyncio.to_thread(box.delivered, item, receipt)


def _failed(box: Box, item: OutboxItem, error: ChannelError) -> None:
    if error.transient and item.attempts + 1 < MOST_ATTEMPTS:
        wait = min(FIRST_WAIT * 2**item.attempts, LONGEST_WAIT)
        box.retry(item, wait=wait, error=str(error))
    else:
        box.give_up(item, error=str(error))
