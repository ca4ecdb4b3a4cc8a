"""A WARC file in, the heads of its records out, one at a time; and a whole record by its place.

The file is read as a stream in pieces, so that memory stays small whatever the size of the file. A damaged
record is named with its place in the file, and reading goes on at the next record that can be read.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from webvigil.app.moving.warc import warcio
from webvigil.errors import DocumentRefused

_PIECE = 1 << 16
_GZIP = b"\x1f\x8b\x08"
_WARC = b"WARC/"
# Bytes of a record that are read to know what it is: the head of the record and of its answer.
_HEAD = 1 << 16


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


def heads(file: IO[bytes], progress: Callable[[int], None] | None = None) -> Iterator[Head | Damage]:
    """Yields the heads of all records of a WARC file, compressed record by record or not at all. `progress`
    hears how many bytes of the file were read."""
    file.seek(0)
    compressed = file.read(len(_GZIP)) == _GZIP
    raw = _members(file) if compressed else _plain(file)
    done = 0
    for found in raw:
        if progress:
            progress(found[0] - done)
            done = found[0]
        offset, content = found
        yield Damage(offset, content) if isinstance(content, str) else _head(offset, content)


def record_at(file: IO[bytes], offset: int, most: int) -> tuple[Any, bytes]:
    """Returns the record at this place and its content with all codings undone. Raises DocumentRefused if the
    record is damaged or larger than `most` bytes."""
    file.seek(offset)
    start = file.read(len(_GZIP))
    file.seek(offset)
    raw = _member(file, most) if start == _GZIP else _stretch(file, most)
    try:
        record = next(iter(warcio().archiveiterator.ArchiveIterator(io.BytesIO(raw), check_digests=True)))
        content = record.content_stream().read(most + 1)
        while record.raw_stream.read(_PIECE):
            pass  # the checksum is compared at the end
    except Exception as error:  # the library raises errors of many kinds for damaged records
        raise DocumentRefused(f"it cannot be read ({error or type(error).__name__})") from error
    if len(content) > most:
        raise DocumentRefused(f"it is larger than {most:,} bytes")
    if record.digest_checker.passed is False:
        raise DocumentRefused("its content is not what its checksum says")
    return record, bytes(content)


def _head(offset: int, content: bytes) -> Head | Damage:
    try:
        return Head(offset, next(iter(warcio().archiveiterator.ArchiveIterator(io.BytesIO(content)))))
    except Exception as error:  # noqa: BLE001  (the library raises errors of many kinds for damaged records)
        return Damage(offset, f"it is no record ({error or type(error).__name__})")


# --- compressed files ------------------------------------------------------------------------------


def _members(file: IO[bytes]) -> Iterator[tuple[int, bytes | str]]:
    """Yields the place and the beginning of each compressed record, or why it cannot be read."""
    offset = 0
    while True:
        file.seek(offset)
        start = file.read(len(_GZIP))
        if not start:
            return
        content, end, why = _measured(file, offset) if start == _GZIP else (b"", 0, "no record begins here")
        if why or not content.startswith(_WARC):
            yield offset, why or "it is no WARC record"
            end = _next_member(file, offset + 1)
        else:
            yield offset, content
        if end <= offset:
            return
        offset = end


def _measured(file: IO[bytes], offset: int) -> tuple[bytes, int, str]:
    """Reads through one compressed record. Returns its beginning, where it ends, and what is wrong."""
    file.seek(offset)
    opener, kept, read = zlib.decompressobj(31), b"", offset
    waiting = b""
    try:
        while not opener.eof:
            if not waiting:
                waiting = file.read(_PIECE)
                read += len(waiting)
                if not waiting:
                    return kept, 0, "it is cut off"
            content = opener.decompress(waiting, _PIECE)
            waiting = opener.unconsumed_tail
            kept += content[: _HEAD - len(kept)] if len(kept) < _HEAD else b""
    except zlib.error as error:
        return kept, 0, f"it is damaged ({error})"
    return kept, read - len(opener.unused_data), ""


def _member(file: IO[bytes], most: int) -> bytes:
    """Returns a whole compressed record, opened. Raises DocumentRefused if that is too large or damaged."""
    opener, kept = zlib.decompressobj(31), bytearray()
    waiting = b""
    try:
        while not opener.eof:
            waiting = waiting or file.read(_PIECE)
            if not waiting:
                raise DocumentRefused("it is cut off")
            kept += opener.decompress(waiting, _PIECE)
            waiting = opener.unconsumed_tail
            if len(kept) > most + _HEAD:
                raise DocumentRefused(f"it is larger than {most:,} bytes")
    except zlib.error as error:
        raise DocumentRefused(f"it is damaged ({error})") from error
    return bytes(kept)


def _next_member(file: IO[bytes], offset: int) -> int:
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


def _plain(file: IO[bytes]) -> Iterator[tuple[int, bytes | str]]:
    offset = 0
    while True:
        file.seek(offset)
        start = file.read(_HEAD)
        blank = len(start) - len(start.lstrip(b"\r\n"))
        if blank == len(start):
            return
        if blank:
            offset += blank
            continue
        length = _length(start)
        if length is None:
            yield offset, "no record begins here"
            offset = next(_places(file, offset + 1, b"\r\n\r\n" + _WARC), 0) + 4
            if offset == 4:
                return
            continue
        file.seek(0, io.SEEK_END)
        if offset + length > file.tell():
            yield offset, "it is cut off"
            return
        yield offset, start[:length]
        offset += length


def _length(start: bytes) -> int | None:
    """Returns the length of the record that begins here, or None if none does."""
    head, end, _ = start.partition(b"\r\n\r\n")
    if not start.startswith(_WARC) or not end:
        return None
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return len(head) + 4 + int(value.strip()[:18])
    return None


def _stretch(file: IO[bytes], most: int) -> bytes:
    start = file.read(_HEAD)
    length = _length(start)
    if length is None:
        raise DocumentRefused("no record begins here")
    if length > most + _HEAD:
        raise DocumentRefused(f"it is larger than {most:,} bytes")
    return start[:length] + file.read(max(0, length - len(start)))


def _places(file: IO[bytes], offset: int, sign: bytes) -> Iterator[int]:
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
