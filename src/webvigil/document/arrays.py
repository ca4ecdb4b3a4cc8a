"""The tree without a tree: arithmetic on the child counts (ST) of a document in depth-first order.

Everything here is vectorised and runs in linear time (or that of a sort), whatever the depth.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from webvigil.document.fast import accelerated

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]


@accelerated
def node_depths(structure: Ints) -> Ints:
    """How many ancestors each node has, from the child counts alone."""
    return depths_of(sizes_of(structure))


@accelerated
def sizes_of(structure: Ints) -> Ints:
    """How many nodes each subtree holds, from the child counts alone.

    The running sum of `children - 1` falls by at most one per node, and first falls below its value
    before a subtree at that subtree's last node. So every node asks for the next place of a certain
    height: questions and heights are sorted together, and each question is answered by what follows it.
    """
    count = len(structure)
    # One more than that sum, for it ends at -1.
    height = np.cumsum(structure, dtype=np.int64) - np.arange(count)
    # Two rows per node: what it asks for (one below the height before it), then the height it has.
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
    """How many ancestors each node has: those that began before it and have not ended."""
    place = np.arange(len(sizes))
    closed = np.bincount(place + sizes, minlength=len(sizes) + 1)[:-1]
    return (place - np.cumsum(closed)).astype(np.int32)


def ascending(numbers: npt.NDArray[np.signedinteger]) -> Longs:
    """The places of numbers from 0 on in ascending order, equal ones as they stand."""
    # numpy sorts numbers of 8 and 16 bits by radix, in linear time.
    most = int(numbers.max(initial=0))
    small = numbers.astype(np.uint8 if most < 2**8 else np.uint16) if most < 2**16 else numbers
    return small.argsort(kind="stable")


def level_order(depths: Ints) -> Longs:
    """All nodes level by level, from left to right within a level (breadth first)."""
    return ascending(depths)


@accelerated
def structure_of(depths: Ints) -> Ints:
    """The child counts (ST) that belong to these depths."""
    first, counts, order = _families(depths)
    structure = np.zeros(len(depths), dtype=np.int32)
    structure[order[first] - 1] = counts
    return structure


@accelerated
def node_parents(depths: Ints) -> Ints:
    """The parent of each node, -1 for the document."""
    first, counts, order = _families(depths)
    parents = np.full(len(depths), -1, dtype=np.int32)
    parents[order[1:]] = np.repeat(order[first] - 1, counts)
    return parents


def _families(depths: Ints) -> tuple[Longs, Longs, Longs]:
    """In level order the children of a node stand together, and the first of them follows its parent
    in depth-first order: (where families begin in level order, how many each has, level order)."""
    order = level_order(depths)
    eldest = np.zeros(len(depths), dtype=np.bool_)
    eldest[1:] = depths[1:] > depths[:-1]
    first = eldest[order].nonzero()[0]
    return first, _lengths(first, len(depths)), order


def _lengths(starts: Longs, end: int) -> Longs:
    """How long runs are, each up to the next. (np.diff does the same, but several times slower.)"""
    lengths = np.full(len(starts), end, dtype=np.int64)
    lengths[:-1] = starts[1:]
    lengths -= starts
    return lengths


@accelerated
def subtree_sizes(depths: Ints) -> Ints:
    """How many nodes each subtree holds, its root included.

    Between two nodes the subtrees at the levels from the first's up to the second's end. Within a
    level they end in the order in which they begin; so both sides are sorted by level and paired.
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
    """All nodes in the subtrees of the marked nodes, the marked nodes included."""
    chosen = np.flatnonzero(roots)
    steps = np.zeros(len(sizes) + 1, dtype=np.int32)
    steps[chosen] = 1
    np.subtract.at(steps, chosen + sizes[chosen], 1)
    return np.cumsum(steps[:-1]) > 0


def among(values: Hashes, others: Hashes) -> Mask:
    """Per value: is it one of the others? Of hundreds of thousands several times as fast as `np.isin`."""
    if not len(others):
        return np.zeros(len(values), dtype=np.bool_)
    ordered = np.sort(others)
    place = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return np.asarray(ordered[place] == values, dtype=np.bool_)


def above(marked: Mask, sizes: Ints) -> Mask:
    """All nodes with a marked node in their subtree, the marked nodes included."""
    count = np.concatenate([[0], np.cumsum(marked)])
    place = np.arange(len(sizes))
    return np.asarray(count[place + sizes] > count[place], dtype=np.bool_)


@accelerated
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


@accelerated
def first_use(indices: Ints, size: int, fixed: int = 0) -> tuple[Longs, Ints]:
    """Renumber indices into a table of `size` entries by first use; the first `fixed` keep their place.

    (Which old entries remain, in their new order; the renumbered indices.)
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
    """Where in ascending numbers each whole number from 0 to `count` begins, or would."""
    return np.searchsorted(numbers, np.arange(count + 1)).astype(np.int32)


def equal_at_start(one: npt.NDArray[np.generic], other: npt.NDArray[np.generic]) -> int:
    """How many elements two arrays have in common at their beginning."""
    fewest = min(len(one), len(other))
    differing = np.flatnonzero(one[:fewest] != other[:fewest])
    return int(differing[0]) if len(differing) else fewest


@accelerated
def enclosing(marked: Mask, sizes: Ints) -> Longs:
    """Per node: the nearest marked node above it, -1 where there is none."""
    count = len(sizes)
    place = np.arange(count, dtype=np.int64)
    chosen = place[marked]
    steps = np.zeros(count + 1, dtype=np.int64)
    steps[chosen] = 1
    np.subtract.at(steps, chosen + sizes[chosen], 1)
    inside = np.cumsum(steps[:-1])
    # The innermost open marked node is the last one so far at the level of marked nodes above this node.
    keys = np.sort(inside[chosen] * count + chosen)
    level = inside - marked
    found = np.searchsorted(keys, level * count + place) - 1
    answer = np.full(count, -1, dtype=np.int64)
    within = level > 0
    answer[within] = keys[found[within]] % count
    return answer
