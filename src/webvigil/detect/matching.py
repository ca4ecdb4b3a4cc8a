"""Two documents in, the partner of each node in the other document out.

The steps go from sure to likely, each only for nodes that the steps before left open:

1. a large subtree that occurs once on either side, and equal, is the same, wherever it is;
2. an element most of whose children went to one element is that element;
3. below matched parents the children are matched (`siblings`);
4. equal nodes that are left have moved.

Only nodes of the same name are matched. Any matching is correct, in that an edit script made from it turns
one document into the other; these steps make the script short.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from webvigil.detect.coarse import match_coarsely
from webvigil.detect.lcs import once_in_both
from webvigil.detect.siblings import Siblings
from webvigil.detect.sides import Side, outermost, substantial
from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, among, distinct

# The matched children must make up this share of an element to decide about it, before and after step 3.
# bench/quality measures the findings that come of it.
_MOSTLY, _PARTLY = 0.5, 0.3
# Subtrees of the same shape up to this size are compared node by node.
_TINY = 8
# Differing subtrees that are looked for before all are.
_FIRST = 500
# If both documents have more nodes than this in all, they are matched by `coarse`; up to here the search
# takes about 0.3 s. Documents that are nested deeper than any page for people take longer, because each level
# is searched by itself, so they have a lower bound.
SEARCHED = 80_000
SEARCHED_DEEP, DEEP = 20_000, 500


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """For each node of either document, its partner in the other one, or -1."""

    to_new: Ints
    to_old: Ints


def match(old: PageDigest, new: PageDigest) -> Matching:
    """Returns the partners of all nodes of two documents."""
    if _in_place(old, new):
        same = np.arange(len(old), dtype=np.int32)
        return Matching(same, same)
    if len(old) + len(new) > (SEARCHED_DEEP if _is_deep(old) or _is_deep(new) else SEARCHED):
        return Matching(*match_coarsely(old, new))
    return _Search(old, new).run()


def _is_deep(digest: PageDigest) -> bool:
    return len(digest) > DEEP and int(digest.depths.max()) > DEEP


def _in_place(old: PageDigest, new: PageDigest) -> bool:
    """Returns True if both have the same shape and no differing subtree is found again elsewhere. Then
    nothing moved."""
    if len(old) != len(new) or old.shape_hashes[0] != new.shape_hashes[0]:
        return False
    differing = old.subtree_hashes != new.subtree_hashes
    ours, theirs = old.subtree_hashes[differing], new.subtree_hashes[differing]
    # Where pieces repeat, one of the first is found again: then the others need not be sorted.
    return not (among(ours[:_FIRST], theirs[:_FIRST]).any() or among(ours, theirs).any())


class _Search:
    """The search for partners, node by node."""

    def __init__(self, left: PageDigest, right: PageDigest) -> None:
        numbers: dict[str, int] = {}
        self.left, self.right = Side(left, numbers), Side(right, numbers)
        self.siblings = Siblings(self.left, self.right)
        self.waiting: list[tuple[int, int]] = []
        # Equal subtrees that occur once on either side, large or not: they decide about their parents.
        self.hints: dict[int, int] = {}

    def run(self) -> Matching:
        self.pair(0, 0)
        self.match_unique()
        self.match_parents(_MOSTLY)
        self.match_children()
        self.match_left_over()
        self.match_parents(_PARTLY)
        self.match_children()
        to_new, to_old = (np.array(side.partner, dtype=np.int32) for side in (self.left, self.right))
        return Matching(to_new, to_old)

    def pair(self, one: int, other: int) -> None:
        self.left.partner[one] = other
        self.right.partner[other] = one
        self.waiting.append((one, other))

    def same(self, one: int, other: int) -> None:
        """Makes two subtrees of the same shape partners, node by node. Nodes that have a partner keep it."""
        ours, theirs = self.left.partner, self.right.partner
        size = self.left.size[one]
        mine, yours = slice(one, one + size), slice(other, other + size)
        if ours[mine].count(-1) == theirs[yours].count(-1) == size:  # mostly all of them are free
            ours[mine], theirs[yours] = range(other, other + size), range(one, one + size)
            return
        for step in range(size):
            if ours[one + step] < 0 and theirs[other + step] < 0:
                ours[one + step], theirs[other + step] = other + step, one + step

    def match_unique(self) -> None:
        """Step 1: matches large equal subtrees that occur once on either side."""
        left, right = self.left, self.right
        ones, others = once_in_both(left.hashes, right.hashes)
        self.hints = dict(zip(ones.tolist(), others.tolist(), strict=True))
        large = ones[substantial(left.digest, ones)]
        for one in large[outermost(large, left.digest.sizes)].tolist():
            self.same(one, self.hints[one])

    def match_parents(self, enough: float) -> None:
        """Step 2: matches parents from the bottom up. A matched parent decides about its own parent."""
        left = self.left
        known = np.array(left.partner) >= 0
        known[list(self.hints)] = True
        heap = [
            -parent
            for parent in distinct(left.digest.parents[known]).tolist()
            if parent > 0 and left.partner[parent] < 0 and parent not in self.hints
        ]
        heapify(heap)
        while heap:
            parent = -heappop(heap)
            chosen = self._chosen_parent(parent, enough) if left.partner[parent] < 0 else None
            if chosen is not None:
                self.pair(parent, chosen)
                heappush(heap, -left.parent[parent])

    def _chosen_parent(self, parent: int, enough: float) -> int | None:
        """Returns the free element of the same name that contains most of the children's partners, or
        None."""
        left, right = self.left, self.right
        votes: dict[int, int] = {}
        for child in left.children(parent):
            partner = left.partner[child] if left.partner[child] >= 0 else self.hints.get(child, 0)
            if partner:
                home = right.parent[partner]
                votes[home] = votes.get(home, 0) + min(left.size[child], right.size[partner])
        # Mostly there is one candidate, and nothing needs counting.
        likely = Counter(votes).most_common(3) if len(votes) > 1 else votes.items()
        for candidate, weight in likely:
            largest = max(left.size[parent], right.size[candidate]) - 1
            free = right.partner[candidate] < 0 and right.name[candidate] == left.name[parent]
            if free and weight >= enough * largest:
                return candidate
        return None

    def match_children(self) -> None:
        """Step 3: matches the children of matched parents."""
        left, right = self.left, self.right
        while self.waiting:
            one, other = self.waiting.pop()
            size = left.size[one]
            if size == 1 or right.size[other] == 1:
                continue
            if left.hash[one] == right.hash[other] or (size <= _TINY and self._stayed(one, other, size)):
                self.same(one, other)
            else:
                for pair in self.siblings.pairs(left.children(one), right.children(other)):
                    self.pair(*pair)

    def _stayed(self, one: int, other: int, size: int) -> bool:
        """Returns True if two small subtrees have the same shape and no node is found again at another
        place."""
        if self.left.shape[one] != self.right.shape[other]:
            return False
        ours, theirs = self.left.hash[one : one + size], self.right.hash[other : other + size]
        return all(mine == yours or mine not in theirs for mine, yours in zip(ours, theirs, strict=True))

    def match_left_over(self) -> None:
        """Step 4: matches equal subtrees that are left, which have moved."""
        left, right = self.left, self.right
        ones, others = left.free(), right.free()
        others = others[among(right.hashes[others], left.hashes[ones])]
        ones = ones[among(left.hashes[ones], right.hashes[others])]
        offers: defaultdict[int, deque[int]] = defaultdict(deque)
        for other in others.tolist():
            offers[right.hash[other]].append(other)
        # The largest come first, so that a free root means a free subtree.
        for one in ones[np.lexsort((ones, -left.digest.sizes[ones]))].tolist():
            if left.partner[one] < 0 and left.telling(one):
                self._take(one, offers[left.hash[one]])

    def _take(self, one: int, offers: deque[int]) -> None:
        while offers:
            other = offers.popleft()
            if self.right.partner[other] < 0:
                self.same(one, other)
                return
