"""Waiting for an event for a while, by tasks that may be cancelled."""

from __future__ import annotations

import asyncio


async def happens(event: asyncio.Event, seconds: float) -> bool:
    """Waits until the event is set, at most so many seconds, and returns whether it was set.

    `asyncio.wait_for` of Python 3.11 loses a cancellation that comes in the moment in which the event is set.
    A task that waits in a loop would then never end.
    """
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
