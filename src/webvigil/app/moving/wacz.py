"""Captures in, a signed WACZ file out: a web archive with its index, which viewers open without unpacking.

The file is a ZIP archive:

    archive/data.warc.gz         the records (`warc`)
    indexes/index.cdx.gz, .idx   where each record lies, sorted by address and time
    pages/pages.jsonl            the versions that a reader may begin with
    datapackage.json             the SHA-256 of each of these
    datapackage-digest.json      the SHA-256 of datapackage.json, and its signatures

There are two signatures. The signature of the WACZ standard is made with a P-384 key, and viewers can check
it. The signature under `webvigil` is made with the Ed25519 key of this server, names the P-384 key, and tells
who signed: people compare its fingerprint, as with other evidence.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from webvigil.app.moving.captures import NOT_KEPT, Capture, Lost
from webvigil.app.moving.warc import SOFTWARE, Entry, Progress, Written, write_warc
from webvigil.app.pages.evidence import Evidence
from webvigil.community.keys import Identity, is_key, is_signed
from webvigil.errors import DocumentRefused
from webvigil.store.zips import UNREADABLE_ZIP

_WACZ = "1.1.1"
_WARC, _INDEX, _SUMMARY, _PAGES = (
    "archive/data.warc.gz",
    "indexes/index.cdx.gz",
    "indexes/index.idx",
    "pages/pages.jsonl",
)
_PACKAGE, _DIGEST = "datapackage.json", "datapackage-digest.json"
# Lines of the index that are compressed together.
_BLOCK = 1024
# Bytes of r and of s in a signature with P-384.
_HALF = 48
# Limits of a file that is checked: bytes of the two JSON parts, and parts.
_LARGEST_JSON = 20_000_000
_MOST_PARTS = 10_000


def write_wacz(
    file: IO[bytes],
    captures: Iterable[Capture | Lost],
    identity: Identity,
    *,
    title: str = "",
    now: datetime | None = None,
    progress: Progress | None = None,
) -> Written:
    """Writes the captures as a signed WACZ file. The records go straight into the file; the lines of the
    index are in memory until the end."""
    created = (now or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")
    entries: list[Entry] = []
    shown: list[str] = [json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"})]
    parts: list[dict[str, Any]] = []
    with zipfile.ZipFile(file, "w") as archive:
        with archive.open(_head(_WARC, created), "w", force_zip64=True) as stream:
            measured = _Measured(stream)
            made = write_warc(
                measured,
                captures,
                name="data.warc.gz",
                progress=progress,
                note=entries.append,
                tell=lambda one: shown.append(_shown(one)),
            )
        parts.append(measured.resource(_WARC))
        index, summary = _index(entries)
        for name, content in (
            (_INDEX, index),
            (_SUMMARY, summary),
            (_PAGES, "\n".join(shown).encode() + b"\n"),
        ):
            parts.append(_added(archive, name, content, created))
        package = _package(parts, title, created)
        _added(archive, _PACKAGE, package, created)
        _added(archive, _DIGEST, signed(package, identity, created), created)
    return replace(made, bytes=file.tell())


def read_wacz(file: Path) -> Evidence:
    """Checks the hashes and signatures of a WACZ file. Raises DocumentRefused if it is no WACZ file. The
    records are read as a stream."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _checked(archive)
    except UNREADABLE_ZIP as error:
        raise DocumentRefused(f"this is no WACZ file that can be read ({error})") from error


def is_wacz(file: Path) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            return _PACKAGE in archive.namelist()
    except UNREADABLE_ZIP:
        return False


def signed(package: bytes, identity: Identity, created: str) -> bytes:
    """Returns the part that signs datapackage.json."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    told = "sha256:" + hashlib.sha256(package).hexdigest()
    key = base64.b64encode(
        identity.archive_key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
    ).decode()
    r, s = decode_dss_signature(identity.archive_key.sign(told.encode(), ec.ECDSA(hashes.SHA256())))
    raw = r.to_bytes(_HALF) + s.to_bytes(_HALF)
    ours = {
        "key": identity.key,
        "fingerprint": identity.fingerprint,
        "signature": identity.sign(_statement(told, created, key)),
    }
    data = {
        "hash": told,
        "created": created,
        "software": SOFTWARE,
        "signature": base64.b64encode(raw).decode(),
        "publicKey": key,
        "webvigil": ours,
    }
    return json.dumps({"path": _PACKAGE, "hash": told, "signedData": data}, indent=2).encode()


class _Measured:
    """A stream that counts and hashes what goes through it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self._size = 0

    def write(self, content: bytes, /) -> int:
        self._digest.update(content)
        self._size += len(content)
        return self._stream.write(content)

    def flush(self) -> None:
        self._stream.flush()

    def tell(self) -> int:
        return self._size

    def resource(self, path: str) -> dict[str, Any]:
        return _resource(path, self._digest.hexdigest(), self._size)


def _resource(path: str, digest: str, size: int) -> dict[str, Any]:
    return {"name": path.rpartition("/")[2].lower(), "path": path, "hash": f"sha256:{digest}", "bytes": size}


def _head(name: str, created: str) -> zipfile.ZipInfo:
    at = datetime.fromisoformat(created)
    head = zipfile.ZipInfo(name, date_time=at.timetuple()[:6])
    # Readers fetch single records out of the file, so that nothing compressed is compressed again.
    head.compress_type = zipfile.ZIP_STORED if name.endswith((".gz", ".idx")) else zipfile.ZIP_DEFLATED
    head.external_attr = 0o644 << 16
    return head


def _added(archive: zipfile.ZipFile, name: str, content: bytes, created: str) -> dict[str, Any]:
    archive.writestr(_head(name, created), content)
    return _resource(name, hashlib.sha256(content).hexdigest(), len(content))


def _package(parts: list[dict[str, Any]], title: str, created: str) -> bytes:
    told = {
        "profile": "data-package",
        "wacz_version": _WACZ,
        "title": title or "Versions of pages",
        "description": NOT_KEPT,
        "created": created,
        "software": SOFTWARE,
        "resources": parts,
    }
    return json.dumps(told, indent=2, ensure_ascii=False).encode()


def _shown(capture: Capture) -> str:
    at = capture.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    name = f"{capture.version.page}-{capture.version.number}"
    return json.dumps({"id": name, "url": capture.version.url, "ts": at, "title": capture.version.url})


def _index(entries: Iterable[Entry]) -> tuple[bytes, bytes]:
    """Returns the sorted index in compressed blocks, and the list of its blocks."""
    lines = sorted(map(_line, entries))
    blocks: list[bytes] = []
    summary = ['!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}']
    offset = 0
    for start in range(0, len(lines), _BLOCK):
        some = lines[start : start + _BLOCK]
        block = gzip.compress("".join(some).encode(), mtime=0)
        first = some[0].split(" {", 1)[0]
        digest = f"sha256:{hashlib.sha256(block).hexdigest()}"
        told = {"offset": offset, "length": len(block), "digest": digest, "filename": "index.cdx.gz"}
        summary.append(f"{first} {json.dumps(told)}")
        blocks.append(block)
        offset += len(block)
    return b"".join(blocks), ("\n".join(summary) + "\n").encode()


def _line(entry: Entry) -> str:
    told = {
        "url": entry.url,
        "mime": entry.media_type,
        "status": str(entry.status),
        "digest": entry.digest,
        "length": str(entry.length),
        "offset": str(entry.offset),
        "filename": "data.warc.gz",
    }
    return f"{surt(entry.url)} {entry.at.astimezone(UTC):%Y%m%d%H%M%S} {json.dumps(told)}\n"


# --- checking ------------------------------------------------------------------------------------


def _checked(archive: zipfile.ZipFile) -> Evidence:
    names = archive.namelist()
    if _PACKAGE not in names:
        raise DocumentRefused("this is no WACZ file: it has no datapackage.json")
    if len(names) > _MOST_PARTS:
        raise DocumentRefused(f"this WACZ file has more than {_MOST_PARTS:,} parts")
    if len(names) > len(set(names)):
        # Programs disagree on which of two parts of one name is read.
        raise DocumentRefused("this is no WACZ file: two of its parts have the same name")
    package = _small(archive, _PACKAGE)
    told = json.loads(package)
    if not isinstance(told, dict) or not isinstance(told.get("resources"), list):
        raise DocumentRefused("this is no WACZ file: its datapackage.json lists no parts")
    proof = json.loads(_small(archive, _DIGEST)) if _DIGEST in names else {}
    data = _inner(proof, "signedData")
    ours = _inner(data, "webvigil")
    statement = {
        "kind": "WACZ",
        "title": told.get("title"),
        "software": told.get("software"),
        "written_at": data.get("created"),
        "key": str(ours.get("key", "")),
    }
    troubles = (*_wrong_parts(archive, told["resources"]), *_wrong_signatures(package, data, ours))
    return Evidence(statement=statement, troubles=tuple(troubles))


def _inner(told: Any, name: str) -> dict[str, Any]:
    inner = told.get(name) if isinstance(told, dict) else None
    return inner if isinstance(inner, dict) else {}


def _small(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > _LARGEST_JSON:
        raise DocumentRefused(f"{name} is too large")
    return archive.read(name)


def _wrong_parts(archive: zipfile.ZipFile, resources: list[Any]) -> Iterator[str]:
    known = {
        one["path"]: one for one in resources if isinstance(one, dict) and isinstance(one.get("path"), str)
    }
    there = {info.filename: info for info in archive.infolist() if not info.is_dir()}
    for name in sorted({*known, *there} - {_PACKAGE, _DIGEST}):
        if name not in there or name not in known:
            yield f"{name} is not what datapackage.json tells of"
            continue
        digest, size = hashlib.sha256(), 0
        with archive.open(there[name]) as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
                size += len(piece)
        if (known[name].get("hash"), known[name].get("bytes")) != (f"sha256:{digest.hexdigest()}", size):
            yield f"{name} is not what datapackage.json tells of"


def _wrong_signatures(package: bytes, data: dict[str, Any], ours: dict[str, Any]) -> Iterator[str]:
    if not data:
        yield "it is not signed"
        return
    told = "sha256:" + hashlib.sha256(package).hexdigest()
    if data.get("hash") != told:
        yield "the signed hash is not that of datapackage.json"
    public, created = str(data.get("publicKey", "")), str(data.get("created", ""))
    if not _is_signed(told, str(data.get("signature", "")), public):
        yield "datapackage.json is not signed by the key that the file names"
    key, signature = str(ours.get("key", "")), str(ours.get("signature", ""))
    if not is_key(key) or not is_signed(_statement(told, created, public), signature, key):
        yield "it is not signed by a WebVigil server"


def _is_signed(told: str, signature: str, public: str) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    try:
        raw = base64.b64decode(signature, validate=True)
        key = serialization.load_der_public_key(base64.b64decode(public, validate=True))
        if not isinstance(key, ec.EllipticCurvePublicKey) or len(raw) != 2 * _HALF:
            return False
        whole = encode_dss_signature(int.from_bytes(raw[:_HALF]), int.from_bytes(raw[_HALF:]))
        key.verify(whole, told.encode(), ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def _statement(told: str, created: str, key: str) -> bytes:
    """Returns the words that the key of the server signs: what was written, when, and the other key."""
    return f"WebVigil WACZ 1\n{told}\n{created}\n{key}".encode()


_DEFAULT_PORTS = {"http": 80, "https": 443}


def surt(url: str) -> str:
    """Returns the key under which indexes of web archives file an address.

    The key writes the host backwards, so that the pages of a site stand together: `org,example)/path?query`.
    Differences that seldom matter are levelled: the scheme, `www.`, case, the order of the query. What is no
    address of a web page, such as `urn:view:…`, is its own key.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return url.lower()
    if parts.scheme.lower() not in _DEFAULT_PORTS or not host:
        return url.lower()
    named = re.sub(r"^www\d*\.", "", host.lower())
    place = named if ":" in named else ",".join(reversed(named.split(".")))
    shown = "" if port in (None, _DEFAULT_PORTS[parts.scheme.lower()]) else f":{port}"
    path = re.sub(r"/+", "/", parts.path or "/").lower()
    path = path.rstrip("/") or "/"
    query = "&".join(sorted(parts.query.lower().split("&"))) if parts.query else ""
    return f"{place}{shown}){path}{f'?{query}' if query else ''}"
