"""The figures for Prometheus are those that its own client would show."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable

import prometheus_client as client
import pytest
from hypothesis import given
from hypothesis import strategies as some
from prometheus_client.parser import text_string_to_metric_families

from webvigil.app.operating.figures import Counter, Figure, Gauge, Histogram, as_text

BOUNDS = (0.1, 1, 10)
numbers = some.floats(min_value=0, allow_nan=False, allow_infinity=False, max_value=1e12)
seconds = some.floats(min_value=0, max_value=100) | some.sampled_from(BOUNDS)


def seen(text: str) -> list[object]:
    """Returns what a reader takes from the text, without the moments at which figures began."""
    return [
        (family.name, family.type, family.documentation, [(one.name, one.labels, told(one)) for one in lines])
        for family in text_string_to_metric_families(text)
        for lines in [family.samples]
    ]


def told(sample: object) -> float | str:
    name, value = sample.name, sample.value  # type: ignore[attr-defined]
    return "began" if name.endswith("_created") else "NaN" if math.isnan(value) else value


def read(*figures: Figure) -> list[object]:
    return seen(as_text(figures).decode())


def read_theirs(registry: client.CollectorRegistry) -> list[object]:
    return seen(client.generate_latest(registry).decode())


@given(some.lists(numbers))
def test_a_counter_is_that_of_the_client(amounts: list[float]):
    registry = client.CollectorRegistry()
    ours, theirs = Counter("looks", "What\\ is\ncounted"), client.Counter(
        "looks", "What\\ is\ncounted", registry=registry
    )  # fmt: skip
    for one in amounts:
        ours.inc(one)
        theirs.inc(one)
    assert read(ours) == read_theirs(registry)
    assert ours.value == pytest.approx(sum(amounts, 0.0))


@given(some.lists(some.tuples(some.text(some.characters(exclude_categories=["Cs"])), numbers)))
def test_a_counter_with_labels_is_that_of_the_client(amounts: Iterable[tuple[str, float]]):
    registry = client.CollectorRegistry()
    ours = Counter("looks", "Counted", "kind")
    theirs = client.Counter("looks", "Counted", ["kind"], registry=registry)
    for kind, one in amounts:
        ours.inc(one, kind)
        theirs.labels(kind).inc(one)
    assert read(ours) == read_theirs(registry)


@given(some.floats())
def test_a_gauge_is_that_of_the_client(value: float):
    registry = client.CollectorRegistry()
    client.Gauge("size", "How large", registry=registry).set_function(lambda: value)
    assert read(Gauge("size", "How large", lambda: value)) == read_theirs(registry)


@given(some.lists(seconds))
def test_a_timer_is_that_of_the_client(taken: list[float]):
    registry = client.CollectorRegistry()
    ours = Histogram("took", "How long", BOUNDS)
    theirs = client.Histogram("took", "How long", buckets=BOUNDS, registry=registry)
    for one in taken:
        ours.observe(one)
        theirs.observe(one)
    assert read(ours) == read_theirs(registry)


def test_a_counter_began_when_it_was_first_counted():
    counter = Counter("looks", "Counted", "kind")
    assert [family.name for family in counter.families()] == ["looks_total"]
    counter.inc(1, "changed")
    assert [family.name for family in counter.families()] == ["looks_total", "looks_created"]


def test_nothing_is_lost_when_threads_count_at_once():
    counter, timer = Counter("looks", "Counted"), Histogram("took", "How long", BOUNDS)

    def count() -> None:
        for _ in range(2_000):
            counter.inc()
            timer.observe(0.5)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert counter.value == 8_000
    assert b"took_count 8000.0" in as_text([timer])
