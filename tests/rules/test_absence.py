"""What only went away may be back at the next look; what came is told (Q4)."""

from __future__ import annotations

import pytest

from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.rules.doubts import only_went


def found(kind: str, *statuses: Status) -> Finding:
    return Finding(type=kind, objects=tuple(ObjectChange("x", one) for one in statuses))


@pytest.mark.parametrize("status", Status)
def test_what_goes_and_nothing_else_only_went(status: Status):
    going = status in (Status.GONE, Status.FEWER)
    assert only_went([found("any change", Status.GONE, status)]) is going
    assert only_went([found("any change", Status.GONE), found("all links", status)]) is going


@pytest.mark.parametrize("kind", ["phrase", "keywords", "value", "table", "exact change", "part"])
def test_what_somebody_named_exactly_is_told_at_once(kind: str):
    assert not only_went([found(kind, Status.GONE)])


def test_a_finding_that_names_nothing_tells_of_nothing_that_went():
    assert not only_went([found("visual")])
    assert not only_went([])
