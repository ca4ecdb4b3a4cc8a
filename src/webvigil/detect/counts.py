"""Order-free objects as multisets: how often each stood there, and how often it does now (CH-Diff)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from webvigil.detect.alignment import Gap, trimmed
from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status


class Placed(NamedTuple):
    """Objects by their names, and the nodes they stand at."""

    names: list[str]
    nodes: Sequence[int]

    def nodes_of(self, names: Iterable[str]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {name: [] for name in names}
        for place in [place for place, name in enumerate(self.names) if name in found]:
            found[self.names[place]].append(self.nodes[place])
        return found


def changes(old: PageDigest, before: Placed, new: PageDigest, after: Placed) -> list[ObjectChange]:
    """The objects whose count is another one, with where they stand now, or stood if they are gone."""
    names = changed(before.names, after.names)
    if not names:
        return []
    there, here = before.nodes_of(names), after.nodes_of(names)
    return [
        count_change(
            name,
            len(there[name]),
            len(here[name]),
            paths(new, here[name]) if here[name] else paths(old, there[name]),
        )
        for name in names
    ]


def changed(before: list[str], after: list[str]) -> list[str]:
    """The names whose count is another one, in the order of the old, then of the new version."""
    if before == after:
        return []
    # What both begin and end with counts alike in both.
    core = trimmed(before, after, Gap(0, len(before), 0, len(after)))
    old = Counter(before[core.old_start : core.old_end])
    new = Counter(after[core.new_start : core.new_end])
    return [name for name in dict.fromkeys((*old, *new)) if old[name] != new[name]]


def count_change(name: str, old: int, new: int, where: tuple[str, ...] = ()) -> ObjectChange:
    return ObjectChange(object=name, status=status(old, new), old=old, new=new, where=where)


def status(old: int, new: int) -> Status:
    """The sign of CH-Diff for two different counts."""
    if old == 0:
        return Status.NEW
    if new == 0:
        return Status.GONE
    return Status.MORE if new > old else Status.FEWER
