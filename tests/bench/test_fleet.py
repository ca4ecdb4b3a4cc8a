"""What a fleet needs follows from what one check costs, and that is measured on the real store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.speed import fleet
from bench.speed.fleet import Check, Measured, Work

CHECK = Check(statements=0.1, commits=0.05, rows=4, hot=0.5, wal=1_000, database_ms=0.2)
COSTS = Measured(
    unchanged=CHECK,
    changed=replace(CHECK, rows=9, wal=5_000, database_ms=0.6),
    looks=Work(cpu_ms=1, puts=0, gets=0),
    changes=Work(cpu_ms=11, puts=2, gets=1),
)


def test_a_fleet_needs_what_its_looks_cost_together():
    needed = fleet.needs(COSTS, pages=8_640_000, looks_a_day=10, changes=0.25)
    assert needed["commits/s"] == pytest.approx(50)
    assert needed["cores of the database"] == pytest.approx(0.3)
    assert needed["write-ahead log, MB/s"] == pytest.approx(2.0)
    assert needed["rows vacuumed/s"] == pytest.approx(5_250)
    assert needed["connections"] == pytest.approx(3.5 / fleet.BUSY * fleet.CONNECTIONS)
    assert needed.keys() == fleet.BEARS.keys()


def test_requests_cost_only_where_pages_change():
    still = fleet.cost(COSTS, pages=1_000, looks_a_day=24, changes=0)
    busy = fleet.cost(COSTS, pages=1_000, looks_a_day=24, changes=0.5)
    assert still["requests to objects"] == 0
    assert busy["requests to objects"] == pytest.approx(1 * 5.0 + 0.5 * 0.4)
    assert busy["workers"] == pytest.approx(6 * still["workers"])


@pytest.mark.slow
def test_a_check_writes_its_rows_and_a_change_writes_more():
    unchanged, changed = fleet.checks(pages_each=2, hosts=10)
    assert unchanged.rows == pytest.approx(4, abs=0.1)  # page, watch, look, half of two writes of a host
    assert changed.rows == pytest.approx(9, abs=0.2)  # and what was known, version, change, its words, notice
    assert 0 < unchanged.wal < changed.wal
    assert unchanged.statements < 1


@pytest.mark.slow
def test_objects_are_asked_for_only_by_changes():
    unchanged, changed = fleet.works(pages=10, rounds=1)
    assert (unchanged.puts, unchanged.gets) == (0, 0)
    assert changed.puts >= 1
