"""The workers of the benchmark, which replace parts of the real worker, still look at their pages."""

from __future__ import annotations

from pathlib import Path

from bench.processes import eventually
from bench.speed import workers
from webvigil.store.sql.knowledge import SqlKnowledge


def test_a_worker_of_the_benchmark_looks_at_its_pages_again_and_again(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'webvigil.sqlite3'}"
    knowledge = SqlKnowledge(url)
    workers.fill(knowledge, 5, 4)
    with workers._workers(1, url, 0.0):
        eventually(lambda: workers._checks(knowledge) > 60, within=60, what="each page three times")
    knowledge.close()
