"""Sentinels on sentinels: such a sentinel watches the same pages and inherits the clauses that it leaves out
(L3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from webvigil.model.sentinel import AtEvent, Sentinel, SentinelPages, SeveralTargets, Target

_OWN = {"name", "title", "target", "life"}
Known = Callable[[str], Sentinel | None]


def completed(sentinel: Sentinel, known: Known) -> Sentinel:
    """Fills the clauses that the sentinel left out with those of the sentinels that it is set on. `known`
    returns a sentinel by its name, already completed."""
    parents = [known(name) for name in targets(sentinel.target)]
    for parent in parents:
        if parent is not None:
            sentinel = _inherited(sentinel, parent)
    return sentinel


def _inherited(sentinel: Sentinel, parent: Sentinel) -> Sentinel:
    # What is excepted from quiet goes with it.
    own = _OWN if sentinel.quiet is None else _OWN | {"loud"}
    names = [field.name for field in fields(Sentinel) if field.name not in own]
    left_out = [name for name in names if getattr(sentinel, name) in (None, ())]
    return replace(sentinel, **{name: getattr(parent, name) for name in left_out})


def targets(target: Target) -> Iterator[str]:
    """Yields the names of the sentinels that a target names."""
    match target:
        case SentinelPages(name):
            yield name
        case SeveralTargets(_, parts):
            for part in parts:
                yield from targets(part)


def waits_for(sentinel: Sentinel) -> Iterator[str]:
    """Yields the names of the sentinels whose events begin or end the life spans of this sentinel."""
    for span in sentinel.life:
        for point in (span.start, span.end):
            if isinstance(point, AtEvent):
                yield point.sentinel


def names(sentinel: Sentinel) -> list[str]:
    """Returns the names of all sentinels that this sentinel names, each once."""
    return list(dict.fromkeys([*targets(sentinel.target), *waits_for(sentinel)]))
