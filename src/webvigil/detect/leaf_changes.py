"""Two XML or JSON documents in, what became of each of their leaves out (C13).

A leaf follows its element (`sdiff`): it is the same leaf if its element's partner has a leaf with the same
signature. The same text in the same element is the same leaf as well, and so is a member of a JSON object
that became another type of value.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from webvigil.detect.alignment import TOLD
from webvigil.detect.leaves import Key, Leaf, Leaves, Rows, signatures
from webvigil.detect.pair import pair
from webvigil.detect.sdiff import Mark
from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.model.change import ObjectChange, Status
from webvigil.model.memo import cached_property

# If more leaves than this, of both documents in all, have no partner, they are not searched one by one.
_LOOKED_FOR = 30_000

# An old and a new leaf; None for a missing side.
Pair = tuple[Leaf | None, Leaf | None]

# Statuses as numbers, for arrays.
_STATUSES = (Status.NEW, Status.GONE, Status.UPDATED, Status.MOVED)
_Codes = npt.NDArray[np.int8]


class Change:
    """What became of the leaves that may have changed: those whose element changed or is elsewhere."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        before, after = signatures(old, new)
        self.old, self.new = Leaves(old, before), Leaves(new, after)
        self._difference = pair(old, new).difference

    @cached_property
    def gone(self) -> Rows:
        """The old leaves that may have changed."""
        return self.old.at(self._suspects(self.old, self.new, self._difference.old.partners))

    @cached_property
    def come(self) -> Rows:
        """The new leaves that may have changed."""
        return self.new.at(self._suspects(self.new, self.old, self._difference.new.partners))

    @cached_property
    def pairs(self) -> tuple[Longs, Longs]:
        """Pairs of a place in `gone` and a place in `come`, with -1 for a missing side. The leaves of some
        pairs may turn out to be equal."""
        there = self._partners()
        stayed, alone = np.flatnonzero(there >= 0), np.flatnonzero(there < 0)
        left = np.ones(len(self.come), dtype=np.bool_)
        left[there[stayed]] = False
        ours, theirs = self._paired_otherwise(alone, np.flatnonzero(left))
        return np.concatenate([stayed, ours]), np.concatenate([there[stayed], theirs])

    def pair(self, place: int) -> Pair:
        """Returns one of the pairs."""
        one, other = (int(side[place]) for side in self.pairs)
        return self.gone.leaf(one) if one >= 0 else None, self.come.leaf(other) if other >= 0 else None

    def nodes(self, places: Longs) -> tuple[Longs, Longs]:
        """Returns the old and the new nodes of some pairs, -1 for a missing side."""
        ours, theirs = (side[places] for side in self.pairs)
        return _or_none(self.gone.nodes, ours), _or_none(self.come.nodes, theirs)

    @cached_property
    def texts(self) -> tuple[list[str], Longs, Longs]:
        """The distinct texts of all pairs, and for each pair which of them is the old text and which the new
        one; -1 for a missing side."""
        known: dict[str, int] = {}
        sides = []
        for rows, places in zip((self.gone, self.come), self.pairs, strict=True):
            texts, numbers = rows.texts
            common = np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.int64)
            sides.append(_or_none(common[numbers], places))
        return list(known), sides[0], sides[1]

    def told(self) -> tuple[list[Pair], list[ObjectChange]]:
        """Returns the pairs that differ, as far as they are told one by one, and objects that say how many
        more there are."""
        _, before, after = self.texts
        ours, theirs = self.pairs
        places = np.flatnonzero((ours < 0) | (theirs < 0) | (before != after))
        statuses = np.select([ours[places] < 0, theirs[places] < 0], [0, 1], 2).astype(np.int8)
        first, more = _first_told(statuses, *self.nodes(places))
        chosen = places[first]
        sides = (self._leaves(self.gone, ours[chosen]), self._leaves(self.come, theirs[chosen]))
        return list(zip(*sides, strict=True)), more

    def _leaves(self, rows: Rows, places: Longs) -> list[Leaf | None]:
        there = np.flatnonzero(places >= 0)
        found: list[Leaf | None] = [None] * len(places)
        for place, leaf in zip(there.tolist(), rows.leaves(places[there]), strict=True):
            found[place] = leaf
        return found

    def moved(self) -> tuple[list[tuple[int, int]], list[ObjectChange]]:
        """Returns the old and new nodes of the subtrees that are elsewhere with the same signature, as far as
        they are told one by one, and an object that says how many more there are."""
        nodes = np.array(self._difference.new.nodes(Mark.MOVED), dtype=np.int64)
        partners = self._difference.new.partners[nodes].astype(np.int64)
        alike = (self.new.signatures[nodes] == self.old.signatures[partners]) & self._hold_leaves(nodes)
        # The order of the members of a JSON object means nothing.
        alike &= ~self.new.members[nodes] & (self._in_one_place(partners, nodes) | ~self.new.nodes[nodes])
        nodes, partners = nodes[alike], partners[alike]
        first, more = _first_told(
            np.full(len(nodes), _STATUSES.index(Status.MOVED), np.int8), partners, nodes
        )
        return list(zip(partners[first].tolist(), nodes[first].tolist(), strict=True)), more

    def _partners(self) -> Longs:
        """Returns for each leaf in `gone` the leaf in `come` that it is now: at the partner of its node, in
        the same place, an attribute with the same name. -1 if there is none."""
        gone, come = self.gone, self.come
        there = self._difference.old.partners[gone.nodes].astype(np.int64)
        old, new = self.old.digest, self.new.digest
        named = dict.fromkeys([*old.attribute_names, *new.attribute_names])
        names = {name: number for number, name in enumerate(named, 1)}
        wanted, offered = _known_by(gone, there, old, names), _known_by(come, come.nodes, new, names)
        order = np.argsort(offered, kind="stable")
        place = np.searchsorted(offered[order], wanted)
        found = np.append(order, -1)[place]
        same = (there >= 0) & (found >= 0) & (np.append(offered, -1)[found] == wanted)
        return np.where(same & self._in_one_place(gone.nodes, there), found, -1)

    def _in_one_place(self, nodes: Longs, there: Longs) -> Mask:
        """Returns for each old node whether the new node has the same path, and their parents correspond."""
        homes, new_homes = self.old.digest.parents[nodes], self.new.digest.parents[there]
        same_home = (homes < 0) | (self._difference.old.partners[homes] == new_homes)
        return np.asarray(same_home & (self.old.signatures[nodes] == self.new.signatures[there]), np.bool_)

    def _suspects(self, ours: Leaves, theirs: Leaves, partners: Ints) -> Longs:
        """Returns the nodes whose leaves are not surely the same: those without a partner, changed, or with
        another signature."""
        nodes = np.flatnonzero(ours.nodes | ours.owners)
        there = partners[nodes]
        same = (
            (there >= 0)
            & (partners[ours.digest.parents[nodes]] == theirs.digest.parents[there])
            & (ours.digest.subtree_hashes[nodes] == theirs.digest.subtree_hashes[there])
            & (ours.signatures[nodes] == theirs.signatures[there])
            & (theirs.nodes[there] | ~ours.nodes[nodes])
        )
        return np.asarray(nodes[~same], dtype=np.int64)

    def _paired_otherwise(self, alone: Longs, left: Longs) -> tuple[Longs, Longs]:
        """Pairs leaves in `gone` and `come` whose nodes are not partners. Of too many, none is paired."""
        partners = np.full(len(alone), -1, dtype=np.int64)
        if len(alone) + len(left) <= _LOOKED_FOR:
            partners[:] = list(self._looked_for(alone, left))
        is_met = np.zeros(len(self.come) + 1, dtype=np.bool_)
        is_met[partners] = True
        unmet = left[~is_met[left]]
        return (
            np.concatenate([alone, np.full(len(unmet), -1, dtype=np.int64)]),
            np.concatenate([partners, unmet]),
        )

    def _looked_for(self, alone: Longs, left: Longs) -> Iterator[int]:
        """Yields for each of the leaves in `gone` the one of those in `come` that it is now, -1 if none."""
        offers: defaultdict[Key, deque[int]] = defaultdict(deque)
        for place, leaf in zip(left.tolist(), self.come.leaves(left), strict=True):
            for key in self.new.keys(leaf):
                offers[key].append(place)
        taken: set[int] = set()
        for leaf in self.gone.leaves(alone):
            keys = [key for key in map(self._in_new_terms, self.old.keys(leaf)) if key is not None]
            found = next((one for key in keys if (one := _first_free(offers[key], taken)) >= 0), -1)
            taken.add(found)
            yield found

    def _in_new_terms(self, key: Key) -> Key | None:
        """Returns the key of an old leaf with its node replaced by the partner, or None if that is
        elsewhere."""
        what, node, *rest = key
        there = self._leads[node]
        return (what, there, *rest) if there >= 0 and self._is_in_one_place(node, there) else None

    def _is_in_one_place(self, node: int, there: int) -> bool:
        """Tells the same as `_in_one_place` for one node."""
        home, new_home = self.old.parents[node], self.new.parents[there]
        same_home = home < 0 or self._leads[home] == new_home
        return same_home and self.old.numbers[node] == self.new.numbers[there]

    @cached_property
    def _leads(self) -> list[int]:
        """For each old node, its partner."""
        leads: list[int] = self._difference.old.partners.tolist()
        return leads

    def _hold_leaves(self, nodes: Longs) -> Mask:
        """Returns for each of these new nodes whether there is a leaf in it."""
        counted = np.append(0, np.cumsum(self.new.nodes | self.new.owners))
        return np.asarray(counted[nodes + self.new.digest.sizes[nodes]] > counted[nodes], dtype=np.bool_)


def change_between(old: PageDigest, new: PageDigest) -> Change:
    """Returns what became of the leaves, computed once for all change types that ask."""
    return pair(old, new).once(Change, Change)


def first_told(
    statuses: Sequence[Status], ours: Sequence[int], theirs: Sequence[int]
) -> tuple[list[int], list[ObjectChange]]:
    """Returns the places of the changes to report one by one, and objects that say how many more there are.
    `ours` and `theirs` are the old and new nodes of the changes, -1 for a missing side.

    Of each status as many are reported as anybody reads, chosen by the sum of their nodes, so that they are
    the same ones in either direction of comparing.
    """
    codes = np.array([_STATUSES.index(status) for status in statuses], dtype=np.int8)
    first, more = _first_told(codes, np.array(ours, dtype=np.int64), np.array(theirs, dtype=np.int64))
    return first.tolist(), more


def _first_told(statuses: _Codes, ours: Longs, theirs: Longs) -> tuple[Longs, list[ObjectChange]]:
    """Does the same as `first_told` with arrays."""
    if len(statuses) <= TOLD:
        return np.arange(len(statuses)), []
    order = np.lexsort((np.minimum(ours, theirs), ours + theirs))
    told, more = [], []
    for code in dict.fromkeys(statuses.tolist()):
        group = order[statuses[order] == code]
        told.append(group[:TOLD])
        if len(group) > TOLD:
            name = f"{len(group) - TOLD:,} more"
            more.append(ObjectChange(object=name, status=_STATUSES[code], where=("/",)))
    return np.concatenate(told), more


def _or_none(values: Longs, places: Longs) -> Longs:
    """Returns the values at these places, -1 for the place -1."""
    return np.where(places >= 0, np.append(values, -1)[places], -1)


def _known_by(rows: Rows, nodes: Longs, digest: PageDigest, names: dict[str, int]) -> Longs:
    """Returns a number for each leaf, which says its node and its attribute. `nodes` are the nodes to take;
    `names` has a number from 1 on for the name of each attribute."""
    if not len(digest.attribute_names):
        return nodes * (len(names) + 1)
    numbers = np.array([names[name] for name in digest.attribute_names], dtype=np.int64)
    attributes = np.where(rows.attributes >= 0, numbers[digest.attribute_name[rows.attributes]], 0)
    return nodes * (len(names) + 1) + attributes


def _first_free(offers: deque[int], taken: set[int]) -> int:
    while offers and offers[0] in taken:
        offers.popleft()
    return offers[0] if offers else -1
