"""Order-free objects as multisets: how often each stood there, and how often it does now (CH-Diff)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeVar

from webvigil.detect.alignment import TOLD
from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes
from webvigil.document.derived import cached_property
from webvigil.document.fast import accelerated
from webvigil.document.hashes import string_hashes
from webvigil.model.change import ObjectChange, Status

T = TypeVar("T")


@dataclass(frozen=True)
class Placed:
    """Objects by their names, and the nodes (or other places) they stand at, in the order of the page."""

    names: list[str]
    nodes: Sequence[int]

    @cached_property
    def hashes(self) -> Hashes:
        return string_hashes(self.names)


def changes(old: PageDigest, before: Placed, new: PageDigest, after: Placed) -> list[ObjectChange]:
    """The objects whose count is another one, with where they stand now, or stood if they are gone."""
    return told_or_counted(
        changed(before, after), lambda there, here: paths(new, here) if here else paths(old, there)
    )


def told_or_counted(
    found: list[Recounted], where: Callable[[list[int], list[int]], tuple[str, ...]]
) -> list[ObjectChange]:
    """Each with its places; of very many only the first."""
    told, others = first(found, itemgetter(0))
    return [
        *(count_change(name, len(there), len(here), where(there, here)) for name, there, here in told),
        *together((len(there), len(here)) for _, there, here in others),
    ]


Recounted = tuple[str, list[int], list[int]]
"""A name, and the nodes where it stood and where it stands."""


def changed(before: Placed, after: Placed) -> list[Recounted]:
    """The names whose count is another one, in the order of the old, then of the new version."""
    return [
        (
            before.names[there[0]] if there else after.names[here[0]],
            [before.nodes[place] for place in there],
            [after.nodes[place] for place in here],
        )
        for there, here in recounted(before.hashes, after.hashes)
    ]


@accelerated
def recounted(old: Hashes, new: Hashes) -> list[tuple[list[int], list[int]]]:
    """Of each number that stands more or less often in the new: where it stands in both."""
    if len(old) == len(new) and (old == new).all():
        return []
    both: dict[int, tuple[list[int], list[int]]] = {}
    for side, numbers in enumerate((old, new)):
        for place, number in enumerate(numbers.tolist()):
            both.setdefault(number, ([], []))[side].append(place)
    return [(there, here) for there, here in both.values() if len(there) != len(here)]


def first(found: list[T], name: Callable[[T], str]) -> tuple[list[T], list[T]]:
    """Those that are told one by one, and the others: the same ones whichever version is the older."""
    if len(found) <= TOLD:
        return found, []
    last = sorted(map(name, found))[TOLD]
    return [one for one in found if name(one) < last], [one for one in found if name(one) >= last]


def together(counts: Iterable[tuple[int, int]]) -> list[ObjectChange]:
    """More objects than anybody reads, by how often each was and is there, as one of each status."""
    groups: dict[Status, list[tuple[int, int]]] = {}
    for old, new in counts:
        groups.setdefault(status(old, new), []).append((old, new))
    return [
        ObjectChange(object=f"{len(group):,} more", status=kind, old=old, new=new)
        for kind, group in sorted(groups.items())
        for old, new in [map(sum, zip(*group, strict=True))]
    ]


def count_change(name: str, old: int, new: int, where: tuple[str, ...] = ()) -> ObjectChange:
    return ObjectChange(object=name, status=status(old, new), old=old, new=new, where=where)


def status(old: int, new: int) -> Status:
    """The sign of CH-Diff for two different counts."""
    if old == 0:
        return Status.NEW
    if new == 0:
        return Status.GONE
    return Status.MORE if new > old else Status.FEWER
