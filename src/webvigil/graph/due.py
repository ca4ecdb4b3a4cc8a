"""The watches of a page in, the comparisons that are due now out: which watch, which two versions (L7).

A pairwise sentinel is compared with the version it was last compared with. A sentinel without
such a version starts with the newest version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from webvigil.model.change import Finding
from webvigil.model.quiet import Habits, LeftOut, Why
from webvigil.model.sentinel import Compare, WhenCondition
from webvigil.model.work import Watch

# Bounds the work of one check: a sentinel that slept for hundreds of versions catches up in several checks.
MOST_STEPS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The findings between two versions that are worth telling the owner of a sentinel. `unjudged` is what is
    left of the sentinel's condition, if it depends on what the change means."""

    old: int
    new: int
    findings: tuple[Finding, ...]
    unjudged: WhenCondition | None = None


class Compared(NamedTuple):
    """The result for one watch: the findings, and the versions it needs from now on.

    After an error (`trouble`) the watch keeps its old version, so that no change is lost. `lost` says which
    versions can no longer be read and what is therefore unknown; the watch then goes on with the newest
    version. `left_out` holds what differs and is not told.
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


class Step(NamedTuple):
    """One comparison of two versions. `next` is the older version of the comparison after it."""

    old: int
    new: int
    next: int


def nothing_new(watches: Sequence[Watch], newest: int) -> bool:
    """Returns True if every watch has either seen the newest version or no version yet."""
    return not any(0 < watch.reference < newest for watch in watches)


def at_rest(watch: Watch, newest: int) -> Compared:
    """Returns the result of a watch that has nothing to compare."""
    return Compared(watch, watch.reference or newest, watch.measured_from)


def unconfirmed(compared: Compared) -> Compared:
    """Returns the same with nothing told: the watch is compared with the same earlier version again."""
    watch = compared.watch
    gone = (
        LeftOut(Why.JUST_GONE, one)
        for found in compared.found
        for finding in found.findings
        for one in finding.objects
    )
    return compared._replace(
        reference=watch.reference,
        measured_from=watch.measured_from,
        found=(),
        left_out=(*compared.left_out, *gone),
    )


def steps(reference: int, compare: Compare, newest: int) -> list[Step]:
    """Returns the comparisons that a watch needs, oldest first, at most `MOST_STEPS`."""
    if not 0 < reference < newest:
        return []
    how, n = compare.how, compare.n
    if how == "pairwise":
        return [Step(reference, newest, newest)]
    if how == "every":
        starts = range(reference, newest - n + 1, n)
        return [Step(one, one + n, one + n) for one in starts[:MOST_STEPS]]
    starts = range(reference, newest - n + 2)
    return [Step(one, one + n - 1, one + 1) for one in starts[:MOST_STEPS]]
