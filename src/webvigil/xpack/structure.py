"""The structure of a document in, bytes in one of these forms out, and back (X2).

paths     a table of paths and a path per row. Small for data, and it answers path queries by itself.
walk      openings and closings as a walk around the tree meets them. Smallest for web pages.
counts    PagePack: children per row; NamePack: a label per row
subpaths  PathPack: the length of each subpath and the children at its end; a label per row
tables    the containers of a Page Digest as they are (see `tables`)
"""

from __future__ import annotations

import numpy as np

from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.errors import XPackError
from webvigil.xpack.numbers import Column, Widths, column_width, from_planes, to_planes
from webvigil.xpack.operators import page_pack, page_unpack, path_pack
from webvigil.xpack.paths import PathTable, parents_of

FORMS = ("paths", "walk", "counts", "subpaths", "tables")


def write_paths(table: PathTable, widths: Widths) -> bytes:
    columns = ((table.parent, widths.parents), (table.label, widths.labels), (table.count, widths.counts))
    return b"".join(to_planes(column, width) for column, width in columns)


def read_paths(data: bytes, widths: Widths, labels: int) -> PathTable:
    """Reads a table of paths.

    Raises XPackError if it is damaged or names a label beyond the number of `labels`.
    """
    row = widths.parents + widths.labels + widths.counts
    count, rest = divmod(len(data), row)
    if rest:
        raise XPackError("the packed file is damaged: the columns of its paths differ in length")
    first, second = count * widths.parents, count * (widths.parents + widths.labels)
    table = PathTable(
        from_planes(data[:first], widths.parents).astype(np.int64),
        from_planes(data[first:second], widths.labels).astype(np.int64),
        from_planes(data[second:], widths.counts).astype(np.int64),
    ).checked()
    if int(table.label.max()) >= labels:
        raise XPackError("the packed file is damaged: a path has a label that is not there")
    return table


def write_walk(depths: Ints, label: Ints, leaf: Mask) -> Longs:
    """Writes rows as the tokens of a walk around the tree: label + 1 opens a row, 0 closes an element.

    Leaves need no closing, nor do the elements that are still open at the end. `leaf` says which labels are
    those of leaves.
    """
    inside = depths + ~leaf[label]
    closings = inside[:-1] - depths[1:]
    at = np.arange(len(depths)) + np.concatenate([[0], np.cumsum(closings)])
    tokens = np.zeros(int(at[-1]) + 1, dtype=np.int64)
    tokens[at] = label + np.int64(1)
    return tokens


def read_walk(tokens: Column, leaf: Mask) -> tuple[Ints, Ints]:
    """Returns the depth and label of each row of a walk. Raises XPackError for labels that do not exist."""
    if int(tokens.max(initial=0)) > len(leaf):
        raise XPackError("the packed file is damaged: a row has a label that is not there")
    opens = tokens > 0
    label = tokens[opens].astype(np.int32) - np.int32(1)
    change = np.where(opens, np.int32(1), np.int32(-1))
    change[opens] -= leaf[label]
    before = np.cumsum(change, dtype=np.int32) - change
    return before[opens], label


def write_counts(depths: Ints, label: Ints) -> tuple[bytes, int, int]:
    """Returns (the bytes, the width of the counts, the width of the labels)."""
    children = page_pack(depths)
    widths = column_width(children), column_width(label)
    return to_planes(children, widths[0]) + to_planes(label, widths[1]), *widths


def read_counts(data: bytes, widths: Widths) -> tuple[Ints, Ints]:
    """Returns the depth and label of each row. Raises XPackError for counts that no tree has."""
    count, rest = divmod(len(data), widths.nodes + widths.labels)
    if rest:
        raise XPackError("the packed file is damaged: the columns of its nodes differ in length")
    children = from_planes(data[: count * widths.nodes], widths.nodes).astype(np.int64)
    if (children >= max(count, 1)).any():
        raise XPackError("the packed file is damaged: its structure is not that of a tree")
    label = from_planes(data[count * widths.nodes :], widths.labels).astype(np.int32)
    return page_unpack(children.astype(np.int32)), label


def write_subpaths(depths: Ints, label: Ints) -> tuple[bytes, int, int]:
    """Returns (the bytes, the width of lengths and counts, the width of the labels)."""
    children = page_pack(depths)
    subpaths = path_pack(children)
    lengths, last = subpaths.end - subpaths.start + 1, children[subpaths.end - 1]
    widths = max(column_width(lengths), column_width(last)), column_width(label)
    columns = to_planes(lengths, widths[0]) + to_planes(last, widths[0]) + to_planes(label, widths[1])
    return len(lengths).to_bytes(4, "little") + columns, *widths


def read_subpaths(data: bytes, widths: Widths) -> tuple[Ints, Ints]:
    """Returns the depth and label of each row. Raises XPackError for subpaths that no tree has."""
    count = int.from_bytes(data[:4], "little")
    border, end = 4 + count * widths.nodes, 4 + 2 * count * widths.nodes
    lengths = from_planes(data[4:border], widths.nodes).astype(np.int64)
    last = from_planes(data[border:end], widths.nodes).astype(np.int64)
    label = from_planes(data[end:], widths.labels).astype(np.int32)
    if len(last) != count or not count or (lengths < 1).any() or (lengths > len(label)).any():
        raise XPackError("the packed file is damaged: its subpaths do not fit")
    ends = np.cumsum(lengths)
    if ends[-1] != len(label) or (last >= len(label)).any() or (last == 1).any():
        raise XPackError("the packed file is damaged: its subpaths do not fit")
    children = np.ones(len(label), dtype=np.int32)
    children[ends - 1] = last
    return page_unpack(children), label


def check_rows(table: PathTable, path: Longs, depths: Ints) -> Ints:
    """Returns the parent of each row.

    Raises XPackError if a parent has another path than the row's path demands.
    """
    parents = parents_of(depths)
    if (table.parent[path[1:]] != path[parents[1:]]).any():
        raise XPackError("the packed file is damaged: a row is not where its path says")
    return parents
