"""Strings of two tables in, the places where they differ out.

Each string is named by its index in its table; the index -1 names no string.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import eq, ne

import numpy as np

from webvigil.document.arrays import Ints, Longs
from webvigil.document.fast import accelerated

Table = tuple[str, ...]


@accelerated
def same_strings(table: Table, indices: Ints, others: Table, theirs: Ints) -> bool:
    """Tells whether both lists of indices have the same length and name the same strings in the same
    order."""
    return len(indices) == len(theirs) and all(map(eq, _named(table, indices), _named(others, theirs)))


@accelerated
def differing(table: Table, indices: Ints, others: Table, theirs: Ints) -> Longs:
    """Returns the places where two lists of the same length name different strings."""
    unequal = map(ne, _named(table, indices), _named(others, theirs))
    return np.flatnonzero(np.fromiter(unequal, dtype=np.bool_, count=len(indices)))


@accelerated
def reworded(table: Table, indices: Ints, others: Table, theirs: Ints) -> Longs:
    """Returns the places where two lists of the same length name texts with different words. Differences in
    white space do not count."""
    before, after = _named(table, indices), _named(others, theirs)
    words = [(one or "").split() != (other or "").split() for one, other in zip(before, after, strict=True)]
    return np.flatnonzero(np.array(words, dtype=np.bool_))


def _named(table: Table, indices: Ints) -> Iterator[str | None]:
    return map((*table, None).__getitem__, indices.tolist())
