"""Outcomes at several prices in, the outcome at a given number of looks out.

A policy rarely makes exactly the wanted number of looks, and two prices that lead to almost as many looks may
lead to delays that differ by a tenth by chance. So a line is drawn through the outcomes near the wanted
number: the logarithm of the delay over the logarithm of the looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log

from webvigil.pace.simulate.play import LEVELS, Outcome

# Outcomes with so many more or fewer looks than wanted, as a share, count. Farther away the line bends.
NEAR = 0.15


def at_looks(outcomes: Sequence[Outcome], looks: float) -> Outcome:
    """Returns the outcome that the near ones lead to expect with this number of looks.

    Where all of them have more looks, or all of them have fewer, it is the one that comes nearest.
    """
    fewer = [one for one in outcomes if one.cycles <= looks]
    more = [one for one in outcomes if one.cycles > looks]
    if not fewer or not more:
        return min(outcomes, key=lambda one: abs(one.cycles - looks))
    below, above = max(fewer, key=lambda one: one.cycles), min(more, key=lambda one: one.cycles)
    near = [one for one in outcomes if abs(one.cycles / looks - 1.0) <= NEAR]
    if below not in near or above not in near:
        near = [below, above]  # a line that leaves one side out would lead too far
    shares = _shares([log(one.cycles / looks) for one in near])

    def on_the_line(values: Iterable[float]) -> float:
        return sum(share * value for share, value in zip(shares, values, strict=True))

    return Outcome(
        changes=on_the_line(one.changes for one in near),
        captured=on_the_line(one.captured for one in near),
        cycles=looks,
        mean_delay=exp(on_the_line(log(max(one.mean_delay, 1e-9)) for one in near)),
        convergence={level: on_the_line(one.convergence.get(level, 0.0) for one in near) for level in LEVELS},
    )


def _shares(places: Sequence[float]) -> list[float]:
    """Returns the share of each point in the value at 0 of the line that fits the points best."""
    middle = sum(places) / len(places)
    width = sum((place - middle) ** 2 for place in places)
    return [1.0 / len(places) - middle * (place - middle) / width for place in places]
