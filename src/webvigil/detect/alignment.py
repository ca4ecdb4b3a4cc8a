"""Two sequences in, the gaps between their longest common subsequence out (C4).

A gap is a run of old items that went and a run of new items that came in their place; either run may be
empty. Comparing in the opposite direction finds the same gaps with their sides exchanged: of the many longest
common subsequences one is chosen by looking at the two sequences in a fixed order, whichever is the older.

The longest common subsequence costs old × new steps (64 at a time). Beyond `EXACT` steps the sequences are
first cut where they surely agree: at runs of equal blocks of text, and in a piece that is still long at
single items that occur once in either sequence, in the same order. A piece that is even then beyond `BOUND`
counts as replaced as a whole. So the effort grows with the length of a page, not with its square.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, count
from typing import Any, NamedTuple, TypeVar

import numpy as np

from webvigil.detect.lcs import exact_gaps, likeness, once_in_both
from webvigil.document.arrays import Hashes, Longs, equal_at_start
from webvigil.document.fast import accelerated
from webvigil.document.hashes import string_hashes

# The bounds keep the time and memory of one comparison in check; tests/detect/test_huge.py runs pages beyond
# them, and bench/quality and bench/speed measure what a change of a bound does to findings and to time.
EXACT = 1_000_000  # about 0.3 ms
BOUND = 16_000_000  # about 5 ms, 2 MB
PAIRS = 2_500  # comparisons of two texts, about 1 µs each for short ones
ALIKE = 0.5  # a text that keeps less was replaced by another, not changed
TOLD = 5_000  # changes of one page reported one by one; beyond, changes near each other are joined
SLIDE = 50  # how many items a gap may be moved so that it begins and ends at an edge
ANCHOR = 4  # fewer equal words prove nothing: menus, separators, "read more"

T = TypeVar("T")
Items = list[Any]
Pairs = list[tuple[int | None, int | None]]
# For each place from the first up to the second: how much of a beginning is there (0 for none).
Edges = Callable[[int, int], list[int]]


class Gap(NamedTuple):
    """Old items `old_start:old_end` became new items `new_start:new_end`."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def old(self) -> tuple[int, int]:
        return self.old_start, self.old_end

    @property
    def new(self) -> tuple[int, int]:
        return self.new_start, self.new_end

    @property
    def swapped(self) -> Gap:
        return Gap(self.new_start, self.new_end, self.old_start, self.old_end)


class Blocks(NamedTuple):
    """Where blocks of items begin, a key for each block, and where the last one ends. Blocks with the same
    key are equal."""

    starts: Longs
    keys: Hashes
    end: int


def gaps(old: Items, new: Items) -> list[Gap]:
    """Returns where two sequences differ, in order; equal sequences give an empty list."""
    core = trimmed(old, new, Gap(0, len(old), 0, len(new)))
    if cells(core) <= 1:  # a single item on either side is another one
        return _whole(core)
    i, j = core.old_start, core.new_start
    ours, theirs = _keys(old[i : core.old_end], new[j : core.new_end])
    found = aligned(ours, theirs, lambda first, other: new[j + other] < old[i + first])
    return [Gap(first + i, last + i, start + j, end + j) for first, last, start, end in found]


def word_gaps(old: Sequence[str], new: Sequence[str]) -> list[Gap]:
    """Returns where two short lists of words differ."""
    return _exact(string_hashes(old), string_hashes(new), Gap(0, len(old), 0, len(new)))


def aligned(
    old: Hashes,
    new: Hashes,
    is_behind: Callable[[int, int], bool],
    blocks: Callable[[Gap], tuple[Blocks, Blocks]] | None = None,
) -> list[Gap]:
    """Returns the gaps between two sequences of numbers that stand for items.

    `is_behind` says whether an old item sorts behind a new one. `blocks` returns the blocks of a part.
    """
    core = Gap(*trimmed_items(old, new, 0, len(old), 0, len(new)))
    if not cells(core):
        return _whole(core)
    parts = blocks(core) if blocks and cells(core) > EXACT else None
    # The first items of the core differ, so their order decides which sequence is looked at first, in either
    # direction of comparing.
    if is_behind(core.old_start, core.new_start):
        return [gap.swapped for gap in _gaps(new, old, core.swapped, parts and parts[::-1])]
    return _gaps(old, new, core, parts)


def _gaps(old: Hashes, new: Hashes, core: Gap, blocks: tuple[Blocks, Blocks] | None) -> list[Gap]:
    """Returns the gaps of the core, cut at equal blocks if there are any blocks."""
    pieces = _between_blocks(*blocks) if blocks else [core]
    return _merged([gap for piece in pieces for gap in _differences(old, new, piece)])


def _whole(piece: Gap) -> list[Gap]:
    """Returns the whole piece as one gap, or nothing if the piece is empty."""
    return [piece] if piece.old_start < piece.old_end or piece.new_start < piece.new_end else []


def settled(found: Sequence[Gap], old: Hashes, new: Hashes, old_edges: Edges, new_edges: Edges) -> list[Gap]:
    """Moves each gap that only came or only went to where it begins and ends at an edge, such as a sentence.

    If the word before a gap is also its last word, the gap may as well begin with that word: `a [b a] c` is
    `[a b] a c`. At least one item stays between two gaps, so that they remain two. The edges say for places
    in the old or new sequence how much of a beginning is there.
    """
    answer: list[Gap] = []
    for number, gap in enumerate(found):
        i, i_end, j, j_end = gap
        step = 0
        if j == j_end and _moves(old, i, i_end):
            low = answer[-1].old_end + 1 if answer else 0
            high = found[number + 1].old_start - 1 if number + 1 < len(found) else len(old)
            step = _best_step(old, i, i_end, low, high, old_edges)
        elif i == i_end and _moves(new, j, j_end):
            low = answer[-1].new_end + 1 if answer else 0
            high = found[number + 1].new_start - 1 if number + 1 < len(found) else len(new)
            step = _best_step(new, j, j_end, low, high, new_edges)
        answer.append(Gap(i + step, i_end + step, j + step, j_end + step) if step else gap)
    return answer


def _moves(items: Hashes, start: int, end: int) -> bool:
    """Returns True if a run could as well begin one item earlier or later."""
    return bool(
        (start > 0 and items[start - 1] == items[end - 1])
        or (end < len(items) and items[start] == items[end])
    )


def _best_step(items: Hashes, start: int, end: int, low: int, high: int, edges: Edges) -> int:
    """Returns how far to move a run: to where most of its ends are edges, and among those the shortest
    way."""
    low, high = max(low, start - SLIDE), min(high, end + SLIDE, len(items))
    first, last = 0, 0
    while start + first > low and items[start + first - 1] == items[end + first - 1]:
        first -= 1
    while end + last < high and items[start + last] == items[end + last]:
        last += 1
    if first == last:
        return 0
    begins, ends = edges(start + first, start + last + 1), edges(end + first, end + last + 1)
    steps = range(first, last + 1)
    return max(steps, key=lambda step: (begins[step - first] + ends[step - first], -abs(step), step))


def fewer(found: Sequence[Gap], most: int) -> list[Gap]:
    """Returns at most `most` gaps: the nearest ones are joined, together with the items between them.

    The items between two gaps are equal on both sides, so comparing in the opposite direction joins the same
    gaps.
    """
    if len(found) <= most:
        return list(found)
    edges = np.array(found, dtype=np.int64)
    between = edges[1:, 0] - edges[:-1, 1]
    cuts = np.sort(np.argsort(-between, kind="stable")[: most - 1])
    rows = zip(
        edges[np.append(0, cuts + 1)][:, [0, 2]].tolist(),
        edges[np.append(cuts, len(edges) - 1)][:, [1, 3]].tolist(),
        strict=True,
    )
    return [Gap(i, i_end, j, j_end) for (i, j), (i_end, j_end) in rows]


def paired(old: list[str], new: list[str]) -> Pairs:
    """Takes the texts that went and the texts that came at one place, and returns which became which, in
    order.

    Texts that are alike become pairs, chosen so that the sum of likeness is greatest. Other texts stay alone.
    """
    if new < old:
        return [(i, j) for j, i in paired(new, old)]
    if len(old) * len(new) > PAIRS or sum(map(len, old)) * sum(map(len, new)) > BOUND:
        return in_step(old, new, _likeness)
    return best_pairs([[_likeness(before, after) for after in new] for before in old], len(new))


def in_step(old: Sequence[T], new: Sequence[T], likeness: Callable[[T, T], float]) -> Pairs:
    """Pairs the first item with the first, the second with the second and so on, if they are alike. For when
    there are too many to compare all."""
    shorter = min(len(old), len(new))
    found: Pairs = []
    for place in range(shorter):
        alike = likeness(old[place], new[place])
        found += [(place, place)] if alike else [(place, None), (None, place)]
    return [*found, *_alone(range(shorter, len(old)), range(shorter, len(new)))]


def best_pairs(likeness: list[list[float]], width: int) -> Pairs:
    """Returns the pairing in order with the greatest sum of likeness. Items without a partner stand between
    the pairs, the old ones first."""
    found: Pairs = []
    i = j = 0
    for row, column in [*heaviest_path(likeness, width), (len(likeness), width)]:
        found += _alone(range(i, row), range(j, column))
        found += [(row, column)] if row < len(likeness) else []
        i, j = row + 1, column + 1
    return found


def heaviest_path(likeness: list[list[float]], width: int) -> list[tuple[int, int]]:
    """Returns pairs (row, column), both ascending, with the greatest sum of likeness (dynamic programming).
    Items whose likeness is 0 are never a pair."""
    height = len(likeness)
    best = [[0.0] * (width + 1) for _ in range(height + 1)]
    for i in reversed(range(height)):
        row, below, alike = best[i], best[i + 1], likeness[i]
        for j in reversed(range(width)):
            pair = alike[j] + below[j + 1] if alike[j] else 0.0
            row[j] = max(pair, below[j], row[j + 1])
    pairs = []
    i = j = 0
    while i < height and j < width:
        if likeness[i][j] and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _alone(old: Iterable[int], new: Iterable[int]) -> Pairs:
    return [*((i, None) for i in old), *((None, j) for j in new)]


def _likeness(old: str, new: str) -> float:
    """Returns how much two texts have in common, from 0 (too little for one changed text) to 1."""
    if len(old) * len(new) > EXACT:
        common = _words_in_common(old.split(), new.split())
        return common if common >= ALIKE else 0.0
    if min(len(old), len(new)) < ALIKE * max(len(old), len(new)):
        return 0.0
    common = likeness(old, new)
    return common if common >= ALIKE else 0.0


def _words_in_common(old: list[str], new: list[str]) -> float:
    """Returns the share of words that both texts have."""
    return shared(string_hashes(old), string_hashes(new)) / max(len(old), len(new), 1)


@accelerated
def shared(old: Hashes, new: Hashes) -> int:
    """Returns how many items both sequences have in common, counting repeated items."""
    return (Counter(old.tolist()) & Counter(new.tolist())).total()


def cells(piece: Gap) -> int:
    """Returns how many steps the comparison of a piece takes."""
    return (piece.old_end - piece.old_start) * (piece.new_end - piece.new_start)


def trimmed(old: Sequence[Any], new: Sequence[Any], piece: Gap) -> Gap:
    """Returns the piece without the items that both sides begin with or end with."""
    old_start, old_end, new_start, new_end = piece
    same = _common_start(old, old_start, new, new_start, min(old_end - old_start, new_end - new_start))
    old_start, new_start = old_start + same, new_start + same
    same = _common_end(old, old_end, new, new_end, min(old_end - old_start, new_end - new_start))
    return Gap(old_start, old_end - same, new_start, new_end - same)


def _common_start(old: Sequence[Any], i: int, new: Sequence[Any], j: int, most: int) -> int:
    """Returns how many items both begin with. Whole slices are compared, in steps that double while they are
    equal."""
    least, most = 0, most + 1
    step = 1
    while most - least > 1:
        size = min(step, (most - least) // 2)
        if old[i + least : i + least + size] == new[j + least : j + least + size]:
            least, step = least + size, step * 2
        else:
            most, step = least + size, 1
    return least


def _common_end(old: Sequence[Any], i: int, new: Sequence[Any], j: int, most: int) -> int:
    """Returns how many items both end with, found like the common start."""
    least, most = 0, most + 1
    step = 1
    while most - least > 1:
        size = min(step, (most - least) // 2)
        if old[i - least - size : i - least] == new[j - least - size : j - least]:
            least, step = least + size, step * 2
        else:
            most, step = least + size, 1
    return least


@accelerated
def trimmed_items(
    old: Hashes, new: Hashes, i: int, i_end: int, j: int, j_end: int
) -> tuple[int, int, int, int]:
    """Returns the edges of a piece without the items that both sides begin with or end with."""
    same = equal_at_start(old[i:i_end], new[j:j_end])
    i, j = i + same, j + same
    same = equal_at_start(old[i:i_end][::-1], new[j:j_end][::-1])
    return i, i_end - same, j, j_end - same


def _differences(old: Hashes, new: Hashes, piece: Gap) -> list[Gap]:
    """Returns the gaps of a piece: exact if the piece is short enough, else cut at items that occur once."""
    piece = Gap(*trimmed_items(old, new, *piece))
    if cells(piece) <= EXACT:
        return _exact(old, new, piece)
    found: list[Gap] = []
    for part in _cut(piece, _lone_items(old, new, piece)):
        part = Gap(*trimmed_items(old, new, *part))
        found += _exact(old, new, part) if cells(part) <= BOUND else _whole(part)
    return found


def _exact(old: Hashes, new: Hashes, piece: Gap) -> list[Gap]:
    return list(map(Gap._make, exact_gaps(old, new, *piece))) if cells(piece) else _whole(piece)


def _between_blocks(old: Blocks, new: Blocks) -> list[Gap]:
    """Returns the pieces between equal blocks. The piece is cut only if it is too long to be compared as a
    whole."""
    core = Gap(*trimmed_items(old.keys, new.keys, 0, len(old.keys), 0, len(new.keys)))
    piece = _items(old, new, core)
    if cells(piece) <= EXACT:
        return [piece]
    runs = [_items(old, new, run) for run in _equal_runs(old.keys, new.keys, core)]
    return _cut(piece, [run for run in runs if run.old_end - run.old_start >= ANCHOR])


def _items(old: Blocks, new: Blocks, run: Gap) -> Gap:
    """Returns the items in a run of blocks."""
    i, i_end = _edges(old, run.old_start, run.old_end)
    return Gap(i, i_end, *_edges(new, run.new_start, run.new_end))


def _edges(blocks: Blocks, first: int, last: int) -> tuple[int, int]:
    return _begin(blocks, first), _begin(blocks, last)


def _begin(blocks: Blocks, place: int) -> int:
    """Returns where a block begins; for the place behind the last one, where that ends."""
    return int(blocks.starts[place]) if place < len(blocks.starts) else blocks.end


def _equal_runs(old: Hashes, new: Hashes, core: Gap) -> list[Gap]:
    """Returns runs of equal blocks that are in the same order in both sequences."""
    if cells(core) > BOUND:
        return _lone_items(old, new, core)
    found, i, j = [], core.old_start, core.new_start
    for gap in [*_exact(old, new, core), Gap(core.old_end, core.old_end, core.new_end, core.new_end)]:
        found.append(Gap(i, gap.old_start, j, gap.new_start))
        i, j = gap.old_end, gap.new_end
    return found


def _lone_items(old: Hashes, new: Hashes, piece: Gap) -> list[Gap]:
    """Returns runs of items that occur exactly once in either sequence, in the same order; the longest runs
    if many."""
    i, j = piece.old_start, piece.new_start
    ours, theirs = _in_order(*once_in_both(old[i : piece.old_end], new[j : piece.new_end]))
    begins = np.flatnonzero((np.diff(ours, prepend=-2) != 1) | (np.diff(theirs, prepend=-2) != 1))
    lengths = np.diff(begins, append=len(ours))
    if len(begins) > TOLD:
        longest = np.sort(np.argsort(-lengths, kind="stable")[:TOLD])
        begins, lengths = begins[longest], lengths[longest]
    rows = zip((ours[begins] + i).tolist(), (theirs[begins] + j).tolist(), lengths.tolist(), strict=True)
    return [Gap(one, one + length, other, other + length) for one, other, length in rows]


def _keys(old: Items, new: Items) -> tuple[Hashes, Hashes]:
    """Returns a number for each item; equal items of both sequences get the same number."""
    if {*map(type, old), *map(type, new)} == {str}:
        return string_hashes(old), string_hashes(new)
    known = dict(zip(dict.fromkeys(chain(old, new)), count(), strict=False))
    ours, theirs = (
        np.fromiter(map(known.__getitem__, side), dtype=np.uint64, count=len(side)) for side in (old, new)
    )
    return ours, theirs


def _in_order(ours: Longs, theirs: Longs) -> tuple[Longs, Longs]:
    """Returns the largest choice of pairs that ascend in both sequences (patience sorting). They ascend in
    the first already."""
    if (np.diff(theirs) > 0).all():
        return ours, theirs
    tops: list[int] = []
    top_pairs: list[int] = []
    before: list[int] = []
    for index, place in enumerate(theirs.tolist()):
        pile = bisect_left(tops, place)
        before.append(top_pairs[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            top_pairs.append(index)
        else:
            tops[pile], top_pairs[pile] = place, index
    rising = []
    index = top_pairs[-1] if top_pairs else -1
    while index >= 0:
        rising.append(index)
        index = before[index]
    return ours[rising[::-1]], theirs[rising[::-1]]


def _cut(whole: Gap, anchors: list[Gap]) -> list[Gap]:
    """Returns the pieces of `whole` between the anchors."""
    pieces, i, j = [], whole.old_start, whole.new_start
    for anchor in anchors:
        pieces.append(Gap(i, anchor.old_start, j, anchor.new_start))
        i, j = anchor.old_end, anchor.new_end
    return [*pieces, Gap(i, whole.old_end, j, whole.new_end)]


def _merged(found: list[Gap]) -> list[Gap]:
    """Joins gaps that touch each other."""
    merged: list[Gap] = []
    for gap in found:
        last = merged[-1] if merged else None
        if last and last.old_end == gap.old_start and last.new_end == gap.new_start:
            merged[-1] = Gap(last.old_start, gap.old_end, last.new_start, gap.new_end)
        else:
            merged.append(gap)
    return merged
