"""One policy against one page: every look it makes, until the last change has been seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from webvigil.model.moment import Millis
from webvigil.pace.policy import Observation, Policy

State = TypeVar("State")

LEVELS = ("1", "0.5", "0.33", "0.25", "lower")
"""Convergence c = 1/n, n the looks between two changes; the thesis counts the first four."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it; means where several runs were made. Delays are in seconds, over all changes."""

    changes: float
    captured: float
    cycles: float
    mean_delay: float
    convergence: dict[str, float] = field(default_factory=dict)


def play(
    policy: Policy[State], changes: Sequence[Millis], *, start: Millis = 0, last_modified: bool = True
) -> Outcome:
    state, now = policy.start(start), start
    seen = cycles = delay = 0
    finds = []
    while seen < len(changes):
        now = policy.next_look(state, now)
        cycles += 1
        before = seen
        while seen < len(changes) and changes[seen] <= now:
            delay += now - changes[seen]
            seen += 1
        if seen > before:
            finds.append(cycles)
        told = changes[seen - 1] if seen > before and last_modified else None
        state = policy.observed(state, Observation(now, seen > before, told))
    return Outcome(
        changes=len(changes),
        captured=len(finds),
        cycles=cycles,
        mean_delay=delay / 1000 / max(len(changes), 1),
        convergence=_convergence([*finds, cycles + 1]),
    )


def mean(outcomes: Sequence[Outcome]) -> Outcome:
    def over(value: str) -> float:
        return float(sum(getattr(one, value) for one in outcomes) / len(outcomes))

    counted = sum((Counter(one.convergence) for one in outcomes), Counter[str]())
    return Outcome(
        changes=over("changes"),
        captured=over("captured"),
        cycles=over("cycles"),
        mean_delay=over("mean_delay"),
        convergence={level: counted[level] / len(outcomes) for level in LEVELS},
    )


def _convergence(finds: list[int]) -> dict[str, float]:
    """`finds` numbers the looks that found a change: up to the next such all looked at the same version."""
    counted = Counter(min(later - find, len(LEVELS)) for find, later in pairwise(finds))
    return {level: float(counted[place]) for place, level in enumerate(LEVELS, 1)}
