"""Occurrences: one time that an event happened, with the occurrences that it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Moment(NamedTuple):
    """One step of time: an event was raised or a timer went off.

    Moments are numbered as they pass, so that two occurrences at the same time of day still have an order.
    """

    number: int
    time: datetime


class Occurrence(NamedTuple):
    """One time that an event happened, from `start` to `end`.

    `end` is when the event was detected; `start` is the earliest start among the constituents. `parameters`
    are those given when a primitive event was raised. `constituents` are the occurrences that a composite one
    was made of, oldest first; empty for primitive and absolute temporal events. All that is detected at one
    moment has the same `moment`.
    """

    # A named tuple and not a frozen dataclass: it costs a third to make, and each raised event makes one.
    # bench/speed/events.py measures how long raising takes.
    name: str
    start: datetime
    end: datetime
    constituents: tuple[Occurrence, ...]
    parameters: Mapping[str, Any]
    moment: int

    @property
    def primitives(self) -> tuple[Occurrence, ...]:
        """Returns the occurrences without constituents that this one was made of, oldest first."""
        return tuple(_leaves(self))

    def values(self, parameter: str) -> tuple[Any, ...]:
        """Returns what the primitives carry under the name of that parameter, in their order."""
        return tuple(leaf.parameters[parameter] for leaf in _leaves(self) if parameter in leaf.parameters)

    def value(self, parameter: str, default: Any = None) -> Any:
        """Returns the last of the `values`, or the default if there is none."""
        found = self.values(parameter)
        return found[-1] if found else default


def _leaves(occurrence: Occurrence) -> Iterator[Occurrence]:
    """Yields the occurrences without constituents. A stack instead of recursion allows any depth."""
    stack = [occurrence]
    while stack:
        one = stack.pop()
        if one.constituents:
            stack.extend(reversed(one.constituents))
        else:
            yield one
