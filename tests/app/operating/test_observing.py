"""Metrics, health and logs tell the operator how the process fares (U7)."""

from __future__ import annotations

import json
import logging
import time
from pathlib import Path

import pytest

from tests.store.making import notice, sentinel
from webvigil.app.operating.health import STUCK_AFTER, health
from webvigil.app.operating.logs import start_logging
from webvigil.app.operating.metrics import Metrics
from webvigil.model.change import Finding
from webvigil.model.page import Page
from webvigil.model.work import CheckResult, DuePage, Look, NewChange
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.sql.knowledge import SqlKnowledge


def _due() -> DuePage:
    page = Page(url="http://secret.test/token")
    return DuePage(id=1, page=page, due=0, asked=0, failures=0, latest=None, validators={}, watches=())


def test_utilisation_is_what_sharing_saves():
    """BEH equation 3: with N looks asked for and M fetches made, sharing saves (N - M) / M (M10, B6)."""
    metrics = Metrics()
    assert metrics.utilisation() == 0
    for looks in (3, 1, 2):
        metrics.started(_due(), looks)
    assert metrics.utilisation() == (6 - 3) / 3
    assert "webvigil_utilisation 1.0" in metrics.page().decode()


def test_checks_and_findings_are_counted_by_kind():
    metrics = Metrics()
    found = NewChange(
        sentinel=1, old_version=1, new_version=2, findings=(Finding(type="all links", objects=()),)
    )
    result = CheckResult(
        page=1,
        asked=0,
        due=0,
        failures=0,
        look=Look(why="due", decision="new version"),
        changes=(found, found),
    )
    metrics.wrote([result])
    text = metrics.page().decode()
    assert 'webvigil_checks_total{decision="new version"} 1.0' in text
    assert 'webvigil_findings_total{type="all links"} 2.0' in text


def test_the_queue_and_the_notices_are_those_of_the_installation():
    knowledge = MemoryKnowledge(clock=lambda: 1_800_000_000_000)
    knowledge.users.add("jill")
    knowledge.sentinels.add(sentinel("s1"))
    knowledge.outbox.add(notice("n1"))
    text = Metrics(knowledge).page().decode()
    assert "webvigil_queue_age_seconds 0.0" in text
    assert "webvigil_notices_pending 1.0" in text
    assert "webvigil_notices_failed 0.0" in text
    assert "webvigil_database_up 1.0" in text


def test_a_database_that_is_gone_is_told_and_not_raised(tmp_path: Path):
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    knowledge.close()
    (tmp_path / "a.sqlite3").write_bytes(b"no database" * 1000)
    for more in ("a.sqlite3-wal", "a.sqlite3-shm"):
        (tmp_path / more).unlink(missing_ok=True)
    assert "webvigil_database_up 0.0" in Metrics(knowledge).page().decode()
    found = health(knowledge, None)
    assert (found.ok, found.database, found.queue_age) == (False, "does not answer", None)
    knowledge.close()


def test_a_worker_whose_loop_does_not_turn_is_stuck():
    knowledge, metrics = MemoryKnowledge(), Metrics()
    assert health(knowledge, metrics).worker == "none"
    metrics.alive()
    assert health(knowledge, metrics).ok
    metrics.beat = time.monotonic() - STUCK_AFTER - 1
    assert (health(knowledge, metrics).ok, health(knowledge, metrics).worker) == (False, "stuck")


@pytest.fixture
def logger() -> logging.Logger:
    found = logging.getLogger("webvigil")
    handlers, level = found.handlers[:], found.level
    yield found
    found.handlers[:], found.level = handlers, level


def test_a_log_line_for_programs_is_json(capsys: pytest.CaptureFixture[str], logger: logging.Logger):
    start_logging("info", "json")
    logger.info("it is\n%s", "late")
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        logger.exception("oh")
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (first["message"], first["level"], first["logger"]) == ("it is\nlate", "info", "webvigil")
    assert first["time"].endswith("Z")
    assert "ZeroDivisionError" in second["trace"]


def test_trouble_that_lasts_is_told_once_and_not_at_every_try(
    capsys: pytest.CaptureFixture[str], logger: logging.Logger
):
    start_logging("info")
    for _ in range(5):
        logger.warning("the disk is %s", "full")
        logger.info("a notice")
    logger.warning("the disk is broken")
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2] for line in lines if "disk" in line] == [
        "the disk is full",
        "the disk is broken",
    ]
    assert sum("a notice" in line for line in lines) == 5


def test_a_worker_that_needs_a_person_says_so_until_it_goes_on():
    knowledge, metrics = MemoryKnowledge(), Metrics()
    metrics.alive()
    metrics.met("claiming pages", "the disk is full")
    found = health(knowledge, metrics)
    assert (found.ok, found.worker, found.trouble) == (False, "in trouble", "the disk is full")
    assert found.as_json(inside=True)["trouble"] == "the disk is full"
    metrics.went_well("claiming pages")
    assert health(knowledge, metrics).ok
    assert "trouble" not in health(knowledge, metrics).as_json(inside=True)
