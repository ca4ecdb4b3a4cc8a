"""Documents in, one packed file out, in which each document is reached by itself and more can be added (X6).

Documents packed together share dictionaries: a section made of the containers of the first documents, against
which the others are compressed. So further versions of a page cost little more than what differs in them. An
index at the end of the file finds a document by number or name. Each addition writes an index of its own that
refers to the previous one and absorbs those not much larger than itself, so that the chain stays short.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Self

import numpy as np

from webvigil.errors import NotFound, XPackError
from webvigil.model.memo import cached_property
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
    from webvigil.document import PageDigest
    from webvigil.xpack.xpath.result import Result

Place = str | os.PathLike[str]
Progress = Callable[[int, int], None]  # documents done, documents in all

_TAIL_MARK = b"XPKI"
_TAIL_SIZE = 8 + len(_TAIL_MARK)
_SHARING = (NAMES, PATHS, NODES, GROUPS, MAPS, VALUES)
# A dictionary takes up to _LONG bytes of a container, and further containers until it has _ENOUGH bytes.
_LONG, _ENOUGH = 4 << 20, 96 << 10
# The writer holds documents back until it has this many of them, or this many bytes, to make dictionaries of.
_WAIT_DOCUMENTS, _WAIT_BYTES = 16, 256 << 10
# A new dictionary is made when a document packs into more than _WORTH of its size, and into _WORN times the
# share of the document that the present dictionary packed best.
_WORN, _WORTH = 4, 0.2


class Entry(NamedTuple):
    """An entry of the index: the place in the file where a document begins, and its name."""

    start: int
    name: str


class SharedDictionaries:
    """A section of shared dictionaries.

    Each dictionary is opened when a container needs it, and then kept.
    """

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
    """The documents of a packed file, by number or by name.

    Opening the file checks only the magic number, the version and the flags. All else is read on demand.
    """

    def __init__(self, source: Bytes) -> None:
        self._source = source
        self._flags = check_magic(source)
        self._dictionaries: dict[int, SharedDictionaries] = {}

    @classmethod
    def open(cls, file: Place | bytes) -> Self:
        """Opens a packed file by its path or its bytes. Raises XPackError if it is not a packed file."""
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
        """Returns a document by number or name. Raises NotFound where there is no such document."""
        if which == 0 and not self._flags & MANY:
            # Without an index, listing all entries would read the head of every section.
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
        """Returns the document of a file that has just one. Raises XPackError if there are several."""
        if self._flags & MANY and len(self) != 1:
            raise XPackError(f"the packed file holds {len(self)} documents; say which")
        return self[0]

    @property
    def names(self) -> list[str]:
        return [entry.name for entry in self.entries]

    @cached_property
    def _by_name(self) -> dict[str, int]:
        """Maps each name to the place of its document.

        Of several documents with one name, the last one counts.
        """
        return {entry.name: entry.start for entry in self.entries}

    @cached_property
    def _first(self) -> Packed:
        """Returns the first document. Raises XPackError if anything but another section follows it."""
        found = self._document(FIRST_SECTION)
        if found.end != self._source.length and not self._ends_in_section(found.end):
            raise XPackError("the packed file is cut off or has something behind its end")
        return found

    def _ends_in_section(self, start: int) -> bool:
        """Says whether another section begins at this place.

        While documents are being added to a file of one document, the flag for many is not set yet although
        further sections are there. Such a file is valid.
        """
        return start < self._source.length and self._source.read(start, 1) in (DOCUMENT, SHARED, INDEX)

    def _document(self, start: int) -> Packed:
        """Returns the document whose section begins at `start`.

        Raises XPackError if another section is there.
        """
        found = read_section(self._source, start)
        if found.type != DOCUMENT:
            raise XPackError("the packed file is damaged: a document is not where it should be")
        return packed_document(self._source, found, self.shared)

    def shared(self, start: int) -> Shared:
        """Returns the shared dictionaries of the section that begins at `start`."""
        if start not in self._dictionaries:
            self._dictionaries[start] = SharedDictionaries(self._source, start)
        return self._dictionaries[start]

    # --- the index --------------------------------------------------------------------------------

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Returns the place and name of every document, in the order in which they were packed."""
        if not self._flags & MANY:
            return tuple(self._walked())
        return tuple(entry for index in reversed(self.indexes) for entry in index.entries)

    def _walked(self) -> Iterator[Entry]:
        """Finds the documents of a file without an index by walking from section to section.

        Raises XPackError unless each section ends where the next begins and the last at the end of the file.
        """
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
        """Returns the chain of indexes, the newest first.

        Raises XPackError for a chain that does not lead backwards.
        """
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
        """Yields (name, result) of an XPath expression for each document, one after the other."""
        total = len(self)
        for done, (entry, packed) in enumerate(zip(self.entries, self, strict=True), 1):
            yield entry.name, packed.query(expression, namespaces=namespaces, variables=variables)
            if progress:
                progress(done, total)


class Index(NamedTuple):
    """One index of the chain; `previous` is where the one before it begins, 0 for none."""

    start: int
    end: int
    previous: int
    shared: int  # where the newest section of dictionaries begins, 0 for none
    entries: tuple[Entry, ...]


def read_index(source: Bytes, start: int) -> Index:
    """Reads the index that begins at `start`. Raises XPackError if it is damaged."""
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
    """Reads the entries of an index: their number, a width, the distances between documents, the names."""
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
    """Writes an index that will begin at the place `at` of the file."""
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
    """Packs documents into a stream as they come. The stream need not be a file.

    The first few documents are held back until the dictionaries that all share can be made of them.
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
        """`told` is called with the number of bytes of the documents compressed since its last call."""
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
        """Makes a writer that continues an existing file behind its first `at` bytes."""
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
        """Packs one more document. With `source` its very bytes are kept as well."""
        name = name.replace("\0", "")  # the index separates names by NUL
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
        """Writes the documents that were held back, and the index.

        Raises XPackError if there was no document.
        """
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
        """Writes bytes to the stream and returns the place where they begin."""
        begin = self._at
        self._stream.write(data)
        self._at += len(data)
        return begin

    def _write_waiting(self) -> None:
        """Writes the documents held back; before the first, the magic number and the dictionaries."""
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
        """Makes dictionaries of these documents and writes them as a section, to be used from now on."""
        shared = _dictionaries_of(documents)
        packed = [(one, *codecs.packed(data, codecs.ZSTD), len(data)) for one, data in shared.items()]
        self._dictionaries_at = self._write(section(SHARED, b"", packed))
        self._dictionaries = shared
        self._best = 1.0

    def _write_document(self, name: str, raw: Raw) -> None:
        """Writes a document, with a new dictionary if the present one has ceased to help."""
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
        """Writes the index of the new documents; it absorbs older indexes that are at most twice as long."""
        entries, older = list(self._entries), list(self._indexes)
        while older and len(older[0].entries) <= 2 * len(entries):
            entries = [*older.pop(0).entries, *entries]
        previous = older[0].start if older else 0
        self._write(_index_section(self._at, previous, self._dictionaries_at, entries))


def _dictionaries_of(documents: list[Raw]) -> dict[int, bytes]:
    """Joins the containers of documents into a dictionary for each kind of container.

    Containers that the dictionary holds already are left out, and so are dictionaries of fewer than 8 bytes.
    """
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
    """Adds documents (name, digest, exact bytes or None) to a packed file and returns how many were added.

    If anything fails, the file is cut back to what it was before.
    """
    before = Path(path).stat().st_size
    with PackedFile.open(path) as existing, Path(path).open("r+b") as stream:
        _ = existing.entries  # raises XPackError for a damaged file before anything is written
        stream.seek(before)
        writer = Writer.adding(stream, existing, before, codec=codec, signatures=signatures)
        try:
            # Documents may come from a generator that fails, or be interrupted: the file is then cut back.
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
    """Sets the flag that says that the file ends with an index.

    It is set last, when all sections are on the disk. Until then readers find the documents by walking from
    section to section and need no index.
    """
    stream.flush()
    os.fsync(stream.fileno())
    stream.seek(len(MAGIC) + 1)
    stream.write(bytes([MANY]))
