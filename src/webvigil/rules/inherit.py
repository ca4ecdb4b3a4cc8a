"""Sentinels on sentinels: they watch the same pages and inherit the clauses that they leave out (L3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

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


BY_TOPIC = (
    "fetch",
    "contacts",
    "notify",
    "ignore",
    "quiet",
    "loud",
    "only",
    "message",
    "summary",
    "priority",
)
"""The fields of the clauses that a topic can say for its sentinels."""


def with_topics(sentinel: Sentinel, said: Mapping[str, Sentinel]) -> Sentinel:
    """Fills the clauses that the sentinel left out with those of its topics; the topic that it names first
    comes first. Ignored parts add up. `said` are the clauses of topics, by topic."""
    for _, values in by_topics(sentinel, said):
        sentinel = replace(sentinel, **values)
    return sentinel


def by_topics(sentinel: Sentinel, said: Mapping[str, Sentinel]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields each topic of the sentinel that adds something to it, with the fields it adds."""
    for topic in sentinel.topics:
        clauses = said.get(topic)
        if clauses is None:
            continue
        added = _added(sentinel, clauses)
        if added:
            yield topic, added
            sentinel = replace(sentinel, **added)


def _added(sentinel: Sentinel, clauses: Sentinel) -> dict[str, Any]:
    """Returns the fields that a topic adds to a sentinel."""
    # What is excepted from quiet goes with it.
    names = [name for name in BY_TOPIC if name != "loud" or sentinel.quiet is None]
    added = {
        name: value
        for name in names
        if getattr(sentinel, name) in (None, ()) and (value := getattr(clauses, name)) not in (None, ())
    }
    more = tuple(part for part in clauses.ignore if part not in sentinel.ignore)
    return added | ({"ignore": (*sentinel.ignore, *more)} if more else {})


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
