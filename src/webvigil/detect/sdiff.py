"""Two versions of a document in, what became of every node out (C11, ROC 3.6).

Equal subtrees are skipped. Nodes that stayed are compared by their text and attributes. The other nodes are
inserted, deleted or moved (`matching` finds the partner of each node). The result is an annotation for each
side, as long as the structure array of the digest: a mark for each node, and whether anything below it
changed.

Two documents are always compared in the same order, whichever is the older, and the result is reversed
afterwards. So comparing in the opposite direction finds the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

import numpy as np
import numpy.typing as npt

from webvigil.detect.lcs import increasing
from webvigil.detect.matching import Matching, match
from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, Longs, Mask, distinct
from webvigil.document.hashes import scattered
from webvigil.document.string_tables import differing

Marks = npt.NDArray[np.uint8]


class Mark(IntFlag):
    """What happened at a node. A node that stayed may have several marks."""

    SAME = 0
    CONTENT = 1
    ATTRIBUTE = 2
    MOVED = 4
    INSERTED = 8
    DELETED = 16


@dataclass(frozen=True, slots=True, eq=False)
class Annotation:
    """For each node of one document: its mark, whether a descendant changed, and its partner (-1 for none).

    A moved subtree is marked at its root, an inserted or deleted one at all its nodes.
    """

    marks: Marks
    below: Mask
    partners: Ints

    @property
    def reversed(self) -> Annotation:
        """The annotation for the opposite direction: inserted becomes deleted, and deleted becomes
        inserted."""
        turned = np.arange(32, dtype=np.uint8)
        turned[[Mark.INSERTED, Mark.DELETED]] = [Mark.DELETED, Mark.INSERTED]
        return Annotation(turned[self.marks], self.below, self.partners)

    def nodes(self, mark: Mark) -> list[int]:
        """Returns the nodes with one of these marks, in document order."""
        found: list[int] = np.flatnonzero(self.marks & np.uint8(mark)).tolist()
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """The annotations of both documents."""

    old: Annotation
    new: Annotation

    @property
    def changed(self) -> bool:
        return bool(self.old.marks.any() or self.new.marks.any())


def sdiff(old: PageDigest, new: PageDigest) -> Difference:
    """Returns what became of every node of two documents."""
    if new.signature < old.signature:
        backwards = _sdiff(new, old)
        return Difference(backwards.new.reversed, backwards.old.reversed)
    return _sdiff(old, new)


def _sdiff(old: PageDigest, new: PageDigest) -> Difference:
    matching = match(old, new)
    stayed = np.flatnonzero(matching.to_new >= 0)
    partners = matching.to_new[stayed]
    marks = _marks_of_stayed(old, new, stayed, partners, matching)
    before = np.where(matching.to_new < 0, Mark.DELETED, 0).astype(np.uint8)
    after = np.where(matching.to_old < 0, Mark.INSERTED, 0).astype(np.uint8)
    before[stayed] = marks
    after[partners] = marks
    return Difference(
        Annotation(before, _below(before, old.sizes), matching.to_new),
        Annotation(after, _below(after, new.sizes), matching.to_old),
    )


def _marks_of_stayed(
    old: PageDigest, new: PageDigest, stayed: Longs, partners: Ints, matching: Matching
) -> Marks:
    """Returns the marks of the nodes that both documents have."""
    marks = np.zeros(len(stayed), dtype=np.uint8)
    unlike = np.flatnonzero(old.subtree_hashes[stayed] != new.subtree_hashes[partners])
    ours, theirs = stayed[unlike], partners[unlike]
    marks[unlike[_rewritten(old, new, ours, theirs)]] |= np.uint8(Mark.CONTENT)
    marks[unlike[_redressed(old, new, ours, theirs)]] |= np.uint8(Mark.ATTRIBUTE)
    marks[_moved(old, new, stayed, partners, matching)] |= np.uint8(Mark.MOVED)
    return marks


def _rewritten(old: PageDigest, new: PageDigest, ours: Longs, theirs: Ints) -> Longs:
    """Returns which of these pairs of nodes have different texts."""
    before, after = old.content[ours], new.content[theirs]
    written = np.flatnonzero((before >= 0) & (after >= 0))
    return written[differing(old.texts, before[written], new.texts, after[written])]


def _redressed(old: PageDigest, new: PageDigest, ours: Longs, theirs: Ints) -> Longs:
    """Returns which of these pairs of nodes have different attributes."""
    numbers: dict[tuple[str, str], int] = {}
    before, after = _attribute_sums(old, ours, numbers), _attribute_sums(new, theirs, numbers)
    return np.flatnonzero(before != after)


def _attribute_sums(
    digest: PageDigest, nodes: Longs | Ints, numbers: dict[tuple[str, str], int]
) -> npt.NDArray[np.uint64]:
    """Returns for each node one number for its set of attributes, in any order. `numbers` gives each distinct
    attribute a number, shared by both documents."""
    starts, stops = digest.attribute_start[nodes], digest.attribute_start[nodes + 1]
    counts = stops - starts
    ends = np.cumsum(counts)
    rows = np.arange(counts.sum()) + np.repeat(starts - (ends - counts), counts)
    names, values = digest.attribute_names, digest.attribute_values
    pairs = zip(digest.attribute_name[rows].tolist(), digest.attribute_value[rows].tolist(), strict=True)
    known = [numbers.setdefault((names[name], values[value]), len(numbers)) for name, value in pairs]
    sums = np.zeros(len(rows) + 1, dtype=np.uint64)
    np.cumsum(scattered(np.array(known, dtype=np.uint64)), out=sums[1:])
    totals: npt.NDArray[np.uint64] = sums[ends] - sums[ends - counts]
    return totals


def _moved(old: PageDigest, new: PageDigest, stayed: Longs, partners: Ints, matching: Matching) -> Mask:
    """Returns which nodes have another parent, or left the order of their siblings."""
    homes = old.parents[stayed]
    moved = np.asarray(matching.to_new[homes] != new.parents[partners], dtype=np.bool_)
    moved[:1] = False  # the document itself
    remaining = np.flatnonzero(~moved)[1:]
    order = remaining[np.argsort(homes[remaining], kind="stable")]
    moved[_out_of_order(order, homes[order], partners[order], old.sizes[stayed[order]])] = True
    return moved


def _out_of_order(order: Longs, homes: Ints, partners: Ints, sizes: Ints) -> list[int]:
    """Returns the nodes that left the order of their siblings: those with the smallest subtrees in all."""
    broken = np.flatnonzero((homes[1:] == homes[:-1]) & (partners[1:] < partners[:-1]))
    found: list[int] = []
    for home in distinct(homes[broken]).tolist():
        start, stop = np.searchsorted(homes, [home, home + 1]).tolist()
        kept = set(increasing(partners[start:stop].tolist(), sizes[start:stop].tolist()))
        found += [int(order[start + place]) for place in range(stop - start) if place not in kept]
    return found


def _below(marks: Marks, sizes: Ints) -> Mask:
    """Returns for each node whether a descendant, not the node itself, has a mark."""
    count = np.concatenate([[0], np.cumsum(marks > 0)])
    place = np.arange(len(sizes))
    return np.asarray(count[place + sizes] > count[place + 1], dtype=np.bool_)
