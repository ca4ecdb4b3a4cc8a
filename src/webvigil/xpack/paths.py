"""Rows of a document in, a table of their different paths and the path of each row out.

The path of a row is the sequence of labels from the root down to it, and most rows share theirs with many
others. A table of a few dozen paths (each a parent path, a label and the number of rows that have it) stands
for the structure of a document of any length. The path of each row, in document order, is the whole
structure: the length of the path is the depth of the row, and depths in document order determine a tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs
from webvigil.errors import XPackError
from webvigil.model.memo import cached_property

# With at least this many rows per level on average, paths are found level by level with numpy. With fewer,
# numpy's cost per call exceeds that of a plain loop over the rows.
_ROWS_PER_LEVEL = 64


@dataclass(frozen=True, eq=False)
class PathTable:
    """Paths as parallel columns in order of first use. Path 0 is the document, whose parent is itself."""

    parent: Longs
    label: Longs
    count: Longs

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def depth(self) -> Longs:
        """Returns the length of each path.

        All paths climb at once: each round doubles how far every path has climbed, so that a document of
        depth n takes log n rounds.
        """
        depth = np.ones(len(self), dtype=np.int64)
        depth[0] = 0
        above = self.parent
        while above.any():
            depth += depth[above]
            above = above[above]
        return depth

    def checked(self) -> PathTable:
        """Returns the table itself. Raises XPackError for a table that no document has.

        Every path but the first must have an earlier path as its parent, and every path at least one row.
        """
        if not len(self) or self.parent[0] != 0 or (self.parent[1:] >= np.arange(1, len(self))).any():
            raise XPackError("the packed file is damaged: its paths lead nowhere")
        if self.count[0] != 1 or self.count.min() < 1:
            raise XPackError("the packed file is damaged: its paths are not those of one document")
        return self


def path_table(depths: Ints, label: Ints) -> tuple[PathTable, Longs]:
    """Returns (the table of the paths of these rows, the number of the path of each row)."""
    levels = int(depths.max()) + 1
    found = _by_levels(depths, label) if len(depths) > _ROWS_PER_LEVEL * levels else _by_rows(depths, label)
    # The two ways number paths differently. By first use, equal documents get equal tables either way.
    used, first = np.unique(found, return_index=True)
    rank = np.empty(len(used), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(used))
    path = rank[found] if len(used) == used[-1] + 1 else rank[np.searchsorted(used, found)]
    begin = np.sort(first)
    parents = arrays.node_parents(depths)
    parent = path[np.maximum(parents[begin], 0)]
    return PathTable(parent, label[begin].astype(np.int64), np.bincount(path)), path


def _by_levels(depths: Ints, label: Ints) -> Longs:
    """Numbers the paths level by level: all rows of one depth in a few array operations."""
    order = arrays.level_order(depths)
    borders = np.searchsorted(depths[order], np.arange(int(depths.max()) + 2))
    parents = arrays.node_parents(depths)
    path = np.zeros(len(depths), dtype=np.int64)
    labels, known = int(label.max()) + 1, 1
    for start, end in zip(borders[1:-1].tolist(), borders[2:].tolist(), strict=True):
        rows = order[start:end]
        used, codes = np.unique(path[parents[rows]] * labels + label[rows], return_inverse=True)
        path[rows] = codes + known
        known += len(used)
    return path


def _by_rows(depths: Ints, label: Ints) -> Longs:
    """Numbers the paths in one walk over the rows, remembering the open path of each depth."""
    number: dict[tuple[int, int], int] = {}
    above = [0] * (int(depths.max()) + 2)
    found = []
    for depth, own in zip(depths.tolist(), label.tolist(), strict=True):
        path = number.setdefault((above[depth], own), len(number))
        above[depth + 1] = path
        found.append(path)
    return np.array(found, dtype=np.int64)


def parents_of(depths: Ints) -> Ints:
    """Returns the parent of each row, -1 for the root. Raises XPackError for depths that no tree has."""
    if not len(depths) or depths[0] != 0 or (depths[1:] < 1).any() or (np.diff(depths) > 1).any():
        raise XPackError("the packed file is damaged: its structure is not that of a tree")
    return arrays.node_parents(depths)
