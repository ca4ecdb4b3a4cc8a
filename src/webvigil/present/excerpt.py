"""Two versions too long to be shown as a whole in, the parts of them that are out: where they changed.

A page is as long as somebody makes it; what can be read of it, and shown within a second, is not. The lines
of both versions are compared as wholes, and the first that changed are kept, with their neighbours. What
stands between two parts is equal in both versions; what is beyond the last one is only counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from webvigil.detect.alignment import Gap, gaps

# Lines of both versions together. A changed one takes about 60 µs to show, one that stayed 20.
CHANGED = 6_000
WHOLE = 16_000
AROUND = 8  # enough for most rows of a table


class Excerpt(NamedTuple):
    """The parts, in order; how many lines there are beyond the last one in the old and in the new version."""

    parts: list[Gap]
    beyond: tuple[int, int] = (0, 0)


def excerpt(old: Sequence[str], new: Sequence[str]) -> Excerpt | None:
    """None where both are short enough to be shown as a whole."""
    many = len(old) + len(new)
    if many <= CHANGED:
        return None
    found = gaps(list(old), list(new))
    if many <= WHOLE and sum(_lines(gap) for gap in found) <= CHANGED:
        return None
    parts: list[Gap] = []
    room = CHANGED
    for gap in found:
        part = _cut(gap, room)
        # A part costs its neighbours as well.
        room -= _lines(part) + AROUND
        _add(parts, part)
        if part != gap or room <= 0:
            return Excerpt(parts, (len(old) - parts[-1].old_end, len(new) - parts[-1].new_end))
    if parts:
        last = parts.pop()
        more = min(AROUND, len(old) - last.old_end)
        parts.append(last._replace(old_end=last.old_end + more, new_end=last.new_end + more))
    return Excerpt(parts)


def _lines(gap: Gap) -> int:
    return gap.old_end - gap.old_start + gap.new_end - gap.new_start


def _cut(gap: Gap, room: int) -> Gap:
    """As much of a gap as there is room for: of both sides, and all of the shorter one if that can be."""
    i, i_end, j, j_end = gap
    if _lines(gap) <= room:
        return gap
    old = min(i_end - i, max(room // 2, room - (j_end - j)))
    return Gap(i, i + old, j, j + min(j_end - j, room - old))


def _add(parts: list[Gap], gap: Gap) -> None:
    """With its neighbours; what would touch the part before it becomes one with that."""
    last = parts[-1] if parts else Gap(0, 0, 0, 0)
    between = gap.old_start - last.old_end
    if parts and between <= 2 * AROUND:
        parts[-1] = Gap(last.old_start, gap.old_end, last.new_start, gap.new_end)
        return
    if parts:
        parts[-1] = last._replace(old_end=last.old_end + AROUND, new_end=last.new_end + AROUND)
    before = min(AROUND, between)
    parts.append(Gap(gap.old_start - before, gap.old_end, gap.new_start - before, gap.new_end))
