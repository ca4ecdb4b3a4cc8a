"""Is all well? For load balancers, orchestrators and people (U7)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from webvigil import __version__
from webvigil.app.operating.metrics import Metrics
from webvigil.errors import StoreError
from webvigil.model.shapes import HealthShape
from webvigil.store.promises import Knowledge

Worker = Literal["ok", "in trouble", "stuck", "none"]

STUCK_AFTER = 60.0
"""The loop of a worker turns at least every ten seconds, whatever its visits do."""


@dataclass(frozen=True, slots=True)
class Health:
    """`queue_age` in seconds, None while the database does not answer; `trouble` is what the worker needs a
    person for, such as a full disk."""

    database: Literal["ok", "does not answer"]
    worker: Worker
    queue_age: float | None
    trouble: str = ""

    @property
    def ok(self) -> bool:
        return self.database == "ok" and self.worker in ("ok", "none")

    def as_json(self) -> HealthShape:
        told: HealthShape = {
            "status": "ok" if self.ok else "trouble",
            "version": __version__,
            "database": self.database,
            "worker": self.worker,
            "queue_age": self.queue_age,
        }
        if self.trouble:
            told["trouble"] = self.trouble
        return told


def health(knowledge: Knowledge, metrics: Metrics | None) -> Health:
    """`metrics` of the worker in this process, if there is one."""
    try:
        age = knowledge.schedule.age() / 1000
    except StoreError:
        return Health("does not answer", _worker(metrics), None, _trouble(metrics))
    return Health("ok", _worker(metrics), age, _trouble(metrics))


def _worker(metrics: Metrics | None) -> Worker:
    if metrics is None or not metrics.beat:
        return "none"
    if time.monotonic() - metrics.beat > STUCK_AFTER:
        return "stuck"
    return "in trouble" if metrics.troubles else "ok"


def _trouble(metrics: Metrics | None) -> str:
    return next(iter(metrics.troubles.values()), "") if metrics else ""
