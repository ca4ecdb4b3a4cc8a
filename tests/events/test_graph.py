"""Equal events are detected once, and nodes that no rule needs any more are removed (E1, E4)."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.events.play import HOUR, NEW_YEAR, Play
from webvigil.errors import EventRefused
from webvigil.events import (
    Aperiodic,
    At,
    Context,
    Expression,
    Not,
    Occurrence,
    Pattern,
    Periodic,
    PeriodicStar,
    Plus,
    Primitive,
    Rule,
    Seq,
)
from webvigil.events.expression import DEEPEST, Binary

A, B, C = Primitive("a"), Primitive("b"), Primitive("c")


def test_equal_events_share_a_node(play: Play) -> None:
    play.watch(Seq(A, B), name="one")
    assert play.detector.size() == 3
    play.watch(Seq(Primitive("a"), Primitive("b")), name="two")
    assert play.detector.size() == 3
    play.watch(Seq(A, B) & C, name="three")
    assert play.detector.size() == 5


def test_contexts_share_only_what_has_no_context(play: Play) -> None:
    for context in Context:
        play.watch((A | B) >> At(NEW_YEAR + HOUR), context, name=context)
    assert play.detector.size() == len({"a", "b", "a | b", "at"}) + len(Context)


def test_a_period_of_its_own_name_is_an_event_of_its_own(play: Play) -> None:
    play.watch(Periodic(A, HOUR, B), name="one")
    play.watch(Periodic(A, HOUR, B), name="two")
    assert play.detector.size() == 3
    play.watch(Periodic(A, HOUR, B, name="best effort"), name="three")
    assert play.detector.size() == 4


def test_a_rule_on_an_event_under_way_joins_in(play: Play) -> None:
    play.watch(A >> B, name="early")
    play.tell("a")
    play.watch(A >> B, name="late")
    assert play.tell("b") == ["a.1 b.1", "a.1 b.1"]


EVERYTHING: list[Expression] = [
    A,
    A & B,
    A | B,
    A >> A,
    Not(A, B, C),
    Aperiodic(A, B | C, A),
    Periodic(A, HOUR, B),
    PeriodicStar(A, HOUR, Plus(B, HOUR)),
    Plus(A >> B, HOUR),
    At(NEW_YEAR + HOUR),
    Pattern(hour=9),
]


@pytest.mark.parametrize("event", EVERYTHING, ids=str)
@pytest.mark.parametrize("context", Context)
def test_removing_the_last_rule_leaves_nothing_behind(
    play: Play, event: Expression, context: Context
) -> None:
    watcher = Watcher()
    gone = weakref.ref(watcher)
    play.detector.add(Rule(name="one", event=event, action=watcher.see, context=context))
    play.watch(event, context, name="two")
    play.tell("a b c a")
    play.detector.remove("one")
    assert play.detector.size() > 0
    gc.disable()  # the watcher must be freed by reference counting alone
    try:
        del watcher
        assert gone() is None
    finally:
        gc.enable()
    play.detector.remove("two")
    assert play.detector.size() == 0
    assert play.detector.pending() == []
    assert play.detector.next_due() is None


class Watcher:
    def see(self, _: Occurrence) -> None:
        pass


def test_an_inner_event_stays_as_long_as_another_needs_it(play: Play) -> None:
    play.watch((A >> B) >> C, name="outer")
    play.watch(A >> B, name="inner")
    play.tell("a")
    play.detector.remove("outer")
    assert play.tell("b") == ["a.1 b.1"]
    assert play.detector.size() == 3


def test_a_rule_added_again_starts_from_scratch(play: Play) -> None:
    play.watch(A >> B)
    play.tell("a")
    play.detector.remove("watch")
    play.watch(A >> B)
    assert play.tell("b") == []


def test_removed_timers_do_not_pile_up(play: Play) -> None:
    # This timer stays on top of the heap, so that cancelled ones behind it do not come up to be dropped.
    play.watch(At(NEW_YEAR + HOUR))
    for number in range(10_000):
        play.detector.add(Rule(name=f"{number}", event=Plus(A, timedelta(days=number + 1)), action=str))
        play.raise_("a")
        play.detector.remove(f"{number}")
    assert len(play.detector._timers._heap) < 200
    play.clock.advance(2 * HOUR)
    assert play.times() == [HOUR]


# --- What is not an event ----------------------------------------------------------------------------


def nested(depth: int) -> Expression:
    event: Expression = A
    for _ in range(depth - 1):
        event = event >> B
    return event


def doubled(times: int) -> Expression:
    event: Expression = A
    for _ in range(times):
        event = event & event
    return event


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Primitive(""), "needs a name"),
        (lambda: Rule(name="", event=A, action=str), "needs a name"),
        (lambda: At(NEW_YEAR.replace(tzinfo=None)), "has no time zone"),
        (lambda: Plus(A, timedelta(0)), "longer than nothing"),
        (lambda: Periodic(A, -HOUR, B), "longer than nothing"),
        (lambda: A >> "b", "'b' is not an event; Primitive\\('b'\\) would be one"),
        (lambda: nested(DEEPEST + 1), "may be nested 100 deep"),
        (lambda: doubled(50), "may have 10000 parts"),
    ],
)
def test_an_event_that_cannot_be_is_refused_when_it_is_written(make: Callable[[], object], why: str) -> None:
    with pytest.raises(EventRefused, match=why):
        make()


def test_the_deepest_and_the_largest_are_detected(play: Play) -> None:
    play.watch(nested(DEEPEST), name="deep")
    play.watch(doubled(12), name="large")
    told = play.tell("a" + " b" * (DEEPEST - 1))
    assert told[0] == " ".join(["a.1"] * 2**12)
    assert told[1] == " ".join(["a.1", *(f"b.{number}" for number in range(1, DEEPEST))])


def test_what_is_no_operator_is_refused_and_leaves_nothing_half_built(play: Play) -> None:
    with pytest.raises(EventRefused, match="no event that can be detected"):
        play.watch(A >> Binary(B, C))
    assert play.detector.size() == 0
    assert play.detector.rules() == ()


def test_an_event_has_one_text() -> None:
    event = Not(A & B, Plus(C, HOUR), Periodic(A, 2 * HOUR, At(NEW_YEAR) | Pattern(hour=9, weekday=(0, 4))))
    assert str(event) == (
        "not((c + 1:00:00))[(a and b), "
        "P(a, 2:00:00, (at 2026-01-01T00:00:00+00:00 "
        "or every [weekday 0/4, hour 9, minute 0, second 0] UTC))]"
    )
