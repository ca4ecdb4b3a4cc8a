"""Who waits for an event is told when it happens, and can be cancelled at any moment."""

from __future__ import annotations

import asyncio

import pytest

from webvigil.app.waiting import happens


def test_an_event_happens_or_the_time_is_up():
    async def play() -> tuple[bool, bool]:
        event = asyncio.Event()
        early = await happens(event, 0.001)
        asyncio.get_running_loop().call_later(0.001, event.set)
        return early, await happens(event, 60)

    assert asyncio.run(play()) == (False, True)


def test_a_task_that_is_cancelled_as_the_event_happens_ends():
    async def play() -> None:
        event = asyncio.Event()
        waiting = asyncio.create_task(happens(event, 60))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        event.set()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(play())
