"""A WARC file in, the heads of its records out, one at a time; and a whole record by its place.

The file is read as a stream in pieces, so that memory stays small whatever the size of the file. A damaged
record is named with its place in the file, and reading goes on at the next record that can be read.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from webvigil.app.moving.warc import warcio
from webvigil.errors import DocumentRefused, PageError, PageRefused
from webvigil.fetch.coding import decoded

_PIECE = 1 << 16  # bytes of a file that are read at a time
_GZIP = b"\x1f\x8b\x08"
_WARC = b"WARC/"
# Bytes of a record that are read to know what it is: the head of the record and of its answer.
_HEAD = 1 << 16
_NUMBER = re.compile(r"[0-9]{1,18}")


class Readable(Protocol):
    """What a file has to offer to be read."""

    def read(self, size: int = -1, /) -> bytes: ...

    def seek(self, offset: int, whence: int = 0, /) -> int: ...

    def tell(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a record, and where it lies in the file. `record` is a record of the WARC library,
    whose content is cut off."""

    offset: int
    record: Any


@dataclass(frozen=True, slots=True)
class Damage:
    """A part of the file that cannot be read: where it begins, and why."""

    offset: int
    why: str


def heads(file: Readable, progress: Callable[[int], None] | None = None) -> Iterator[Head | Damage]:
    """Yields the heads of all records of a WARC file, compressed record by record or not at all. `progress`
    hears from time to time how many bytes of the file lie between this record and the one before."""
    file.seek(0)
    compressed = file.read(len(_GZIP)) == _GZIP
    raw = _members(file) if compressed else _plain(file)
    done = 0
    for offset, content in raw:
        if progress:
            progress(offset - done)
            done = offset
        yield Damage(offset, content) if isinstance(content, str) else _head(offset, content)


def record_at(file: Readable, offset: int, most: int) -> tuple[Any, bytes]:
    """Returns the record at this place and its content with all codings undone. Raises DocumentRefused if the
    record is damaged or larger than `most` bytes."""
    file.seek(offset)
    start = file.read(len(_GZIP))
    file.seek(offset)
    raw = _member(file, offset, most) if start == _GZIP else _stretch(file, most)
    if len(raw) < (_length(raw) or 0):
        raise DocumentRefused("it is cut off")
    try:
        record = next(iter(warcio().archiveiterator.ArchiveIterator(io.BytesIO(raw), check_digests=True)))
        sent = record.raw_stream.read()  # to its end, where the checksum is compared
        content = _without_codings(record, sent, most)
    except DocumentRefused:
        raise
    except Exception as error:  # the library raises errors of many kinds for damaged records
        raise DocumentRefused(f"it cannot be read ({error or type(error).__name__})") from error
    if len(content) > most:
        raise DocumentRefused(f"it is larger than {most:,} bytes")
    if record.digest_checker.passed is False:
        raise DocumentRefused("its content is not what its checksum says")
    return record, content


def number_of(text: str) -> int | None:
    """Reads a number that a file says. Returns None for all that is not a number of up to 18 plain digits."""
    return int(text) if _NUMBER.fullmatch(text) else None


def is_one_piece(file: Readable) -> bool:
    """Says whether a compressed file was compressed without regard to its records, so that they cannot be
    read one by one. Its first piece then holds more than one record, or only a part of one."""
    file.seek(0)
    if file.read(len(_GZIP)) != _GZIP:
        return False
    first = _measured(file, 0)
    return first.several or first.why == _PART


def unpacked(file: Readable) -> Iterator[bytes]:
    """Yields the content of a compressed file, all of its pieces joined. Raises DocumentRefused where it is
    damaged."""
    offset = 0
    while True:
        file.seek(offset)
        start = file.read(len(_GZIP))
        if not start:
            return
        if start != _GZIP:
            raise DocumentRefused("what follows is not compressed")
        opening = _Opening(file, offset)
        yield from opening
        offset = opening.end


def _without_codings(record: Any, sent: bytes, most: int) -> bytes:
    """Returns the body of an answer without the codings that it was sent with."""
    if not record.http_headers:
        return sent
    if "chunked" in _values(record, "transfer-encoding").lower():
        sent = warcio().bufferedreaders.ChunkedDataReader(io.BytesIO(sent)).read()
    try:
        return decoded(sent, _values(record, "content-encoding"), most)
    except PageRefused as error:
        raise DocumentRefused(str(error)) from error
    except PageError as error:
        # Some crawlers undo the codings and leave the header as it was.
        if _is_text(sent):
            return sent
        raise DocumentRefused(str(error)) from error


def _values(record: Any, name: str) -> str:
    return ", ".join(value for key, value in record.http_headers.headers if key.lower() == name)


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


def _head(offset: int, content: bytes) -> Head | Damage:
    try:
        return Head(offset, next(iter(warcio().archiveiterator.ArchiveIterator(io.BytesIO(content)))))
    except Exception as error:  # noqa: BLE001  (the library raises errors of many kinds for damaged records)
        return Damage(offset, f"it is no record ({error or type(error).__name__})")


# --- compressed files ------------------------------------------------------------------------------

_PART = "only a part of a record is compressed here"
_SEVERAL = "more than one record is compressed together here"


def _members(file: Readable) -> Iterator[tuple[int, bytes | str]]:
    """Yields the place and the beginning of each compressed record, or why it cannot be read."""
    offset = 0
    while True:
        file.seek(offset)
        start = file.read(len(_GZIP))
        if not start:
            return
        found = _measured(file, offset) if start == _GZIP else _Measured(why="no record begins here")
        end = found.end
        if found.why or not found.start.startswith(_WARC):
            yield offset, found.why or "it is no WARC record"
            end = end or _next_member(file, offset + 1)
        else:
            yield offset, found.start
        if found.several:
            yield offset, _SEVERAL
        if end <= offset:
            return
        offset = end


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """A compressed piece of a file: its beginning, where it ends (0 if unknown), what is wrong, and whether
    it holds more than one record."""

    start: bytes = b""
    end: int = 0
    why: str = ""
    several: bool = False


def _measured(file: Readable, offset: int) -> _Measured:
    """Reads through one compressed record."""
    opening, kept, size, several = _Opening(file, offset), b"", 0, False
    length: int | None = None
    try:
        for content in opening:
            kept += content[: _HEAD - len(kept)]
            length = length or _length(kept)
            several = several or bool(length and content[max(0, length - size) :].strip(b"\r\n"))
            size += len(content)
    except DocumentRefused as error:
        return _Measured(start=kept, why=str(error))
    return _Measured(start=kept, end=opening.end, why=_PART if size < (length or 0) else "", several=several)


def _member(file: Readable, offset: int, most: int) -> bytes:
    """Returns a whole compressed record, opened. Raises DocumentRefused if that is too large or damaged."""
    kept = bytearray()
    for content in _Opening(file, offset):
        kept += content
        if len(kept) > most + _HEAD:
            raise DocumentRefused(f"it is larger than {most:,} bytes")
    return bytes(kept)


class _Opening:
    """Unpacks one compressed piece of a file bit by bit. `end` is then where the piece ends in the file.
    Raises DocumentRefused if the piece is damaged."""

    def __init__(self, file: Readable, offset: int) -> None:
        self._file = file
        self._offset = offset
        self.end = offset

    def __iter__(self) -> Iterator[bytes]:
        self._file.seek(self._offset)
        opener, waiting = zlib.decompressobj(31), b""
        while not opener.eof:
            if not waiting:
                waiting = self._file.read(_PIECE)
                self.end += len(waiting)
                if not waiting:
                    raise DocumentRefused("it is cut off")
            try:
                content = opener.decompress(waiting, _PIECE)
            except zlib.error as error:
                raise DocumentRefused(f"it is damaged ({error})") from error
            waiting = opener.unconsumed_tail
            yield content
        self.end -= len(opener.unused_data)


def _next_member(file: Readable, offset: int) -> int:
    """Returns the place of the next compressed record from `offset` on, or 0."""
    for place in _places(file, offset, _GZIP):
        file.seek(place)
        try:
            if zlib.decompressobj(31).decompress(file.read(_PIECE), len(_WARC)) == _WARC:
                return place
        except zlib.error:
            continue
    return 0


# --- files that are not compressed -----------------------------------------------------------------


def _plain(file: Readable) -> Iterator[tuple[int, bytes | str]]:
    size = file.seek(0, io.SEEK_END)
    offset = 0
    while True:
        file.seek(offset)
        start = file.read(_HEAD)
        blank = len(start) - len(start.lstrip(b"\r\n"))
        if not start:
            return
        if blank:
            offset += blank
            continue
        length = _length(start)
        if length is not None and offset + length <= size:
            yield offset, start[:length]
            offset += length
            continue
        yield offset, "no record begins here" if length is None else "it is cut off"
        offset = next(_places(file, offset + 1, b"\r\n\r\n" + _WARC), 0) + 4
        if offset == 4:
            return


def _length(start: bytes) -> int | None:
    """Returns the length of the record that begins here, or None if none does."""
    head, end, _ = start.partition(b"\r\n\r\n")
    if not start.startswith(_WARC) or not end:
        return None
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            told = number_of(value.strip().decode("latin-1"))
            return None if told is None else len(head) + 4 + told
    return None


def _stretch(file: Readable, most: int) -> bytes:
    start = file.read(_HEAD)
    length = _length(start)
    if length is None:
        raise DocumentRefused("no record begins here")
    if length > most + _HEAD:
        raise DocumentRefused(f"it is larger than {most:,} bytes")
    return start[:length] + file.read(max(0, length - len(start)))


def _places(file: Readable, offset: int, sign: bytes) -> Iterator[int]:
    """Yields the places of these bytes in the file from `offset` on."""
    tail = b""
    while True:
        file.seek(offset)
        piece = file.read(_PIECE)
        if not piece:
            return
        text = tail + piece
        at = text.find(sign)
        while at >= 0:
            yield offset - len(tail) + at
            at = text.find(sign, at + 1)
        offset += len(piece)
        tail = text[-(len(sign) - 1) :]
