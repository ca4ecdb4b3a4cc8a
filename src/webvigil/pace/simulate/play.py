"""One policy and the changes of one page in, what the policy caught in how many looks out."""

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
"""The levels of convergence c = 1/n, where n is the number of looks between two changes that were found. The
thesis counts the first four."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a policy achieved on a page, or the mean of several runs.

    Delays are in seconds, over all changes.
    """

    changes: float
    captured: float
    cycles: float
    mean_delay: float
    convergence: dict[str, float] = field(default_factory=dict)


def play(
    policy: Policy[State], changes: Sequence[Millis], *, start: Millis = 0, last_modified: bool = True
) -> Outcome:
    """Makes every look that the policy asks for, until the last change has been seen."""
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
    """Returns the mean of several outcomes."""

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
    """Counts how many looks were made at each version that was found.

    `finds` has the numbers of the looks that found a change. All looks from one of them up to the next saw
    the same version.
    """
    counted = Counter(min(later - find, len(LEVELS)) for find, later in pairwise(finds))
    return {level: float(counted[place]) for place, level in enumerate(LEVELS, 1)}
