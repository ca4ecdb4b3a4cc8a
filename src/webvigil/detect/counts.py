"""Order-free objects as multisets: how often each stood there, and how often it does now (CH-Diff)."""

from __future__ import annotations

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

_FEW = 1_000
_NONE = np.zeros(0, dtype=np.int64)
_NO_AMOUNTS = np.zeros((0, 2), dtype=np.int64)


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
        wanted = string_hashes(list(found))
        # Mostly a few of many are asked for.
        places = np.flatnonzero(among(self.hashes, wanted))
        if len(places) > _FEW:
            return self._grouped(list(found), wanted, places)
        for place in places.tolist():
            if self.names[place] in found:
                found[self.names[place]].append(self.nodes[place])
        return found

    def _grouped(self, names: list[str], wanted: Hashes, places: Longs) -> dict[str, list[int]]:
        """The same where they stand all over the page: sorted, and taken apart."""
        hashes = self.hashes[places]
        order = hashes.argsort(kind="stable")
        hashes = hashes[order]
        nodes = [self.nodes[place] for place in places[order].tolist()]
        starts, ends = hashes.searchsorted(wanted).tolist(), hashes.searchsorted(wanted, "right").tolist()
        return {name: nodes[start:end] for name, start, end in zip(names, starts, ends, strict=True)}


def changes(old: PageDigest, before: Placed, new: PageDigest, after: Placed) -> list[ObjectChange]:
    """The objects whose count is another one, with where they stand now, or stood if they are gone."""
    found = []
    names, amounts = changed(before, after)
    told, others = first(names)
    if not told:
        return []
    nodes_there, nodes_here = before.nodes_of(told), after.nodes_of(told)
    for name in told:
        there, here = nodes_there[name], nodes_here[name]
        where = paths(new, here) if here else paths(old, there)
        found.append(count_change(name, len(there), len(here), where))
    return [*found, *together(amounts[others])]


def first(names: list[str]) -> tuple[list[str], Longs]:
    """Those that are told one by one, and the places of the others; the same ones backwards."""
    if len(names) <= TOLD:
        return names, _NONE
    last = sorted(names)[TOLD]
    later = np.fromiter([name >= last for name in names], dtype=np.bool_, count=len(names))
    return [name for name, is_later in zip(names, later.tolist(), strict=True) if not is_later], (
        later.nonzero()[0]
    )


def together(amounts: Longs) -> list[ObjectChange]:
    """More objects than anybody reads, as one of each status; of each how often it stood and stands there."""
    if not len(amounts):
        return []
    pairs, many = np.unique(amounts, axis=0, return_counts=True)
    groups: dict[Status, list[tuple[int, int, int]]] = {}
    for (old, new), how_many in zip(pairs.tolist(), many.tolist(), strict=True):
        groups.setdefault(status(old, new), []).append((how_many, how_many * old, how_many * new))
    return [
        ObjectChange(object=f"{many:,} more", status=kind, old=old, new=new)
        for kind, group in sorted(groups.items())
        for many, old, new in [map(sum, zip(*group, strict=True))]
    ]


def changed(before: Placed, after: Placed) -> tuple[list[str], Longs]:
    """The names whose count is another one, in the order of the old, then of the new version; and per name
    how often it stood there, and stands there now."""
    if len(before.hashes) == len(after.hashes) and (before.hashes == after.hashes).all():
        return [], _NO_AMOUNTS
    (old, first, count), (new, first_here, count_here) = before.counted, after.counted
    place = np.searchsorted(old, new)
    known = old[np.minimum(place, len(old) - 1)] == new if len(old) else np.zeros(len(new), dtype=np.bool_)
    now = np.zeros(len(old), dtype=np.int64)
    now[place[known]] = count_here[known]
    gone, come = (now != count).nonzero()[0], (~known).nonzero()[0]
    gone, come = gone[first[gone].argsort()], come[first_here[come].argsort()]
    names = [before.names[one] for one in first[gone].tolist()]
    names += [after.names[one] for one in first_here[come].tolist()]
    amounts = np.zeros((len(names), 2), dtype=np.int64)
    amounts[: len(gone), 0] = count[gone]
    amounts[: len(gone), 1] = now[gone]
    amounts[len(gone) :, 1] = count_here[come]
    return names, amounts


def count_change(name: str, old: int, new: int, where: tuple[str, ...] = ()) -> ObjectChange:
    return ObjectChange(object=name, status=status(old, new), old=old, new=new, where=where)


def status(old: int, new: int) -> Status:
    """The sign of CH-Diff for two different counts."""
    if old == 0:
        return Status.NEW
    if new == 0:
        return Status.GONE
    return Status.MORE if new > old else Status.FEWER
