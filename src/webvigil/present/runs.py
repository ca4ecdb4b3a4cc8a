"""Two texts in, runs of text out that stayed, went or came.

A text is cut into words and punctuation, each with the space before it, so that joining the pieces gives the
text back. A single unchanged word between two changes is added to both: one longer mark reads better than two
short ones with a word between.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from webvigil.detect.alignment import Gap, gaps
from webvigil.document.words import borders

SAME, GONE, NEW = "=", "-", "+"


class Run(NamedTuple):
    """A run of text with one `mark`: = stayed, - went, + came. The space between two runs belongs to the
    later run."""

    mark: str
    text: str


Runs = tuple[Run, ...]


def pieces(texts: Sequence[str]) -> list[list[str]]:
    """Cuts each text, whose white space is collapsed, into pieces. All texts are cut in one pass of numpy,
    for speed.

    Each text is cut as if a space stood before it, so that its first word equals the same word at another
    place.
    """
    joined = "".join([f"\n {text}" for text in texts])
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    starts = _cuts(joined, codes)
    ends = np.append(starts[1:], len(codes))
    begins = codes[starts] == 0x0A
    # A space directly before a word is part of that word's piece. The other spaces, and the line ends between
    # the texts, are no pieces.
    kept = ~begins & ((codes[starts] != 0x20) | (ends - starts > 1))
    found = [joined[start:end] for start, end in zip(starts[kept].tolist(), ends[kept].tolist(), strict=True)]
    firsts = np.cumsum(kept)[begins].tolist()
    return [found[first:last] for first, last in pairwise([*firsts, len(found)])]


def _cuts(joined: str, codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """Returns where pieces begin: at spaces, at words that have no space before them, and right after
    words."""
    starts, ends = borders(joined)
    is_space = codes == 0x20
    begins = is_space | (codes == 0x0A)
    begins[starts] |= ~is_space[starts - 1]
    begins[ends[ends < len(codes)]] = True
    return np.flatnonzero(begins)


def runs(old: list[str], new: list[str]) -> Runs:
    """Compares two lists of pieces and returns the runs in reading order."""
    found: list[Run] = []
    place = 0
    for gap in _swallowed(old, gaps(old, new)):
        found.append(Run(SAME, "".join(old[place : gap.old_start])))
        found.append(Run(GONE, "".join(old[gap.old_start : gap.old_end])))
        found.append(Run(NEW, "".join(new[gap.new_start : gap.new_end])))
        place = gap.old_end
    found.append(Run(SAME, "".join(old[place:])))
    return _trimmed([run for run in found if run.text])


def whole(mark: str, text: str) -> Runs:
    """Returns one run for a text that stayed, went or came as a whole; no run for an empty text."""
    return (Run(mark, text),) if text else ()


def side(cell: Runs, gone: str) -> str:
    """Returns the text without the runs of one mark: without the new runs it is the old text, without the
    deleted runs the new text."""
    return "".join([run.text for run in cell if run.mark != gone]).strip()


def _trimmed(found: list[Run]) -> Runs:
    """Removes the space before the first run, because nothing stands before it."""
    if found:
        found[0] = Run(found[0].mark, found[0].text.lstrip(" "))
    return tuple([run for run in found if run.text])


def _swallowed(old: list[str], found: list[Gap]) -> list[Gap]:
    """Joins neighbouring gaps that have at most one unchanged word between them."""
    merged: list[Gap] = []
    for gap in found:
        last = merged[-1] if merged else None
        if last and _words(old[last.old_end : gap.old_start]) <= 1:
            merged[-1] = Gap(last.old_start, gap.old_end, last.new_start, gap.new_end)
        else:
            merged.append(gap)
    return merged


def _words(between: list[str]) -> int:
    return sum(any(map(str.isalnum, piece)) for piece in between)
