"""A Page Digest in, the section of one document in a packed file out.

The head of the section holds what is asked most: the number of nodes, the kind of document, and the width of
each column. The rest is in containers, each of which is compressed and opened by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, get_args

import numpy as np

from webvigil.document.arrays import Longs, distinct
from webvigil.document.containers import ASPECTS, Kind
from webvigil.errors import XPackError
from webvigil.xpack import codecs, structure, values
from webvigil.xpack.numbers import Widths, column_width, from_planes, read_varint, to_planes, varint, width_of
from webvigil.xpack.paths import PathTable, path_table
from webvigil.xpack.profiles import PROFILES, Profile, profile_for, profile_named
from webvigil.xpack.rows import Label, Rows, carriers, rows_of
from webvigil.xpack.sections import (
    ABOUT,
    BUNDLE,
    DOCUMENT,
    FIRST_VERSION,
    GROUPS,
    LINES_VERSION,
    MAPS,
    NAMES,
    NODES,
    PATHS,
    SIGNATURES,
    SOURCE,
    TABLES_VERSION,
    VALUES,
    checksum,
    section,
)
from webvigil.xpack.structure import FORMS
from webvigil.xpack.tables import write_tables

if TYPE_CHECKING:
    from webvigil.document import PageDigest

KINDS: tuple[Kind, ...] = get_args(Kind)
# Bits of the form byte. Its lower two bits number the first four forms; the fifth, "tables", has a bit of its
# own. The upper four bits number the profile.
ADJACENT, TABLES = 4, 8
# The first byte of the container "source". SAME: the source equals the document that we write from the
# digest. CHANGED: the bytes of the source follow.
SAME, CHANGED = b"=", b"+"
# A section of fewer than _LITTLE bytes whose containers unpack into fewer than _BUNDLED bytes is also tried
# as one bundle. The limits bound the time of the second attempt; bench/speed/xpack.py measures the sizes.
_LITTLE, _BUNDLED = 4096, 32768


class Shared(Protocol):
    """The dictionaries that several documents share: one for each kind of container."""

    def get(self, identifier: int, default: bytes, /) -> bytes: ...


class Head(NamedTuple):
    """The fields at the beginning of a document section."""

    nodes: int
    kind: Kind
    form: str
    adjacent: bool  # two texts are neighbours somewhere; XPath sees neighbouring texts as one node
    profile: str
    widths: Widths
    shared: int  # the place in the file where the section of shared dictionaries begins; 0 for none

    def packed(self) -> bytes:
        form = TABLES if self.form == "tables" else FORMS.index(self.form)
        form |= ADJACENT if self.adjacent else 0
        form |= list(PROFILES).index(self.profile) << 4
        small = bytes([KINDS.index(self.kind), form]) + self.widths.packed().to_bytes(2, "little")
        return varint(self.nodes) + small + varint(self.shared)


def read_head(fields: bytes) -> tuple[Head, int]:
    """Reads the head of a document section and returns (the head, the place of the directory behind it).

    Raises XPackError for a kind, profile or form that does not exist.
    """
    nodes, place = read_varint(fields, 0)
    small = fields[place : place + 4]
    if len(small) < 4 or small[0] >= len(KINDS) or small[1] >> 4 >= len(PROFILES):
        raise XPackError("the packed file is damaged: an unknown kind of document")
    widths = Widths.unpacked(int.from_bytes(small[2:], "little"))
    shared, place = read_varint(fields, place + 4)
    profile = list(PROFILES)[small[1] >> 4]
    adjacent = bool(small[1] & ADJACENT)
    form = "tables" if small[1] & TABLES else FORMS[small[1] & 3]
    if form == "tables" and small[1] & 3:
        raise XPackError("the packed file is damaged: an unknown kind of document")
    return Head(nodes, KINDS[small[0]], form, adjacent, profile, widths, shared), place


class Raw(NamedTuple):
    """A document divided into containers that are not compressed yet."""

    head: Head
    containers: tuple[tuple[int, bytes], ...]
    written: bytes = b""  # the document as we write it from the digest; the dictionary of the source
    version: int = FIRST_VERSION  # the oldest version of the format that can hold this document

    def section(
        self,
        codec: int = codecs.AUTO,
        shared: Shared | None = None,
        at: int = 0,
        told: codecs.Told | None = None,
    ) -> bytes:
        """Compresses the containers and returns the bytes of the document section.

        `shared` are the dictionaries to compress against, from the section that begins at `at`. `told` is
        called with the number of bytes done.
        """
        head = self.head._replace(shared=at if shared is not None else 0)
        found = section(DOCUMENT, head.packed(), self._compressed(codec, shared, told))
        if shared is None and len(found) < _LITTLE and sum(len(raw) for _, raw in self.containers) < _BUNDLED:
            return min(found, section(DOCUMENT, head.packed(), self._bundled(codec)), key=len)
        return found

    def _bundled(self, codec: int) -> list[tuple[int, int, bytes, int]]:
        """Compresses all containers but the source as one.

        In a very small document the compressors' tables and the checksums of separate containers would take
        more bytes than the content.
        """
        inside = [(one, raw) for one, raw in self.containers if one != SOURCE]
        raw = b"".join(bytes([one]) + varint(len(data)) + data for one, data in inside)
        beside = [one for one in self._compressed(codec, None) if one[0] == SOURCE]
        return [(BUNDLE, *codecs.packed(raw, codec), len(raw)), *beside]

    def _compressed(
        self, codec: int, shared: Shared | None, told: codecs.Told | None = None
    ) -> Iterator[tuple[int, int, bytes, int]]:
        """Yields (identifier, codec, compressed bytes, size) of each container.

        The source is compressed against the document as we write it, so that only the differences cost bytes.
        """
        for identifier, raw in self.containers:
            dictionary = shared.get(identifier, b"") if shared is not None else b""
            dictionary = self.written if identifier == SOURCE else dictionary
            # Documents stored as paths are those that queries open container by container.
            asked = codec == codecs.AUTO and self.head.form == "paths"
            chosen = codecs.ZSTD if identifier == SOURCE else codecs.ASKED if asked else codec
            # Of the compressors only zstd takes a dictionary.
            takes = chosen in (codecs.AUTO, codecs.ASKED, codecs.ZSTD)
            used, stored = codecs.packed(raw, chosen, dictionary if takes else b"", told)
            yield identifier, used, stored, len(raw)


def raw_document(
    digest: PageDigest,
    *,
    profile: str | None = None,
    name: str = "",
    source: bytes | None = None,
    signatures: bool = False,
) -> Raw:
    """Divides a Page Digest into containers, by the named profile or the one that suits the document.

    `source` are the very bytes the digest was read from, to be kept as well. With `signatures` the signatures
    of the digest's aspects are kept (D3).
    """
    if profile and profile_named(profile).structure == "tables":
        return _as_tables(digest, profile, name, source, signatures)
    rows = rows_of(digest)
    table, path = path_table(rows.depths, rows.label)
    chosen = profile_named(profile) if profile else profile_for(digest.kind, table, rows.values)
    nodes, widths = _nodes(rows, table, path, chosen)
    written = _values(rows, table, path, chosen)
    distinct, sizes = values.table_widths(written.groups)
    widths = widths._replace(distinct=distinct, sizes=sizes)
    containers = [(NAMES, write_names(rows.labels))]
    if chosen.structure == "paths":
        containers.append((PATHS, structure.write_paths(table, widths)))
    containers.append((NODES, nodes))
    if written.groups:
        containers.append((GROUPS, values.write_table(written.groups, widths)))
        containers += [(MAPS, written.maps)] if written.maps else []
        containers += [(VALUES, one) for one in written.containers]
    head = Head(
        len(digest), digest.kind, chosen.structure, _has_adjacent(rows), chosen.name, widths, shared=0
    )
    raw = _with_the_rest(head, containers, digest, name, source, signatures)
    return raw._replace(version=LINES_VERSION) if values.has_lines(written.groups) else raw


def _as_tables(digest: PageDigest, profile: str, name: str, source: bytes | None, signatures: bool) -> Raw:
    """Divides a Page Digest into the containers of the form "tables"."""
    text = digest.is_tag(("#text", "#cdata"))
    adjacent = text[1:] & text[:-1] & (digest.depths[1:] == digest.depths[:-1])
    head = Head(len(digest), digest.kind, "tables", bool(adjacent.any()), profile, Widths(), shared=0)
    raw = _with_the_rest(head, write_tables(digest), digest, name, source, signatures)
    return raw._replace(version=TABLES_VERSION)


def _with_the_rest(
    head: Head,
    containers: list[tuple[int, bytes]],
    digest: PageDigest,
    name: str,
    source: bytes | None,
    signatures: bool,
) -> Raw:
    """Adds the containers that every form has: name and address, signatures, and the source."""
    containers += _beside(digest, name, signatures)
    document = b"" if source is None else as_written(digest)
    if source is not None:
        containers.append((SOURCE, SAME if source == document else CHANGED + source))
    return Raw(head, tuple(containers), document)


def _nodes(rows: Rows, table: PathTable, path: Longs, profile: Profile) -> tuple[bytes, Widths]:
    """Returns the container of nodes in the form that the profile asks for, and the widths of its columns."""
    match profile.structure:
        case "paths":
            widths = Widths(
                nodes=column_width(path),
                labels=column_width(table.label),
                parents=column_width(table.parent),
                counts=column_width(table.count),
            )
            return to_planes(path, widths.nodes), widths
        case "walk":
            tokens = structure.write_walk(rows.depths, rows.label, carriers(rows.labels))
            return to_planes(tokens, column_width(tokens)), Widths(nodes=column_width(tokens))
        case "counts":
            data, nodes, labels = structure.write_counts(rows.depths, rows.label)
        case _:
            data, nodes, labels = structure.write_subpaths(rows.depths, rows.label)
    return data, Widths(nodes=nodes, labels=labels)


def _values(rows: Rows, table: PathTable, path: Longs, profile: Profile) -> values.Written:
    """Sorts the values into groups by the labels of parent and row; each group is in document order."""
    carried = carriers(rows.labels)
    keys = values.group_keys(table.label[table.parent], table.label, len(rows.labels))
    row_keys = keys[path[carried[rows.label]]]
    order = np.argsort(row_keys, kind="stable").tolist()
    used = distinct(row_keys)
    borders = [*np.searchsorted(np.sort(row_keys), used).tolist(), len(order)]
    sorted_values = [rows.values[place] for place in order]
    groups = [sorted_values[start:end] for start, end in pairwise(borders)]
    marks = [rows.labels[key % len(rows.labels)][0][0] for key in used.tolist()]
    ways = [profile.attributes if mark == "@" else profile.texts for mark in marks]
    return values.write_groups(groups, ways, profile.own, profile.shared)


def as_written(digest: PageDigest) -> bytes:
    """Writes the document from its digest.

    Returns b"" for a binary document, of which only a checksum is known.
    """
    return b"" if digest.kind == "binary" else digest.as_document()


def _beside(digest: PageDigest, name: str, signatures: bool) -> list[tuple[int, bytes]]:
    """Returns the containers for the name and address of the document and for its signatures."""
    found = []
    if name or digest.source_url:
        found.append((ABOUT, f"{name}\0{digest.source_url}".encode("utf-8", "surrogatepass")))
    if signatures:
        aspects = b"".join(getattr(digest, aspect) for aspect in ASPECTS)
        pictures = "\0".join([text for pair in sorted(digest.pictures.items()) for text in pair])
        own = bytes([len(digest.source_hash)]) + digest.source_hash
        found.append((SIGNATURES, method() + aspects + own + pictures.encode("utf-8", "surrogatepass")))
    return found


@cache
def method() -> bytes:
    """Returns four bytes that identify the way in which signatures are computed.

    They are the checksum of the signatures of an example document. Signatures kept by a version that computed
    them differently cannot be compared with ours and are ignored when they are read.
    """
    from webvigil.document import read

    example = read(b'<a b="c" d="e">f<g/>h<!--i--></a>', "application/xml")
    return checksum(b"".join(getattr(example, aspect) for aspect in ASPECTS))


def _has_adjacent(rows: Rows) -> bool:
    """Says whether two texts of these rows are neighbours below the same parent."""
    text = np.array([name in ("#text", "#cdata") for name, _ in rows.labels], dtype=np.bool_)[rows.label]
    return bool((text[1:] & text[:-1] & (rows.depths[1:] == rows.depths[:-1])).any())


def write_names(labels: tuple[Label, ...]) -> bytes:
    """Writes the labels: how many labels and namespaces, the namespace of each label, then all strings."""
    addresses = sorted({address for _, address in labels if address})
    number = {"": 0} | {address: index for index, address in enumerate(addresses, 1)}
    strings = "\0".join([*(name for name, _ in labels), *addresses]).encode("utf-8", "surrogatepass")
    column = np.array([number[address] for _, address in labels], dtype=np.int64)
    spaces = to_planes(column, column_width(column)) if addresses else b""
    return varint(len(labels)) + varint(len(addresses)) + spaces + strings


def read_names(data: bytes) -> tuple[Label, ...]:
    """Reads the labels that `write_names` has written. Raises XPackError for a damaged container."""
    count, place = read_varint(data, 0)
    spaces, place = read_varint(data, place)
    if max(count, spaces) > len(data):
        raise XPackError("the packed file is damaged: it has another number of names than it says")
    width = width_of(spaces) if spaces else 0
    end = place + count * width
    try:
        strings = data[end:].decode("utf-8", "surrogatepass").split("\0")
    except UnicodeDecodeError as error:
        raise XPackError("the packed file is damaged: a name is not UTF-8") from error
    if len(strings) != count + spaces or not count or not all(strings):
        raise XPackError("the packed file is damaged: it has another number of names than it says")
    if not spaces:
        return tuple([(name, "") for name in strings])
    numbers = from_planes(data[place:end], width).tolist()
    if max(numbers, default=0) > spaces:
        raise XPackError("the packed file is damaged: a namespace is not in its table")
    addresses = ["", *strings[count:]]
    return tuple([(name, addresses[number]) for name, number in zip(strings, numbers, strict=False)])


def read_bundle(data: bytes) -> dict[int, list[bytes]]:
    """Takes a bundle apart and returns its containers by identifier. Raises XPackError if it is cut off."""
    found: dict[int, list[bytes]] = {}
    place = 0
    while place < len(data):
        identifier = data[place]
        length, place = read_varint(data, place + 1)
        if place + length > len(data):
            raise XPackError("the packed file is damaged: a container is longer than its bundle")
        found.setdefault(identifier, []).append(data[place : place + length])
        place += length
    return found
