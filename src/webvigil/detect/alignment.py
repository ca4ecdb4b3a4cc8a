"""Two sequences of words in, the gaps between their longest common subsequence out (C4).

A gap is a run of old words that went and a run of new words that came in their place; either may be
empty. Reading backwards finds the same gaps with their sides exchanged: of the many longest common
subsequences one is chosen by looking at the two sequences in a fixed order, whichever is the older.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import LCSseq


class Gap(NamedTuple):
    """Old words `old_start:old_end` became new words `new_start:new_end`."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def swapped(self) -> Gap:
        return Gap(self.new_start, self.new_end, self.old_start, self.old_end)


def gaps(old: Sequence[str], new: Sequence[str]) -> list[Gap]:
    """Where two sequences differ, in order; [] for equal ones."""
    if old == new:
        return []
    if list(new) < list(old):
        return [gap.swapped for gap in gaps(new, old)]
    found: list[Gap] = []
    for step in LCSseq.opcodes(old, new):
        gap = Gap(step.src_start, step.src_end, step.dest_start, step.dest_end)
        if step.tag != "equal":
            found.append(_joined(found.pop(), gap) if found and _touch(found[-1], gap) else gap)
    return found


def _touch(one: Gap, other: Gap) -> bool:
    return one.old_end == other.old_start and one.new_end == other.new_start


def _joined(one: Gap, other: Gap) -> Gap:
    return Gap(one.old_start, other.old_end, one.new_start, other.new_end)
