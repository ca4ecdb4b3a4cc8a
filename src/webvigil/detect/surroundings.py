"""Elements of another version that stand where one stood: by its path, or by the tags around it (C7)."""

from __future__ import annotations

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, Longs

_MOST = 200


def at_same_path(source: PageDigest, node: int, target: PageDigest) -> int | None:
    """The node of `target` at the same path, or the one around it if only the last step is missing."""
    steps = [_step(source, one) for one in [node, *source.ancestors(node)][:-1]][::-1]
    there = 0
    for depth, (tag, rank) in enumerate(steps):
        twins = [child for child in target.children(there) if target.tag(child) == tag]
        if rank >= len(twins):
            return there if depth == len(steps) - 1 else None
        there = twins[rank]
    return there


def among_same_tags(source: PageDigest, node: int, target: PageDigest, size: int) -> list[int]:
    """Elements of the same name with the same tags around, at least in the near half of `size` tags.

    The most alike come first.
    """
    here, there = _elements(source), _elements(target)
    place = int(np.searchsorted(here, node))
    names = [source.tag(int(one)) for one in here[max(0, place - size) : place + size + 1]]
    center = min(place, size)
    if center >= len(names):
        return []  # a part may be texts alone
    wanted = np.array([target.tag_index.get(name, -1) for name in names])
    found = np.flatnonzero(target.tags[there] == wanted[center])
    before, found = _alike(target.tags[there], found, wanted[:center][::-1], -1)
    after, kept = _alike(target.tags[there], found, wanted[center + 1 :], 1)
    likeness = before[np.isin(found, kept)] + after
    order = np.argsort(-likeness, kind="stable")[:_MOST]
    return [int(element) for element in there[kept[order]]]


def _alike(tags: Ints, places: Longs, wanted: Longs, direction: int) -> tuple[Longs, Longs]:
    """How many wanted tags follow each place in a direction, and where at least half of them do."""
    count = np.zeros(len(places), dtype=np.int64)
    run = np.ones(len(places), dtype=np.bool_)
    for step, tag in enumerate(wanted.tolist(), 1):
        at = places + direction * step
        inside = (at >= 0) & (at < len(tags))
        run &= inside & (tags[np.clip(at, 0, len(tags) - 1)] == tag)
        count += run
    near = count >= (len(wanted) + 1) // 2
    return count[near], places[near]


def _step(digest: PageDigest, node: int) -> tuple[str, int]:
    """The name of a node, and how many of that name stand before it under the same parent."""
    tag = digest.tag(node)
    siblings = digest.children(int(digest.parents[node]))
    return tag, [one for one in siblings if digest.tag(one) == tag].index(node)


def _elements(digest: PageDigest) -> Longs:
    """All elements in document order."""
    names = np.array([not name.startswith(("#", "?")) for name in digest.tag_names], dtype=np.bool_)
    return np.flatnonzero(names[digest.tags])
