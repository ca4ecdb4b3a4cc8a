"""Rows and an axis in, the rows on that axis out: the thirteen axes of XPath as operations on arrays.

`reached` answers for a set: all rows on the axis of any of these rows, once each, in document order.
`expanded` answers for each row separately, in the order of the axis: (place of the row asked, row found).
Both look only at the rows that pass the node test, which are computed once per test.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webvigil.document.arrays import Longs, Mask, distinct
from webvigil.model.memo import cached_property
from webvigil.xpack.xpath.syntax import REVERSE
from webvigil.xpack.xpath.view import ATTRIBUTE, HIDDEN, NAMESPACE, View

# The most pairs of rows that are held at once (64 MB). A predicate that makes more is evaluated for fewer
# rows at a time; tests/xpack/test_xpath.py lowers the limit to test that.
WIDEST = 4_000_000

Pairs = tuple[Longs, Longs]


class TooWide(Exception):
    """An axis would give more pairs than `WIDEST`. The caller halves the rows and tries each half."""


@dataclass(eq=False)
class Matching:
    """The rows that pass one node test on one axis, in document order."""

    view: View
    labels: Mask

    @cached_property
    def on_row(self) -> Mask:
        """For each row of the document, whether it passes the test."""
        view = self.view
        found = self.labels[view.paths.label][view.path]
        return found & (view.kinds != HIDDEN) if view.adjacent else found

    @cached_property
    def rows(self) -> Longs:
        return np.flatnonzero(self.on_row)

    @cached_property
    def by_parent(self) -> tuple[Longs, Longs]:
        """Returns the matching rows sorted by parent, then by row, and the keys that sort them so.

        The root has no parent and is left out. In this order the children of a row stand side by side, so
        that two binary searches find them.
        """
        rows = self.rows[self.rows > 0]
        keys = self.view.parents[rows] * len(self.view) + rows
        order = np.argsort(keys, kind="stable")
        return keys[order], rows[order]


def reached(view: View, rows: Longs, axis: str, matching: Matching, on_self: Matching) -> Longs:
    """Returns all rows on the axis of any of `rows`, once each, in document order.

    `matching` has the rows that pass the test on this axis, `on_self` those that pass it on the axis `self`,
    which the axes that end in `-or-self` need as well.
    """
    if not len(rows):
        return rows
    if axis.endswith("-or-self"):
        beyond = reached(view, rows, axis.removesuffix("-or-self"), matching, on_self)
        return distinct(np.concatenate([rows[on_self.on_row[rows]], beyond]))
    return _REACHED[axis](view, rows, matching)


def _self(view: View, rows: Longs, matching: Matching) -> Longs:
    return rows[matching.on_row[rows]]


def _children(view: View, rows: Longs, matching: Matching) -> Longs:
    asked = np.zeros(len(view) + 1, dtype=np.bool_)
    asked[rows] = True
    # The root has the parent -1, which indexes the extra last place; that one is always False.
    return matching.rows[asked[view.parents[matching.rows]]]


def _descendants(view: View, rows: Longs, matching: Matching) -> Longs:
    """Returns the descendants of the rows.

    Rows inside other rows of the set are skipped: they add nothing.
    """
    ends = view.ends_of(rows)
    furthest = np.maximum.accumulate(ends)
    outer = np.concatenate([[True], rows[1:] >= furthest[:-1]])
    first = np.searchsorted(matching.rows, rows[outer] + 1)
    last = np.searchsorted(matching.rows, ends[outer])
    return matching.rows[_ranges(first, np.maximum(last, first), check=False)[1]]


def _parents(view: View, rows: Longs, matching: Matching) -> Longs:
    found = distinct(view.parents[rows])
    found = found[found >= 0]
    return found[matching.on_row[found]]


def _ancestors(view: View, rows: Longs, matching: Matching) -> Longs:
    # A candidate is an ancestor if at least one of the rows lies behind it and before its end.
    candidates = matching.rows
    first = np.searchsorted(rows, candidates, side="right")
    last = np.searchsorted(rows, view.ends[candidates])
    return candidates[last > first]


def _following(view: View, rows: Longs, matching: Matching) -> Longs:
    # What follows any of the rows follows the one that ends first.
    begin = int(_following_begin(view, rows).min())
    return matching.rows[np.searchsorted(matching.rows, begin) :]


def _following_begin(view: View, rows: Longs) -> Longs:
    """Returns, for each row, the first row behind it and all its descendants.

    For an attribute that is the first row behind the element that carries it, as in libxml2.
    """
    kinds = view.kinds[rows]
    carried = (kinds == ATTRIBUTE) | (kinds == NAMESPACE)
    return view.ends_of(np.where(carried, view.parents[rows], rows))


def _preceding(view: View, rows: Longs, matching: Matching) -> Longs:
    # What precedes any of the rows precedes the last one.
    return matching.rows[view.ends[matching.rows] <= int(rows[-1])]


def _siblings(view: View, rows: Longs) -> Longs:
    """Returns those of the rows that can have siblings: not the root, attributes or namespace nodes."""
    kinds = view.kinds[rows]
    nested: Mask = (kinds != ATTRIBUTE) & (kinds != NAMESPACE) & (rows > 0)
    return rows[nested]


def _later_siblings(view: View, rows: Longs, matching: Matching) -> Longs:
    rows = _siblings(view, rows)
    # Per parent the first of the rows: all children behind it are later siblings. The root's parent is -1.
    first = np.full(len(view) + 1, len(view), dtype=np.int64)
    np.minimum.at(first, view.parents[rows], rows)
    return matching.rows[first[view.parents[matching.rows]] < matching.rows]


def _earlier_siblings(view: View, rows: Longs, matching: Matching) -> Longs:
    rows = _siblings(view, rows)
    # Per parent the last of the rows: all children before it are earlier siblings.
    last = np.full(len(view) + 1, -1, dtype=np.int64)
    np.maximum.at(last, view.parents[rows], rows)
    return matching.rows[last[view.parents[matching.rows]] > matching.rows]


_REACHED = {
    "self": _self,
    "child": _children,
    "attribute": _children,
    "namespace": _children,
    "descendant": _descendants,
    "parent": _parents,
    "ancestor": _ancestors,
    "following": _following,
    "preceding": _preceding,
    "following-sibling": _later_siblings,
    "preceding-sibling": _earlier_siblings,
}


def expanded(view: View, rows: Longs, axis: str, matching: Matching, on_self: Matching) -> Pairs:
    """Returns pairs (place in `rows`, row on its axis), for each row in the order of the axis.

    Raises TooWide where there would be more than `WIDEST` pairs and several rows were asked.
    """
    if axis == "self":
        owners = np.flatnonzero(matching.on_row[rows])
        return owners, rows[owners]
    if axis.endswith("-or-self"):
        beyond = expanded(view, rows, axis.removesuffix("-or-self"), matching, on_self)
        owners = np.flatnonzero(on_self.on_row[rows])
        return _merged((owners, rows[owners]), beyond)
    if axis == "parent":
        parents = view.parents[rows]
        owners = np.flatnonzero((parents >= 0) & matching.on_row[parents])
        return owners, parents[owners]
    if axis == "ancestor":
        return _climbed(view, rows, matching)
    first, last, found = _runs(view, rows, axis, matching)
    owners, places = _ranges(first, np.maximum(last, first), backwards=axis in REVERSE)
    answer = found[places]
    if axis == "preceding":
        before = view.ends[answer] <= rows[owners]
        return owners[before], answer[before]
    return owners, answer


def counted(view: View, rows: Longs, axis: str, matching: Matching) -> Longs | None:
    """Returns how many rows the axis has for each row, without listing them.

    Returns None for axes where counting would take as long as listing.
    """
    if axis not in ("child", "attribute", "namespace", "descendant", "following", "following-sibling"):
        return None
    first, last, _ = _runs(view, rows, axis, matching)
    found: Longs = np.maximum(last - first, 0)
    return found


def _runs(view: View, rows: Longs, axis: str, matching: Matching) -> tuple[Longs, Longs, Longs]:
    """Finds, for each row, its axis as a run of places in an array of matching rows.

    Returns (the first place of each run, the place behind its last, the array).
    """
    if axis == "descendant":
        found = matching.rows
        return np.searchsorted(found, rows + 1), np.searchsorted(found, view.ends_of(rows)), found
    if axis == "following":
        found = matching.rows
        begin = np.searchsorted(found, _following_begin(view, rows))
        return begin, np.full(len(rows), len(found)), found
    if axis == "preceding":
        found = matching.rows
        return np.zeros(len(rows), dtype=np.int64), np.searchsorted(found, rows), found
    keys, found = matching.by_parent
    if axis in ("child", "attribute", "namespace"):
        base = rows * len(view)
        return np.searchsorted(keys, base), np.searchsorted(keys, base + len(view)), found
    parents = view.parents[rows]
    first = np.searchsorted(keys, parents * len(view))
    own = np.searchsorted(keys, parents * len(view) + rows)
    kinds = view.kinds[rows]
    none = (kinds == ATTRIBUTE) | (kinds == NAMESPACE) | (rows == 0)
    if axis == "preceding-sibling":
        return first, np.where(none, first, own), found
    after = own + matching.on_row[rows]
    last = np.searchsorted(keys, (parents + 1) * len(view))
    return after, np.where(none, after, last), found


def _ranges(first: Longs, last: Longs, backwards: bool = False, check: bool = True) -> Pairs:
    """Lists all places of all runs as pairs (number of the run, place), each run forwards or backwards."""
    counts = last - first
    total = int(counts.sum())
    if check and total > WIDEST and len(counts) > 1:
        raise TooWide
    owners = np.repeat(np.arange(len(counts)), counts)
    steps = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    return owners, last[owners] - 1 - steps if backwards else first[owners] + steps


def _climbed(view: View, rows: Longs, matching: Matching) -> Pairs:
    """Returns the pairs of the axis `ancestor`, the nearest ancestor first.

    All rows climb together, one level per round.
    """
    owners, current = np.arange(len(rows)), view.parents[rows]
    found_owners, found_rows, total = [], [], 0
    while True:
        still = current >= 0
        owners, current = owners[still], current[still]
        if not len(owners):
            break
        chosen = matching.on_row[current]
        found_owners.append(owners[chosen])
        found_rows.append(current[chosen])
        total += len(found_rows[-1])
        if total > WIDEST and len(rows) > 1:
            raise TooWide
        current = view.parents[current]
    if not found_owners:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    all_owners = np.concatenate(found_owners)
    order = np.argsort(all_owners, kind="stable")
    return all_owners[order], np.concatenate(found_rows)[order]


def _merged(before: Pairs, after: Pairs) -> Pairs:
    """Joins two lists of pairs; for each row asked, the pairs of `before` come first."""
    owners = np.concatenate([before[0], after[0]])
    order = np.argsort(owners, kind="stable")
    return owners[order], np.concatenate([before[1], after[1]])[order]
