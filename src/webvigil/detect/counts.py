"""Order-free objects as multisets: how often each stood there, and how often it does now (CH-Diff)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from webvigil.detect.alignment import TOLD
from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, Longs, among
from webvigil.document.derived import cached_property
from webvigil.document.hashes import string_hashes
from webvigil.model.change import ObjectChange, Status


@dataclass(frozen=True)
class Placed:
    """Objects by their names, and the nodes (or other places) they stand at, in the order of the page."""

    names: list[str]
    nodes: Sequence[int]

    @cached_property
    def hashes(self) -> Hashes:
        return string_hashes(self.names)

    @cached_property
    def counted(self) -> tuple[Hashes, Longs, Longs]:
        """The distinct ones by their hashes, ascending; where each stands first, and how often."""
        return np.unique(self.hashes, return_index=True, return_counts=True)

    def nodes_of(self, names: Iterable[str]) -> dict[str, list[int]]:
        """The nodes that each of these names stands at."""
        found: dict[str, list[int]] = {name: [] for name in names}
        # Mostly a few of many are asked for.
        for place in np.flatnonzero(among(self.hashes, string_hashes(list(found)))).tolist():
            if self.names[place] in found:
                found[self.names[place]].append(self.nodes[place])
        return found


def changes(old: PageDigest, before: Placed, new: PageDigest, after: Placed) -> list[ObjectChange]:
    """The objects whose count is another one, with where they stand now, or stood if they are gone."""
    found = []
    told, others = first(changed(before, after))
    if not told:
        return []
    nodes_there, nodes_here = before.nodes_of(told), after.nodes_of(told)
    for name in told:
        there, here = nodes_there[name], nodes_here[name]
        where = paths(new, here) if here else paths(old, there)
        found.append(count_change(name, len(there), len(here), where))
    if others:
        found += together(others, Counter(before.names), Counter(after.names))
    return found


def first(names: list[str]) -> tuple[list[str], list[str]]:
    """Those that are told one by one, and the others: the same ones whichever version is the older."""
    if len(names) <= TOLD:
        return names, []
    last = sorted(names)[TOLD]
    return [name for name in names if name < last], [name for name in names if name >= last]


def together(names: list[str], before: Counter[str], after: Counter[str]) -> list[ObjectChange]:
    """More objects than anybody reads, as one of each status."""
    # Not `before[name]`: a Counter takes its time over each name that it does not have.
    both = Counter([(before.get(name, 0), after.get(name, 0)) for name in names])
    groups: dict[Status, list[tuple[int, int, int]]] = {}
    for (old, new), how_many in both.items():
        groups.setdefault(status(old, new), []).append((how_many, how_many * old, how_many * new))
    return [
        ObjectChange(object=f"{many:,} more", status=kind, old=old, new=new)
        for kind, group in sorted(groups.items())
        for many, old, new in [map(sum, zip(*group, strict=True))]
    ]


def changed(before: Placed, after: Placed) -> list[str]:
    """The names whose count is another one, in the order of the old, then of the new version."""
    if len(before.hashes) == len(after.hashes) and (before.hashes == after.hashes).all():
        return []
    (old, first, count), (new, first_here, count_here) = before.counted, after.counted
    place = np.searchsorted(old, new)
    known = old[np.minimum(place, len(old) - 1)] == new if len(old) else np.zeros(len(new), dtype=np.bool_)
    stayed = place[known][count[place[known]] == count_here[known]]
    gone = np.sort(np.delete(first, stayed)).tolist()
    come = np.sort(first_here[~known]).tolist()
    return [*(before.names[one] for one in gone), *(after.names[one] for one in come)]


def count_change(name: str, old: int, new: int, where: tuple[str, ...] = ()) -> ObjectChange:
    return ObjectChange(object=name, status=status(old, new), old=old, new=new, where=where)


def status(old: int, new: int) -> Status:
    """The sign of CH-Diff for two different counts."""
    if old == 0:
        return Status.NEW
    if new == 0:
        return Status.GONE
    return Status.MORE if new > old else Status.FEWER
