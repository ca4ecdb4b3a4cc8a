"""An occurrence: one time that an event happened, with the occurrences that it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Moment(NamedTuple):
    """One step of time: something was raised or a timer went off. Moments are numbered as they pass, so
    two occurrences at the same time of day still have an order."""

    number: int
    time: datetime


class Occurrence(NamedTuple):
    """`end` is the time of occurrence (detection); `start` the earliest start among the constituents.

    `parameters` are those given when a primitive event was raised. `constituents` are the occurrences
    that a composite one was made of, oldest first; empty for primitive and absolute temporal events.
    All that is detected at one moment has the same `moment`.
    """

    # A named tuple and not a frozen dataclass: one is made at each raising, at a third of the cost.
    name: str
    start: datetime
    end: datetime
    constituents: tuple[Occurrence, ...]
    parameters: Mapping[str, Any]
    moment: int

    @property
    def primitives(self) -> tuple[Occurrence, ...]:
        """What it came from in the end, oldest first as in `constituents`."""
        return tuple(_leaves(self))

    def values(self, parameter: str) -> tuple[Any, ...]:
        """What the primitives carried under that name, in their order."""
        return tuple(leaf.parameters[parameter] for leaf in _leaves(self) if parameter in leaf.parameters)

    def value(self, parameter: str, default: Any = None) -> Any:
        """The last of the `values`."""
        found = self.values(parameter)
        return found[-1] if found else default


def _leaves(occurrence: Occurrence) -> Iterator[Occurrence]:
    stack = [occurrence]
    while stack:
        one = stack.pop()
        if one.constituents:
            stack.extend(reversed(one.constituents))
        else:
            yield one
