"""Order-free objects as multisets: how often each stood there, and how often it does now (CH-Diff)."""

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
from webvigil.document.derived import cached_property
from webvigil.document.fast import accelerated
from webvigil.document.hashes import string_hashes
from webvigil.model.change import ObjectChange, Status

T = TypeVar("T")

# Objects of both versions; more are sorted instead of listed.
_MANY = 20_000


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
        *changed(before, after), lambda there, here: paths(new, here) if here else paths(old, there)
    )


def told_or_counted(
    told: list[Recounted],
    others: Iterable[tuple[int, int]],
    where: Callable[[list[int], list[int]], tuple[str, ...]],
) -> list[ObjectChange]:
    """Each with its places, and those that are only counted."""
    return [
        *(count_change(name, len(there), len(here), where(there, here)) for name, there, here in told),
        *together(others),
    ]


Recounted = tuple[str, list[int], list[int]]
"""A name, and the nodes where it stood and where it stands."""


def changed(before: Placed, after: Placed) -> tuple[list[Recounted], list[tuple[int, int]]]:
    """The names whose count is another one, in the order of the old, then of the new version; of very many
    only the first, and of the others how often each was and is there."""
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
    """The same without a list per name: sorted by their hashes, names stand side by side."""
    sides = _Runs(before.hashes), _Runs(after.hashes)
    kinds = np.sort(np.concatenate([side.kinds for side in sides]))
    kinds = kinds[np.append(True, kinds[1:] != kinds[:-1])[: len(kinds)]]
    counts = [side.counts(kinds) for side in sides]
    firsts = [side.firsts(kinds) for side in sides]
    differ = (counts[0] != counts[1]).nonzero()[0]
    # As they first stand in the old version, then in the new one.
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
    """Where each of many numbers stands: their places, those of one number together."""

    def __init__(self, numbers: Hashes) -> None:
        self._order = numbers.argsort(kind="stable")
        self._ordered = numbers[self._order]
        self.kinds = self._ordered[np.append(True, self._ordered[1:] != self._ordered[:-1])[: len(numbers)]]

    def _edges(self, kinds: Hashes) -> tuple[Longs, Longs]:
        return self._ordered.searchsorted(kinds), self._ordered.searchsorted(kinds, "right")

    def counts(self, kinds: Hashes) -> Longs:
        starts, ends = self._edges(kinds)
        return ends - starts

    def firsts(self, kinds: Hashes) -> Longs:
        """Where each stands first; anything for one that stands nowhere."""
        if not len(self._order):
            return np.zeros(len(kinds), dtype=np.int64)
        return self._order[np.minimum(self._edges(kinds)[0], len(self._order) - 1)]

    def places(self, kinds: Hashes) -> Iterator[list[int]]:
        for start, end in zip(*(edge.tolist() for edge in self._edges(kinds)), strict=True):
            yield self._order[start:end].tolist()


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
    """The sign of CH-Diff for two different counts."""
    if old == 0:
        return Status.NEW
    if new == 0:
        return Status.GONE
    return Status.MORE if new > old else Status.FEWER
