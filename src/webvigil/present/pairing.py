"""Which of the blocks that went became which of those that came at the same place, in order.

Two blocks are versions of one if enough of their words are common. Few blocks are paired so that most is
alike, by going through a table of sums. Many are first cut at pairs that rare words point out, so that the
effort grows with the length of a page and not with its square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from webvigil.detect.alignment import gaps

PAIRS = 2_500  # comparisons at one place, about 1 µs each
ALIKE = 0.3  # DESIGN 7: below this a block was replaced as a whole
ALIKE_SHORT = 0.1  # a heading under six words: one common word of five is enough
SHORT = 6
RARE = 3  # what stands in more blocks than this points nowhere

Pairs = list[tuple[int | None, int | None]]


class Look(NamedTuple):
    """What tells whether two blocks are one. `key` names a row; "" for what has no name.

    `pieces` are the words as they stand, for what is compared with many; a space may stand before each.
    """

    words: frozenset[str]
    kind: str
    key: str = ""
    short: bool = False
    pieces: Sequence[str] = ()


def paired(old: Sequence[Look], new: Sequence[Look]) -> Pairs:
    """Every place of either side once, in order; None on the other side where it stays alone."""
    if not old or not new:
        return _alone(range(len(old)), range(len(new)))
    if len(old) * len(new) <= PAIRS:
        return _best([[likeness(before, after) for after in new] for before in old], len(new))
    found: Pairs = []
    i = j = 0
    for at_old, at_new in [*_anchors(old, new), (len(old), len(new))]:
        found += _shifted(_between(old[i:at_old], new[j:at_new]), i, j)
        if at_old < len(old):
            found.append((at_old, at_new))
        i, j = at_old + 1, at_new + 1
    return found


def likeness(old: Look, new: Look) -> float:
    """The share of common words, 0 where it is too small to speak of one block."""
    if old.kind != new.kind:
        return 0.0
    common = len(old.words & new.words)
    share = 2 * common / ((len(old.words) + len(new.words)) or 1)
    if old.key and old.key == new.key:
        return 1.0 + share
    needed = ALIKE_SHORT if old.short and new.short else ALIKE
    return share if share >= needed else 0.0


def _between(old: Sequence[Look], new: Sequence[Look]) -> Pairs:
    return paired(old, new) if len(old) * len(new) <= PAIRS else _in_step(old, new)


def _alone(old: Iterable[int], new: Iterable[int]) -> Pairs:
    return [*((i, None) for i in old), *((None, j) for j in new)]


def _shifted(pairs: Pairs, i: int, j: int) -> Pairs:
    return [(a if a is None else a + i, b if b is None else b + j) for a, b in pairs]


def _best(likeness: list[list[float]], width: int) -> Pairs:
    """Of all ways to pair in order the one with the greatest sum."""
    height = len(likeness)
    best = [[0.0] * (width + 1) for _ in range(height + 1)]
    for i in reversed(range(height)):
        row, below, alike = best[i], best[i + 1], likeness[i]
        for j in reversed(range(width)):
            pair = alike[j] + below[j + 1] if alike[j] else 0.0
            row[j] = max(pair, below[j], row[j + 1])
    found: Pairs = []
    i = j = 0
    while i < height and j < width:
        if likeness[i][j] and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            found.append((i, None))
            i += 1
        else:
            found.append((None, j))
            j += 1
    return [*found, *_alone(range(i, height), range(j, width))]


def _in_step(old: Sequence[Look], new: Sequence[Look]) -> Pairs:
    """Too many to try all: the first with the first, the second with the second."""
    found: Pairs = []
    shorter = min(len(old), len(new))
    for place in range(shorter):
        alike = likeness(old[place], new[place])
        found += [(place, place)] if alike else [(place, None), (None, place)]
    return [*found, *_alone(range(shorter, len(old)), range(shorter, len(new)))]


def _anchors(old: Sequence[Look], new: Sequence[Look]) -> list[tuple[int, int]]:
    """Pairs that share what stands almost nowhere else, rising on both sides."""
    places: dict[object, list[int]] = {}
    for i, look in enumerate(old):
        for trait in _traits(look):
            places.setdefault(trait, []).append(i)
    rare = {trait: where for trait, where in places.items() if len(where) <= RARE}
    chosen: dict[int, int] = {}
    for j, after in enumerate(new):
        votes = Counter(chain.from_iterable(rare.get(trait, ()) for trait in _traits(after)))
        for i, _ in votes.most_common(1):
            if likeness(old[i], after):
                chosen.setdefault(i, j)
    return _rising(chosen)


def _traits(look: Look) -> Iterator[object]:
    """Words and neighbouring words: where the same words stand everywhere, two in a row seldom do."""
    words = [piece.lstrip(" ") for piece in look.pieces]
    return chain(dict.fromkeys(words), dict.fromkeys(pairwise(words)))


def _rising(chosen: dict[int, int]) -> list[tuple[int, int]]:
    by_old = sorted(chosen)
    by_new = sorted(by_old, key=chosen.__getitem__)
    lost = {place for gap in gaps(by_old, by_new) for place in by_old[gap.old_start : gap.old_end]}
    return [(i, chosen[i]) for i in by_old if i not in lost]
