"""An element in, the elements at its place in another version out, by its path or by the tags around (C7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, Longs
from webvigil.model.memo import remembered

# Bounds the elements that are searched for one occurrence.
_MOST = 200
# Deeper than any page in a browser. In a page nested without end, a path to the bottom says nothing about a
# place.
_DEEPEST = 600


def at_same_path(source: PageDigest, node: int, target: PageDigest) -> int | None:
    """Returns the node of `target` at the same path, or its parent's node if only the last step is
    missing."""
    if source.depths[node] > _DEEPEST:
        return None
    ways = [node, *source.ancestors(node)][-2::-1]
    family, there = _families(target), 0
    for depth, one in enumerate(ways):
        child = family.child(there, source.tag(one), int(source.places.number[one]) - 1)
        if child is None:
            return there if depth == len(ways) - 1 else None
        there = child
    return there


def among_same_tags(source: PageDigest, node: int, target: PageDigest, size: int) -> list[int]:
    """Returns elements of the same name with the same tags around, at least in the near half of `size` tags.

    The most alike come first.
    """
    here, there = _elements(source), _elements(target)
    place = int(np.searchsorted(here.nodes, node))
    names = [source.tag_names[tag] for tag in here.tags[max(0, place - size) : place + size + 1].tolist()]
    center = min(place, size)
    if center >= len(names):
        return []  # a part may consist of texts alone
    wanted = np.array([target.tag_index.get(name, -1) for name in names])
    found = np.flatnonzero(there.tags == wanted[center])
    before, found = _alike(there.tags, found, wanted[:center][::-1], -1)
    after, kept = _alike(there.tags, found, wanted[center + 1 :], 1)
    likeness = before[np.isin(found, kept)] + after
    order = np.argsort(-likeness, kind="stable")[:_MOST]
    return [int(element) for element in there.nodes[kept[order]]]


def _alike(tags: Ints, places: Longs, wanted: Longs, direction: int) -> tuple[Longs, Longs]:
    """Returns how many wanted tags follow each place in a direction, and the places where at least half of
    them do."""
    count = np.zeros(len(places), dtype=np.int64)
    alike = np.arange(len(places))
    for step, tag in enumerate(wanted.tolist(), 1):
        at = places[alike] + direction * step
        inside = (at >= 0) & (at < len(tags))
        alike = alike[inside][tags[at[inside]] == tag]
        count[alike] = step
    near = count >= (len(wanted) + 1) // 2
    return count[near], places[near]


@dataclass(frozen=True, slots=True, eq=False)
class _Families:
    """Nodes sorted by parent and name, so that siblings of the same name are together."""

    digest: PageDigest
    nodes: Longs
    keys: Longs

    def child(self, parent: int, tag: str, rank: int) -> int | None:
        """Returns the child of this name before which there are `rank` children of that name, or None."""
        if tag not in self.digest.tag_index:
            return None
        key = _key(self.digest, parent, self.digest.tag_index[tag])
        place = int(np.searchsorted(self.keys, key)) + rank
        return int(self.nodes[place]) if place < len(self.keys) and self.keys[place] == key else None


@remembered
def _families(digest: PageDigest) -> _Families:
    keys = _key(digest, digest.parents.astype(np.int64), digest.tags)
    order = np.argsort(keys, kind="stable")
    return _Families(digest, order, keys[order])


def _key(digest: PageDigest, parent: int | Longs, tag: int | Ints) -> Longs:
    key: Longs = np.asarray(parent, dtype=np.int64) * len(digest.tag_names) + tag
    return key


@dataclass(frozen=True, slots=True, eq=False)
class _Elements:
    """All elements in document order, and their names."""

    nodes: Longs
    tags: Ints


@remembered
def _elements(digest: PageDigest) -> _Elements:
    names = np.array([not name.startswith(("#", "?")) for name in digest.tag_names], dtype=np.bool_)
    nodes = np.flatnonzero(names[digest.tags])
    return _Elements(nodes, digest.tags[nodes])
