"""Strings of two tables, compared one by one by the indices that name them; -1 names none."""

from __future__ import annotations

from collections.abc import Iterator
from operator import eq, ne

import numpy as np

from webvigil.document.arrays import Ints, Longs
from webvigil.document.fast import accelerated

Table = tuple[str, ...]


@accelerated
def same_strings(table: Table, indices: Ints, others: Table, theirs: Ints) -> bool:
    """Do as many indices name the same strings?"""
    return len(indices) == len(theirs) and all(map(eq, _named(table, indices), _named(others, theirs)))


@accelerated
def differing(table: Table, indices: Ints, others: Table, theirs: Ints) -> Longs:
    """The places where two lists of one length name different strings."""
    unequal = map(ne, _named(table, indices), _named(others, theirs))
    return np.flatnonzero(np.fromiter(unequal, dtype=np.bool_, count=len(indices)))


@accelerated
def reworded(table: Table, indices: Ints, others: Table, theirs: Ints) -> Longs:
    """The places where two lists of one length name texts with other words, however those are spaced."""
    before, after = _named(table, indices), _named(others, theirs)
    words = [(one or "").split() != (other or "").split() for one, other in zip(before, after, strict=True)]
    return np.flatnonzero(np.array(words, dtype=np.bool_))


def _named(table: Table, indices: Ints) -> Iterator[str | None]:
    return map((*table, None).__getitem__, indices.tolist())
