"""Two versions too long to be shown in full in, the parts around their first changes out.

A page can be as long as somebody makes it, but a presentation must be ready within a second and readable. The
lines of both versions are compared as wholes. The first changed lines are kept, with some unchanged lines
around them. Lines between two kept parts are equal in both versions; lines beyond the last part are only
counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from webvigil.detect.alignment import Gap, gaps

# Limits, in lines of both versions together. They keep a presentation under a second: a changed line takes
# about 60 µs to show, an unchanged one about 20 µs. `bench/speed/present.py` measures it again.
CHANGED = 6_000
WHOLE = 16_000
AROUND = 8  # Unchanged lines kept around a change: enough to see most rows of a table as a whole.


class Excerpt(NamedTuple):
    """The parts to show, in order, and how many lines of the old and the new version follow the last part."""

    parts: list[Gap]
    beyond: tuple[int, int] = (0, 0)


def excerpt(old: Sequence[str], new: Sequence[str]) -> Excerpt | None:
    """Returns the parts of both versions to show, or None if both are short enough to be shown in full."""
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
        # Each part is shown with its neighbours, which take up room as well.
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
    """Cuts a gap down to `room` lines. Both sides keep some lines, and the shorter side keeps all of them if
    possible."""
    i, i_end, j, j_end = gap
    if _lines(gap) <= room:
        return gap
    old = min(i_end - i, max(room // 2, room - (j_end - j)))
    return Gap(i, i + old, j, j + min(j_end - j, room - old))


def _add(parts: list[Gap], gap: Gap) -> None:
    """Appends a gap with its neighbouring lines to the parts. A gap close to the last part is joined with
    that part."""
    last = parts[-1] if parts else Gap(0, 0, 0, 0)
    between = gap.old_start - last.old_end
    if parts and between <= 2 * AROUND:
        parts[-1] = Gap(last.old_start, gap.old_end, last.new_start, gap.new_end)
        return
    if parts:
        parts[-1] = last._replace(old_end=last.old_end + AROUND, new_end=last.new_end + AROUND)
    before = min(AROUND, between)
    parts.append(Gap(gap.old_start - before, gap.old_end, gap.new_start - before, gap.new_end))
