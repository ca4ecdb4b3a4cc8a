"""The tree without a tree: arithmetic on the child counts (ST) of a document in depth-first order.

Everything here is vectorised. The running sum of `children - 1` falls by at most one per node and
first falls below its value before a subtree at that subtree's last node; so "where does the subtree
end" is a search in sorted keys, for all nodes at once, whatever the depth.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]


def subtree_sizes(structure: Ints) -> Ints:
    """How many nodes each subtree holds, its root included."""
    count = len(structure)
    place = np.arange(count, dtype=np.int64)
    height = np.cumsum(structure.astype(np.int64) - 1)
    before = np.empty(count, dtype=np.int64)
    before[:1] = 0
    before[1:] = height[:-1]
    # Heights run from -1 to count - 1; shifted by one they make keys that sort by (height, place).
    keys = np.sort((height + 1) * count + place)
    ends = keys[np.searchsorted(keys, before * count + place)] % count
    return (ends - place + 1).astype(np.int32)


def node_depths(sizes: Ints) -> Ints:
    """How many ancestors each node has."""
    count = len(sizes)
    closed = np.bincount(np.arange(count) + sizes, minlength=count + 1)[:count]
    return (np.arange(count) - np.cumsum(closed)).astype(np.int32)


def node_parents(depths: Ints) -> Ints:
    """The parent of each node, -1 for the document: the last node before it that is one level up."""
    count = len(depths)
    place = np.arange(count, dtype=np.int64)
    level = depths.astype(np.int64) * count
    keys = np.sort(level + place)
    found = np.searchsorted(keys, level - count + place) - 1
    parents = (keys[found] % count).astype(np.int32)
    parents[:1] = -1
    return parents


def structure_of(depths: Ints) -> Ints:
    """The child counts (ST) that belong to these depths."""
    parents = node_parents(depths)
    return np.bincount(parents[1:], minlength=len(depths)).astype(np.int32)


def below(roots: Mask, sizes: Ints) -> Mask:
    """All nodes in the subtrees of the marked nodes, the marked nodes included."""
    chosen = np.flatnonzero(roots)
    steps = np.zeros(len(sizes) + 1, dtype=np.int32)
    steps[chosen] = 1
    np.subtract.at(steps, chosen + sizes[chosen], 1)
    return np.cumsum(steps[:-1]) > 0


def above(marked: Mask, sizes: Ints) -> Mask:
    """All nodes with a marked node in their subtree, the marked nodes included."""
    count = np.concatenate([[0], np.cumsum(marked)])
    place = np.arange(len(sizes))
    return np.asarray(count[place + sizes] > count[place], dtype=np.bool_)


def sibling_ranks(parents: Ints) -> Ints:
    """The place of each node among its parent's children, from 0."""
    order = np.argsort(parents, kind="stable")
    return _rank_within(parents[order], order)


def _rank_within(groups: Ints, order: Longs) -> Ints:
    first = np.concatenate([[True], groups[1:] != groups[:-1]])
    starts = np.flatnonzero(first)
    ranks = np.arange(len(groups)) - np.repeat(starts, np.diff(np.append(starts, len(groups))))
    answer = np.empty(len(groups), dtype=np.int32)
    answer[order] = ranks
    return answer


def breadth_first(depths: Ints) -> Longs:
    """All nodes level by level, from left to right within a level."""
    return np.argsort(depths, kind="stable")
