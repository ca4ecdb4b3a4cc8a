"""The outer shape of a packed file: a magic number, a version, then sections of compressed containers (X3).

    file       "XPK" 0x1A   version   flags   section …
    section    type   length   head length   head   containers
    head       fields of the type   directory   checksum of everything in the section before it
    directory  per container: identifier and codec, stored length, size, checksum of the stored bytes

A section is written in one go and never changed, so a file can be written into a pipe and extended later.
Reading the head of a section reads nothing else; a container is read and checked when it is asked for.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from xxhash import xxh3_64_intdigest

from webvigil.errors import XPackError
from webvigil.xpack import codecs
from webvigil.xpack.numbers import read_varint, varint

MAGIC = b"XPK\x1a"
VERSION = 3
# A file is written in the oldest version of the format that can hold it, so that older programs read it.
FIRST_VERSION, TABLES_VERSION, LINES_VERSION = 1, 2, 3
DOCUMENT, SHARED, INDEX = b"D", b"S", b"I"

# Identifiers of the containers of a document. Only VALUES may occur several times.
NAMES, PATHS, NODES, GROUPS, MAPS, VALUES, ABOUT, SIGNATURES, SOURCE = range(1, 10)
ENTRIES, TAIL = 10, 11
# All containers of a very small document, stored as one.
BUNDLE = 15
# The flag of a file that ends with an index.
MANY = 1
CONTAINER_NAMES = {
    NAMES: "names",
    PATHS: "paths",
    NODES: "nodes",
    GROUPS: "groups",
    MAPS: "maps",
    VALUES: "values",
    ABOUT: "about",
    SIGNATURES: "signatures",
    SOURCE: "source",
    ENTRIES: "entries",
    TAIL: "tail",
    BUNDLE: "bundle",
}

_CHECKSUM = struct.Struct("<I")
_LOW = 0xFFFFFFFF
_FIRST_READ = 8192  # bytes that are read when a file is opened; what lies in them is not read again
_LONGEST_HEAD = 1 << 24  # a damaged length must not make us read the whole file as a head
FIRST_SECTION = len(MAGIC) + 2


def checksum(data: bytes) -> bytes:
    """Returns the low 32 bits of XXH3-64 as four bytes."""
    return _CHECKSUM.pack(xxh3_64_intdigest(data) & _LOW)


class Container(NamedTuple):
    """One container as it stands in the file; `start` counts from the beginning of the file."""

    identifier: int
    codec: int
    start: int
    stored: int
    size: int
    checksum: bytes


class Section(NamedTuple):
    """The head of a section, read and checked, and where the section stands in the file."""

    type: bytes
    start: int
    end: int
    fields: bytes  # the head without the length before it and the checksum behind it
    body: int  # the place in the file where the containers begin


class Bytes(Protocol):
    """The bytes of a packed file, in memory or on a disk."""

    @property
    def length(self) -> int: ...
    def read(self, start: int, length: int) -> bytes: ...
    def close(self) -> None: ...


class InMemory:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.length = len(data)

    def read(self, start: int, length: int) -> bytes:
        return self._data[start : start + length]

    def close(self) -> None:
        pass


class OnDisk:
    """A packed file on a disk.

    The first kilobytes are read when it is opened: they mostly hold the head and the small containers, so
    that a simple question costs one read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        self._first = os.pread(self._file, _FIRST_READ, 0)

    @property
    def length(self) -> int:
        return os.fstat(self._file).st_size

    def read(self, start: int, length: int) -> bytes:
        if start + length <= len(self._first):
            return self._first[start : start + length]
        return os.pread(self._file, length, start)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __del__(self) -> None:
        if hasattr(self, "_file"):  # false if the file could not be opened
            self.close()


def section(kind: bytes, fields: bytes, containers: Iterable[tuple[int, int, bytes, int]]) -> bytes:
    """Returns the bytes of a section. A container is given as (identifier, codec, stored bytes, size)."""
    entries, bodies = [], []
    for identifier, codec, stored, size in containers:
        length = varint(len(stored)) + (varint(size) if codec else b"")
        entries.append(bytes([codec << 4 | identifier]) + length + checksum(stored))
        bodies.append(stored)
    head = fields + varint(len(entries)) + b"".join(entries)
    head_length = varint(len(head) + _CHECKSUM.size)
    total = len(head_length) + len(head) + _CHECKSUM.size + sum(map(len, bodies))
    begin = kind + varint(total) + head_length + head
    return b"".join([begin, checksum(begin), *bodies])


def check_magic(source: Bytes) -> int:
    """Returns the flags of a packed file.

    Raises XPackError for any other file and for versions we do not know.
    """
    head = source.read(0, FIRST_SECTION)
    if head[:4] != MAGIC:
        raise XPackError("this is not a packed file (.xpk)" if head else "the packed file is empty")
    if len(head) < FIRST_SECTION:
        raise XPackError("the packed file is cut off")
    if head[4] > VERSION or head[4] == 0:
        raise XPackError(f"the packed file has format version {head[4]}; this program reads up to {VERSION}")
    if head[5] & ~MANY:
        raise XPackError("the packed file is damaged: it has flags that mean nothing")
    return head[5]


def read_section(source: Bytes, start: int) -> Section:
    """Reads the head of the section that begins at `start`.

    Raises XPackError if the head is damaged or cut off.
    """
    data = source.read(start, 4096)  # most heads are shorter, so that one read is enough
    if not data:
        raise XPackError("the packed file is cut off")
    length, place = read_varint(data, 1)
    head_length, begin = read_varint(data, place)
    end = begin + head_length
    if head_length > _LONGEST_HEAD or head_length < _CHECKSUM.size or begin + head_length > place + length:
        raise XPackError("the packed file is damaged: a head has an impossible length")
    if end > len(data):
        data = source.read(start, end)
    if len(data) < end:
        raise XPackError("the packed file is cut off")
    covered = data[: end - _CHECKSUM.size]
    if checksum(covered) != data[end - _CHECKSUM.size : end]:
        raise XPackError("the packed file is damaged: the checksum of a head is wrong")
    return Section(data[:1], start, start + place + length, covered[begin:], start + end)


def directory(section: Section, place: int) -> list[Container]:
    """Returns the containers of a section whose directory begins at `place` of its head.

    Raises XPackError unless the containers fill the section exactly.
    """
    head = section.fields
    count, place = read_varint(head, place)
    found, start, last = [], section.body, len(head)
    for _ in range(count):
        if place >= last:
            raise _wrong_directory()
        mark = head[place]
        stored, place = read_varint(head, place + 1)
        size, place = read_varint(head, place) if mark > 15 else (stored, place)
        found.append(Container(mark & 15, mark >> 4, start, stored, size, head[place : place + 4]))
        place += 4
        start += stored
    if place != len(head) or start != section.end:
        raise _wrong_directory()
    return found


def read_container(source: Bytes, container: Container, dictionary: bytes = b"") -> bytes:
    """Reads and uncompresses a container. Raises XPackError if it is damaged or too large."""
    if container.size > codecs.LARGEST:
        raise XPackError(f"a container is too large to open: {container.size:,} bytes")
    stored = stored_bytes(source, container)
    return codecs.opened(stored, container.codec, container.size, dictionary)


def stored_bytes(source: Bytes, container: Container) -> bytes:
    """Returns the bytes of a container as they stand in the file.

    Raises XPackError if their checksum is wrong.
    """
    stored = source.read(container.start, container.stored)
    if len(stored) != container.stored:
        raise XPackError("the packed file is cut off")
    if checksum(stored) != container.checksum:
        name = CONTAINER_NAMES.get(container.identifier, "?")
        raise XPackError(f"the packed file is damaged: the checksum of container {name} is wrong")
    return stored


def _wrong_directory() -> XPackError:
    return XPackError("the packed file is damaged: its directory does not fit its length")
