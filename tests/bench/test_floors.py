"""Measured ratios are held against floors."""

import json

from bench.floors import FLOORS, floors, label, missed


def rows(**ratios):
    return [{"name": name, "against": "peer", "ratio": ratio} for name, ratio in ratios.items()]


def test_a_ratio_under_its_floor_is_told():
    assert missed(rows(speed=3.9), {"speed | peer": 4}) == ["speed | peer: 3.90, floor 4.00"]


def test_a_ratio_at_its_floor_is_held():
    assert missed(rows(speed=4.0, other=0.1), {"speed | peer": 4}) == []


def test_a_floor_that_nothing_was_measured_for_is_told():
    assert missed(rows(other=9), {"speed | peer": 4}) == ["speed | peer: not measured"]


def test_floors_are_numbers_by_benchmark_and_row():
    assert floors() == json.loads(FLOORS.read_text(encoding="utf-8"))
    assert all(floor > 0 for held in floors().values() for floor in held.values())
    assert label(rows(speed=1)[0]) == "speed | peer"
