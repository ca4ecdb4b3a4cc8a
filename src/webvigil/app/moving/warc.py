"""Captures in, a WARC 1.1 file out that any program for web archives opens (extra `warc`).

Each version is a response (a resource, if a browser rendered the page), the request that led to it, and a
metadata record that says what the version is and what of it was not kept. Frames, pictures and screenshots
follow. A payload that is in the file already is not written again: a revisit record points to it. The last
look that found a version unchanged is a revisit, too.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol

from webvigil import __version__
from webvigil.app.moving.captures import NOT_KEPT, Capture, Lost, Part
from webvigil.errors import SettingRefused

SOFTWARE = f"WebVigil {__version__}"
Progress = Callable[[int], None]
_PROFILES = "http://netpreserve.org/warc/1.1/revisit/"
_STANDARD = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_IDENTICAL = "identical-payload-digest"


class Sink(Protocol):
    """What a file has to offer to be written to."""

    def write(self, content: bytes, /) -> int: ...

    def flush(self) -> None: ...

    def tell(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Where a record with content lies in the file, for an index."""

    url: str
    at: datetime
    media_type: str
    status: int
    digest: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a file holds: pages and versions, the payloads that were already in it, and sentences about the
    versions that are missing because they can no longer be read."""

    pages: int
    versions: int
    repeated: int
    bytes: int
    lost: tuple[str, ...]


class _Known(NamedTuple):
    """A payload that is in the file."""

    id: str
    url: str
    date: str
    digest: str


def write_warc(
    file: Sink,
    captures: Iterable[Capture | Lost],
    *,
    name: str = "",
    compressed: bool = True,
    progress: Progress | None = None,
    note: Callable[[Entry], None] | None = None,
    tell: Callable[[Capture], None] | None = None,
) -> Written:
    """Writes the captures to a file, one at a time. `note` hears where each record lies, `tell` which version
    was written."""
    writer = _Writer(file, compressed, note or (lambda _: None))
    writer.begin(name)
    pages: set[int] = set()
    versions, lost = 0, []
    for one in captures:
        pages.add(one.version.page)
        if isinstance(one, Lost):
            lost.append(f"{one.version.url}: {one.why}")
            continue
        writer.write(one)
        versions += 1
        if tell:
            tell(one)
        if progress:
            progress(1)
    return Written(
        pages=len(pages), versions=versions, repeated=writer.repeated, bytes=file.tell(), lost=tuple(lost)
    )


def warcio() -> Any:
    """Imports the library that reads and writes WARC. Raises SettingRefused if it is not installed."""
    try:
        import warcio.archiveiterator
        import warcio.statusandheaders
        import warcio.warcwriter
    except ImportError as error:
        raise SettingRefused(
            "web archives need the extra warc; install it with: pip install 'webvigil[warc]'"
        ) from error
    return warcio


class _Writer:
    def __init__(self, file: Sink, compressed: bool, note: Callable[[Entry], None]) -> None:
        self._library = warcio()
        self._file = file
        self._writer = self._library.warcwriter.WARCWriter(file, gzip=compressed, warc_version="1.1")
        self._note = note
        self._known: dict[bytes, _Known] = {}
        self.repeated = 0

    def begin(self, name: str) -> None:
        info = {
            "software": SOFTWARE,
            "format": "WARC File Format 1.1",
            "conformsTo": _STANDARD,
            "description": NOT_KEPT,
        }
        self._writer.write_record(self._writer.create_warcinfo_record(name, info))

    def write(self, capture: Capture) -> None:
        date = _date(capture.at)
        page, *others = capture.parts
        known = self._part(page, capture.at)
        beside = {"WARC-Concurrent-To": known.id, "WARC-Date": date}
        if capture.request:
            self._request(page.url, capture.request, beside)
        self._metadata(page.url, _fields(capture), beside)
        for part in others:
            self._part(part, capture.at)
        if capture.again:
            self._revisit(page, known, capture.again.at, capture.again.profile)

    def _part(self, part: Part, at: datetime) -> _Known:
        """Writes a part, or points to the same content if the file has it. Returns the record that was
        written."""
        # SHA-256 decides what is the same, because pages with equal SHA-1 can be made on purpose.
        content = hashlib.sha256(f"{part.url}\0{part.status}\0{part.media_type}\0".encode("utf-8", "replace"))
        content.update(part.body)
        before = self._known.get(content.digest())
        if before:
            self.repeated += 1
            return self._revisit(part, before, at, _IDENTICAL)
        offset = self._file.tell()
        record = self._writer.create_warc_record(
            part.url,
            "response" if part.status else "resource",
            payload=io.BytesIO(part.body),
            length=len(part.body),
            warc_content_type="" if part.status else part.media_type,
            warc_headers_dict={"WARC-Date": _date(at)},
            http_headers=self._headers(part) if part.status else None,
        )
        self._writer.write_record(record)
        known = self._placed(part, record, at, offset)
        self._known[content.digest()] = known
        return known

    def _revisit(self, part: Part, known: _Known, at: datetime, profile: str) -> _Known:
        offset = self._file.tell()
        record = self._writer.create_revisit_record(
            part.url,
            known.digest,
            known.url,
            known.date,
            http_headers=self._headers(part) if part.status and profile == _IDENTICAL else None,
            warc_headers_dict={"WARC-Date": _date(at), "WARC-Refers-To": known.id},
        )
        record.rec_headers.replace_header("WARC-Profile", _PROFILES + profile)
        self._writer.write_record(record)
        return self._placed(part, record, at, offset, revisit=True)

    def _placed(self, part: Part, record: Any, at: datetime, offset: int, *, revisit: bool = False) -> _Known:
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        self._note(
            Entry(
                url=part.url,
                at=at,
                media_type="warc/revisit" if revisit else part.media_type.partition(";")[0].strip(),
                status=part.status or 200,
                digest=digest,
                offset=offset,
                length=self._file.tell() - offset,
            )
        )
        return _Known(record.rec_headers.get_header("WARC-Record-ID"), part.url, _date(at), digest)

    def _request(self, url: str, request: bytes, beside: dict[str, str]) -> None:
        head, _, form = request.partition(b"\r\n\r\n")
        line, *headers = head.decode().split("\r\n")
        named = [(name, value) for name, _, value in (one.partition(": ") for one in headers)]
        told = self._library.statusandheaders.StatusAndHeaders(line, named, is_http_request=True)
        record = self._writer.create_warc_record(
            url,
            "request",
            payload=io.BytesIO(form),
            length=len(form),
            warc_headers_dict=beside,
            http_headers=told,
        )
        self._writer.write_record(record)

    def _metadata(self, url: str, fields: dict[str, str], beside: dict[str, str]) -> None:
        content = "".join(f"{name}: {_line(value)}\r\n" for name, value in fields.items() if value).encode()
        record = self._writer.create_warc_record(
            url, "metadata", payload=io.BytesIO(content), length=len(content), warc_headers_dict=dict(beside)
        )
        self._writer.write_record(record)

    def _headers(self, part: Part) -> Any:
        headers = [(_line(name), _line(value)) for name, value in part.headers]
        status = f"{part.status} {_phrase(part.status)}"
        return self._library.statusandheaders.StatusAndHeaders(status, headers, protocol="HTTP/1.1")


def _fields(capture: Capture) -> dict[str, str]:
    """Returns what the metadata record of a version says."""
    version, page = capture.version, capture.page
    return {
        "webvigil-page": page.url,
        "webvigil-version": str(version.number),
        "webvigil-last-seen": _date(capture.again.at) if capture.again else "",
        "webvigil-rendered": "by a browser: the page after its scripts ran, not the bytes of the answer"
        if page.render == "browser"
        else "",
        "webvigil-redirected": f"from {page.url}; the redirect itself is not kept"
        if version.url != page.url
        else "",
        "webvigil-imported": "from another archive" if version.number < 0 else "",
        "webvigil-not-kept": NOT_KEPT,
    }


def _date(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def _line(text: str) -> str:
    """Returns a text without line breaks and without characters that no file can hold."""
    plain = text.encode("utf-8", "replace").decode()
    return " ".join(plain.splitlines()) if plain.splitlines() else ""


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
