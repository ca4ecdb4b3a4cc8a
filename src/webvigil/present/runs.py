"""Two texts in, runs of text out: what stayed, what went, what came.

A text is cut into words and punctuation, each with the space before it, so that joining the pieces gives
the text back. A single word that stayed between two changes is swallowed by them: "a lot of small marks"
reads worse than one.
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
    """`mark` is = - or +. The space between two runs stands at the head of the later one."""

    mark: str
    text: str


Runs = tuple[Run, ...]


def pieces(texts: Sequence[str]) -> list[list[str]]:
    """The pieces of each of the texts, whose white space is collapsed. All at once, for speed.

    A block begins as if a space stood before it: its first word can become its second.
    """
    joined = "".join([f"\n {text}" for text in texts])
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    starts = _cuts(joined, codes)
    ends = np.append(starts[1:], len(codes))
    begins = codes[starts] == 0x0A
    # A space that stands before another piece is part of it; what is left of them, and the breaks, are none.
    kept = ~begins & ((codes[starts] != 0x20) | (ends - starts > 1))
    found = [joined[start:end] for start, end in zip(starts[kept].tolist(), ends[kept].tolist(), strict=True)]
    firsts = np.cumsum(kept)[begins].tolist()
    return [found[first:last] for first, last in pairwise([*firsts, len(found)])]


def _cuts(joined: str, codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """Where pieces begin: at spaces, at words without one before them, and behind words."""
    starts, ends = borders(joined)
    is_space = codes == 0x20
    begins = is_space | (codes == 0x0A)
    begins[starts] |= ~is_space[starts - 1]
    begins[ends[ends < len(codes)]] = True
    return np.flatnonzero(begins)


def runs(old: list[str], new: list[str]) -> Runs:
    """What became of the pieces."""
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
    """A text that stayed, went or came as a whole."""
    return (Run(mark, text),) if text else ()


def side(cell: Runs, gone: str) -> str:
    """The text without the runs of one mark: without what came it is the old text, and so on."""
    return "".join([run.text for run in cell if run.mark != gone]).strip()


def _trimmed(found: list[Run]) -> Runs:
    """Nothing stands before the first run, so it needs no space."""
    if found:
        found[0] = Run(found[0].mark, found[0].text.lstrip(" "))
    return tuple([run for run in found if run.text])


def _swallowed(old: list[str], found: list[Gap]) -> list[Gap]:
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
