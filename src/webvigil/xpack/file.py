"""Packed files: one document or many in a file, each reached by itself; more can be added (X6).

Documents packed together share dictionaries: a section made of the containers of the first of them, against
which the others are compressed. The versions of a page cost little more than what differs in them. An index
at the end finds a document by number or name; files that were added to have a chain of indexes, each of which
absorbs those not much larger than itself, so that the chain stays short.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.derived import cached_property
from webvigil.errors import NotFound, XPackError
from webvigil.xpack import codecs
from webvigil.xpack.document import Raw, Shared, raw_document
from webvigil.xpack.numbers import column_width, from_planes, read_varint, to_planes, varint
from webvigil.xpack.packed import Packed, packed_document
from webvigil.xpack.sections import (
    DOCUMENT,
    ENTRIES,
    FIRST_SECTION,
    FIRST_VERSION,
    GROUPS,
    INDEX,
    MAGIC,
    MANY,
    MAPS,
    NAMES,
    NODES,
    PATHS,
    SHARED,
    TAIL,
    VALUES,
    Bytes,
    InMemory,
    OnDisk,
    check_magic,
    directory,
    read_container,
    read_section,
    section,
)

if TYPE_CHECKING:
    from webvigil.xpack.xpath.result import Result

Place = str | os.PathLike[str]
Progress = Callable[[int, int], None]  # documents done, documents in all

_TAIL_MARK = b"XPKI"
_TAIL_SIZE = 8 + len(_TAIL_MARK)
_SHARING = (NAMES, PATHS, NODES, GROUPS, MAPS, VALUES)
# Dictionaries are made of the first documents: of the first up to _LONG per kind of container, of more until
# they reach _ENOUGH. They are waited for up to so many documents and bytes.
_LONG, _ENOUGH = 4 << 20, 96 << 10
_WAIT_DOCUMENTS, _WAIT_BYTES = 16, 256 << 10
# A new dictionary is made when documents have become so many times as large as they were with the old one.
_WORN, _WORTH = 4, 0.2


@dataclass(frozen=True, slots=True)
class Entry:
    start: int
    name: str


class SharedDictionaries:
    """A section of dictionaries; each is opened when a container needs it."""

    def __init__(self, source: Bytes, start: int) -> None:
        found = read_section(source, start)
        if found.type != SHARED:
            raise XPackError("the packed file is damaged: a shared dictionary is not where it should be")
        self._source = source
        self._containers = {one.identifier: one for one in directory(found, 0)}
        self._opened: dict[int, bytes] = {}

    def get(self, identifier: int, default: bytes = b"") -> bytes:
        if identifier not in self._containers:
            return default
        if identifier not in self._opened:
            self._opened[identifier] = read_container(self._source, self._containers[identifier])
        return self._opened[identifier]


class PackedFile:
    """The documents of a packed file, by number or by name. Nothing but the magic is read at first."""

    def __init__(self, source: Bytes) -> None:
        self._source = source
        self._flags = check_magic(source)
        self._dictionaries: dict[int, SharedDictionaries] = {}

    @classmethod
    def open(cls, file: Place | bytes) -> Self:
        source: Bytes = InMemory(file) if isinstance(file, bytes) else OnDisk(file)
        try:
            return cls(source)
        except BaseException:
            source.close()
            raise

    def close(self) -> None:
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- documents --------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Packed]:
        return (self._document(entry.start) for entry in self.entries)

    def __getitem__(self, which: int | str) -> Packed:
        """Raises NotFound where there is no such document."""
        if which == 0 and not self._flags & MANY:
            return self._first
        if isinstance(which, str):
            if which not in self._by_name:
                raise NotFound(f"there is no document {which!r} in the packed file")
            return self._document(self._by_name[which])
        try:
            return self._document(self.entries[which].start)
        except IndexError:
            raise NotFound(f"there is no document {which}: the packed file has {len(self)}") from None

    @property
    def only(self) -> Packed:
        """The document of a file that has just one."""
        if self._flags & MANY and len(self) != 1:
            raise XPackError(f"the packed file holds {len(self)} documents; say which")
        return self[0]

    @property
    def names(self) -> list[str]:
        return [entry.name for entry in self.entries]

    @cached_property
    def _by_name(self) -> dict[str, int]:
        """The last of a name counts."""
        return {entry.name: entry.start for entry in self.entries}

    @cached_property
    def _first(self) -> Packed:
        found = self._document(FIRST_SECTION)
        if found.end != self._source.length and not self._ends_in_section(found.end):
            raise XPackError("the packed file is cut off or has something behind its end")
        return found

    def _ends_in_section(self, start: int) -> bool:
        """A file that is just being added to: what follows is read when it is asked for."""
        return start < self._source.length and self._source.read(start, 1) in (DOCUMENT, SHARED, INDEX)

    def _document(self, start: int) -> Packed:
        found = read_section(self._source, start)
        if found.type != DOCUMENT:
            raise XPackError("the packed file is damaged: a document is not where it should be")
        return packed_document(self._source, found, self.shared)

    def shared(self, start: int) -> Shared:
        if start not in self._dictionaries:
            self._dictionaries[start] = SharedDictionaries(self._source, start)
        return self._dictionaries[start]

    # --- the index --------------------------------------------------------------------------------

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Where every document begins, in the order in which they were packed."""
        if not self._flags & MANY:
            return tuple(self._walked())
        return tuple(entry for index in reversed(self.indexes) for entry in index.entries)

    def _walked(self) -> Iterator[Entry]:
        """From section to section; each must end where the next begins, the last at the end of the file."""
        start, length = FIRST_SECTION, self._source.length
        while start < length:
            found = read_section(self._source, start)
            if found.type == DOCUMENT:
                yield Entry(start, self._document(start).name)
            start = found.end
        if start != length or start == FIRST_SECTION:
            raise XPackError("the packed file is cut off")

    @cached_property
    def indexes(self) -> tuple[Index, ...]:
        """The newest first."""
        if not self._flags & MANY:
            return ()
        tail = self._source.read(self._source.length - _TAIL_SIZE, _TAIL_SIZE)
        if tail[8:] != _TAIL_MARK:
            raise XPackError("the packed file is cut off: its index is missing")
        found: list[Index] = []
        start = int.from_bytes(tail[:8], "little")
        end = self._source.length
        while start:
            if not FIRST_SECTION <= start < end:
                raise XPackError("the packed file is damaged: its index is not where it should be")
            index = read_index(self._source, start)
            if not found and index.end != self._source.length:
                raise XPackError("the packed file is damaged: something stands behind its index")
            found.append(index)
            start, end = index.previous, start
        return tuple(found)

    # --- questions to all of them -----------------------------------------------------------------

    def query(
        self,
        expression: str,
        *,
        namespaces: Mapping[str, str] | None = None,
        variables: Mapping[str, object] | None = None,
        progress: Progress | None = None,
    ) -> Iterator[tuple[str, Result]]:
        """(name, result) of each document, one after the other."""
        total = len(self)
        for done, (entry, packed) in enumerate(zip(self.entries, self, strict=True), 1):
            yield entry.name, packed.query(expression, namespaces=namespaces, variables=variables)
            if progress:
                progress(done, total)


@dataclass(frozen=True, slots=True)
class Index:
    start: int
    end: int
    previous: int
    shared: int  # the newest section of dictionaries, 0 for none
    entries: tuple[Entry, ...]


def read_index(source: Bytes, start: int) -> Index:
    found = read_section(source, start)
    if found.type != INDEX:
        raise XPackError("the packed file is damaged: its index is not where it should be")
    previous, place = read_varint(found.fields, 0)
    shared, place = read_varint(found.fields, place)
    containers = directory(found, place)
    if [one.identifier for one in containers] != [ENTRIES, TAIL]:
        raise XPackError("the packed file is damaged: its index is incomplete")
    raw = read_container(source, containers[0])
    read_container(source, containers[1])
    return Index(start, found.end, previous, shared, _read_entries(raw))


def _read_entries(raw: bytes) -> tuple[Entry, ...]:
    count, place = read_varint(raw, 0)
    width, place = read_varint(raw, place)
    if width not in (1, 2, 4, 8):
        raise XPackError("the packed file is damaged: its index has an impossible width")
    end = place + count * width
    steps = from_planes(raw[place:end], width)
    try:
        names = raw[end:].decode("utf-8", "surrogatepass").split("\0") if count else []
    except UnicodeDecodeError as error:
        raise XPackError("the packed file is damaged: a name is not UTF-8") from error
    if len(names) != count or len(steps) != count:
        raise XPackError("the packed file is damaged: its index has another length than it says")
    starts = np.cumsum(steps.astype(np.int64)).tolist()
    return tuple(Entry(start, name) for start, name in zip(starts, names, strict=True))


def _index_section(at: int, previous: int, shared: int, entries: Iterable[Entry]) -> bytes:
    listed = list(entries)
    starts = np.array([0, *(entry.start for entry in listed)], dtype=np.int64)
    steps = starts[1:] - starts[:-1]
    width = column_width(steps)
    names = "\0".join([entry.name for entry in listed]).encode("utf-8", "surrogatepass")
    raw = varint(len(listed)) + varint(width) + to_planes(steps, width) + names
    codec, stored = codecs.packed(raw, codecs.ZSTD)
    tail = at.to_bytes(8, "little") + _TAIL_MARK
    containers = [(ENTRIES, codec, stored, len(raw)), (TAIL, codecs.STORED, tail, len(tail))]
    return section(INDEX, varint(previous) + varint(shared), containers)


# --- writing -------------------------------------------------------------------------------------------


class Writer:
    """Packs documents into a stream as they come; the stream need not be a file.

    The first few are held back, so that the dictionaries that all share can be made of them.
    """

    def __init__(
        self,
        stream: BinaryIO,
        *,
        profile: str | None = None,
        codec: str = "auto",
        signatures: bool = False,
        told: codecs.Told | None = None,
    ) -> None:
        """`told` hears of every few bytes of the documents that are packed, as they are."""
        if codec not in codecs.CODECS:
            raise XPackError(f"there is no compressor {codec!r}; there are {', '.join(codecs.CODECS)}")
        self._stream = stream
        self._profile = profile
        self._codec = codecs.CODECS[codec]
        self._signatures = signatures
        self._told = told
        self._waiting: list[tuple[str, Raw]] = []
        self._at = 0
        self._entries: list[Entry] = []
        self._indexes: tuple[Index, ...] = ()
        self._dictionaries: Shared | None = None
        self._dictionaries_at = 0
        self._best = 1.0

    @classmethod
    def adding(
        cls,
        stream: BinaryIO,
        existing: PackedFile,
        at: int,
        *,
        codec: str = "auto",
        signatures: bool = False,
    ) -> Self:
        """A writer that goes on behind the `at` bytes of an existing file."""
        writer = cls(stream, codec=codec, signatures=signatures)
        writer._at = at
        writer._indexes = existing.indexes
        if not existing.indexes:
            writer._entries = list(existing.entries)
        elif existing.indexes[0].shared:
            writer._dictionaries_at = existing.indexes[0].shared
            writer._dictionaries = existing.shared(writer._dictionaries_at)
        return writer

    def add(self, digest: PageDigest, *, name: str = "", source: bytes | None = None) -> None:
        """`source` keeps the very bytes of the document as well."""
        name = name.replace("\0", "")
        raw = raw_document(
            digest, profile=self._profile, name=name, source=source, signatures=self._signatures
        )
        if self._at and self._dictionaries is not None:
            self._write_document(name, raw)
            return
        self._waiting.append((name, raw))
        waited = sum(len(data) for _, one in self._waiting for _, data in one.containers)
        if len(self._waiting) > 1 and (len(self._waiting) >= _WAIT_DOCUMENTS or waited >= _WAIT_BYTES):
            self._write_waiting()

    def close(self) -> None:
        """Writes what was held back, and the index."""
        alone = not self._at and len(self._waiting) == 1
        if not self._at and not self._waiting:
            raise XPackError("there is nothing to pack")
        if self._waiting:
            self._write_waiting()
        if not alone:
            self._write_index()
        self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()

    @property
    def written(self) -> int:
        return self._at

    def _write(self, data: bytes) -> int:
        """Where it begins."""
        begin = self._at
        self._stream.write(data)
        self._at += len(data)
        return begin

    def _write_waiting(self) -> None:
        many = len(self._waiting) > 1 or self._at > 0
        if not self._at:
            version = max((raw.version for _, raw in self._waiting), default=FIRST_VERSION)
            self._write(MAGIC + bytes([version, MANY if many else 0]))
        if many and self._codec in (codecs.AUTO, codecs.ZSTD):
            self._make_dictionaries([raw for _, raw in self._waiting])
        for name, raw in self._waiting:
            self._write_document(name, raw)
        self._waiting = []

    def _make_dictionaries(self, documents: list[Raw]) -> None:
        shared = _dictionaries_of(documents)
        packed = [(one, *codecs.packed(data, codecs.ZSTD), len(data)) for one, data in shared.items()]
        self._dictionaries_at = self._write(section(SHARED, b"", packed))
        self._dictionaries = shared
        self._best = 1.0

    def _write_document(self, name: str, raw: Raw) -> None:
        data = self._section(raw)
        if self._dictionaries is not None:
            share = len(data) / max(sum(len(one) for _, one in raw.containers), 1)
            if share > _WORTH and share > _WORN * self._best:
                self._make_dictionaries([raw])
                data = self._section(raw)
            else:
                self._best = min(self._best, share)
        self._entries.append(Entry(self._write(data), name))

    def _section(self, raw: Raw) -> bytes:
        return raw.section(self._codec, self._dictionaries, self._dictionaries_at, self._told)

    def _write_index(self) -> None:
        """Absorbs the indexes before it that are not much larger."""
        entries, older = list(self._entries), list(self._indexes)
        while older and len(older[0].entries) <= 2 * len(entries):
            entries = [*older.pop(0).entries, *entries]
        previous = older[0].start if older else 0
        self._write(_index_section(self._at, previous, self._dictionaries_at, entries))


def _dictionaries_of(documents: list[Raw]) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    for raw in documents:
        for identifier, data in raw.containers:
            known = found.get(identifier, b"")
            if identifier in _SHARING and (not known or len(known) < _ENOUGH) and data not in known:
                found[identifier] = known + data[:_LONG]
    return {identifier: data for identifier, data in found.items() if len(data) >= 8}


def append(
    path: Place,
    documents: Iterable[tuple[str, PageDigest, bytes | None]],
    *,
    codec: str = "auto",
    signatures: bool = False,
) -> int:
    """Adds documents (name, digest, exact bytes or None) to a packed file; how many.

    If that fails, the file is as it was before.
    """
    before = Path(path).stat().st_size
    with PackedFile.open(path) as existing, Path(path).open("r+b") as stream:
        _ = existing.entries  # a damaged file is not added to
        stream.seek(before)
        writer = Writer.adding(stream, existing, before, codec=codec, signatures=signatures)
        try:
            count = 0
            for name, digest, source in documents:
                writer.add(digest, name=name, source=source)
                count += 1
            if count:
                writer.close()
                _mark_as_many(stream)
        except BaseException:
            with suppress(OSError):
                stream.truncate(before)
            raise
    return count


def _mark_as_many(stream: BinaryIO) -> None:
    """Last of all: until then the file is read by walking through it."""
    stream.flush()
    os.fsync(stream.fileno())
    stream.seek(len(MAGIC) + 1)
    stream.write(bytes([MANY]))
