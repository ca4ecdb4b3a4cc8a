"""Several sentinels of one text, put into an order in which each comes after those it names (V1)."""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.errors import SentinelRefused
from webvigil.model.sentinel import Sentinel
from webvigil.rules.inherit import names


def in_order(sentinels: Iterable[Sentinel]) -> list[Sentinel]:
    """Raises SentinelRefused for two of one name, and for those that wait for each other in a circle."""
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
    """Depth first with a stack of our own: a file may hold a chain of thousands."""
    path = [first]
    while path:
        name = path[-1]
        open_names = [other for other in names(waiting[name]) if other in waiting and other not in done]
        circle = next((other for other in open_names if other in path), None)
        if circle is not None:
            shown = " → ".join([*path[path.index(circle) :], circle])
            raise SentinelRefused(f"these sentinels wait for each other: {shown}")
        if open_names:
            path.append(open_names[0])
            continue
        path.pop()
        if name not in done:
            done.add(name)
            ordered.append(waiting[name])
