"""The database and the worker's metrics in, the health of this process out (U7)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from webvigil import __version__
from webvigil.app.operating.metrics import Metrics
from webvigil.errors import StoreError
from webvigil.model.moment import DAY, Millis, as_datetime, in_words
from webvigil.store.promises import Clock, Schedule

if TYPE_CHECKING:
    from webvigil.model.shapes import HealthShape

Worker = Literal["ok", "in trouble", "stuck", "none"]

# The health report mentions for this long that the clock was set back.
_TOLD_FOR: Millis = DAY

STUCK_AFTER = 60.0
"""Seconds without a sign of life after which a worker counts as stuck. Its loop turns at least every ten
seconds, however long its visits take."""


class HealthStore(Protocol):
    """The parts of the knowledge base that the health report needs."""

    clock: Clock
    schedule: Schedule


@dataclass(frozen=True, slots=True)
class Health:
    """How this process fares.

    `queue_age` is in seconds, and None while the database does not answer. `trouble` needs a person, such as
    a full disk. `clock` tells that the clock was set back: as trouble while plans wait for the clock to catch
    up, and for a day after they were moved back.
    """

    database: Literal["ok", "does not answer"]
    worker: Worker
    queue_age: float | None
    trouble: str = ""
    clock: str = ""
    waits: bool = False

    @property
    def ok(self) -> bool:
        return self.database == "ok" and self.worker in ("ok", "none") and not self.waits

    def as_json(self, *, inside: bool) -> HealthShape:
        """Returns the health as JSON. Only insiders are told the version and the trouble."""
        told: HealthShape = {
            "status": "ok" if self.ok else "trouble",
            "database": self.database,
            "worker": self.worker,
            "queue_age": self.queue_age,
        }
        if inside:
            told["version"] = __version__
        if inside and self.trouble:
            told["trouble"] = self.trouble
        if self.clock:
            told["clock"] = self.clock
        return told


def health(knowledge: HealthStore, metrics: Metrics | None) -> Health:
    """Asks the database and returns the health. `metrics` are those of the worker in this process, if there
    is one."""
    try:
        age = knowledge.schedule.age() / 1000
        behind, clock = knowledge.clock.behind(), _clock(knowledge.clock, knowledge.schedule)
    except StoreError:
        return Health("does not answer", _worker(metrics), None, _trouble(metrics))
    if behind:
        clock = f"was set back by {in_words(behind)}; what was planned waits until a worker moves it back"
    return Health("ok", _worker(metrics), age, _trouble(metrics), clock, bool(behind))


def _clock(clock: Clock, schedule: Schedule) -> str:
    """Returns a sentence on a recent change of the clock after which plans were moved back; "" if there was
    none."""
    last = clock.last_set_back()
    if last is None or schedule.now() - last.at > _TOLD_FOR:
        return ""
    at = as_datetime(last.at).strftime("%Y-%m-%d %H:%M UTC")
    return f"was set back by {in_words(last.by)} before {at}; what was planned was moved back"


def _worker(metrics: Metrics | None) -> Worker:
    if metrics is None or not metrics.beat:
        return "none"
    if time.monotonic() - metrics.beat > STUCK_AFTER:
        return "stuck"
    return "in trouble" if metrics.troubles else "ok"


def _trouble(metrics: Metrics | None) -> str:
    return next(iter(metrics.troubles.values()), "") if metrics else ""
