"""The parts of a WACZ file to the letter, and each reason why one is not believed."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from webvigil.app.moving import wacz
from webvigil.app.moving.captures import NOT_KEPT, Capture, Lost, Part, SeenAgain
from webvigil.app.moving.wacz import _index, is_wacz, read_wacz, signed, surt, write_wacz
from webvigil.app.moving.warc import SOFTWARE, Entry, Written
from webvigil.community.keys import Identity
from webvigil.errors import DocumentRefused
from webvigil.model.page import Page
from webvigil.model.version import Version

URL = "http://site.test/tea"
NOW = datetime(2026, 11, 16, 12, 30, 45, tzinfo=UTC)
US = Identity(b"the secret of this server")


def version(number: int, at: datetime = NOW) -> Version:
    return Version(page=7, number=number, fetched_at=at, url=URL, status=200, signature="", object="", size=3)


def part(body: bytes, url: str = URL, status: int = 200) -> Part:
    return Part(
        url=url, body=body, media_type="text/html; charset=utf-8", status=status, headers=(("Server", "x"),)
    )


CAPTURES = (
    Capture(page=Page(url=URL), version=version(2), parts=(part(b"Tea"),)),
    Lost(version(3), "it is gone"),
    Capture(
        page=Page(url=URL),
        version=version(4, datetime(2026, 11, 17, 1, 0, 0, 5000, tzinfo=timezone(timedelta(hours=2)))),
        parts=(part(b"Tea"), part(b"small", "http://a.test/", 0)),
        again=SeenAgain(at=NOW + timedelta(days=2), profile="server-not-modified"),
    ),
)


def made(**more: Any) -> tuple[Written, dict[str, bytes], zipfile.ZipFile]:
    file = io.BytesIO()
    told = write_wacz(file, CAPTURES, US, now=NOW, **more)
    assert told.bytes == len(file.getvalue())
    archive = zipfile.ZipFile(file)
    return told, {name: archive.read(name) for name in archive.namelist()}, archive


def test_a_file_tells_its_parts_with_their_hashes():
    heard: list[int] = []
    told, parts, archive = made(progress=heard.append)
    assert (told.pages, told.versions, told.repeated, told.lost) == (1, 2, 1, (f"{URL}: it is gone",))
    assert heard == [1, 1]
    package = json.loads(parts.pop("datapackage.json"))
    proof = json.loads(parts.pop("datapackage-digest.json"))
    resources = package.pop("resources")
    assert package == {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": "Versions of pages",
        "description": NOT_KEPT,
        "created": "2026-11-16T12:30:45Z",
        "software": SOFTWARE,
    }
    assert resources == [
        {
            "name": name,
            "path": path,
            "hash": f"sha256:{hashlib.sha256(parts[path]).hexdigest()}",
            "bytes": len(parts[path]),
        }
        for name, path in [
            ("data.warc.gz", "archive/data.warc.gz"),
            ("index.cdx.gz", "indexes/index.cdx.gz"),
            ("index.idx", "indexes/index.idx"),
            ("pages.jsonl", "pages/pages.jsonl"),
        ]
    ]
    assert (proof["path"], proof["signedData"]["created"]) == ("datapackage.json", "2026-11-16T12:30:45Z")
    assert {one.date_time for one in archive.infolist()} == {(2026, 11, 16, 12, 30, 44)}
    assert {one.external_attr for one in archive.infolist()} == {0o644 << 16}
    assert [one.compress_type for one in archive.infolist()] == [0, 0, 0, 8, 8, 8]
    assert json.loads(made(title="Teas")[1]["datapackage.json"])["title"] == "Teas"


def test_the_pages_are_the_versions():
    _, parts, _ = made()
    assert parts["pages/pages.jsonl"].decode().splitlines() == [
        '{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}',
        f'{{"id": "7-2", "url": "{URL}", "ts": "2026-11-16T12:30:45.000Z", "title": "{URL}"}}',
        f'{{"id": "7-4", "url": "{URL}", "ts": "2026-11-16T23:00:00.005Z", "title": "{URL}"}}',
    ]
    assert parts["pages/pages.jsonl"].endswith(b"\n")


def test_the_index_tells_each_content_and_each_repetition():
    _, parts, _ = made()
    lines = gzip.decompress(parts["indexes/index.cdx.gz"]).decode().splitlines()
    told = [(line.partition(" {")[0], json.loads("{" + line.partition(" {")[2])) for line in lines]
    assert [(key, one["mime"], one["status"]) for key, one in told] == [
        ("test,a)/ 20261116230000", "text/html", "200"),
        ("test,site)/tea 20261116123045", "text/html", "200"),
        ("test,site)/tea 20261116230000", "warc/revisit", "200"),
        ("test,site)/tea 20261118123045", "warc/revisit", "200"),
    ]
    records = parts["archive/data.warc.gz"]
    for _, one in told:
        assert one.keys() == {"url", "mime", "status", "digest", "length", "offset", "filename"}
        begin = int(one["offset"])
        opened = gzip.decompress(records[begin : begin + int(one["length"])])
        assert f"WARC-Target-URI: {one['url']}\r\n".encode() in opened
        assert f"WARC-Payload-Digest: {one['digest']}\r\n".encode() in opened


@pytest.mark.parametrize(("number", "blocks"), [(0, 0), (1, 1), (1024, 1), (1025, 2), (2049, 3)])
def test_the_index_is_packed_in_blocks_of_1024_lines(number: int, blocks: int):
    entries = [
        Entry(url=f"{URL}/{one:05}", at=NOW, media_type="x", status=200, digest="d", offset=one, length=9)
        for one in range(number)
    ]
    index, summary = _index(reversed(entries))
    meta, *lines = summary.decode().splitlines()
    assert summary.endswith(b"\n")
    assert meta == '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}'
    assert len(lines) == blocks
    offset, seen = 0, []
    for line in lines:
        first, told = line.partition(" {")[0], json.loads("{" + line.partition(" {")[2])
        piece = index[offset : offset + told["length"]]
        assert told == {
            "offset": offset,
            "length": len(piece),
            "digest": f"sha256:{hashlib.sha256(piece).hexdigest()}",
            "filename": "index.cdx.gz",
        }
        some = gzip.decompress(piece).decode().splitlines()
        assert some[0].startswith(f"{first} {{")
        offset += len(piece)
        seen += some
    assert (offset, len(seen), seen) == (len(index), number, sorted(seen))


def written(place: Path, parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(place, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return place


def judged(place: Path, parts: dict[str, bytes]) -> tuple[str, ...] | str:
    try:
        return read_wacz(written(place, parts)).troubles
    except DocumentRefused as refused:
        return str(refused)


NOT_OURS = "it is not signed by a WebVigil server"
NOT_THEIRS = "datapackage.json is not signed by the key that the file names"
OTHER_HASH = "the signed hash is not that of datapackage.json"


def proven(parts: dict[str, bytes], **data: Any) -> dict[str, bytes]:
    proof = json.loads(parts["datapackage-digest.json"])
    proof["signedData"] |= data
    return parts | {"datapackage-digest.json": json.dumps(proof).encode()}


def ours(parts: dict[str, bytes], **data: Any) -> dict[str, bytes]:
    proof = json.loads(parts["datapackage-digest.json"])
    return proven(parts, webvigil=proof["signedData"]["webvigil"] | data)


def packaged(parts: dict[str, bytes], resources: Any) -> dict[str, bytes]:
    """The same parts with another list of them, signed as it should be."""
    package = json.dumps(json.loads(parts["datapackage.json"]) | {"resources": resources}).encode()
    proof = signed(package, US, "2026-11-16T12:30:45Z")
    return parts | {"datapackage.json": package, "datapackage-digest.json": proof}


def resources(parts: dict[str, bytes], **more: Any) -> list[Any]:
    """The list of parts with something else said of the first."""
    first, *others = json.loads(parts["datapackage.json"])["resources"]
    return [first | more, *others]


WRONG = "{} is not what datapackage.json tells of"
DATA = "archive/data.warc.gz"


def test_each_reason_to_doubt_a_file_is_told(tmp_path: Path):
    _, parts, _ = made()
    others = Identity(b"another server")
    foreign = json.loads(signed(parts["datapackage.json"], others, "2026-11-16T12:30:45Z"))["signedData"]
    curve = foreign["publicKey"]
    unlisted = [one for one in resources(parts) if one["path"] != DATA]
    cases: list[tuple[dict[str, bytes], Any]] = [
        (parts, ()),
        (parts | {"folder/": b""}, ()),
        (parts | {"more.txt": b""}, (WRONG.format("more.txt"),)),
        ({name: one for name, one in parts.items() if name != DATA}, (WRONG.format(DATA),)),
        (parts | {DATA: parts[DATA] + b"x"}, (WRONG.format(DATA),)),
        (packaged(parts, resources(parts)), ()),
        (packaged(parts, unlisted), (WRONG.format(DATA),)),
        (packaged(parts, resources(parts, bytes=1)), (WRONG.format(DATA),)),
        (packaged(parts, resources(parts, hash="sha256:0")), (WRONG.format(DATA),)),
        (packaged(parts, [*resources(parts), "text", {}, {"path": 1}]), ()),
        (packaged(parts, {}), "this is no WACZ file: its datapackage.json lists no parts"),
        (parts | {"datapackage.json": b"[]"}, "this is no WACZ file: its datapackage.json lists no parts"),
        (parts | {"datapackage-digest.json": b"[]"}, ("it is not signed",)),
        (parts | {"datapackage-digest.json": b'{"signedData": "x"}'}, ("it is not signed",)),
        (proven(parts, hash="sha256:0"), (OTHER_HASH,)),
        (proven(parts, signature=""), (NOT_THEIRS,)),
        (proven(parts, signature="no base64!"), (NOT_THEIRS,)),
        (proven(parts, signature=foreign["signature"]), (NOT_THEIRS,)),
        (proven(parts, publicKey=""), (NOT_THEIRS, NOT_OURS)),
        (proven(parts, publicKey=curve), (NOT_THEIRS, NOT_OURS)),
        (proven(parts, publicKey=curve, signature=foreign["signature"]), (NOT_OURS,)),
        (proven(parts, created="2026-11-16T12:30:46Z"), (NOT_OURS,)),
        (proven(parts, webvigil=None), (NOT_OURS,)),
        (ours(parts, key="x"), (NOT_OURS,)),
        (ours(parts, key=others.key), (NOT_OURS,)),
        (ours(parts, signature=""), (NOT_OURS,)),
        ({"other.json": b"{}"}, "this is no WACZ file: it has no datapackage.json"),
    ]
    assert [judged(tmp_path / "x.wacz", some) for some, _ in cases] == [told for _, told in cases]


def test_a_file_says_who_wrote_it_and_when(tmp_path: Path):
    _, parts, _ = made(title="Teas")
    told = read_wacz(written(tmp_path / "x.wacz", parts))
    assert told.statement == {
        "kind": "WACZ",
        "title": "Teas",
        "software": SOFTWARE,
        "written_at": "2026-11-16T12:30:45Z",
        "key": US.key,
    }
    del parts["datapackage-digest.json"]
    told = read_wacz(written(tmp_path / "x.wacz", parts))
    assert (told.statement["written_at"], told.statement["key"]) == (None, "")


def test_a_file_is_checked_up_to_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    _, parts, _ = made()
    monkeypatch.setattr(wacz, "_MOST_PARTS", 6)
    assert judged(tmp_path / "x.wacz", parts) == ()
    assert judged(tmp_path / "x.wacz", parts | {"b": b""}) == "this WACZ file has more than 6 parts"
    monkeypatch.setattr(wacz, "_LARGEST_JSON", max(map(len, list(parts.values())[-2:])))
    assert judged(tmp_path / "x.wacz", parts) == ()
    monkeypatch.setattr(wacz, "_LARGEST_JSON", min(map(len, list(parts.values())[-2:])))
    assert str(judged(tmp_path / "x.wacz", parts)).endswith(" is too large")


def test_a_wacz_file_is_a_zip_file_with_a_package(tmp_path: Path):
    assert is_wacz(written(tmp_path / "a.wacz", {"datapackage.json": b""}))
    assert not is_wacz(written(tmp_path / "b.wacz", {"data.json": b""}))
    (tmp_path / "c.wacz").write_bytes(b"no ZIP")
    assert not is_wacz(tmp_path / "c.wacz")


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("HTTPS://WWW2.Example.org/A//B///", "org,example)/a/b"),
        ("http://wwwx.example.org", "org,example,wwwx)/"),
        ("http://a.www.example.org", "org,example,www,a)/"),
        ("https://example.org:80/", "org,example:80)/"),
        ("http://example.org:443/", "org,example:443)/"),
        ("http://[::1]:8080/X", "::1:8080)/x"),
        ("http://example.org//?B&A=2&a", "org,example)/?a&a=2&b"),
        ("http://example.org/?", "org,example)/"),
        ("http://example.org:x/A", "http://example.org:x/a"),
        ("ftp://Example.org/A", "ftp://example.org/a"),
        ("http:///A", "http:///a"),
    ],
)
def test_addresses_have_one_key_each(url: str, key: str):
    assert surt(url) == key
