"""Two pictures in, the regions in which they differ out.

Inserted content pushes the rest of a page down. So equal rows of pixels are paired first, by their longest
common subsequence, and only the rows between them are compared. There a pixel differs if its colour is
nowhere around its place in the other picture. Text that is drawn a pixel further, or with softer edges, looks
the same to a reader, and so does space that grew or shrank. Differing pixels close to each other are one
region; a single pixel is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from webvigil.detect.lcs import Gap, common_runs, gaps
from webvigil.document.screenshot import Box, Pixels

Marks = NDArray[np.bool_]

# Of 255 steps of a colour: the differences that dithering and colour management make, which no eye sees.
TOLERANCE = 8
# Regions closer than this many pixels are one; it is about the space between two lines of text.
NEAR = 24
MOST = 250
_CELL = 8
_FEW = 2
_ROWS_AT_A_TIME = 512


class Region(NamedTuple):
    """The place of a difference in the old and in the new picture; None for a picture without such a
    place."""

    before: Box | None
    after: Box | None


def regions(old: Pixels, new: Pixels) -> list[Region]:
    """Returns the regions from top to bottom. The opposite direction finds the same, with their sides
    exchanged."""
    width = min(old.shape[1], new.shape[1])
    rows = _keys(old[:, :width]), _keys(new[:, :width])
    # there may be several ways to pair the rows; a fixed order takes the same one in either direction
    if rows[0] > rows[1]:
        return [Region(one.after, one.before) for one in _regions(new, old, rows[1], rows[0])]
    return _regions(old, new, *rows)


def _regions(old: Pixels, new: Pixels, old_rows: list[int], new_rows: list[int]) -> list[Region]:
    width = min(old.shape[1], new.shape[1])
    runs = [run for run in common_runs(old_rows, new_rows) if _tells(new[run.new : run.new + run.length])]
    between = gaps(runs, len(old_rows), len(new_rows))
    found = [one for gap in _joined(between) for one in _in_gap(old[:, :width], new[:, :width], gap)]
    return sorted(found, key=_place)[:MOST] + _beside(old, new, width)


def _place(region: Region) -> tuple[int, int]:
    box = region.after or region.before
    assert box is not None, "a region is somewhere"
    return box.top, box.left


def _keys(pixels: Pixels) -> list[int]:
    return [xxh3_64_intdigest(row.tobytes()) for row in pixels]


def _tells(rows: Pixels) -> bool:
    """Returns False for blank rows, which do not show which rows belong together because all are alike."""
    return bool((rows != rows[:, :1]).any())


def _joined(between: Iterable[Gap]) -> list[Gap]:
    """Joins neighbouring gaps of the same kind: the few rows between them are blank, or equal by chance."""
    found: list[Gap] = []
    for gap in between:
        last = found[-1] if found else None
        if last and gap.new_start - last.new_end < NEAR and _kind(last) == _kind(gap) != "uneven":
            found[-1] = Gap(last.old_start, gap.old_end, last.new_start, gap.new_end)
        else:
            found.append(gap)
    return found


def _kind(gap: Gap) -> str:
    old, new = gap.old_end - gap.old_start, gap.new_end - gap.new_start
    return "even" if old == new else "come" if old == 0 else "gone" if new == 0 else "uneven"


def _in_gap(old: Pixels, new: Pixels, gap: Gap) -> Iterator[Region]:
    """Yields the regions in a gap. As many rows as both sides have are compared, at the top or at the bottom,
    whichever are more alike; the other rows came or went."""
    pairs, rest = _split(old, new, gap)
    if pairs.old_start < pairs.old_end:
        for box in _boxes(old[slice(*pairs[:2])], new[slice(*pairs[2:])]):
            before, after = (box._replace(top=box.top + top) for top in (pairs.old_start, pairs.new_start))
            yield Region(before, after)
    come_or_gone = Region(_band(old, *rest[:2]), _band(new, *rest[2:]))
    if any(come_or_gone):
        yield come_or_gone


def _split(old: Pixels, new: Pixels, gap: Gap) -> tuple[Gap, Gap]:
    """Returns the rows to compare, and the rows that are left over."""
    height = min(gap.old_end - gap.old_start, gap.new_end - gap.new_start)
    old_cut, new_cut = gap.old_start + height, gap.new_start + height
    at_top = (
        Gap(gap.old_start, old_cut, gap.new_start, new_cut),
        Gap(old_cut, gap.old_end, new_cut, gap.new_end),
    )
    old_cut, new_cut = gap.old_end - height, gap.new_end - height
    at_bottom = (
        Gap(old_cut, gap.old_end, new_cut, gap.new_end),
        Gap(gap.old_start, old_cut, gap.new_start, new_cut),
    )
    return min(at_top, at_bottom, key=lambda way: _unlike(old, new, way[0]))


def _unlike(old: Pixels, new: Pixels, gap: Gap) -> int:
    return int(np.count_nonzero(old[gap.old_start : gap.old_end] != new[gap.new_start : gap.new_end]))


def _band(pixels: Pixels, start: int, end: int) -> Box | None:
    """Returns the rows as one box, or None if they only repeat a neighbouring row: space that grew or
    shrank."""
    if start == end:
        return None
    neighbours = [pixels[row] for row in (start - 1, end) if 0 <= row < len(pixels)]
    if any(_alike(pixels[start:end], one) for one in neighbours):
        return None
    return Box(0, start, pixels.shape[1], end - start)


def _alike(one: Pixels, other: Pixels) -> bool:
    return bool((np.abs(one.astype(np.int16) - other) <= TOLERANCE).all())


def _beside(old: Pixels, new: Pixels, width: int) -> list[Region]:
    """Returns what one picture has to the right of where the other one ends."""
    before, after = (
        Box(width, 0, side.shape[1] - width, side.shape[0]) if side.shape[1] > width and len(side) else None
        for side in (old, new)
    )
    return [Region(before, after)] if before or after else []


# --- pixels ----------------------------------------------------------------------------------------


def _boxes(old: Pixels, new: Pixels) -> list[Box]:
    """Returns boxes around the differences between two pictures of the same size."""
    marks = np.concatenate(
        [
            _marks(old[row : row + _ROWS_AT_A_TIME], new[row : row + _ROWS_AT_A_TIME])
            for row in range(0, len(old), _ROWS_AT_A_TIME)
        ]
    )
    cells = _cells(marks)
    return [_tight(marks, box) for box in _cut(cells)] if cells.any() else []


def _marks(old: Pixels, new: Pixels) -> Marks:
    """Returns the pixels whose colour is nowhere around their place in the other picture."""
    differ: Marks = (old != new).any(axis=2)
    rows, columns = np.flatnonzero(differ.any(axis=1)), np.flatnonzero(differ.any(axis=0))
    if not len(rows):
        return differ
    part = slice(max(rows[0] - 1, 0), rows[-1] + 2), slice(max(columns[0] - 1, 0), columns[-1] + 2)
    differ[part] &= _unheard_of(old[part], new[part]) | _unheard_of(new[part], old[part])
    return differ


def _unheard_of(one: Pixels, other: Pixels) -> Marks:
    """Marks the pixels of `other` whose colour is outside the range of colours around that place in `one`."""
    darkest = _around(one, np.minimum).astype(np.int16) - TOLERANCE
    brightest = _around(one, np.maximum).astype(np.int16) + TOLERANCE
    strange = (other < darkest) | (other > brightest)
    answer: Marks = strange.max(axis=2)
    return answer


def _around(pixels: Pixels, pick: Callable[[Any, Any], Any]) -> Pixels:
    """Returns the least or the greatest of each pixel and the eight around it."""
    wide = np.pad(pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows = pick(pick(wide[:-2], wide[1:-1]), wide[2:])
    answer: Pixels = pick(pick(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:])
    return answer


def _cells(marks: Marks) -> Marks:
    """Marks the squares in which more than a single pixel differs."""
    height, width = (-(-size // _CELL) for size in marks.shape)
    padded = np.zeros((height * _CELL, width * _CELL), dtype=np.bool_)
    padded[: marks.shape[0], : marks.shape[1]] = marks
    counts = padded.reshape(height, _CELL, width, _CELL).sum(axis=(1, 3))
    answer: Marks = counts >= _FEW
    return answer


def _cut(cells: Marks) -> list[Box]:
    """Returns boxes around the marked cells, cut apart wherever there is a wide enough empty lane between
    them."""
    found: list[Box] = []
    left = [Box(0, 0, cells.shape[1], cells.shape[0])]
    while left:
        box = left.pop()
        pieces = [inner for band in _bands(cells, box, 1) for inner in _bands(cells, band, 0)]
        if pieces == [box] or len(found) + len(left) + len(pieces) > MOST:
            found.append(box)
        else:
            left += pieces
    return found


def _bands(cells: Marks, box: Box, axis: int) -> list[Box]:
    """Cuts a box along one axis (1: into rows)."""
    inside = cells[box.top : box.top + box.height, box.left : box.left + box.width]
    places = np.flatnonzero(inside.any(axis=axis))
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > NEAR // _CELL)
    starts = places[np.append(0, breaks + 1)].tolist()
    ends = (places[np.append(breaks, len(places) - 1)] + 1).tolist()
    return [
        box._replace(top=box.top + start, height=end - start)
        if axis == 1
        else box._replace(left=box.left + start, width=end - start)
        for start, end in zip(starts, ends, strict=True)
    ]


def _tight(marks: Marks, cells: Box) -> Box:
    """Returns the box of the differing pixels in a box of cells."""
    left, top = cells.left * _CELL, cells.top * _CELL
    inside = marks[top : top + cells.height * _CELL, left : left + cells.width * _CELL]
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    return Box(
        left + int(columns[0]),
        top + int(rows[0]),
        int(columns[-1] - columns[0]) + 1,
        int(rows[-1] - rows[0]) + 1,
    )
