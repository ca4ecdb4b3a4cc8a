"""Blocks that went and blocks that came at one place in, pairs of versions of one block out, in order.

Two blocks are versions of one block if they share enough words. A few blocks are paired by dynamic
programming, so that the sum of likeness is greatest. Many blocks are first divided at pairs that share rare
words, so that the effort grows with the length of the page and not with its square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from webvigil.detect.alignment import Pairs, best_pairs, gaps, in_step

# Most comparisons of blocks at one place. One takes about 1 µs; `bench/speed/present.py` measures whole
# pages.
PAIRS = 2_500
ALIKE = 0.3  # Least share of common words; below it a block counts as replaced (tests/present/test_align.py).
ALIKE_SHORT = 0.1  # The same for short headings: one common word of five is enough to be one heading.
# A heading with fewer words than this is short.
SHORT = 6
RARE = 3  # A word that stands in more blocks than this is not rare, and does not help to pair blocks.


class Look(NamedTuple):
    """What two blocks are compared by. `key` names a row of a table or a value of JSON or XML, "" if the
    block has no name. Blocks of another `kind` are never versions of one block.

    `pieces` are the words in their order, each possibly with a leading space; they are used where one block
    is compared with many.
    """

    words: frozenset[str]
    kind: str
    key: str = ""
    short: bool = False
    pieces: Sequence[str] = ()


def paired(old: Sequence[Look], new: Sequence[Look]) -> Pairs:
    """Returns pairs of places in `old` and `new`, in order. Every place occurs once; a block without a
    partner is paired with None."""
    if len(old) * len(new) <= PAIRS:
        return best_pairs([[likeness(before, after) for after in new] for before in old], len(new))
    found: Pairs = []
    i = j = 0
    for at_old, at_new in [*_anchors(old, new), (len(old), len(new))]:
        found += _shifted(_between(old[i:at_old], new[j:at_new]), i, j)
        if at_old < len(old):
            found.append((at_old, at_new))
        i, j = at_old + 1, at_new + 1
    return found


def likeness(old: Look, new: Look) -> float:
    """Returns the share of common words, or 0 if the share is too small for versions of one block. Blocks
    with the same key always count as versions."""
    if old.kind != new.kind:
        return 0.0
    common = len(old.words & new.words)
    share = 2 * common / ((len(old.words) + len(new.words)) or 1)
    if old.key and old.key == new.key:
        return 1.0 + share
    needed = ALIKE_SHORT if old.short and new.short else ALIKE
    return share if share >= needed else 0.0


def _between(old: Sequence[Look], new: Sequence[Look]) -> Pairs:
    return paired(old, new) if len(old) * len(new) <= PAIRS else in_step(old, new, likeness)


def _shifted(pairs: Pairs, i: int, j: int) -> Pairs:
    return [(a if a is None else a + i, b if b is None else b + j) for a, b in pairs]


def _anchors(old: Sequence[Look], new: Sequence[Look]) -> list[tuple[int, int]]:
    """Returns pairs of blocks that share a word found almost nowhere else; the places rise on both sides."""
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
    """Returns the words of a block and the pairs of neighbouring words. A pair can be rare even where every
    single word is frequent."""
    words = [piece.lstrip(" ") for piece in look.pieces]
    return chain(dict.fromkeys(words), dict.fromkeys(pairwise(words)))


def _rising(chosen: dict[int, int]) -> list[tuple[int, int]]:
    """Drops the pairs that would cross others, and returns the rest in order."""
    by_old = sorted(chosen)
    by_new = sorted(by_old, key=chosen.__getitem__)
    lost = {place for gap in gaps(by_old, by_new) for place in by_old[gap.old_start : gap.old_end]}
    return [(i, chosen[i]) for i in by_old if i not in lost]
