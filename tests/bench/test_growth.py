"""The work on many sentinels is measured in every size, with a floor for every row."""

from __future__ import annotations

from bench.floors import floors
from bench.speed import growth


def test_every_row_has_a_floor_and_tells_how_it_grows():
    rows = growth.rows((10, 40))
    assert {row["name"] for row in rows} == floors()["growth"].keys()
    assert all(row["ours"] > 0 and row["peer"] > 0 for row in rows)
    assert all(isinstance(row["exponent"], float) for row in rows)
