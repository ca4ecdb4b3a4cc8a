"""Order-free objects as multisets: how often each stood there, and how often it does now (CH-Diff)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status

# Where each object of a version stands: its nodes in document order.
Places = Mapping[str, Sequence[int]]


def places(found: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """(object, node) pairs, gathered by object."""
    gathered: dict[str, list[int]] = {}
    for name, node in found:
        gathered.setdefault(name, []).append(node)
    return gathered


def changed(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """The objects whose count is another one, in the order they stand in the old, then in the new version."""
    old, new = Counter(before), Counter(after)
    if old == new:
        return []
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


def placed_changes(
    names: Sequence[str], old: PageDigest, before: Places, new: PageDigest, after: Places
) -> list[ObjectChange]:
    """One change per name, with where it stands now, or stood if it is gone."""
    return [
        count_change(
            name,
            len(before.get(name, ())),
            len(after.get(name, ())),
            paths(new, after[name]) if name in after else paths(old, before[name]),
        )
        for name in names
    ]
