"""The columns of two versions of a table in, pairs out that say which column became which.

Columns are paired by the name in the header, else by their contents. A column that came or went is one mark
in every row, and the cells beside it stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from webvigil.detect.alignment import Pairs
from webvigil.present.blocks import Block
from webvigil.present.pairing import PAIRS, Look, paired


def columns(old: Sequence[Look], new: Sequence[Look]) -> Pairs:
    """Pairs the columns of two versions of a table, given what each column is compared by."""
    if len(old) * len(new) > PAIRS:
        return _zipped(range(len(old)), range(len(new)))
    found: Pairs = []
    waiting: tuple[list[int], list[int]] = ([], [])
    for i, j in paired(old, new):
        if i is not None and j is not None:
            found += [*_settled(*waiting), (i, j)]
            waiting = ([], [])
        elif i is not None:
            waiting[0].append(i)
        elif j is not None:
            waiting[1].append(j)
    return [*found, *_settled(*waiting)]


def _settled(old: list[int], new: list[int]) -> Pairs:
    """Pairs the unpaired columns between two paired ones by position if both versions have equally many: such
    columns were renamed or filled anew."""
    return _zipped(old, new) if len(old) == len(new) else _zipped(old, []) + _zipped([], new)


def _zipped(old: Sequence[int], new: Sequence[int]) -> Pairs:
    shorter = min(len(old), len(new))
    pairs: Pairs = list(zip(old, new, strict=False))
    return [*pairs, *((i, None) for i in old[shorter:]), *((None, j) for j in new[shorter:])]


def _names(rows: Sequence[Block]) -> list[str]:
    """Returns the name of each column from the header rows, "" for a column without a name."""
    names = [""] * max((len(row.cells) for row in rows), default=0)
    for row in rows:
        for place, text in enumerate(row.cells if row.header else ()):
            names[place] = text or names[place]
    return names


def looks(rows: Sequence[Block]) -> list[Look]:
    """Returns what each column of a table is compared by, given the rows of the table."""
    names = _names(rows)
    inside: list[set[str]] = [set() for _ in names]
    for row in rows:
        for place, text in enumerate(row.cells):
            if text:
                inside[place].add(text)
    return [Look(frozenset(texts), "column", name) for texts, name in zip(inside, names, strict=True)]
