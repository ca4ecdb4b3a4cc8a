"""Two documents that are too large for `matching` in, the partner of each node in the other document out.

The steps are those of `matching`, but fewer, and each is done for all nodes at once:

1. a large subtree that occurs once on either side, and equal, is the same, wherever it is;
2. an element most of whose children went to one element is that element, for a few levels upwards;
3. an equal subtree that occurs once is the same below matched parents;
4. the other nodes are matched by their place: the third `li` behind the same neighbour, in the same element.

The likeness of two elements is not computed, and the rest is not searched elsewhere. So the effort is that of
sorting the nodes a few times, whatever the documents contain.
"""

from __future__ import annotations

import numpy as np

from webvigil.detect.lcs import once_in_both
from webvigil.detect.sides import outermost, substantial
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, Ints, Longs, Mask, enclosing
from webvigil.document.fast import accelerated
from webvigil.document.hashes import ODD, scattered
from webvigil.model.memo import cached_property

# The matched children must make up this share of an element to decide about it.
_MOSTLY = 0.5
# For so many levels upwards, children decide about their parents.
_LEVELS = 4
# Subtrees with so many nodes are placed before the small ones, so that the small ones have an element to be
# placed in.
_LARGE = 50
# Undoes a multiplication by ODD modulo 2**64.
_INVERSE = np.uint64(pow(int(ODD), -1, 2**64))


def match_coarsely(old: PageDigest, new: PageDigest) -> tuple[Ints, Ints]:
    """Returns for each node of either document its partner in the other, or -1. Partners have the same tag
    name."""
    search = _Coarse(old, new)
    search.run()
    return search.left.partner, search.right.partner


class _Half:
    """One of the two documents, with the partners found so far."""

    def __init__(self, digest: PageDigest, names: dict[str, int], identifiers: dict[str, int]) -> None:
        """`names` and `identifiers` number tag names and ids; both halves share them."""
        self.digest = digest
        self.sizes, self.parents, self.hashes = digest.sizes, digest.parents, digest.subtree_hashes
        self.partner = np.full(len(digest), -1, dtype=np.int32)
        table = [names.setdefault(name, len(names)) for name in digest.tag_names]
        self.name = np.array(table, dtype=np.int64)[digest.tags]
        rows = digest.rows_of("key" if digest.kind == "json" else "id")
        values = [digest.attribute_values[value] for value in digest.attribute_value[rows].tolist()]
        self.identifier = np.zeros(len(digest), dtype=np.int64)
        self.identifier[digest.attribute_node[rows]] = [
            identifiers.setdefault(value, len(identifiers) + 1) for value in values
        ]

    def places(self, numbers: Longs) -> Hashes:
        """Returns for each node without a partner a number for its place: the path to it from the nearest
        ancestor with a partner.

        `numbers` gives each node that has a partner the same number on both sides. If two places happened to
        get the same number, the only harm would be a worse pair.
        """
        matched = self.partner >= 0
        own = np.where(matched, np.uint64(0), self._steps(numbers) * self._scale[0])
        changes = np.append(own, np.uint64(0))
        np.subtract.at(changes, np.arange(len(own)) + self.sizes, own)
        ways = np.cumsum(changes[:-1])
        home = enclosing(matched, self.sizes)
        found: Hashes = (ways - ways[home]) * self._scale[1][home] + scattered(numbers[home])
        return found

    @cached_property
    def _scale(self) -> tuple[Hashes, Hashes]:
        """For each node, the factor of its step at its depth, and the factor that undoes it."""
        depths, deepest = self.digest.depths, int(self.digest.depths.max())
        return _powers(ODD, deepest)[depths], _powers(_INVERSE, deepest)[depths]

    @cached_property
    def _families(self) -> tuple[Longs, Mask, Longs, Hashes]:
        """The nodes sorted so that children of one parent are together, with three arrays: which are the
        first child, the position of each one's first sibling, and a number for tag name and identifier."""
        order = np.argsort(self.parents, kind="stable")
        parents = self.parents[order]
        eldest = np.append(True, parents[1:] != parents[:-1])
        eldest_place = np.maximum.accumulate(np.where(eldest, np.arange(len(order)), 0))
        kind = scattered(self.name[order]) + scattered(self.identifier[order]) * ODD
        return order, eldest, eldest_place, kind

    def _steps(self, numbers: Longs) -> Hashes:
        """Returns a number for each node: its tag name, and its rank among equal siblings behind the last
        matched neighbour, or its identifier."""
        order, eldest, eldest_place, kind = self._families
        matched, named = self.partner[order] >= 0, self.identifier[order] > 0
        behind = np.maximum.accumulate(np.where(matched | eldest, np.arange(len(order)), 0))
        behind = np.where(named, eldest_place, behind)
        neighbour = np.where(~named & matched[behind], numbers[order[behind]] + 1, 0)
        ranks = ranks_among(kind + scattered(behind))
        found = np.empty(len(order), dtype=np.uint64)
        found[order] = scattered(kind + scattered(neighbour) * _INVERSE + ranks)
        return found


class _Coarse:
    """The search for partners in two documents."""

    def __init__(self, left: PageDigest, right: PageDigest) -> None:
        names: dict[str, int] = {}
        identifiers: dict[str, int] = {}
        self.left, self.right = _Half(left, names, identifiers), _Half(right, names, identifiers)

    def run(self) -> None:
        self._pair(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
        ones, others = once_in_both(self.left.hashes, self.right.hashes)
        large = substantial(self.left.digest, ones)
        ones_large, others_large = ones[large], others[large]
        outer = outermost(ones_large, self.left.sizes)
        self._same(ones_large[outer], others_large[outer])
        self._match_parents(ones, others)
        self._by_place(_LARGE)
        homes, theirs = self.left.parents[ones], self.right.parents[others]
        in_place = self.left.partner[homes] == theirs
        self._same(ones[in_place], others[in_place])
        self._by_place(1)

    def _pair(self, ones: Longs, others: Longs) -> None:
        self.left.partner[ones] = others
        self.right.partner[others] = ones

    def _same(self, ones: Longs, others: Longs) -> None:
        """Makes equal subtrees partners, node by node. Nodes that have a partner keep it."""
        mine, theirs = _expanded(ones, self.left.sizes), _expanded(others, self.right.sizes)
        free = (self.left.partner[mine] < 0) & (self.right.partner[theirs] < 0)
        self._pair(mine[free], theirs[free])

    def _match_parents(self, ones: Longs, others: Longs) -> None:
        """Matches the parents of `ones` and `others`, which are surely or very likely the same nodes."""
        hints = np.full(len(self.left.partner), -1, dtype=np.int64)
        hints[ones] = others
        for _ in range(_LEVELS):
            found = self._elected(np.where(self.left.partner >= 0, self.left.partner, hints))
            self._pair(*found)
            if not len(found[0]):
                return

    def _elected(self, voters: Longs) -> tuple[Longs, Longs]:
        """Returns free elements of the same name, each with the element that most of its content went to."""
        left, right = self.left, self.right
        nodes = np.flatnonzero(voters > 0)
        homes, theirs = left.parents[nodes].astype(np.int64), right.parents[voters[nodes]].astype(np.int64)
        free = (left.partner[homes] < 0) & (right.partner[theirs] < 0)
        may = free & (left.name[homes] == right.name[theirs])
        nodes, homes, theirs = nodes[may], homes[may], theirs[may]
        weights = np.minimum(left.sizes[nodes], right.sizes[voters[nodes]])
        keys, inverse = np.unique(homes * len(right.sizes) + theirs, return_inverse=True)
        votes = np.bincount(inverse, weights, minlength=len(keys))
        ones, others = np.divmod(keys, len(right.sizes))
        enough = votes >= _MOSTLY * (np.maximum(left.sizes[ones], right.sizes[others]) - 1)
        ones, others, votes = ones[enough], others[enough], votes[enough]
        strongest = np.argsort(-votes, kind="stable")
        for side in (ones, others):
            strongest = strongest[np.sort(np.unique(side[strongest], return_index=True)[1])]
        return ones[strongest], others[strongest]

    def _by_place(self, least: int) -> None:
        """Matches nodes with at least `least` nodes in their subtree by their place."""
        left, right = self.left, self.right
        ones = np.flatnonzero((left.partner < 0) & (left.sizes >= least))
        others = np.flatnonzero((right.partner < 0) & (right.sizes >= least))
        if not len(ones) or not len(others):
            return
        if len(ones) == len(others) == 1 and self._are_only_children(int(ones[0]), int(others[0])):
            self._pair(ones, others)
            return
        numbers = np.arange(len(left.sizes))
        mine, theirs = left.places(numbers)[ones], right.places(right.partner.astype(np.int64))[others]
        first, second = once_in_both(mine, theirs)
        ones, others = ones[first], others[second]
        named = left.name[ones] == right.name[others]
        self._pair(ones[named], others[named])

    def _are_only_children(self, one: int, other: int) -> bool:
        """Tells whether two nodes of the same name are the only children of partners, as the arrays are that
        hold a whole document of JSON: then their places are the same, and need not be computed for all."""
        left, right = self.left, self.right
        home, theirs = int(left.parents[one]), int(right.parents[other])
        return bool(
            left.digest.structure[home] == right.digest.structure[theirs] == 1
            and left.partner[home] == theirs
            and left.name[one] == right.name[other]
            and left.identifier[one] == right.identifier[other]
        )


def _expanded(roots: Longs, sizes: Ints) -> Longs:
    """Returns all nodes of these subtrees, one subtree after the other."""
    counts = sizes[roots].astype(np.int64)
    ends = np.cumsum(counts)
    nodes: Longs = np.arange(counts.sum()) + np.repeat(roots - (ends - counts), counts)
    return nodes


@accelerated
def ranks_among(numbers: Hashes) -> Hashes:
    """Returns for each number how many equal numbers are before it (0 for the first)."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    ranks = np.arange(len(numbers)) - np.repeat(starts, np.diff(np.append(starts, len(numbers))))
    found = np.empty(len(numbers), dtype=np.uint64)
    found[order] = ranks
    return found


def _powers(base: np.uint64, most: int) -> Hashes:
    return np.cumprod(np.append(np.uint64(1), np.full(most, base)), dtype=np.uint64)
