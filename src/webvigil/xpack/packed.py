"""A packed document that opens only the containers that a question needs.

The head has the node count, one container the names, another the paths; texts are opened by group. `digest()`
gives the Page Digest back, `query()` answers XPath without unpacking the document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.document.containers import ASPECTS, Kind
from webvigil.document.containers import InMemory as Containers
from webvigil.errors import XPackError
from webvigil.model.memo import cached_property
from webvigil.xpack import document, structure, values
from webvigil.xpack.document import Head, Shared
from webvigil.xpack.numbers import from_planes
from webvigil.xpack.paths import PathTable, parents_of, path_table
from webvigil.xpack.rows import Label, Rows, carriers, tables
from webvigil.xpack.sections import (
    ABOUT,
    BUNDLE,
    CONTAINER_NAMES,
    GROUPS,
    MAPS,
    NAMES,
    NODES,
    PATHS,
    SIGNATURES,
    SOURCE,
    VALUES,
    Bytes,
    Container,
    Section,
    directory,
    read_container,
    stored_bytes,
)
from webvigil.xpack.tables import RowsOfTables, Tables
from webvigil.xpack.values import Group, group_keys, map_size, read_group

if TYPE_CHECKING:
    from webvigil.document import PageDigest
    from webvigil.xpack.xpath.result import Result

_ASPECT_SIZE = 16  # bytes of one signature
_MOST_ROWS = 1 << 25  # bounds the memory that a damaged file can make us use


class Packed:
    """One document of a packed file. Containers are read and checked when they are first needed."""

    def __init__(
        self,
        source: Bytes,
        section: Section,
        dictionaries: Callable[[int], Shared],
        head: Head,
        directory_at: int,
    ) -> None:
        """`dictionaries` returns the shared dictionaries of the section at a given place of the file."""
        self._source = source
        self._section = section
        self._dictionaries = dictionaries
        self.head = head
        self._directory_at = directory_at
        self._groups_read: dict[int, Sequence[str]] = {}
        self._values_read: dict[int, bytes] = {}

    # --- what the head and single containers answer -----------------------------------------------

    def __len__(self) -> int:
        """Returns the number of nodes, from the head alone."""
        return self.head.nodes

    @property
    def kind(self) -> Kind:
        return self.head.kind

    @property
    def tag_names(self) -> tuple[str, ...]:
        """Returns the names of the elements, sorted, from the container of names alone."""
        return tuple(dict.fromkeys([name for name, _ in self.labels if name[0] not in "#?@"]))

    @property
    def attribute_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([name[1:] for name, _ in self.labels if name[0] == "@"]))

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        return document.read_names(self.container(NAMES))

    @property
    def name(self) -> str:
        """Returns the name that the document was given when it was packed, "" for none."""
        return self._about[0]

    @property
    def url(self) -> str:
        return self._about[1]

    @cached_property
    def _about(self) -> tuple[str, str]:
        if not self.has(ABOUT):
            return "", ""
        try:
            name, _, url = self.container(ABOUT).decode("utf-8", "surrogatepass").partition("\0")
        except UnicodeDecodeError as error:
            raise XPackError("the packed file is damaged: a name is not UTF-8") from error
        return name, url

    # --- containers -------------------------------------------------------------------------------

    @cached_property
    def containers(self) -> dict[int, list[Container]]:
        """Maps each identifier to its containers, of which only "values" may have several."""
        found: dict[int, list[Container]] = {}
        for container in directory(self._section, self._directory_at):
            found.setdefault(container.identifier, []).append(container)
        return found

    def has(self, identifier: int) -> bool:
        return identifier in self.containers or identifier in self._bundle

    @cached_property
    def _bundle(self) -> dict[int, list[bytes]]:
        """Returns the containers of a very small document, which are stored together as one."""
        found = self.containers.get(BUNDLE)
        return document.read_bundle(read_container(self._source, found[0])) if found else {}

    def container(self, identifier: int, number: int = 0) -> bytes:
        """Opens a container. Raises XPackError if the document has no such container or it is damaged."""
        bundled = self._bundle.get(identifier, [])
        if number < len(bundled):
            return bundled[number]
        found = self.containers.get(identifier, [])
        if number >= len(found):
            raise XPackError(f"the packed file is damaged: it has no container {CONTAINER_NAMES[identifier]}")
        shared = self._dictionaries(self.head.shared).get(identifier, b"") if self.head.shared else b""
        return read_container(self._source, found[number], shared)

    # --- structure --------------------------------------------------------------------------------

    @cached_property
    def paths(self) -> PathTable:
        if self.head.form == "paths":
            return structure.read_paths(self.container(PATHS), self.head.widths, len(self.labels))
        return self._derived[0]

    @cached_property
    def path(self) -> Longs:
        """Returns the number of the path of each row.

        A row is a node, or an attribute right after its element.
        """
        if self.head.form != "paths":
            return self._derived[1]
        data, width = self.container(NODES), self.head.widths.nodes
        _refuse_many(len(data) // width)
        if len(data) != int(self.paths.count.sum()) * width:
            raise XPackError("the packed file is damaged: its rows are not those its paths count")
        path = from_planes(data, width).astype(np.int64)
        counts = np.bincount(path, minlength=len(self.paths))
        if len(counts) != len(self.paths) or (counts != self.paths.count).any():
            raise XPackError("the packed file is damaged: its rows are not those its paths count")
        self._check_nodes(int(counts[~self._is_attribute[self.paths.label]].sum()))
        return path

    @cached_property
    def _derived(self) -> tuple[PathTable, Longs]:
        """Computes the paths of a document whose structure is stored in another form."""
        depths, label = self._rows
        parents_of(depths)
        return path_table(depths, label)

    @cached_property
    def _rows(self) -> tuple[Ints, Ints]:
        """Returns the depth and label of each row of a document that is not stored as paths."""
        data, widths = self.container(NODES), self.head.widths
        _refuse_many(len(data) // widths.nodes)
        match self.head.form:
            case "walk":
                tokens = from_planes(data, widths.nodes)
                depths, label = structure.read_walk(tokens, carriers(self.labels))
            case "counts":
                depths, label = structure.read_counts(data, widths)
            case _:
                depths, label = structure.read_subpaths(data, widths)
        if int(label.max(initial=0)) >= len(self.labels):
            raise XPackError("the packed file is damaged: a row has a label that is not there")
        self._check_nodes(int((~self._is_attribute[label]).sum()))
        return depths, label

    @property
    def _is_attribute(self) -> Mask:
        return np.array([name[0] == "@" for name, _ in self.labels], dtype=np.bool_)

    def _check_nodes(self, nodes: int) -> None:
        """Raises XPackError unless the document has as many nodes as its head says."""
        if nodes != self.head.nodes:
            raise XPackError("the packed file is damaged: it has another number of nodes than it says")

    @cached_property
    def depths(self) -> Ints:
        return self.paths.depth[self.path].astype(np.int32)

    @cached_property
    def parents(self) -> Ints:
        """Returns the parent of each row, -1 for the document."""
        return structure.check_rows(self.paths, self.path, self.depths)

    # --- values -----------------------------------------------------------------------------------

    @cached_property
    def carries(self) -> Mask:
        """For each label, whether its rows carry a value."""
        return carriers(self.labels)

    @cached_property
    def _group_table(self) -> tuple[Longs, Longs]:
        """Returns the keys of the groups of values, sorted, and the number of values of each group.

        They come from the table of paths, or from the rows and their parents where no such table is stored.
        """
        if self.head.form == "paths":
            keys, carried = self._path_keys
            found: dict[int, int] = {}
            for key, count in zip(keys[carried].tolist(), self.paths.count[carried].tolist(), strict=True):
                found[key] = found.get(key, 0) + count
            sorted_keys = sorted(found)
            counts = [found[key] for key in sorted_keys]
            return np.array(sorted_keys, dtype=np.int64), np.array(counts, dtype=np.int64)
        depths, label = self._rows
        above = label[np.maximum(parents_of(depths), 0)]
        keys = group_keys(above, label, len(self.labels))[self.carries[label]]
        used, many = np.unique(keys, return_counts=True)
        return used, many.astype(np.int64)

    @cached_property
    def _path_keys(self) -> tuple[Longs, Mask]:
        """Returns, for each path, the key of its group and whether its rows carry a value at all."""
        table = self.paths
        keys = group_keys(table.label[table.parent], table.label, len(self.labels))
        return keys, self.carries[table.label]

    @cached_property
    def group_of_path(self) -> Longs:
        """Returns, for each path, the number of its group of values, -1 for none."""
        keys, carried = self._path_keys
        return np.where(carried, np.searchsorted(self._group_table[0], keys), -1)

    @property
    def group_counts(self) -> Longs:
        return self._group_table[1]

    def attribute_values(self) -> dict[str, list[str]]:
        """Returns all values of each attribute name, one element name after the other, in document order."""
        found: dict[str, list[str]] = {}
        for number, key in enumerate(self._group_table[0].tolist()):
            name = self.labels[key % len(self.labels)][0]
            if name[0] == "@":
                found.setdefault(name[1:], []).extend(self.group_values(number))
        return found

    @cached_property
    def groups(self) -> list[Group]:
        count = len(self.group_counts)
        if not count:
            return []
        return values.read_table(self.container(GROUPS), count, self.head.widths)

    @cached_property
    def _places(self) -> list[tuple[int, int, int]]:
        """Returns, for each group, its container of values, its place in it, and the place of its map."""
        return values.places(self.groups, self._counts)

    @cached_property
    def _counts(self) -> list[int]:
        found: list[int] = self.group_counts.tolist()
        return found

    @cached_property
    def _maps(self) -> bytes:
        return self.container(MAPS) if self.has(MAPS) else b""

    def group_values(self, number: int) -> Sequence[str]:
        """Returns the values of a group, in document order. The group is read once and then kept."""
        if number not in self._groups_read:
            self._groups_read[number] = self._read_group(number)
        return self._groups_read[number]

    def _read_group(self, number: int) -> Sequence[str]:
        """Opens the container of a group and reads its values. Raises XPackError where lengths do not fit."""
        group, count = self.groups[number], self._counts[number]
        container, at, map_at = self._places[number]
        if container < 0:
            raise XPackError("the packed file is damaged: a group is in no container")
        if container not in self._values_read:
            self._values_read[container] = self.container(VALUES, container)
        whole = self._values_read[container]
        if at + group.size > len(whole):
            raise XPackError("the packed file is damaged: a group is longer than its container")
        size = map_size(group, count)
        own_map = self._maps[map_at : map_at + size] if size else b""
        if len(own_map) != size:
            raise XPackError("the packed file is damaged: the map of a group is cut off")
        return read_group(group, count, whole[at : at + group.size], own_map)

    # --- the whole document -----------------------------------------------------------------------

    def rows(self) -> Rows:
        """Returns all rows of the document with their values."""
        label = self.paths.label[self.path].astype(np.int32)
        _ = self.parents  # raises XPackError if a row is not where its path says
        return Rows(self.labels, self.depths, label, self._all_values())

    def _all_values(self) -> list[str]:
        """Returns the values of all groups, brought back into document order."""
        groups = self.group_of_path[self.path]
        carried = groups[groups >= 0]
        order = np.argsort(carried, kind="stable").tolist()
        found: list[str] = [""] * len(order)
        in_order = (value for number in range(len(self.groups)) for value in self.group_values(number))
        for place, value in zip(order, in_order, strict=True):
            found[place] = value
        return found

    def digest(self) -> PageDigest:
        """Returns the Page Digest, equal to the one that was packed."""
        containers = Containers(kind=self.kind, url=self.url, **tables(self.rows()))  # type: ignore[arg-type]
        from webvigil.document import PageDigest

        return PageDigest(containers, known=self.signatures)

    @cached_property
    def signatures(self) -> Mapping[str, object]:
        """Returns the signatures of the aspects, the bytes and the pictures that were kept with the document.

        Signatures of the aspects are left out if they were computed in another way than ours (see
        `document.method`).
        """
        if not self.has(SIGNATURES):
            return {}
        whole = self.container(SIGNATURES)
        made, data = whole[:4], whole[4:]
        known: dict[str, object] = {
            aspect: data[_ASPECT_SIZE * place : _ASPECT_SIZE * (place + 1)]
            for place, aspect in enumerate(ASPECTS)
            if made == document.method()
        }
        begin = _ASPECT_SIZE * len(ASPECTS) + 1
        end = begin + int.from_bytes(data[begin - 1 : begin], "little")
        try:
            pictures = data[end:].decode("utf-8", "surrogatepass").split("\0") if end < len(data) else []
            paired = dict(zip(pictures[::2], pictures[1::2], strict=True))
        except ValueError as error:
            raise XPackError("the packed file is damaged: container signatures") from error
        return known | {"source_hash": data[begin:end], "pictures": MappingProxyType(paired)}

    def document(self) -> bytes:
        """Returns the document: its very bytes if they were kept, otherwise an equivalent document."""
        if SOURCE not in self.containers:
            return self._written()
        written = self._written(or_nothing=True)
        raw = read_container(self._source, self.containers[SOURCE][0], written)
        if raw == document.SAME:
            return written
        if raw[:1] != document.CHANGED:
            raise XPackError("the packed file is damaged: container source")
        return raw[1:]

    def _written(self, or_nothing: bool = False) -> bytes:
        """Writes the document from its digest. Raises XPackError if the digest is damaged.

        With `or_nothing` a document of which only a checksum is known gives b"" instead of an error.
        """
        digest = self.digest()
        try:
            return document.as_written(digest) if or_nothing else digest.as_document()
        except (IndexError, KeyError) as error:
            raise XPackError("the packed file is damaged: its document cannot be written") from error

    @property
    def is_exact(self) -> bool:
        return SOURCE in self.containers

    def sizes(self) -> list[tuple[str, int, int]]:
        """Returns (name, bytes in the file, bytes opened) for each container, in the order of the file."""
        listed = [one for found in self.containers.values() for one in found]
        return [
            (CONTAINER_NAMES.get(one.identifier, "?"), one.stored, one.size)
            for one in sorted(listed, key=lambda one: one.start)
        ]

    def verify(self) -> None:
        """Raises XPackError where a byte of the document is damaged. Compares checksums and opens nothing."""
        for found in self.containers.values():
            for one in found:
                stored_bytes(self._source, one)

    @property
    def packed_size(self) -> int:
        return self._section.end - self._section.start

    @property
    def end(self) -> int:
        """Returns the place in the file where the document ends."""
        return self._section.end

    def query(
        self,
        expression: str,
        *,
        namespaces: Mapping[str, str] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> Result:
        """Evaluates an XPath 1.0 expression (X4) and returns a number, a string, a boolean, or nodes.

        Raises PatternRefused for an expression with a mistake.
        """
        from webvigil.xpack.xpath import evaluate  # imported here because it imports this module

        return evaluate(self, expression, namespaces, variables)


class PackedTables(Packed):
    """A document in the form "tables": its digest is ready at once, rows are computed when asked for."""

    @cached_property
    def _digest(self) -> PageDigest:
        from webvigil.document import PageDigest

        return PageDigest(Tables(self))

    @cached_property
    def _by_row(self) -> RowsOfTables:
        return RowsOfTables(self._digest)

    @property
    def tag_names(self) -> tuple[str, ...]:
        return tuple(sorted(name for name in self._digest.tag_names if name[0] not in "#?"))

    @property
    def attribute_names(self) -> tuple[str, ...]:
        return tuple(sorted(self._digest.attribute_names))

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        return self._by_row.labels

    @property
    def _rows(self) -> tuple[Ints, Ints]:
        rows = self._by_row.rows
        return rows.depths, rows.label

    def rows(self) -> Rows:
        return self._by_row.rows

    @cached_property
    def _values_by_group(self) -> dict[int, list[str]]:
        groups = self.group_of_path[self.path]
        return self._by_row.values_of(groups[groups >= 0])

    def _read_group(self, number: int) -> Sequence[str]:
        return self._values_by_group[number]

    def digest(self) -> PageDigest:
        from webvigil.document import PageDigest

        return PageDigest(Tables(self), known=self.signatures)


def packed_document(source: Bytes, section: Section, dictionaries: Callable[[int], Shared]) -> Packed:
    """Reads the head of a document section and returns the document, of the class for its form."""
    head, place = document.read_head(section.fields)
    of_form = PackedTables if head.form == "tables" else Packed
    return of_form(source, section, dictionaries, head, place)


def _refuse_many(rows: int) -> None:
    """Raises XPackError for more rows than any document has.

    The arrays for rows are many times as large as the stored bytes, so a small damaged file could otherwise
    make us use up the memory.
    """
    if rows > _MOST_ROWS:
        raise XPackError(f"the packed file says it has {rows:,} rows, at most {_MOST_ROWS:,} are read")
