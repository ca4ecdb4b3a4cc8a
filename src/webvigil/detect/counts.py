"""Order-free objects as multisets: how often each stood there, and how often it does now (CH-Diff)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, equal_at_start
from webvigil.document.hashes import string_hashes
from webvigil.model.change import ObjectChange, Status


@dataclass(frozen=True)
class Placed:
    """Objects by their names, and the nodes they stand at, in the order of the page."""

    names: list[str]
    nodes: Sequence[int]

    @cached_property
    def hashes(self) -> Hashes:
        return string_hashes(self.names)

    @cached_property
    def nodes_of(self) -> dict[str, list[int]]:
        """The nodes each stands at."""
        found: dict[str, list[int]] = {}
        for name, node in zip(self.names, self.nodes, strict=True):
            found.setdefault(name, []).append(node)
        return found


def changes(old: PageDigest, before: Placed, new: PageDigest, after: Placed) -> list[ObjectChange]:
    """The objects whose count is another one, with where they stand now, or stood if they are gone."""
    found = []
    for name in changed(before, after):
        there, here = before.nodes_of.get(name, []), after.nodes_of.get(name, [])
        where = paths(new, here) if here else paths(old, there)
        found.append(count_change(name, len(there), len(here), where))
    return found


def changed(before: Placed, after: Placed) -> list[str]:
    """The names whose count is another one, in the order of the old, then of the new version."""
    fewest = min(len(before.names), len(after.names))
    # What both begin and end with counts alike in both.
    same = equal_at_start(before.hashes[:fewest], after.hashes[:fewest])
    rest = equal_at_start(before.hashes[same:][::-1], after.hashes[same:][::-1])
    old = Counter(before.names[same : len(before.names) - rest])
    new = Counter(after.names[same : len(after.names) - rest])
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
