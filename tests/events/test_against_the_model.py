"""The detector agrees with the definitions of Snoop on every history, operator and context (E1, E2)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.events.model import Model, as_tree
from webvigil.events import (
    And,
    Aperiodic,
    AperiodicStar,
    At,
    Context,
    Detector,
    Expression,
    Not,
    Occurrence,
    Or,
    Periodic,
    PeriodicStar,
    Plus,
    Primitive,
    Rule,
    Seq,
    VirtualClock,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
A, B, C = Primitive("a"), Primitive("b"), Primitive("c")

Steps = list[tuple[int, str]]

# A gap of 0 raises several events at the same time; small intervals make timers coincide with raised events.
histories: st.SearchStrategy[Steps] = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abc")), min_size=1, max_size=16
)
intervals = st.integers(1, 4).map(lambda seconds: timedelta(seconds=seconds))
leaves = st.one_of(
    st.sampled_from([A, B, C]),
    st.integers(1, 15).map(lambda second: At(EPOCH + timedelta(seconds=second))),
)


def composed(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    pairs = st.sampled_from([And, Or, Seq])
    betweens = st.sampled_from([Not, Aperiodic, AperiodicStar])
    recurring = st.sampled_from([Periodic, PeriodicStar])
    return st.one_of(
        st.builds(lambda make, left, right: make(left, right), pairs, inner, inner),
        st.builds(lambda make, *three: make(*three), betweens, inner, inner, inner),
        st.builds(
            lambda make, start, every, end: make(start, every, end), recurring, inner, intervals, inner
        ),
        st.builds(Plus, inner, intervals),
    )


expressions = st.recursive(leaves, composed, max_leaves=6)


def as_history(steps: Steps) -> Steps:
    time, history = 0, []
    for gap, name in steps:
        time += gap
        history.append((time, name))
    return history


def lived_through(event: Expression, context: Context, history: Steps, until: int) -> list[Any]:
    clock = VirtualClock(EPOCH)
    detector = Detector(clock)
    seen: list[Occurrence] = []
    detector.add(Rule(name="watch", event=event, action=seen.append, context=context))
    for number, (time, name) in enumerate(history):
        clock.advance(to=EPOCH + timedelta(seconds=time))
        detector.raise_event(name, number=number)
    clock.advance(to=EPOCH + timedelta(seconds=until))
    return [tree(occurrence) for occurrence in seen]


def tree(occurrence: Occurrence) -> Any:
    time = int(occurrence.end.timestamp())
    if "number" in occurrence.parameters:
        return time, occurrence.parameters["number"]
    return time, tuple(tree(part) for part in occurrence.constituents)


def agree(event: Expression, context: Context, steps: Steps) -> None:
    history = as_history(steps)
    until = history[-1][0] + 5
    expected = [as_tree(happened) for happened in Model(history, until, context).all(event)]
    assert lived_through(event, context, history, until) == expected


OPERATORS: dict[str, Callable[[timedelta], Expression]] = {
    "and": lambda _: And(A, B),
    "or": lambda _: Or(A, B),
    "seq": lambda _: Seq(A, B),
    "not": lambda _: Not(A, B, C),
    "aperiodic": lambda _: Aperiodic(A, B, C),
    "aperiodic star": lambda _: AperiodicStar(A, B, C),
    "periodic": lambda every: Periodic(A, every, B),
    "periodic star": lambda every: PeriodicStar(A, every, B),
    "plus": lambda every: Plus(A, every),
}


@pytest.mark.parametrize("context", Context)
@pytest.mark.parametrize("operator", OPERATORS)
@settings(max_examples=60, deadline=None)
@given(steps=histories, interval=intervals)
def test_each_operator_in_each_context_is_as_defined(
    operator: str, context: Context, steps: Steps, interval: timedelta
) -> None:
    agree(OPERATORS[operator](interval), context, steps)


@pytest.mark.parametrize("context", Context)
@settings(max_examples=250, deadline=None)
@given(event=expressions, steps=histories)
def test_nested_events_are_as_defined(context: Context, event: Expression, steps: Steps) -> None:
    agree(event, context, steps)
