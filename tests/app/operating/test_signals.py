"""The first signal to stop lets the work finish, the second one ends the process."""

from __future__ import annotations

import asyncio
import os
import signal

from webvigil.app.operating.signals import told_to_stop


def test_one_wish_to_stop_that_is_heard_twice_lets_us_finish():
    async def stopped_by_its_group() -> bool:
        with told_to_stop() as told:
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGTERM)
                await asyncio.wait_for(told.wait(), 10)
            await asyncio.sleep(0.05)
            return told.is_set()

    assert asyncio.run(stopped_by_its_group())
