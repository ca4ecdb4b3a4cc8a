"""Two multisets of objects in, the objects that occur more or less often out, in any order (CH-Diff)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeVar

import numpy as np

from webvigil.detect.alignment import TOLD
from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, Longs
from webvigil.document.fast import accelerated
from webvigil.document.hashes import string_hashes
from webvigil.model.change import ObjectChange, Status
from webvigil.model.memo import cached_property

T = TypeVar("T")

# If both versions have more objects than this in all, they are sorted in arrays, because a list for each name
# would take too long.
_MANY = 20_000


@dataclass(frozen=True)
class Placed:
    """Objects by their names, and the nodes (or other places) they are at, in the order of the page."""

    names: list[str]
    nodes: Sequence[int]

    @cached_property
    def hashes(self) -> Hashes:
        return string_hashes(self.names)


def changes(old: PageDigest, before: Placed, new: PageDigest, after: Placed) -> list[ObjectChange]:
    """Returns the objects whose count differs, with their present places, or their old places if they are
    gone."""
    return told_or_counted(
        *changed(before, after), lambda there, here: paths(new, here) if here else paths(old, there)
    )


def told_or_counted(
    told: list[Recounted],
    others: Iterable[tuple[int, int]],
    where: Callable[[list[int], list[int]], tuple[str, ...]],
) -> list[ObjectChange]:
    """Returns one change for each name in `told`, with its places, and one change per status for all
    `others`."""
    return [
        *(count_change(name, len(there), len(here), where(there, here)) for name, there, here in told),
        *together(others),
    ]


Recounted = tuple[str, list[int], list[int]]
"""A name, the nodes where it was, and the nodes where it is."""


def changed(before: Placed, after: Placed) -> tuple[list[Recounted], list[tuple[int, int]]]:
    """Returns the names whose count differs, in the order of the old version, then of the new one. If there
    are very many, only the first come with their nodes; of the others only the old and new counts are
    returned."""
    if len(before.names) + len(after.names) > _MANY:
        return _changed_among_many(before, after)
    found = [
        (
            before.names[there[0]] if there else after.names[here[0]],
            [before.nodes[place] for place in there],
            [after.nodes[place] for place in here],
        )
        for there, here in recounted(before.hashes, after.hashes)
    ]
    told, others = first(found, itemgetter(0))
    return told, [(len(there), len(here)) for _, there, here in others]


def _changed_among_many(before: Placed, after: Placed) -> tuple[list[Recounted], list[tuple[int, int]]]:
    """Does the same as `changed` without a list for each name: after sorting by hash, equal names are
    neighbours."""
    sides = _Runs(before.hashes), _Runs(after.hashes)
    kinds = np.sort(np.concatenate([side.kinds for side in sides]))
    kinds = kinds[np.append(True, kinds[1:] != kinds[:-1])[: len(kinds)]]
    counts = [side.counts(kinds) for side in sides]
    firsts = [side.firsts(kinds) for side in sides]
    differ = (counts[0] != counts[1]).nonzero()[0]
    # Sort them by where they first occur in the old version, then in the new one.
    differ = differ[np.where(counts[0] > 0, firsts[0], len(before.names) + firsts[1])[differ].argsort()]
    names = [
        before.names[one] if count else after.names[other]
        for one, other, count in zip(
            *(column[differ].tolist() for column in (*firsts, counts[0])), strict=True
        )
    ]
    told, _ = first(names, str)
    chosen = set(told) if len(told) < len(names) else None
    is_told = np.fromiter([chosen is None or name in chosen for name in names], dtype=np.bool_)
    rows = [side.places(kinds[differ[is_told]]) for side in sides]
    found = [
        (name, [before.nodes[place] for place in there], [after.nodes[place] for place in here])
        for name, there, here in zip(told, *rows, strict=True)
    ]
    others = differ[~is_told]
    return found, list(zip(counts[0][others].tolist(), counts[1][others].tolist(), strict=True))


class _Runs:
    """The places of each of many numbers: sorted so that those of one number are together."""

    def __init__(self, numbers: Hashes) -> None:
        self._order = numbers.argsort(kind="stable")
        self._ordered = numbers[self._order]
        self.kinds = self._ordered[np.append(True, self._ordered[1:] != self._ordered[:-1])[: len(numbers)]]

    def _edges(self, kinds: Hashes) -> tuple[Longs, Longs]:
        return self._ordered.searchsorted(kinds), self._ordered.searchsorted(kinds, "right")

    def counts(self, kinds: Hashes) -> Longs:
        """Returns how often each of these numbers occurs."""
        starts, ends = self._edges(kinds)
        return ends - starts

    def firsts(self, kinds: Hashes) -> Longs:
        """Returns where each of these numbers occurs first; for a number that does not occur, some other
        place."""
        if not len(self._order):
            return np.zeros(len(kinds), dtype=np.int64)
        return self._order[np.minimum(self._edges(kinds)[0], len(self._order) - 1)]

    def places(self, kinds: Hashes) -> Iterator[list[int]]:
        """Yields all places of each of these numbers."""
        for start, end in zip(*(edge.tolist() for edge in self._edges(kinds)), strict=True):
            yield self._order[start:end].tolist()


@accelerated
def recounted(old: Hashes, new: Hashes) -> list[tuple[list[int], list[int]]]:
    """Returns, for each number that occurs more or less often in the new sequence, its places in both."""
    if len(old) == len(new) and (old == new).all():
        return []
    both: dict[int, tuple[list[int], list[int]]] = {}
    for side, numbers in enumerate((old, new)):
        for place, number in enumerate(numbers.tolist()):
            both.setdefault(number, ([], []))[side].append(place)
    return [(there, here) for there, here in both.values() if len(there) != len(here)]


def first(found: list[T], name: Callable[[T], str]) -> tuple[list[T], list[T]]:
    """Divides changes into those reported one by one and the others, in the same way in either direction of
    comparing."""
    if len(found) <= TOLD:
        return found, []
    last = sorted(map(name, found))[TOLD]
    return [one for one in found if name(one) < last], [one for one in found if name(one) >= last]


def together(counts: Iterable[tuple[int, int]]) -> list[ObjectChange]:
    """Returns one change per status for objects that are too many to read, given the old and new count of
    each."""
    groups: dict[Status, list[tuple[int, int, int]]] = {}
    for (old, new), many in Counter(counts).items():
        groups.setdefault(status(old, new), []).append((many, many * old, many * new))
    return [
        ObjectChange(object=f"{many:,} more", status=kind, old=old, new=new)
        for kind, group in sorted(groups.items())
        for many, old, new in [map(sum, zip(*group, strict=True))]
    ]


def count_change(name: str, old: int, new: int, where: tuple[str, ...] = ()) -> ObjectChange:
    return ObjectChange(object=name, status=status(old, new), old=old, new=new, where=where)


def status(old: int, new: int) -> Status:
    """Returns the status (the sign of CH-Diff) for two different counts."""
    if old == 0:
        return Status.NEW
    if new == 0:
        return Status.GONE
    return Status.MORE if new > old else Status.FEWER
