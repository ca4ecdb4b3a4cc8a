"""A comparison in, the items to show out: all blocks, or the changed ones with their surroundings.

Blocks left out are counted: "… 41 unchanged blocks".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webvigil.present.align import Mark, Step
from webvigil.present.comparison import Comparison, LeftOut


@dataclass(frozen=True, slots=True)
class Shown:
    """A step to show, and the number of its change (0 for none). `first` marks the first step of a change: it
    carries the anchor."""

    step: Step
    number: int = 0
    first: bool = False


@dataclass(frozen=True, slots=True)
class Skipped:
    """A number of unchanged blocks left out, or in `told` a part of a long page that was never compared."""

    count: int = 0
    told: LeftOut | None = None

    def __str__(self) -> str:
        if self.told is not None:
            return str(self.told)
        return f"… {self.count:,} unchanged block{'s' if self.count > 1 else ''}"


Item = Shown | Skipped


def everything(comparison: Comparison) -> list[Item]:
    """Returns all steps as items."""
    return list(_with_gaps(comparison, list(range(len(comparison.steps)))))


def only_changes(comparison: Comparison) -> list[Item]:
    """Returns the steps around changes as items, with counts of the blocks between."""
    kept = kept_places(comparison)
    return list(_with_gaps(comparison, kept))


def kept_places(comparison: Comparison) -> list[int]:
    """Returns the places of changed blocks, of their neighbours and of the headings above them.

    A single unchanged block between two kept ones is kept too: saying that it is left out takes as much room.
    """
    steps = comparison.steps
    changed = [place for place, step in enumerate(steps) if step.mark is not Mark.SAME]
    kept = {place + shift for place in changed for shift in (-1, 0, 1) if 0 <= place + shift < len(steps)}
    above = _headings_above(steps)
    kept |= {above[place] for place in changed if above[place] >= 0}
    edges = {-1, len(steps)} if kept else set()
    ends = kept | edges
    lone = {place - 1 for place in ends if place - 2 in ends}
    return sorted(kept | (lone - edges))


def _headings_above(steps: Sequence[Step]) -> list[int]:
    """Returns for each step the place of the nearest heading before it, -1 if there is none."""
    heading, above = -1, []
    for place, step in enumerate(steps):
        above.append(heading)
        if step.block.is_heading:
            heading = place
    return above


def _with_gaps(comparison: Comparison, kept: list[int]) -> Iterator[Item]:
    """Yields the kept steps, and between them how many blocks were left out or never compared."""
    count = end = 0
    edges = deque(sorted(comparison.left_out.items()))
    for place in [*kept, len(comparison.steps)]:
        count += place - end
        while edges and edges[0][0] <= place:
            _, left_out = edges.popleft()
            if left_out.same:
                count += left_out.old
                continue
            yield from _skipped(count)
            yield Skipped(told=left_out)
            count = 0
        yield from _skipped(count)
        if place < len(comparison.steps):
            yield _shown(comparison, place)
        count, end = 0, place + 1


def _skipped(count: int) -> Iterator[Skipped]:
    if count:
        yield Skipped(count)


def _shown(comparison: Comparison, place: int) -> Shown:
    number = comparison.numbers[place]
    first = number > 0 and comparison.changes[number - 1].first == place
    return Shown(comparison.steps[place], number, first)
