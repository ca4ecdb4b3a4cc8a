"""A task beside the worker that fails unexpectedly begins again."""

from __future__ import annotations

import asyncio
import logging

import pytest

from webvigil.app.worker.process import _again_and_again


def test_a_task_that_fails_begins_again_and_says_why(caplog: pytest.LogCaptureFixture):
    turns: list[int] = []

    async def task() -> None:
        turns.append(len(turns))
        if len(turns) < 3:
            raise RuntimeError(f"turn {len(turns)}")

    with caplog.at_level(logging.ERROR, "webvigil.worker"):
        asyncio.run(_again_and_again(task, 0.0))
    assert turns == [0, 1, 2]
    assert [str(one.exc_info[1]) for one in caplog.records if one.exc_info] == ["turn 1", "turn 2"]


def test_a_task_that_is_cancelled_ends():
    async def cancelled() -> bool:
        task = asyncio.create_task(_again_and_again(lambda: asyncio.sleep(60), 0.0))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert asyncio.run(cancelled())
