"""Arithmetic on trees: arrays of child counts or depths in, parents, subtree sizes and masks out.

A document is an array with the number of children of each node in depth-first order (ST), not a tree of
objects. Every function works on whole arrays, in linear time or that of a sort, whatever the depth of the
tree.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from webvigil.document.fast import accelerated

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]
Number = TypeVar("Number", bound=np.number)


@accelerated
def node_depths(structure: Ints) -> Ints:
    """Returns the number of ancestors of each node, from the child counts."""
    return depths_of(sizes_of(structure))


@accelerated
def sizes_of(structure: Ints) -> Ints:
    """Returns the number of nodes in each subtree, from the child counts.

    The running sum of `children - 1` falls by at most one per node. After the last node of a subtree it is,
    for the first time, one lower than before the subtree. So the end of a subtree is the next place with a
    certain sum. The wanted sums and the sums themselves are sorted together; the next sum behind a wanted one
    is its answer.
    """
    count = len(structure)
    # The running sum plus one, because the sum ends at -1 and the sort below needs numbers from 0 on.
    height = np.cumsum(structure, dtype=np.int64) - np.arange(count)
    # Two entries per node: the wanted sum (one lower than the sum before the node), then the sum at the node.
    asked = np.zeros((count, 2), dtype=np.int64)
    asked[1:, 0] = height[:-1] - 1
    asked[:, 1] = height
    order = ascending(asked.ravel())
    answers = order & 1 == 1
    behind = (order[answers] >> 1)[np.cumsum(answers)[~answers]]
    sizes = np.empty(count, dtype=np.int32)
    nodes = order[~answers] >> 1
    sizes[nodes] = behind - nodes + 1
    return sizes


def depths_of(sizes: Ints) -> Ints:
    """Returns the number of ancestors of each node: the subtrees that began before the node and have not
    ended."""
    place = np.arange(len(sizes))
    closed = np.bincount(place + sizes, minlength=len(sizes) + 1)[:-1]
    return (place - np.cumsum(closed)).astype(np.int32)


def ascending(numbers: npt.NDArray[np.signedinteger]) -> Longs:
    """Returns the order that sorts an array of numbers that are not negative; equal numbers keep their
    order."""
    # numpy sorts numbers of 8 and 16 bits by radix, in linear time, so small numbers are narrowed first.
    most = int(numbers.max(initial=0))
    small = numbers.astype(np.uint8 if most < 2**8 else np.uint16) if most < 2**16 else numbers
    return small.argsort(kind="stable")


def level_order(depths: Ints) -> Longs:
    """Returns all nodes level by level, from left to right within a level (breadth first)."""
    return ascending(depths)


@accelerated
def structure_of(depths: Ints) -> Ints:
    """Returns the child counts (ST) of the tree whose nodes have these depths."""
    first, counts, order = _families(depths)
    structure = np.zeros(len(depths), dtype=np.int32)
    structure[order[first] - 1] = counts
    return structure


@accelerated
def node_parents(depths: Ints) -> Ints:
    """Returns the parent of each node, from the depths; -1 for the document."""
    first, counts, order = _families(depths)
    parents = np.full(len(depths), -1, dtype=np.int32)
    parents[order[1:]] = np.repeat(order[first] - 1, counts)
    return parents


def _families(depths: Ints) -> tuple[Longs, Longs, Longs]:
    """Returns where in level order each group of siblings begins, how many siblings it has, and the level
    order.

    In level order the children of a node stand together, and in depth-first order the first child follows its
    parent. So a node that is deeper than the node before it begins a group."""
    order = level_order(depths)
    eldest = np.zeros(len(depths), dtype=np.bool_)
    eldest[1:] = depths[1:] > depths[:-1]
    first = eldest[order].nonzero()[0]
    return first, _lengths(first, len(depths)), order


def _lengths(starts: Longs, end: int) -> Longs:
    """Returns the lengths of runs that begin at `starts`, the last of which ends at `end`. np.diff gives the
    same but is several times slower."""
    lengths = np.full(len(starts), end, dtype=np.int64)
    lengths[:-1] = starts[1:]
    lengths -= starts
    return lengths


@accelerated
def subtree_sizes(depths: Ints) -> Ints:
    """Returns the number of nodes in each subtree, its root included, from the depths.

    Where the next node is not deeper, the open subtrees from its level on end. The subtrees of one level end
    in the order in which they begin. So beginnings and ends are both sorted by level and paired.
    """
    count = len(depths)
    following = np.append(depths[1:], np.int32(0))
    closing = depths - following + 1
    closing[-1:] = depths[-1:] + 1
    ends = np.repeat(np.arange(1, count + 1), closing)
    opened = np.cumsum(closing) - closing
    levels = (np.repeat(depths + opened, closing) - np.arange(count)).astype(np.int32)
    order = level_order(depths)
    sizes = np.empty(count, dtype=np.int32)
    sizes[order] = ends[level_order(levels)] - order
    return sizes


@accelerated
def below(roots: Mask, sizes: Ints) -> Mask:
    """Returns a mask of all nodes in the subtrees of the marked nodes, the marked nodes included."""
    chosen = np.flatnonzero(roots)
    steps = np.zeros(len(sizes) + 1, dtype=np.int32)
    steps[chosen] = 1
    np.subtract.at(steps, chosen + sizes[chosen], 1)
    return np.cumsum(steps[:-1]) > 0


def spread(runs: Longs) -> tuple[Longs, Longs]:
    """Returns all numbers of some runs (start, end), one run after the other, and where each run begins among
    them; the last of these is the end."""
    return between(runs.ravel())


@accelerated
def between(edges: Longs) -> tuple[Longs, Longs]:
    """Does the same as `spread` for runs whose starts and ends stand one after the other."""
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    begins = np.append(0, np.cumsum(lengths))
    return np.arange(begins[-1]) + np.repeat(starts - begins[:-1], lengths), begins


def among(values: Hashes, others: Hashes) -> Mask:
    """Returns for each value whether it is among `others`. For hundreds of thousands of values this is
    several times as fast as `np.isin`."""
    if not len(others):
        return np.zeros(len(values), dtype=np.bool_)
    ordered = np.sort(others)
    place = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return np.asarray(ordered[place] == values, dtype=np.bool_)


def distinct(numbers: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Returns each number once, ascending. `np.unique` does the same, but its first call imports the masked
    arrays of numpy (10 MB of memory, 80 ms), and a thousand numbers take it five times as long."""
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def counted(numbers: Longs) -> tuple[Longs, Longs]:
    """Returns each number once, ascending, and how often it occurs."""
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    return ordered[first], _lengths(starts, len(ordered))


def above(marked: Mask, sizes: Ints) -> Mask:
    """Returns a mask of all nodes with a marked node in their subtree, the marked nodes included."""
    count = np.concatenate([[0], np.cumsum(marked)])
    place = np.arange(len(sizes))
    return np.asarray(count[place + sizes] > count[place], dtype=np.bool_)


@accelerated
def sibling_ranks(parents: Ints) -> Ints:
    """Returns the place of each node among its parent's children, from 0."""
    order = np.argsort(parents, kind="stable")
    return _rank_within(parents[order], order)


def _rank_within(groups: Ints, order: Longs) -> Ints:
    first = np.concatenate([[True], groups[1:] != groups[:-1]])
    starts = np.flatnonzero(first)
    ranks = np.arange(len(groups)) - np.repeat(starts, np.diff(np.append(starts, len(groups))))
    answer = np.empty(len(groups), dtype=np.int32)
    answer[order] = ranks
    return answer


@accelerated
def first_use(indices: Ints, size: int, fixed: int = 0) -> tuple[Longs, Ints]:
    """Renumbers indices into a table of `size` entries by first use; the first `fixed` entries keep their
    place.

    Returns the old numbers of the entries that are used, in their new order, and the renumbered indices.
    """
    count = len(indices)
    first = np.full(size, count, dtype=np.int64)
    first[indices[::-1]] = np.arange(count - 1, -1, -1)
    first[:fixed] = np.arange(-fixed, 0)
    order = np.argsort(first, kind="stable")[: int((first < count).sum())]
    ranks = np.zeros(size or 1, dtype=np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return order, ranks[indices]


@accelerated
def starts_of(numbers: Ints, count: int) -> Ints:
    """Returns for each whole number from 0 to `count` where it begins, or would stand, in the ascending
    numbers."""
    return np.searchsorted(numbers, np.arange(count + 1)).astype(np.int32)


def equal_at_start(one: npt.NDArray[np.generic], other: npt.NDArray[np.generic]) -> int:
    """Returns how many elements two arrays have in common at their beginning."""
    fewest = min(len(one), len(other))
    differing = np.flatnonzero(one[:fewest] != other[:fewest])
    return int(differing[0]) if len(differing) else fewest


@accelerated
def enclosing(marked: Mask, sizes: Ints) -> Longs:
    """Returns for each node its nearest marked ancestor, or -1 where there is none."""
    count = len(sizes)
    place = np.arange(count, dtype=np.int64)
    chosen = place[marked]
    steps = np.zeros(count + 1, dtype=np.int64)
    steps[chosen] = 1
    np.subtract.at(steps, chosen + sizes[chosen], 1)
    inside = np.cumsum(steps[:-1])
    # A level counts the marked nodes around a node. The nearest marked ancestor is the last marked node
    # before this one whose level is the number of marked ancestors of this one.
    keys = np.sort(inside[chosen] * count + chosen)
    level = inside - marked
    found = np.searchsorted(keys, level * count + place) - 1
    answer = np.full(count, -1, dtype=np.int64)
    within = level > 0
    answer[within] = keys[found[within]] % count
    return answer
