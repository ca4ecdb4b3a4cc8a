"""The examples by which the literature explains Snoop and its contexts (E2).

The history e1 e1 e2 e2 e1 and the nested NOT are from the papers on Snoop's semantics. The papers also give a
variant with intervals; here the times are points, as in the original.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.events.play import NEW_YEAR, SECOND, Play, seen
from webvigil.events import (
    Aperiodic,
    AperiodicStar,
    Context,
    Not,
    Occurrence,
    Periodic,
    PeriodicStar,
    Plus,
    Primitive,
)

E1, E2, E3, E4 = (Primitive(name) for name in ("e1", "e2", "e3", "e4"))
RECENT, CHRONICLE, CONTINUOUS, CUMULATIVE = Context


def of_contexts(*expected: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("context", "expected"), list(zip(Context, expected, strict=True)))


@of_contexts(
    ["e1.2 e2.1", "e1.2 e2.2", "e2.2 e1.3"],
    ["e1.1 e2.1", "e1.2 e2.2"],
    ["e1.1 e2.1", "e1.2 e2.1", "e2.2 e1.3"],
    ["e1.1 e1.2 e2.1", "e2.2 e1.3"],
)
def test_both_of_two_events(context: Context, expected: list[str]) -> None:
    assert seen("e1 e1 e2 e2 e1", E1 & E2, context) == expected


@of_contexts(
    ["e1.2 e2.1", "e1.2 e2.2"],
    ["e1.1 e2.1", "e1.2 e2.2"],
    ["e1.1 e2.1", "e1.2 e2.1"],
    ["e1.1 e1.2 e2.1"],
)
def test_one_event_after_the_other(context: Context, expected: list[str]) -> None:
    assert seen("e1 e1 e2 e2 e1", E1 >> E2, context) == expected


@pytest.mark.parametrize("context", Context)
def test_either_of_two_events_is_the_same_in_every_context(context: Context) -> None:
    assert seen("e1 e1 e2 e2 e1", E1 | E2, context) == ["e1.1", "e1.2", "e2.1", "e2.2", "e1.3"]


@of_contexts(["e1.2 e3.1", "e1.4 e3.3"], ["e1.1 e3.1", "e1.4 e3.3"], ["e1.1 e3.1", "e1.2 e3.1", "e1.4 e3.3"],
             ["e1.1 e1.2 e3.1", "e1.4 e3.3"])  # fmt: skip
def test_nothing_in_between(context: Context, expected: list[str]) -> None:
    assert seen("e1 e1 e3 e1 e2 e3 e1 e3", Not(E1, E2, E3), context) == expected


@of_contexts(
    ["e1.2 e2.1 e1.2 e4.1", "e1.2 e2.1 e4.1 e1.3"],
    ["e1.1 e2.1 e1.1 e4.1"],
    ["e1.1 e2.1 e1.1 e4.1", "e1.2 e2.1 e1.1 e4.1"],
    ["e1.1 e1.2 e2.1 e1.1 e1.2 e4.1"],
)
def test_a_graph_of_a_not_over_a_sequence_and_a_conjunction(context: Context, expected: list[str]) -> None:
    nested = Not(E1 >> E2, E3, E1 & E4)
    assert seen("e1 e1 e3 e2 e4 e1 e2 e3 e1 e4 e1", nested, context) == expected


@of_contexts(
    ["e1.2 e2.1", "e1.2 e2.2", "e1.3 e2.4"],
    ["e1.1 e2.1", "e1.2 e2.1", "e1.1 e2.2", "e1.2 e2.2", "e1.2 e2.3", "e1.2 e2.4", "e1.3 e2.4"],
    ["e1.1 e2.1", "e1.2 e2.1", "e1.1 e2.2", "e1.2 e2.2", "e1.3 e2.4"],
    ["e1.1 e1.2 e2.1", "e1.1 e1.2 e2.2", "e1.3 e2.4"],
)
def test_each_time_within_an_interval(context: Context, expected: list[str]) -> None:
    assert seen("e1 e1 e2 e2 e3 e2 e1 e2 e3", Aperiodic(E1, E2, E3), context) == expected


@of_contexts(
    ["e1.2 e2.2 e3.1"],
    ["e1.1 e2.1 e2.2 e3.1", "e1.2 e2.2 e2.3 e3.2"],
    ["e1.1 e2.1 e2.2 e3.1", "e1.2 e2.2 e3.1"],
    ["e1.1 e1.2 e2.1 e2.2 e3.1"],
)
def test_all_of_an_interval_at_its_end(context: Context, expected: list[str]) -> None:
    assert seen("e1 e2 e1 e2 e3 e2 e3", AperiodicStar(E1, E2, E3), context) == expected


def test_an_interval_in_which_nothing_happened_is_not_told() -> None:
    assert seen("e1 e3 e2 e3", AperiodicStar(E1, E2, E3), RECENT) == []


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        (RECENT, ["e1.2 at 5"]),
        (CHRONICLE, ["e1.1 at 4", "e1.2 at 5", "e1.2 at 8"]),
        (CONTINUOUS, ["e1.1 at 4", "e1.2 at 5"]),
        (CUMULATIVE, ["e1.1 e1.2 at 4"]),
    ],
)
def test_periods_from_a_start_to_an_end(play: Play, context: Context, expected: list[str]) -> None:
    play.watch(Periodic(E1, 3 * SECOND, E2), context)
    play.tell("e1 e1")
    play.clock.advance(to=NEW_YEAR + 6 * SECOND)
    play.raise_("e2")
    play.clock.advance(to=NEW_YEAR + 8 * SECOND)
    play.raise_("e2")
    play.clock.advance(60 * SECOND)
    assert [
        f"{told} at {seconds(one)}" for one, told in zip(play.seen[:], play.told(), strict=True)
    ] == expected


def test_all_periods_at_the_end(play: Play) -> None:
    play.watch(PeriodicStar(E1, 2 * SECOND, E2))
    play.tell("e1")
    play.clock.advance(7 * SECOND)
    play.raise_("e2")
    (told,) = play.seen
    start, *periods, end = told.constituents
    assert [start.name, end.name] == ["e1", "e2"]
    assert [seconds(period) for period in periods] == [3, 5, 7]
    assert seconds(told) == 8


def test_an_end_before_the_first_period_tells_nothing(play: Play) -> None:
    play.watch(PeriodicStar(E1, 5 * SECOND, E2))
    assert play.tell("e1 e2") == []


@of_contexts([10, 16], [9, 10, 16], [9, 10, 16], [9, 16])
def test_some_time_after_an_event(play: Play, context: Context, expected: list[int]) -> None:
    play.watch(Plus(E1, 4 * SECOND), context)
    for time in (5, 6, 12):
        play.clock.advance(to=NEW_YEAR + time * SECOND)
        play.raise_("e1")
    play.clock.advance(10 * SECOND)
    assert play.times() == [timedelta(seconds=time) for time in expected]


def test_an_event_is_a_point_in_time_and_not_an_interval() -> None:
    """e1 lies inside (e2 ; e3) but before the point at which that sequence is complete."""
    assert seen("e2 e1 e3", E1 >> (E2 >> E3), RECENT) == ["e1.1 e2.1 e3.1"]


def seconds(occurrence: Occurrence) -> int:
    return int((occurrence.end - NEW_YEAR).total_seconds())
