"""Sentinels of one text in, the same sentinels out, each after those that it names (V1)."""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.errors import SentinelRefused
from webvigil.model.sentinel import Sentinel
from webvigil.rules.inherit import names

# The most names of a circle that an error message shows.
_MOST_SHOWN = 12


def in_order(sentinels: Iterable[Sentinel]) -> list[Sentinel]:
    """Returns the sentinels in an order in which they can be installed. Raises SentinelRefused if two have
    the same name, or if sentinels wait for each other in a circle."""
    waiting = _by_name(sentinels)
    ordered: list[Sentinel] = []
    done: set[str] = set()
    for name in waiting:
        _place(name, waiting, done, ordered)
    return ordered


def _by_name(sentinels: Iterable[Sentinel]) -> dict[str, Sentinel]:
    found: dict[str, Sentinel] = {}
    for sentinel in sentinels:
        if sentinel.name in found:
            raise SentinelRefused(f"the name {sentinel.name!r} is given twice; names are unique")
        found[sentinel.name] = sentinel
    return found


def _place(first: str, waiting: dict[str, Sentinel], done: set[str], ordered: list[Sentinel]) -> None:
    """Appends a sentinel and everything it names, depth first. The stack is explicit because a file may hold
    a chain of thousands of sentinels, which recursion would not survive."""
    path = [first]
    on_path = {first}
    while path:
        name = path[-1]
        open_names = [other for other in names(waiting[name]) if other in waiting and other not in done]
        circle = next((other for other in open_names if other in on_path), None)
        if circle is not None:
            raise SentinelRefused(
                f"these sentinels wait for each other: {_shown([*path[path.index(circle) :], circle])}"
            )
        if open_names:
            path.append(open_names[0])
            on_path.add(open_names[0])
            continue
        on_path.discard(path.pop())
        if name not in done:
            done.add(name)
            ordered.append(waiting[name])


def _shown(circle: list[str]) -> str:
    """Joins the names of a circle with arrows, and cuts a long circle in its middle."""
    if len(circle) > _MOST_SHOWN:
        left_out = len(circle) - _MOST_SHOWN
        circle = [*circle[: _MOST_SHOWN - 2], f"({left_out} more)", *circle[-2:]]
    return " → ".join(circle)
