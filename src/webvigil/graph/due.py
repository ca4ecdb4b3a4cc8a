"""Which watches of a page are compared now, and which versions with which (L7).

Each sentinel is compared at its own times only (one that looks on change: at every look). A pairwise one is
compared with the version it was last compared with; a sentinel that has no such version yet starts with the
one at hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from webvigil.model.change import Finding
from webvigil.model.moment import Millis
from webvigil.model.quiet import Habits, LeftOut
from webvigil.model.sentinel import Compare
from webvigil.model.work import Watch

# A sentinel that slept while a page went through hundreds of versions catches up in several looks.
MOST_STEPS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What is worth telling a sentinel between two versions."""

    old: int
    new: int
    findings: tuple[Finding, ...]


class Compared(NamedTuple):
    """What became of one watch: what was found, and the versions it needs from now on.

    After trouble it keeps its version, so that no change is lost. `lost` says which versions could not be
    read any more and what is therefore not known; the watch then goes on with the newest version. `left_out`:
    what differs and is not told.
    """

    watch: Watch
    reference: int
    measured_from: int = 0
    found: tuple[Found, ...] = ()
    trouble: str = ""
    lost: str = ""
    left_out: tuple[LeftOut, ...] = ()


class Comparisons(NamedTuple):
    """What became of all watches of a page, and its habits as they are known by now, by the key of a part."""

    watches: list[Compared]
    habits: Mapping[str, Habits] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Step:
    """One comparison, and the version that is the older one of the next."""

    old: int
    new: int
    next: int


def due_watches(watches: Sequence[Watch], now: Millis) -> list[Watch]:
    return [watch for watch in watches if watch.next_at <= now or watch.on_change]


def nothing_new(watches: Sequence[Watch], newest: int) -> bool:
    """Does every watch know the newest version, or none yet?"""
    return not any(0 < watch.reference < newest for watch in watches)


def at_rest(watch: Watch, newest: int) -> Compared:
    """A watch that has nothing to compare."""
    return Compared(watch, watch.reference or newest, watch.measured_from)


def steps(reference: int, compare: Compare, newest: int) -> list[Step]:
    """The comparisons that a watch is due, the oldest first."""
    if not 0 < reference < newest:
        return []
    match compare:
        case Compare("every", n):
            starts = range(reference, newest - n + 1, n)
            return [Step(one, one + n, one + n) for one in starts[:MOST_STEPS]]
        case Compare("moving", n):
            starts = range(reference, newest - n + 2)
            return [Step(one, one + n - 1, one + 1) for one in starts[:MOST_STEPS]]
    return [Step(reference, newest, newest)]
