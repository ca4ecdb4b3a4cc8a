"""When a run that looks once at all that is due is over."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from webvigil.app.worker import process
from webvigil.app.worker.loop import Worker
from webvigil.model.work import CheckResult
from webvigil.store.memory import MemoryKnowledge


def stops(monkeypatch: pytest.MonkeyPatch, pages: list[int], *, idle_from: int) -> bool:
    """Tells whether a run stops while its worker is busy. These pages were looked at already, and the worker
    has nothing to do from some turn on."""
    turns = 0

    class Busy:
        stopped_while_busy = False

        @property
        def idle(self) -> bool:
            nonlocal turns
            turns += 1
            return turns > idle_from

        def stop(self) -> None:
            self.stopped_while_busy = turns <= idle_from

    monkeypatch.setattr(process, "_TURN", 0)
    worker, kept = Busy(), MemoryKnowledge()
    results = cast("list[CheckResult]", [SimpleNamespace(page=page) for page in pages])
    done: Any = process._stop_when_done(
        cast("Worker", worker), kept.schedule, kept.outbox, kept.questions, results, patience=0
    )
    asyncio.run(done)
    return worker.stopped_while_busy


def test_a_slow_page_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    assert not stops(monkeypatch, [1, 2, 3], idle_from=30)
    assert not stops(monkeypatch, [], idle_from=30)


def test_pages_that_come_again_are_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    assert stops(monkeypatch, [1, 2, 1], idle_from=30)
