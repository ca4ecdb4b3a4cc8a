"""What comes next in the life of a sentinel is told with its time and its reason."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from webvigil.language import parse
from webvigil.model.life import LifeRecord
from webvigil.rules.life import Life
from webvigil.rules.timeline import what_comes_next

NOW = datetime(2026, 12, 1, tzinfo=UTC)
THEN = NOW + timedelta(days=2)
WAITING = LifeRecord(installed_at=NOW, next_at=THEN)
WITHIN = LifeRecord(installed_at=NOW, within=True, started_at=NOW, next_at=THEN)


def told(clauses: str, record: LifeRecord) -> str:
    (sentinel,) = parse(f"Create Sentinel s Using https://example.org/\n{clauses}")
    return what_comes_next(Life("s", sentinel.life, UTC, record))


@pytest.mark.parametrize(
    ("clauses", "record", "beginning", "reason"),
    [
        ("From Now + 2 day", WAITING, "starts 2026-12-03", "From Now + 2 day"),
        ("From 12/03/2026", WAITING, "starts 2026-12-03", "From 2026-12-03 00:00"),
        ("From 11/01/2026 To Now + 2 day", WITHIN, "ends 2026-12-03", "To Now + 2 day"),
        ("From 11/01/2026 To 12/03/2026", WITHIN, "ends 2026-12-03", "To 2026-12-03 00:00"),
        ("From end(other)", WAITING, "starts 2026-12-03", "From end(other)"),
    ],
)
def test_the_next_boundary_is_told_with_its_reason(
    clauses: str, record: LifeRecord, beginning: str, reason: str
):
    said = told(clauses, record)
    assert said.startswith(beginning)
    assert f"({reason}" in said


def test_an_event_that_has_not_happened_is_named():
    said = told("From end(other)", LifeRecord(installed_at=NOW))
    assert said == "starts with end(other), which has not happened yet"


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ("1 second", "1 second"),
        ("90 second", "90 seconds"),
        ("2 minute", "2 minutes"),
        ("60 minute", "1 hour"),
        ("36 hour", "36 hours"),
        ("1 day", "1 day"),
        ("2 week", "14 days"),
    ],
)
def test_the_interval_after_an_event_is_told_in_whole_units(interval: str, words: str):
    said = told(f"From end(other) + {interval}", LifeRecord(installed_at=NOW))
    assert said == f"starts with end(other) + {words}, which has not happened yet"


def test_a_life_that_is_over_or_failed_has_nothing_to_come():
    assert told("From Now", LifeRecord(installed_at=NOW, over=True, ended_at=NOW)).startswith(
        "ended 2026-12-01"
    )
    assert (
        told("From Now", LifeRecord(installed_at=NOW, failure="it was removed")) == "failed: it was removed"
    )
