"""What a worker counts and times in, text for Prometheus out (U7). No label names an address or a user."""

from __future__ import annotations

import collections
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from webvigil.app.operating.figures import Counter, Family, Figure, Gauge, Histogram, as_text, gauge
from webvigil.app.operating.memory import Relief, resident
from webvigil.app.pages.documents import MEMORY as MOST_DIGESTS
from webvigil.errors import StoreError
from webvigil.model.work import CheckResult, DuePage
from webvigil.store.promises import Outbox, Questions, Schedule

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Bounds of the histograms in seconds, about a factor of three apart, from a claim to a slow page.
_SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30)

_Kept = TypeVar("_Kept", bound=Figure)


class MetricsStore(Protocol):
    """The parts of the knowledge base that the metrics need."""

    outbox: Outbox
    questions: Questions
    schedule: Schedule


class Remembering(Protocol):
    """An object that keeps documents in memory and knows how large they are."""

    @property
    def remembered(self) -> int:
        """Upper bound of the bytes that the documents in memory occupy."""


class Metrics:
    """The counters and timers of one process. Figures of the database are queried when the metrics are
    read."""

    def __init__(self, knowledge: MetricsStore | None = None) -> None:
        self.beat = 0.0
        self.troubles: dict[str, str] = {}
        self.figures: list[Figure] = []
        self._visits = 0
        self._memory: dict[str, Gauge] = {}
        self._counters()
        self._timers()
        if knowledge is not None:
            self.figures.append(_Standing(knowledge))

    def _counters(self) -> None:
        def counter(name: str, what: str, label: str = "") -> Counter:
            return self._kept(Counter(f"webvigil_{name}", what, label))

        self.checks = counter("checks", "Checks written, by what became of them.", "decision")
        self.findings = counter("findings", "Changes found, by change type.", "type")
        self.dropped = counter("results_dropped", "Results not written: the lease was lost.")
        self.asked = counter("looks_asked", "Looks that sentinels asked for (N of utilisation).")
        self.fetches = counter("fetches", "Looks made, each for all who watch the page.")
        self.got = counter("fetches_saved", "Looks for which a peer had fetched the page.")
        self.notices = counter("notices_taken", "Notices taken up for delivery.")
        self._kept(Gauge("webvigil_visits_under_way", "Hosts being visited.", lambda: self._visits))
        self._kept(
            Gauge("webvigil_utilisation", "(N - M) / M: looks saved by sharing fetches.", self.utilisation)
        )

    def _kept(self, figure: _Kept) -> _Kept:
        self.figures.append(figure)
        return figure

    def watch_memory(self, relief: Relief, stages: Remembering) -> None:
        """Adds gauges for the memory of the process, the documents kept for comparing, and the turns of
        `relief`. A worker that goes on with other settings sets them to its new parts."""
        for name, what, value in (
            ("memory_bytes", "Memory that the process takes.", resident),
            (
                "memory_digests_bytes",
                "Most that documents kept for comparing take.",
                lambda: stages.remembered,
            ),
            ("memory_digests_most_bytes", "Bound of what such documents take.", lambda: MOST_DIGESTS),
            ("memory_relief_turns", "How often memory was given back.", lambda: relief.turns),
        ):
            if name not in self._memory:
                self._memory[name] = self._kept(Gauge(f"webvigil_{name}", what, value))
            self._memory[name].ask = value

    def _timers(self) -> None:
        def timer(name: str, what: str) -> Histogram:
            return self._kept(Histogram(f"webvigil_{name}_seconds", what, _SECONDS))

        self.fetch = timer("fetch", "Time to fetch a page.")
        self.detection = timer("detection", "Time to compare a new version for all who watch it.")
        self.claim = timer("claim", "Time to claim due pages.")
        self.finish = timer("finish", "Time to write a batch of results.")

    def started(self, due: DuePage, looks: int) -> None:
        """Counts one fetch that serves `looks` sentinels."""
        self.asked.inc(max(1, looks))
        self.fetches.inc()

    def wrote(self, results: Sequence[CheckResult]) -> None:
        for decision, count in collections.Counter(result.look.decision for result in results).items():
            self.checks.inc(count, decision)
        for result in results:
            for change in result.changes:
                for finding in change.findings:
                    self.findings.inc(1, finding.type)

    def utilisation(self) -> float:
        """Returns how much sharing saves: (N - M) / M for N looks asked for and M fetches made (BEH equation
        3)."""
        asked, fetches = self.shared()
        return (asked - fetches) / fetches if fetches else 0.0

    def shared(self) -> tuple[int, int]:
        """Returns N and M: how many looks sentinels asked for, and how many fetches from the web served
        them."""
        return int(self.asked.value), int(self.fetches.value - self.got.value)

    def visiting(self, hosts: int) -> None:
        """Takes down how many hosts are being visited."""
        self._visits = hosts

    def alive(self) -> None:
        self.beat = time.monotonic()

    def met(self, doing: str, trouble: str) -> None:
        """Records trouble that needs a person. It stays in the health report until `went_well` is called for
        the same task."""
        self.troubles[doing] = trouble

    def went_well(self, doing: str) -> None:
        self.troubles.pop(doing, None)

    def page(self) -> bytes:
        return as_text(self.figures)


@contextmanager
def timed(histogram: Histogram) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        histogram.observe(time.perf_counter() - started)


class _Standing:
    """Reads the length of the queues from the database, so that every process reports the same figures."""

    def __init__(self, knowledge: MetricsStore) -> None:
        self._knowledge = knowledge

    def families(self) -> Iterator[Family]:
        """Yields the figures of the database; only that it is down if it does not answer."""
        try:
            age = self._knowledge.schedule.age() / 1000
            backlog = self._knowledge.outbox.backlog()
            waiting = self._knowledge.questions.waiting()
            spent = self._knowledge.questions.spent_by_all().values()
        except StoreError:
            yield gauge("webvigil_database_up", "Whether the database answers.", 0)
            return
        yield gauge("webvigil_database_up", "Whether the database answers.", 1)
        yield gauge("webvigil_queue_age_seconds", "How late the latest due page is.", age)
        yield gauge("webvigil_notices_pending", "Notices that wait to be delivered.", backlog.pending)
        yield gauge("webvigil_notices_failed", "Notices that were given up.", backlog.given_up)
        yield gauge(
            "webvigil_questions_waiting",
            "Changes that wait for a language model to say what they mean.",
            waiting,
        )
        for name, what, value in (
            ("questions_today", "Questions to the language model", sum(one.questions for one in spent)),
            ("tokens_read_today", "Tokens that the language model read", sum(one.read for one in spent)),
            ("tokens_written_today", "Tokens that it wrote", sum(one.written for one in spent)),
            ("model_seconds_today", "Seconds that it worked", sum(one.time for one in spent) / 1000),
        ):
            yield gauge(f"webvigil_{name}", f"{what} today (UTC), of all users.", value)
