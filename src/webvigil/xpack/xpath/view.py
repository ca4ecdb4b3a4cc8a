"""A packed document as XPath sees it: rows with kinds, parents and ends, and their strings.

Only what a query touches is opened: the table of paths for a path, the rows for a predicate, a group of
values for a text.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs, Mask, distinct
from webvigil.model.memo import cached_property
from webvigil.xpack.packed import Packed
from webvigil.xpack.paths import PathTable
from webvigil.xpack.rows import Label
from webvigil.xpack.xpath.syntax import Test

# The order matters: for `View.strings` all kinds up to ELEMENT are nodes with texts inside.
ROOT, ELEMENT, ATTRIBUTE, TEXT, COMMENT, INSTRUCTION, NAMESPACE, HIDDEN = range(8)
_KINDS = {"#document": ROOT, "#text": TEXT, "#cdata": TEXT, "#comment": COMMENT}
_TYPES = {"text": TEXT, "comment": COMMENT, "processing-instruction": INSTRUCTION}
_FEW_LEVELS = 6  # for rows on more levels, `View.ends_of` computes the ends of all rows at once
_SPACES = "&"  # the mark of a namespace node among labels


def kind_of(name: str, is_xml: bool) -> int:
    """Returns the kind of a label.

    Namespace declarations in XML are hidden: to XPath they are no attributes.
    """
    if name[0] == "@":
        declares = is_xml and (name == "@xmlns" or name.startswith("@xmlns:"))
        return HIDDEN if declares else ATTRIBUTE
    if name[0] == "?":
        return INSTRUCTION
    if name[0] == _SPACES:
        return NAMESPACE
    return _KINDS.get(name, HIDDEN) if name[0] == "#" else ELEMENT


class Name(NamedTuple):
    """The expanded name of a label: as written, without its prefix, and the address of its namespace."""

    written: str
    local: str
    address: str


def name_of(label: Label) -> Name:
    written = label[0].lstrip("@?&") if label[0][0] in "@?&" else label[0]
    if label[0][0] == "#":
        return Name("", "", "")
    if label[0][0] == _SPACES:
        return Name(written, written, "")
    return Name(written, written.rpartition(":")[2] if label[1] else written, label[1])


class View:
    """One document under a query. Columns are computed when they are first asked for."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self._matching: dict[tuple[Test, str], Longs] = {}
        self._group_rows: dict[int, Longs] = {}

    # --- labels and paths -------------------------------------------------------------------------

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        return self.packed.labels

    @cached_property
    def names(self) -> list[Name]:
        return [name_of(label) for label in self.labels]

    @cached_property
    def label_kinds(self) -> Ints:
        is_xml = self.packed.kind == "xml"
        return np.array([kind_of(name, is_xml) for name, _ in self.labels], dtype=np.int32)

    @cached_property
    def paths(self) -> PathTable:
        return self.packed.paths

    @cached_property
    def path_kinds(self) -> Ints:
        return self.label_kinds[self.paths.label]

    @property
    def adjacent(self) -> bool:
        """Says whether texts are neighbours somewhere. Then a path does not tell how many texts it has."""
        return self.packed.head.adjacent

    def labels_matching(self, test: Test, axis: str, address: str | None) -> Mask:
        """Returns for each label whether a node test holds.

        `address` is the namespace that the test's prefix means.
        """
        if test.kind == "node":
            return _on_axis(self.label_kinds, axis)
        if test.kind != "name" and axis in ("attribute", "namespace"):
            return np.zeros(len(self.labels), dtype=np.bool_)
        if test.kind != "name":
            found: Mask = self.label_kinds == _TYPES[test.kind]
            if test.name is not None:
                found &= np.array([name.written == test.name for name in self.names], dtype=np.bool_)
            return found
        if address is None and test.name is not None and axis != "namespace":
            return self._exactly((f"@{test.name}" if axis == "attribute" else test.name, ""))
        principal = {"attribute": ATTRIBUTE, "namespace": NAMESPACE}.get(axis, ELEMENT)
        found = self.label_kinds == principal
        if test.name is not None or address is not None:
            found &= np.array([_is_named(name, test.name, address) for name in self.names], dtype=np.bool_)
        return found

    def _exactly(self, label: Label) -> Mask:
        """Marks the one label that equals this one. A name without a prefix is in no namespace."""
        found = np.zeros(len(self.labels), dtype=np.bool_)
        if label in self.labels and kind_of(label[0], self.packed.kind == "xml") != HIDDEN:
            found[self.labels.index(label)] = True
        return found

    # --- rows -------------------------------------------------------------------------------------

    @cached_property
    def path(self) -> Longs:
        return self.packed.path

    def __len__(self) -> int:
        return len(self.path)

    @cached_property
    def depths(self) -> Ints:
        return self.packed.depths

    @cached_property
    def parents(self) -> Longs:
        return self.packed.parents.astype(np.int64)

    @cached_property
    def ends(self) -> Longs:
        """Returns, for each row, the row behind the last one of its subtree."""
        return arrays.subtree_sizes(self.depths).astype(np.int64) + np.arange(len(self.path))

    def ends_of(self, rows: Longs) -> Longs:
        """Returns the ends of some rows, without computing those of all rows if the rows are on few levels.

        The end of a row is the next row that is not deeper. It is searched for one level after the other.
        """
        if "ends" in self.__dict__:
            return self.ends[rows]
        own = self.depths[rows]
        levels = distinct(own)
        if len(levels) > _FEW_LEVELS:
            return self.ends[rows]
        found = np.empty(len(rows), dtype=np.int64)
        for level in levels.tolist():
            borders = np.append(np.flatnonzero(self.depths <= level), len(self))
            chosen = own == level
            found[chosen] = borders[np.searchsorted(borders, rows[chosen], side="right")]
        return found

    @cached_property
    def kinds(self) -> Ints:
        """Returns the kind of each row.

        Of neighbouring texts only the first is a node; the others are hidden.
        """
        kinds = self.path_kinds[self.path]
        if self.adjacent:
            kinds = kinds.copy()
            kinds[self._continues] = HIDDEN
        return kinds

    @cached_property
    def _continues(self) -> Mask:
        """For each row, whether it is a text that continues the text before it."""
        text = self.path_kinds[self.path] == TEXT
        found = np.zeros(len(text), dtype=np.bool_)
        found[1:] = text[1:] & text[:-1] & (self.depths[1:] == self.depths[:-1])
        return found

    @cached_property
    def _text_ends(self) -> Longs:
        """Returns, for each row, the row behind the last text that continues it."""
        stops = np.append(np.flatnonzero(~self._continues), len(self))
        return stops[np.searchsorted(stops, np.arange(len(self)), side="right")]

    def rows_of_paths(self, chosen: Mask) -> Longs:
        """Returns all rows on the chosen paths, in document order."""
        found = chosen[self.path]
        if self.adjacent:
            found &= self.kinds != HIDDEN
        return np.flatnonzero(found)

    # --- strings ----------------------------------------------------------------------------------

    def strings(self, rows: Longs) -> list[str]:
        """Returns the string-value of each of these rows."""
        if not len(rows):
            return []
        kinds = self.path_kinds[self.path[rows]]
        inner = kinds <= ELEMENT
        if self.adjacent:
            inner |= kinds == TEXT
        if not inner.any():
            return self.values(rows)
        if inner.all():
            return self._joined(rows)
        found = np.empty(len(rows), dtype=object)
        found[inner] = self._joined(rows[inner])
        found[~inner] = self.values(rows[~inner])
        return found.tolist()

    @cached_property
    def _texts(self) -> Longs:
        return np.flatnonzero(self.path_kinds[self.path] == TEXT)

    @cached_property
    def only_text(self) -> Longs:
        """For each path, the path of the single text that each of its elements holds; -1 where there is more.

        Texts are never neighbours here. So where nothing but texts stands below a path, and there are as many
        as there are elements on the path, each element has exactly one.
        """
        table, kinds = self.paths, self.path_kinds
        found = np.full(len(table), -1, dtype=np.int64)
        if self.adjacent:
            return found
        attributes = np.array([name[0] in "@&" for name, _ in self.labels], dtype=np.bool_)[table.label]
        inside = np.flatnonzero(~attributes[1:]) + 1
        children = np.bincount(table.parent[inside], minlength=len(table))
        texts = inside[kinds[inside] == TEXT]
        above = table.parent[texts]
        alone = (children[above] == 1) & (table.count[texts] == table.count[above])
        found[above[alone]] = texts[alone]
        return found

    def _joined(self, rows: Longs) -> list[str]:
        """Returns, for each of these rows, all texts inside it, joined in document order."""
        inside = self.only_text[self.path[rows]]
        if (inside >= 0).all():
            marked = np.zeros(len(self.paths), dtype=np.bool_)
            marked[inside] = True
            texts = self.rows_of_paths(marked)
            are_all = len(texts) == len(rows) and (rows[1:] > rows[:-1]).all()
            return self.values(texts if are_all else texts[np.searchsorted(texts, rows)])
        ends = self.ends_of(rows)
        if self.adjacent:
            ends = np.where(self.path_kinds[self.path[rows]] == TEXT, self._text_ends[rows], ends)
        first, last = np.searchsorted(self._texts, rows), np.searchsorted(self._texts, ends)
        counts = last - first
        places = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts - first, counts)
        found = [*self.values(self._texts[places]), ""]
        stops = np.cumsum(counts)
        joined = [found[start] for start in (stops - counts).tolist()]
        for row in np.flatnonzero(counts != 1).tolist():
            joined[row] = "".join(found[int(stops[row] - counts[row]) : int(stops[row])])
        return joined

    def values(self, rows: Longs) -> list[str]:
        """Returns the values of rows, all of which carry one."""
        groups = self.packed.group_of_path[self.path[rows]]
        used = distinct(groups)
        if len(used) == 1:
            return self._from_group(int(used[0]), rows)
        found = np.empty(len(rows), dtype=object)
        for group in used.tolist():
            chosen = groups == group
            found[chosen] = self._from_group(group, rows[chosen])
        return found.tolist()

    def _from_group(self, group: int, rows: Longs) -> list[str]:
        """Returns the values of rows that all belong to one group."""
        values = self.packed.group_values(group)
        if len(rows) == len(values) and (rows[1:] > rows[:-1]).all():
            return list(values)
        if group not in self._group_rows:
            self._group_rows[group] = np.flatnonzero(self.packed.group_of_path[self.path] == group)
        places = np.searchsorted(self._group_rows[group], rows)
        return [values[place] for place in places.tolist()]


def _is_named(name: Name, local: str | None, address: str | None) -> bool:
    if local is None:
        return name.address == address
    return name.local == local and name.address == (address or "")


def _on_axis(kinds: Ints, axis: str) -> Mask:
    """Returns for each label whether nodes with that label can stand on this axis at all."""
    found: Mask = kinds != HIDDEN
    if axis == "attribute":
        found = kinds == ATTRIBUTE
    elif axis == "namespace":
        found = kinds == NAMESPACE
    elif axis != "self":
        found &= (kinds != ATTRIBUTE) & (kinds != NAMESPACE)
    return found
