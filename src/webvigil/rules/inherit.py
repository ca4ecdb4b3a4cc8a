"""A sentinel on a sentinel watches the same pages; clauses it leaves out are inherited (L3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from webvigil.model.sentinel import AtEvent, Sentinel, SentinelPages, SeveralTargets, Target

_OWN = {"name", "title", "target", "life"}
Known = Callable[[str], Sentinel | None]


def completed(sentinel: Sentinel, known: Known) -> Sentinel:
    """With the clauses of the sentinel it is set on; `known` gives that one, itself completed."""
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
    """The sentinels that a target names."""
    match target:
        case SentinelPages(name):
            yield name
        case SeveralTargets(_, parts):
            for part in parts:
                yield from targets(part)


def waits_for(sentinel: Sentinel) -> Iterator[str]:
    """The sentinels that its life spans are tied to."""
    for span in sentinel.life:
        for point in (span.start, span.end):
            if isinstance(point, AtEvent):
                yield point.sentinel


def names(sentinel: Sentinel) -> list[str]:
    """All sentinels it names, each once."""
    return list(dict.fromkeys([*targets(sentinel.target), *waits_for(sentinel)]))
