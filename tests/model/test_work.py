"""What a visit may take, and what a clock that was set back does to its results."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest

from webvigil.model.doubt import Doubt
from webvigil.model.moment import NEVER
from webvigil.model.pace import NewPace
from webvigil.model.set_back import TOLERANCE
from webvigil.model.work import (
    CheckResult,
    Claim,
    HostAfter,
    Look,
    NewVersion,
    Visited,
    Watch,
    WatchUpdate,
    most_pages,
)

NOW, AHEAD = 1_000_000_000, TOLERANCE + 1


@pytest.mark.parametrize(
    ("pages", "delay", "within", "most"),
    [
        (50, 1_000, 10_000, 11),  # the first request needs no pause
        (50, 1_000, 9_999, 10),
        (11, 1_000, 10_000, 11),
        (10, 1_000, 10_000, 10),
        (50, 1_000, 0, 1),
        (50, 0, 10_000, 50),
        (50, 1_000, None, 50),
    ],
)
def test_a_visit_takes_as_many_pages_as_its_pauses_leave_time_for(
    pages: int, delay: int, within: int | None, most: int
):
    assert most_pages(pages, delay, within) == most


RESULT = CheckResult(
    page=1,
    asked=1,
    due=NOW + AHEAD + 60_000,
    failures=0,
    look=Look(why="due", decision="same"),
    watches=(
        WatchUpdate(sentinel=1, reference=1, next_at=NOW + AHEAD + 5),
        WatchUpdate(sentinel=2, reference=1, next_at=NEVER),
    ),
    failing_since=NOW + 1,
    doubt=Doubt(kind="k", said="s", clear=True, since=NOW),
    pace=NewPace(memory=b"", next_at=NOW + AHEAD + 7),
)


def visit(claimed: int, result: CheckResult) -> Visited:
    claim = Claim(host=1, name="a.test", token=1, now=claimed, until=claimed, delay=0, pages=())
    return Visited(claim=claim, results=(result,), after=HostAfter(rest=0))


def test_the_results_of_a_visit_move_with_a_clock_that_was_set_back():
    (moved,) = visit(NOW + AHEAD, RESULT).by_clock(NOW).results
    assert moved.due == NOW + 60_000
    assert [one.next_at for one in moved.watches] == [NOW + 5, NEVER]
    assert moved.pace is not None
    assert moved.pace.next_at == NOW + 7
    assert moved.failing_since == NOW + 1 - AHEAD  # after now, so the old clock said it
    assert moved.doubt is not None
    assert moved.doubt.since == NOW


def test_results_without_doubt_and_pace_move_too():
    bare = replace(RESULT, doubt=None, pace=None, failing_since=0)
    (moved,) = visit(NOW + AHEAD, bare).by_clock(NOW).results
    assert (moved.doubt, moved.pace, moved.failing_since, moved.due) == (None, None, 0, NOW + 60_000)


@pytest.mark.parametrize("ahead", [TOLERANCE, 0, -5])
def test_a_clock_that_is_a_little_slow_changes_nothing(ahead: int):
    one = visit(NOW + ahead, RESULT)
    assert one.by_clock(NOW) is one


def test_a_version_is_stored_with_all_that_is_known_of_it():
    new = NewVersion(
        number=3, url="u", status=200, signature="s", object="o", size=9, picture="p", base="b", stored=4
    )
    at = datetime(2026, 3, 1, tzinfo=UTC)
    stored = new.of_page(7, at)
    assert (stored.page, stored.fetched_at) == (7, at)
    shared = {one.name for one in fields(stored)} - {"page", "fetched_at"}
    assert {name: getattr(stored, name) for name in shared} == {name: getattr(new, name) for name in shared}


@pytest.mark.parametrize(("interval", "on_change"), [(0, True), (1, False)])
def test_a_watch_without_an_interval_looks_on_change(interval: int, on_change: bool):
    watch = Watch(sentinel=1, user="u", name="n", text="t", interval=interval, next_at=0, reference=1)
    assert watch.on_change is on_change
