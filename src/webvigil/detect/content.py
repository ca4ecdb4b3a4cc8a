"""Two pages in, the changed lines of the visible text out, with their punctuation (C10).

A line is a block on the screen: a paragraph, a list item, a cell; the title is one, too. Of lines that went
and lines that came at the same place, those that are alike are updates of each other. With `any order` a
line that stands elsewhere has not changed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from webvigil.detect.alignment import TOLD, Gap, fewer, gaps, paired
from webvigil.detect.places import paths, title
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.change_types import ANY_ORDER
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if old.visible_text == new.visible_text and title(old) == title(new):
        return []
    before, after = _blocks(old), _blocks(new)
    if change.option == ANY_ORDER:
        before, after = _only_here(before, after), _only_here(after, before)
    found = gaps(before.lines, after.lines)
    # More lines than anybody reads one by one: neighbouring lines are reported together.
    if sum([gap.old_end - gap.old_start + gap.new_end - gap.new_start for gap in found]) > 2 * TOLD:
        return [_together(before, after, gap) for gap in fewer(found, TOLD)]
    return [one for gap in found for one in _changes(before, after, gap)]


def _only_here(blocks: _Blocks, others: _Blocks) -> _Blocks:
    """Returns the lines that the other page has nowhere, or not as often; of equal lines the last ones."""
    there = Counter(others.lines)
    kept = []
    for at, line in enumerate(blocks.lines):
        if there[line]:
            there[line] -= 1
        else:
            kept.append(at)
    return _Blocks(blocks.digest, [blocks.lines[at] for at in kept], [blocks.starts[at] for at in kept])


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The lines of a page, and where each begins in the visible text (-1 for the title)."""

    digest: PageDigest
    lines: list[str]
    starts: list[int]

    def text(self, first: int, last: int) -> str | None:
        """Returns some lines as one text, or None for no line at all."""
        return "\n".join(self.lines[first:last]) if first < last else None

    def where(self, first: int, last: int) -> tuple[str, ...]:
        """Returns the places of some lines."""
        if self.starts[first] < 0:
            return title(self.digest)[1]
        start, end = self.starts[first], self.starts[last - 1] + len(self.lines[last - 1])
        return paths(self.digest, _nodes_between(self.digest, start, end))


def _blocks(digest: PageDigest) -> _Blocks:
    lines = digest.visible_text.split("\n") if digest.visible_text else []
    lengths = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines)) + 1
    starts = (np.cumsum(lengths) - lengths).tolist()
    name, _ = title(digest)
    return _Blocks(digest, [name, *lines], [-1, *starts]) if name else _Blocks(digest, lines, starts)


def _nodes_between(digest: PageDigest, start: int, end: int) -> list[int]:
    reading = digest.shown
    first, last = np.searchsorted(reading.starts, [start, end]).tolist()
    nodes: list[int] = reading.nodes[first:last].tolist()
    return nodes


def _changes(before: _Blocks, after: _Blocks, gap: Gap) -> list[ObjectChange]:
    pairs = paired(before.lines[gap.old_start : gap.old_end], after.lines[gap.new_start : gap.new_end])
    return [
        _change(
            before,
            None if i is None else i + gap.old_start,
            after,
            None if j is None else j + gap.new_start,
        )
        for i, j in pairs
    ]


def _change(before: _Blocks, i: int | None, after: _Blocks, j: int | None) -> ObjectChange:
    one = (0, 0) if i is None else (i, i + 1)
    other = (0, 0) if j is None else (j, j + 1)
    return _together(before, after, Gap(*one, *other))


def _together(before: _Blocks, after: _Blocks, gap: Gap) -> ObjectChange:
    """Returns one change for the lines that went and came at one place."""
    old, new = before.text(*gap.old), after.text(*gap.new)
    status = Status.NEW if old is None else Status.GONE if new is None else Status.UPDATED
    where = after.where(*gap.new) if new is not None else before.where(*gap.old)
    return ObjectChange(object=old or new or "", status=status, before=old, after=new, where=where)
