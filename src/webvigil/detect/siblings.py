"""The children of an element before and after in, the pairs of children that are the same out.

Children that are matched already divide the others into gaps. In each gap equal children are paired first,
then those with the same id, then similar ones, then those of the same shape, then those of the same name.
Pairs are always in order, so that each step sees only what is between the pairs of the steps before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from webvigil.detect.alignment import heaviest_path
from webvigil.detect.lcs import common_runs, in_common, increasing
from webvigil.detect.sides import Side
from webvigil.document.arrays import Longs

Pairs = list[tuple[int, int]]
_Step = Callable[[list[int], list[int]], Pairs]

# Similarity is computed only in gaps of at most so many pairs, and at most so often in one comparison,
# because each pair costs a comparison of all features. Two children with a lower likeness than `_SIMILAR` are
# not paired.
_SMALL_GAP, _EVALUATIONS = 64, 4_000
_SIMILAR = 0.25


class Siblings:
    """Pairs the children of matched elements of two documents."""

    def __init__(self, left: Side, right: Side) -> None:
        self._left = left
        self._right = right
        self._evaluations = _EVALUATIONS
        self._steps: tuple[_Step, ...] = (
            self._equal,
            self._of_one_id,
            self._similar,
            self._of_one_shape,
            self._of_one_name,
        )

    def pairs(self, ones: list[int], others: list[int]) -> Iterator[tuple[int, int]]:
        """Yields pairs of nodes from two lists of children. Children with a partner keep it."""
        if len(ones) == len(others) == 1:
            yield from self._only_children(ones[0], others[0])
            return
        gaps = list(self._between_matched(ones, others))
        for step in self._steps:
            rest: list[tuple[list[int], list[int]]] = []
            for free, candidates in gaps:
                places = step(free, candidates)
                yield from ((free[one], candidates[other]) for one, other in places)
                rest += _between(free, candidates, places)
            gaps = rest

    def _only_children(self, one: int, other: int) -> Iterator[tuple[int, int]]:
        left, right = self._left, self._right
        if left.partner[one] < 0 and right.partner[other] < 0 and left.name[one] == right.name[other]:
            yield one, other

    def _between_matched(self, ones: list[int], others: list[int]) -> Iterator[tuple[list[int], list[int]]]:
        """Yields the free children between those that are matched with each other already."""
        partners, takers = self._left.partner, self._right.partner
        place_of = {other: place for place, other in enumerate(others) if takers[other] >= 0}
        known = [
            (place, place_of[partners[one]]) for place, one in enumerate(ones) if partners[one] in place_of
        ]
        weights = [self._left.size[ones[place]] for place, _ in known]
        kept = [known[index] for index in increasing([other for _, other in known], weights)]
        for free, candidates in _between(ones, others, kept):
            free = [one for one in free if partners[one] < 0]
            candidates = [other for other in candidates if takers[other] < 0]
            if free and candidates:
                yield free, candidates

    # --- the steps: places of pairs, ascending on both sides ---------------------------------------

    def _equal(self, ones: list[int], others: list[int]) -> Pairs:
        return _by_key([self._left.hash[one] for one in ones], [self._right.hash[other] for other in others])

    def _of_one_id(self, ones: list[int], others: list[int]) -> Pairs:
        left, right = self._left.identifier, self._right.identifier
        mine = [(place, self._left.name[one], left[one]) for place, one in enumerate(ones) if one in left]
        theirs = [
            (place, self._right.name[other], right[other])
            for place, other in enumerate(others)
            if other in right
        ]
        if not mine or not theirs:
            return []
        found = _by_key([one[1:] for one in mine], [other[1:] for other in theirs])
        return [(mine[one][0], theirs[other][0]) for one, other in found]

    def _of_one_shape(self, ones: list[int], others: list[int]) -> Pairs:
        left, right = self._left, self._right
        return _by_key(
            [(left.shape[one], left.identifier.get(one)) for one in ones],
            [(right.shape[other], right.identifier.get(other)) for other in others],
        )

    def _of_one_name(self, ones: list[int], others: list[int]) -> Pairs:
        return _by_key([self._left.name[one] for one in ones], [self._right.name[other] for other in others])

    def _similar(self, ones: list[int], others: list[int]) -> Pairs:
        """Pairs similar children: by likeness in a small gap, by votes in a large one."""
        cells = len(ones) * len(others)
        if cells > _SMALL_GAP:
            return self._by_votes(ones, others)
        if cells == 1 or cells > self._evaluations:
            return []
        self._evaluations -= cells
        features = [self._right.features(other) for other in others]
        return heaviest_path([self._likenesses(one, others, features) for one in ones], len(others))

    def _likenesses(self, one: int, others: list[int], features: list[Counter[int | str]]) -> list[float]:
        name, own = self._left.name[one], self._left.features(one)
        return [
            _likeness(own, theirs) if self._right.name[other] == name else 0.0
            for other, theirs in zip(others, features, strict=True)
        ]

    def _by_votes(self, ones: list[int], others: list[int]) -> Pairs:
        """Pairs, in a large gap, each child with the one that most of its matched nodes went to, strongest
        first."""
        left, right = self._left, self._right
        start, stop = ones[0], ones[-1] + left.size[ones[-1]]
        partners = np.array(left.partner[start:stop])
        matched = np.flatnonzero(partners >= 0)
        rows, columns = _holders(ones, left, matched + start), _holders(others, right, partners[matched])
        known = (rows >= 0) & (columns >= 0)
        keys, votes = np.unique(rows[known] * len(others) + columns[known], return_counts=True)
        strongest = [divmod(key, len(others)) for key in keys[np.argsort(-votes, kind="stable")].tolist()]
        rows_taken: dict[int, int] = {}
        columns_taken: set[int] = set()
        for row, column in strongest:
            if (
                row not in rows_taken
                and column not in columns_taken
                and left.name[ones[row]] == right.name[others[column]]
            ):
                rows_taken[row] = column
                columns_taken.add(column)
        pairs = sorted(rows_taken.items())
        return [pairs[index] for index in increasing([column for _, column in pairs])]


def _between(ones: list[int], others: list[int], places: Pairs) -> Iterator[tuple[list[int], list[int]]]:
    """Yields what is left on both sides between neighbouring pairs."""
    for (start, begin), (stop, end) in pairwise([(-1, -1), *places, (len(ones), len(others))]):
        if start + 1 < stop and begin + 1 < end:
            yield ones[start + 1 : stop], others[begin + 1 : end]


def _by_key(keys: Sequence[Hashable], other_keys: Sequence[Hashable]) -> Pairs:
    """Pairs items with equal keys, in order."""
    if len(keys) == len(other_keys) == 1:
        return [(0, 0)] if keys[0] == other_keys[0] else []
    return [
        (run.old + step, run.new + step)
        for run in common_runs(keys, other_keys)
        for step in range(run.length)
    ]


def _holders(children: list[int], side: Side, nodes: Longs) -> Longs:
    """Returns for each node the place of the child whose subtree contains it, or -1."""
    roots = np.array(children, dtype=np.int64)
    places = np.searchsorted(roots, nodes, side="right") - 1
    inside = (places >= 0) & (nodes < roots[places] + side.digest.sizes[roots[places]])
    return np.where(inside, places, -1)


def _likeness(one: Counter[int | str], other: Counter[int | str]) -> float:
    """Returns the share of common features, or 0 if it is too small for two versions of one child."""
    share = 2 * in_common(one, other) / max(one.total() + other.total(), 1)
    return share if share >= _SIMILAR else 0.0
