"""Counters, gauges and timers in, the text that Prometheus reads out (its text format, version 0.0.4).

Prometheus' own client is not used: it loads an HTTP server and an HTTP client with it, which took 2 MB of
every server and worker. The tests compare this text with that of the client.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Literal, NamedTuple, Protocol

Kind = Literal["counter", "gauge", "histogram"]


class Line(NamedTuple):
    """One figure: the name, its label and the label's value (both "" where it has none), and the figure."""

    name: str
    label: str
    labelled: str
    value: float


class Family(NamedTuple):
    """The figures that share a name, what it means, and whether it only grows."""

    name: str
    kind: Kind
    what: str
    lines: Sequence[Line]


class Figure(Protocol):
    """Something that can be asked for its figures."""

    def families(self) -> Iterable[Family]:
        """Yields the present figures."""


class Counter:
    """A number that only grows, or one such number for each value of a label."""

    def __init__(self, name: str, what: str, label: str = "") -> None:
        self.name, self._what, self._label = name, what, label
        self._lock = Lock()
        self._counts: dict[str, float] = {}
        self._since: dict[str, float] = {}
        if not label:
            self.inc(0)

    def inc(self, amount: float = 1, labelled: str = "") -> None:
        with self._lock:
            if labelled not in self._counts:
                self._counts[labelled], self._since[labelled] = 0.0, time.time()
            self._counts[labelled] += amount

    @property
    def value(self) -> float:
        """The number of a counter without a label."""
        return self._counts[""]

    def families(self) -> Iterator[Family]:
        with self._lock:
            counts, since = dict(self._counts), dict(self._since)
        yield self._family("total", "counter", counts)
        if since:
            yield self._family("created", "gauge", since)

    def _family(self, part: str, kind: Kind, numbers: dict[str, float]) -> Family:
        name = f"{self.name}_{part}"
        return Family(name, kind, self._what, [Line(name, self._label, *one) for one in numbers.items()])


class Gauge:
    """A number that is asked for when the figures are read. `ask` may be set to another function later."""

    def __init__(self, name: str, what: str, ask: Callable[[], float]) -> None:
        self.name, self._what = name, what
        self.ask = ask

    def families(self) -> Iterator[Family]:
        yield gauge(self.name, self._what, self.ask())


class Histogram:
    """How many seconds something took: how often it took at most each of `bounds`, how often in all, and how
    long together."""

    def __init__(self, name: str, what: str, bounds: Sequence[float]) -> None:
        self.name, self._what = name, what
        self._bounds = (*bounds, math.inf)
        self._lock = Lock()
        self._counts = [0] * len(self._bounds)
        self._sum = 0.0
        self._since = time.time()

    def observe(self, seconds: float) -> None:
        with self._lock:
            self._counts[bisect_left(self._bounds, seconds)] += 1
            self._sum += seconds

    def families(self) -> Iterator[Family]:
        with self._lock:
            counts, together = tuple(self._counts), self._sum
        lines, seen = [], 0
        for bound, count in zip(self._bounds, counts, strict=True):
            seen += count
            lines.append(Line(f"{self.name}_bucket", "le", _number(bound), seen))
        lines += [Line(f"{self.name}_count", "", "", seen), Line(f"{self.name}_sum", "", "", together)]
        yield Family(self.name, "histogram", self._what, lines)
        yield gauge(f"{self.name}_created", self._what, self._since)


def gauge(name: str, what: str, value: float) -> Family:
    return Family(name, "gauge", what, [Line(name, "", "", value)])


def as_text(figures: Iterable[Figure]) -> bytes:
    """Returns the figures in the text format of Prometheus."""
    return "".join(line for one in figures for family in one.families() for line in _text(family)).encode()


def _text(family: Family) -> Iterator[str]:
    yield f"# HELP {family.name} {_escaped(family.what)}\n"
    yield f"# TYPE {family.name} {family.kind}\n"
    for line in family.lines:
        label = f'{{{line.label}="{_quoted(line.labelled)}"}}' if line.label else ""
        yield f"{line.name}{label} {_number(line.value)}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', r"\"")


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return "NaN" if math.isnan(value) else repr(float(value))
