"""Two sequences in, their longest common subsequence out, as runs that are equal.

Equal ends are cut off first. The rest is compared exactly as long as that is cheap. A longer rest is divided
at elements that occur only once on both sides (then at runs of eight, then of sixty-four), and as a last
resort at proportional places. So the result is always a common subsequence, a longest one for all but huge
sequences, and never takes more than about linear time.

Of many longest common subsequences one is found by the same rule always: from the end back, an old element is
left out as soon as it can be.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from operator import lt
from typing import NamedTuple, TypeVar

import numpy as np

from webvigil.document.arrays import Hashes, Longs
from webvigil.document.fast import accelerated
from webvigil.document.hashes import ODD

# Pieces up to this length are compared exactly: 4,000 by 4,000 elements take about 5 ms.
_PIECE = 4_000
_WIDTHS = (1, 8, 64)


T = TypeVar("T", bound=Hashable)


class Run(NamedTuple):
    """`length` elements from `old` on are equal to those from `new` on."""

    old: int
    new: int
    length: int


class Gap(NamedTuple):
    """The elements between two equal runs: old[old_start:old_end] became new[new_start:new_end]."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def common_runs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Run]:
    """Returns the equal runs from left to right; neighbouring runs are joined."""
    ends, gap = _trimmed(old, new, Gap(0, len(old), 0, len(new)))
    if gap.old_start == gap.old_end or gap.new_start == gap.new_end:
        return _joined(ends)
    left, right = _numbered(old[gap.old_start : gap.old_end], new[gap.new_start : gap.new_end])
    inner = [
        Run(gap.old_start + one, gap.new_start + other, length) for one, other, length in _search(left, right)
    ]
    return _joined(sorted(ends + inner))


def gaps(runs: Iterable[Run], old_length: int, new_length: int) -> Iterator[Gap]:
    """Yields what is not common, from left to right."""
    edges = [Run(0, 0, 0), *runs, Run(old_length, new_length, 0)]
    for before, after in pairwise(edges):
        gap = Gap(before.old + before.length, after.old, before.new + before.length, after.new)
        if gap.old_start < gap.old_end or gap.new_start < gap.new_end:
            yield gap


def increasing(numbers: Sequence[int], weights: Sequence[int] | None = None) -> list[int]:
    """Returns the places of a strictly increasing subsequence of greatest weight; of greatest length without
    weights."""
    if all(map(lt, numbers, islice(numbers, 1, None))):  # the common case: nothing changed its order
        return list(range(len(numbers)))
    if not weights or min(weights) == max(weights):
        return _longest(numbers)
    ends: list[int] = []  # numbers that chains end with, ascending; a chain with a larger end is heavier
    heaviest: list[int] = []
    places: list[int] = []
    before: list[int] = []  # for each place, the place before it in its chain
    for place, number in enumerate(numbers):
        index = bisect_left(ends, number)
        before.append(places[index - 1] if index else -1)
        weight = (heaviest[index - 1] if index else 0) + weights[place]
        stop = index
        while stop < len(ends) and heaviest[stop] <= weight:
            stop += 1
        if index < len(ends) and ends[index] == number and stop == index:
            continue
        ends[index:stop], heaviest[index:stop], places[index:stop] = [number], [weight], [place]
    return _chain(places[-1], before)


def _longest(numbers: Sequence[int]) -> list[int]:
    """Returns the places of a longest strictly increasing subsequence, the same as `increasing` finds with
    equal weights. A longer chain has a larger end, so each number takes the place of one end."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        index = bisect_left(ends, number)
        before.append(places[index - 1] if index else -1)
        if index == len(ends):
            ends.append(number)
            places.append(place)
        else:
            ends[index], places[index] = number, place
    return _chain(places[-1], before)


def _chain(place: int, before: Sequence[int]) -> list[int]:
    """Returns the places of a chain from its first to this last one. `before` has for each place the place
    before it in its chain, -1 for the first."""
    chain = []
    while place >= 0:
        chain.append(place)
        place = before[place]
    return chain[::-1]


@accelerated
def in_common(one: Counter[T], other: Counter[T]) -> int:
    """Returns how many items two multisets have in common."""
    return sum([min(one[item], other[item]) for item in one.keys() & other.keys()])


def _numbered(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Returns both sequences with a number for each element; equal elements get the same number."""
    numbers: dict[Hashable, int] = {}
    left = [numbers.setdefault(one, len(numbers)) for one in old]
    return left, [numbers.setdefault(one, len(numbers)) for one in new]


def _search(old: list[int], new: list[int]) -> Iterator[Run]:
    """Yields the equal runs of two sequences, dividing pieces that are too long."""
    waiting = [Gap(0, len(old), 0, len(new))]
    while waiting:
        ends, gap = _trimmed(old, new, waiting.pop())
        yield from ends
        rows, columns = gap.old_end - gap.old_start, gap.new_end - gap.new_start
        if not rows or not columns:
            continue
        if rows * columns <= _PIECE**2:
            yield from _exact(old, new, gap)
        else:
            waiting += _divided(old, new, gap)


def _trimmed(old: Sequence[Hashable], new: Sequence[Hashable], gap: Gap) -> tuple[list[Run], Gap]:
    """Returns the equal elements at both ends of a gap, and what is left of the gap."""
    start, end, other, other_end = gap
    while start < end and other < other_end and old[start] == new[other]:
        start, other = start + 1, other + 1
    first = Run(gap.old_start, gap.new_start, start - gap.old_start)
    while start < end and other < other_end and old[end - 1] == new[other_end - 1]:
        end, other_end = end - 1, other_end - 1
    last = Run(end, other_end, gap.old_end - end)
    return [run for run in (first, last) if run.length], Gap(start, end, other, other_end)


def _exact(old: list[int], new: list[int], gap: Gap) -> Iterator[Run]:
    left, right = old[gap.old_start : gap.old_end], new[gap.new_start : gap.new_end]
    sides = np.array(left, dtype=np.uint64), np.array(right, dtype=np.uint64)
    start, other = 0, 0
    for old_start, old_end, _, new_end in exact_gaps(*sides, 0, len(left), 0, len(right)):
        if start < old_start:
            yield Run(gap.old_start + start, gap.new_start + other, old_start - start)
        start, other = old_end, new_end
    if start < len(left):
        yield Run(gap.old_start + start, gap.new_start + other, len(left) - start)


@accelerated
def exact_gaps(
    old: Hashes, new: Hashes, i: int, i_end: int, j: int, j_end: int
) -> list[tuple[int, int, int, int]]:
    """Returns where a piece differs: outside of a longest common subsequence.

    Items that went and items that came between two equal runs are one gap.
    """
    left, right = old.tolist(), new.tolist()
    ends, (start, end, other, other_end) = _trimmed(left, right, Gap(i, i_end, j, j_end))
    common = _common(left[start:end], right[other:other_end])
    equal = [Run(start + one, other + two, 1) for one, two in common]
    runs = sorted([*ends, *equal])
    found = []
    for run in [*runs, Run(i_end, j_end, 0)]:
        if i < run.old or j < run.new:
            found.append((i, run.old, j, run.new))
        i, j = run.old + run.length, run.new + run.length
    return found


def _common(old: list[int], new: list[int]) -> Iterator[tuple[int, int]]:
    """Yields the places of a longest common subsequence on both sides, the last first."""
    rows = list(_rows(old, new))
    column, row = len(old), len(new)
    while column and row:
        if rows[row] >> (column - 1) & 1:
            column -= 1
        elif not rows[row - 1] >> (column - 1) & 1:
            row -= 1
        else:
            column, row = column - 1, row - 1
            yield column, row


def _rows(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[int]:
    """Yields one number for each count of new elements, from none to all. A bit is 0 where the old element
    at its place adds to what is common with so many new elements (Hyyrö 2004)."""
    places: dict[Hashable, int] = {}
    for place, element in enumerate(old):
        places[element] = places.get(element, 0) | 1 << place
    row = everything = (1 << len(old)) - 1
    yield row
    for element in new:
        met = row & places.get(element, 0)
        row = (row + met | row - met) & everything
        yield row


@accelerated
def common_length(old: str, new: str) -> int:
    """Returns how many characters two texts have in common in the same order."""
    (last,) = deque(_rows(old, new), maxlen=1)
    return len(old) - last.bit_count()


def likeness(old: str, new: str) -> float:
    """Returns the share of the longer text that both texts have in the same order; 1 for two empty texts."""
    longest = max(len(old), len(new))
    return 1 - (longest - common_length(old, new)) / longest if longest else 1.0


def _divided(old: list[int], new: list[int], gap: Gap) -> list[Gap]:
    """Returns smaller gaps. A common element at which the gap is divided is at the start of one of them."""
    for width in _WIDTHS:
        anchors = _anchors(old, new, gap, width)
        if anchors:
            return _between(gap, anchors)
    return _between(gap, _proportional(gap))


def _anchors(old: list[int], new: list[int], gap: Gap, width: int) -> list[tuple[int, int]]:
    """Returns the places of runs of `width` elements that occur once on either side, in the order of both."""
    ours, theirs = once_in_both(
        _runs(old, gap.old_start, gap.old_end, width), _runs(new, gap.new_start, gap.new_end, width)
    )
    places = list(zip((ours + gap.old_start).tolist(), (theirs + gap.new_start).tolist(), strict=True))
    chain = increasing([other for _, other in places])
    kept = [places[index] for index in chain]
    # An anchor at the very start divides nothing, and neither does one that directly follows another.
    known = {(gap.old_start - 1, gap.new_start - 1), *kept}
    return [(one, other) for one, other in kept if (one - 1, other - 1) not in known]


def _runs(numbers: list[int], start: int, end: int, width: int) -> Hashes:
    """Returns a number for the run that begins at each place.

    If two different runs happened to get the same number, the only harm would be a worse place to divide at,
    because the elements themselves are compared afterwards.
    """
    count = max(end - start - width + 1, 0)
    elements = np.array(numbers[start:end], dtype=np.uint64)
    runs = np.zeros(count, dtype=np.uint64)
    for step in range(width):
        runs = runs * ODD + elements[step : step + count]
    return runs


@accelerated
def once_in_both(old: Hashes, new: Hashes) -> tuple[Longs, Longs]:
    """Returns the places of the values that occur once on either side, by the old place."""
    (ours, mine), (theirs, yours) = _once(old), _once(new)
    _, first, second = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    ones, others = mine[first], yours[second]
    order = np.argsort(ones)
    return ones[order], others[order]


def _once(values: Hashes) -> tuple[Hashes, Longs]:
    """Returns the values that occur once, sorted, and their places."""
    order = np.argsort(values)
    ordered = values[order]
    differs = np.append(True, ordered[1:] != ordered[:-1])[: len(values)]
    alone = differs & np.append(differs[1:], True)[: len(values)]
    return ordered[alone], order[alone]


def _proportional(gap: Gap) -> list[tuple[int, int]]:
    """Returns places that divide both sides of a gap into equally many pieces."""
    rows, columns = gap.old_end - gap.old_start, gap.new_end - gap.new_start
    pieces = -(-max(rows, columns) // _PIECE)
    return [
        (gap.old_start + rows * piece // pieces, gap.new_start + columns * piece // pieces)
        for piece in range(1, pieces)
    ]


def _between(gap: Gap, cuts: list[tuple[int, int]]) -> list[Gap]:
    edges = [(gap.old_start, gap.new_start), *cuts, (gap.old_end, gap.new_end)]
    return [Gap(left[0], right[0], left[1], right[1]) for left, right in pairwise(edges)]


def _joined(runs: list[Run]) -> list[Run]:
    """Joins runs that follow each other on both sides."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last and last.old + last.length == run.old and last.new + last.length == run.new:
            joined[-1] = Run(last.old, last.new, last.length + run.length)
        else:
            joined.append(run)
    return joined
