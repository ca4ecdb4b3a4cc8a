"""A file of captures in, the captures out: which address, when, and on demand the answer of that time.

WARC files are read as they are, WACZ files through their ZIP archive. A CDX list names captures that lie
elsewhere: in WARC files, in a folder, or in a web archive that is asked for each of them.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Protocol

from webvigil.app.moving.records import (
    Damage,
    Head,
    Readable,
    heads,
    is_one_piece,
    number_of,
    record_at,
    unpacked,
)
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.settings import Settings
from webvigil.errors import DocumentRefused, PageError, StoreRefused
from webvigil.model.page import Page
from webvigil.model.version import Answer
from webvigil.store.zips import UNREADABLE_ZIP

Progress = Callable[[int], None]
_TAKEN = ("response", "resource", "revisit")
_STAMP = re.compile(r"[0-9]{14}")
_STORED = 0
_LOCAL_HEAD = 30
# The longest line of a CDX list that is read.
_LONGEST_LINE = 1 << 16
# Bytes that a file may unpack to: this many in any case, and otherwise this many times its own size. Texts of
# pages shrink to a tenth, and rarely to a hundredth.
_LEAST_UNPACKED = 1 << 28
_MOST_TIMES = 100
_PIECE = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """A capture that a file tells of. `place` is where its answer is found; `payload` is equal for captures
    with equal content; `repeats` says that the content lies with an earlier capture."""

    url: str
    at: datetime
    status: int
    place: Any
    payload: str = ""
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of a file that cannot be read, in words for a person."""

    said: str


class Source(Protocol):
    def pointers(self, progress: Progress | None = None) -> Iterator[Pointer | Unreadable]:
        """Yields all captures of the file, in the order of the file."""

    def answer(self, pointer: Pointer) -> Answer:
        """Returns the answer of a capture. Raises DocumentRefused if it cannot be read."""


@contextmanager
def opened_source(file: Path, settings: Settings, captures: str = "") -> Iterator[Source]:
    """Opens a file of captures. Raises StoreRefused if the file cannot be read, DocumentRefused if it holds
    no captures. `captures` is the folder or the web archive with the captures that a CDX list names."""
    try:
        stream = file.open("rb")
    except OSError as error:
        raise StoreRefused(f"{file} cannot be read: {error.strerror or error}") from error
    with stream:
        start = stream.read(_LONGEST_LINE)
        if not _is_packed(start) and not start.startswith(b"WARC/") and is_cdx(start):
            yield CdxSource(file, settings, captures)
            return
        with opened_stream(stream, file.name, settings) as source:
            yield source


@contextmanager
def opened_stream(stream: IO[bytes], name: str, settings: Settings) -> Iterator[Source]:
    """Opens a WARC or WACZ file that is open already. CDX lists are refused: they name other files. Raises
    DocumentRefused if the content is no such file."""
    with tempfile.TemporaryFile(prefix="webvigil-") as copy:
        room = _Room(copy, name, stream.seek(0, io.SEEK_END))
        stream.seek(0)
        start = stream.read(_LONGEST_LINE)
        if start.startswith(b"PK"):
            inner = [(part, room.readable(part, one)) for part, one in _inside(stream, name, room)]
            yield WarcSource(inner, settings.fetch_bytes, room.troubles)
        elif start.startswith(b"WARC/") or _opened(start).startswith(b"WARC/"):
            yield WarcSource([(name, room.readable(name, stream))], settings.fetch_bytes, room.troubles)
        elif is_cdx(start):
            raise DocumentRefused(
                f"{name} is a list of captures that lie elsewhere; bring it with webvigil import"
            )
        else:
            raise DocumentRefused(f"{name} is no WARC, WACZ or CDX file")


def is_archive(start: bytes, name: str) -> bool:
    """Says whether a file with this beginning and this name holds captures of pages."""
    if start.startswith(b"WARC/") or name.endswith((".warc", ".warc.gz", ".wacz", ".cdx", ".cdxj")):
        return True
    return _opened(start).startswith(b"WARC/")


def _is_packed(start: bytes) -> bool:
    return start.startswith((b"PK", b"\x1f\x8b"))


def _opened(start: bytes) -> bytes:
    """Returns the first bytes of a compressed file, opened; nothing for a file that is not compressed."""
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(start)).read(5)
    except (OSError, EOFError, zlib.error):
        return b""


# --- WARC and WACZ ---------------------------------------------------------------------------------


class WarcSource:
    """Captures in WARC files."""

    def __init__(
        self, files: Sequence[tuple[str, Readable]], most: int, troubles: Sequence[str] = ()
    ) -> None:
        self._files = files
        self._most = most
        self._troubles = troubles
        self._payloads: dict[str, tuple[int, int]] = {}

    def pointers(self, progress: Progress | None = None) -> Iterator[Pointer | Unreadable]:
        yield from map(Unreadable, self._troubles)
        for number, (name, stream) in enumerate(self._files):
            for found in heads(stream, progress):
                if isinstance(found, Damage):
                    yield Unreadable(f"{name}, byte {found.offset:,}: {found.why}")
                    continue
                pointer = self._pointer(number, found)
                if isinstance(pointer, str):
                    yield Unreadable(f"{name}, byte {found.offset:,}: {pointer}")
                elif pointer:
                    yield pointer

    def answer(self, pointer: Pointer) -> Answer:
        number, offset = pointer.place
        record, content = record_at(self._files[number][1], offset, self._most)
        if pointer.repeats:
            original = self._payloads.get(pointer.payload)
            if original is None:
                raise DocumentRefused("it repeats content that is not to be found")
            old, content = record_at(self._files[original[0]][1], original[1], self._most)
            record = record if record.http_headers else old
        elif record.rec_type == "revisit":
            raise DocumentRefused("it repeats content that is not to be found")
        if record.http_headers:
            headers = tuple(_plain(record.http_headers.headers))
        else:
            headers = (("Content-Type", record.rec_headers.get_header("Content-Type") or ""),)
        return Answer(url=pointer.url, status=pointer.status, headers=headers, body=content)

    def _pointer(self, number: int, head: Head) -> Pointer | str | None:
        record = head.record
        url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
        if record.rec_type not in _TAKEN or not url.startswith(("http://", "https://")):
            return None
        at = moment_of(record.rec_headers.get_header("WARC-Date") or "")
        if at is None:
            return "its date cannot be read"
        payload = record.rec_headers.get_header("WARC-Payload-Digest") or ""
        repeats = record.rec_type == "revisit"
        if payload and not repeats:
            self._payloads.setdefault(payload, (number, head.offset))
        status = _status(record)
        if status is None:
            return "its status cannot be read"
        return Pointer(
            url=url, at=at, status=status, place=(number, head.offset), payload=payload, repeats=repeats
        )


def _status(record: Any) -> int | None:
    """Returns the status of an answer; 200 for content without an answer."""
    return number_of(record.http_headers.get_statuscode() or "") if record.http_headers else 200


def _plain(headers: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yields the headers as they are of the plain body. The codings were undone when the record was read."""
    coded = ("content-encoding", "transfer-encoding", "content-length")
    return ((name, value) for name, value in headers if name.lower() not in coded)


class _Window:
    """A stretch of a file, as a file."""

    def __init__(self, stream: Readable, start: int, size: int) -> None:
        self._stream, self._start, self._size, self._at = stream, start, size, 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        left = max(0, self._size - self._at)
        self._stream.seek(self._start + self._at)
        content = self._stream.read(left if size < 0 else min(size, left))
        self._at += len(content)
        return content


class _Room:
    """A temporary file with what had to be unpacked of a file, one part behind the other. `troubles` names
    the parts that could only be unpacked up to a damage."""

    def __init__(self, copy: IO[bytes], name: str, size: int) -> None:
        self._copy = copy
        self._name = name
        self._most = max(_LEAST_UNPACKED, _MOST_TIMES * size)
        self.troubles: list[str] = []

    def readable(self, name: str, stream: Readable) -> Readable:
        """Returns a WARC file whose records can be read one by one."""
        if not is_one_piece(stream):
            return stream
        return self.holding(self._until_damage(name, stream))

    def holding(self, pieces: Iterable[bytes]) -> Readable:
        """Writes a content down, and returns it as a file. Raises DocumentRefused if it is far too large."""
        start = end = self._copy.seek(0, io.SEEK_END)
        for piece in pieces:
            if end + len(piece) > self._most:
                raise DocumentRefused(f"{self._name} unpacks to more than {self._most:,} bytes")
            self._copy.seek(end)  # the content may come from another stretch of the same file
            end += self._copy.write(piece)
        return _Window(self._copy, start, end - start)

    def _until_damage(self, name: str, stream: Readable) -> Iterator[bytes]:
        try:
            yield from unpacked(stream)
        except DocumentRefused as error:
            self.troubles.append(f"{name}, byte {stream.tell():,}: {error}")


def _inside(stream: IO[bytes], name: str, room: _Room) -> Iterator[tuple[str, Readable]]:
    """Yields the WARC files in a WACZ file. What is not compressed again is read in place."""
    try:
        archive = zipfile.ZipFile(stream)
        names = [
            one for one in archive.infolist() if re.fullmatch(r"archive/[^/]+\.warc(\.gz)?", one.filename)
        ]
        if not names:
            raise DocumentRefused(f"{name} holds no WARC file")
        for info in names:
            yield info.filename, _part(stream, archive, info, room)
    except UNREADABLE_ZIP as error:
        raise DocumentRefused(f"{name} is no WACZ file that can be read ({error})") from error


def _part(stream: IO[bytes], archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: _Room) -> Readable:
    if info.compress_type == _STORED:
        stream.seek(info.header_offset)
        head = stream.read(_LOCAL_HEAD)
        skipped = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        return _Window(stream, info.header_offset + _LOCAL_HEAD + skipped, info.file_size)
    with archive.open(info) as content:
        return room.holding(iter(lambda: content.read(_PIECE), b""))


# --- CDX -------------------------------------------------------------------------------------------


def is_cdx(start: bytes) -> bool:
    return any(True for _ in _entries(io.StringIO(start.decode("utf-8", "replace"))))


class CdxSource:
    """Captures that a CDX list names. Lists are read as a Wayback server writes them (text or JSON), with a
    head that names the columns, or as CDXJ."""

    def __init__(self, file: Path, settings: Settings, captures: str) -> None:
        self._file = file
        self._settings = settings
        self._captures = captures
        self._originals: dict[str, dict[str, str]] = {}
        self._folder = Path(captures) if captures and "://" not in captures else file.parent

    def pointers(self, progress: Progress | None = None) -> Iterator[Pointer | Unreadable]:
        with self._file.open(encoding="utf-8", errors="replace") as lines:
            for entry in _entries(lines, progress):
                at = moment_of(entry.get("timestamp", ""))
                if at is None:
                    yield Unreadable(f"{self._file.name}: the capture of {entry['url'][:100]} has no time")
                    continue
                if entry.get("digest") and entry.get("mime") != "warc/revisit":
                    self._originals.setdefault(entry["digest"], entry)
                said = entry.get("status", "").strip("-")  # lists write - for what they do not know
                status = number_of(said) if said else 200
                if status is None:
                    what = f"the capture of {entry['url'][:100]} has a status that is no number"
                    yield Unreadable(f"{self._file.name}: {what}")
                    continue
                yield Pointer(
                    url=entry["url"],
                    at=at,
                    status=status,
                    place=entry,
                    payload=entry.get("digest", ""),
                )

    def answer(self, pointer: Pointer) -> Answer:
        entry = pointer.place
        if entry.get("mime") == "warc/revisit":
            entry = self._originals.get(pointer.payload, entry)
        if entry.get("filename") and (said := entry.get("offset", "").strip("-")):
            offset = number_of(said)
            if offset is None:
                raise DocumentRefused("its place in the file is no number")
            return self._from_warc(pointer, entry["filename"], offset)
        if "://" in self._captures:
            return asyncio.run(self._asked(pointer, entry["timestamp"]))
        return self._from_folder(pointer, entry["timestamp"])

    def _from_warc(self, pointer: Pointer, filename: str, offset: int) -> Answer:
        name = Path(filename).name
        try:
            with (self._folder / name).open("rb") as stream:
                inner = WarcSource([(name, stream)], self._settings.fetch_bytes)
                return inner.answer(
                    Pointer(url=pointer.url, at=pointer.at, status=pointer.status, place=(0, offset))
                )
        except OSError as error:
            raise DocumentRefused(f"{name} cannot be read: {error.strerror or error}") from error

    def _from_folder(self, pointer: Pointer, stamp: str) -> Answer:
        found = sorted(one for one in self._folder.glob(f"*{stamp}*") if one.is_file())
        if not found:
            raise DocumentRefused(f"no file of {self._folder} has {stamp} in its name")
        if found[0].stat().st_size > self._settings.fetch_bytes:
            raise DocumentRefused(f"it is larger than {self._settings.fetch_bytes:,} bytes")
        kind = pointer.place.get("mime") or "text/html"
        headers = (("Content-Type", kind),)
        return Answer(url=pointer.url, status=pointer.status, headers=headers, body=found[0].read_bytes())

    async def _asked(self, pointer: Pointer, stamp: str) -> Answer:
        address = f"{self._captures.rstrip('/')}/{stamp}id_/{pointer.url}"
        try:
            async with http_fetcher(self._settings) as fetcher:
                answer = (await fetcher.fetch(Page(url=address), {})).answer
        except PageError as error:
            raise DocumentRefused(f"the archive does not send it: {error}") from error
        assert answer is not None, "a page that is asked for without conditions comes"
        return Answer(
            url=pointer.url, status=pointer.status, headers=tuple(_plain([*answer.headers])), body=answer.body
        )


_LETTERS = {
    "b": "timestamp",
    "a": "url",
    "m": "mime",
    "s": "status",
    "k": "digest",
    "V": "offset",
    "g": "filename",
}
_SERVER = ("urlkey", "timestamp", "url", "mime", "status", "digest", "length")
_NAMES = {"original": "url", "mimetype": "mime", "statuscode": "status"}


def _entries(lines: IO[str], progress: Progress | None = None) -> Iterator[dict[str, str]]:
    """Yields the entries of a list. Lines that are no entries are left out."""
    columns: tuple[str, ...] = _SERVER
    while line := lines.readline(_LONGEST_LINE):
        if progress:
            progress(len(line))
        text = line.strip()
        if text.startswith("CDX "):
            columns = tuple(_LETTERS.get(one, "") for one in text.split()[1:])
            continue
        if text.startswith(("[", ",[")):
            row = _json(text.lstrip("[,").rstrip("],") if not text.endswith("}") else text, row=True)
            if row and "timestamp" in row:
                columns = tuple(_NAMES.get(one, one) for one in row)
                continue
            entry = dict(zip(columns, row, strict=False))
        elif "{" in text:
            key, _, told = text.partition("{")
            inner = _json("{" + told)
            entry = {**inner, "timestamp": (key.split() or [""])[-1]}
        else:
            entry = dict(zip(columns, text.split(" "), strict=False))
        if _STAMP.fullmatch(entry.get("timestamp", "")) and "://" in entry.get("url", ""):
            yield entry


def _json(text: str, *, row: bool = False) -> Any:
    try:
        found = json.loads(f"[{text}]" if row else text)
    except (ValueError, RecursionError):
        return [] if row else {}
    if row:
        return [str(one) for one in found] if isinstance(found, list) else []
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def moment_of(text: str) -> datetime | None:
    """Reads the time of a record: 14 digits, or a date of a WARC file."""
    try:
        if _STAMP.fullmatch(text):
            return datetime.strptime(text, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        found = datetime.fromisoformat(text)
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
