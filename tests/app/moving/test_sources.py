"""What a file of captures tells of each capture, and what it answers, to the last byte and word."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from webvigil.app.moving import sources
from webvigil.app.moving.sources import (
    Pointer,
    Unreadable,
    WarcSource,
    _Room,
    _Window,
    is_archive,
    moment_of,
    opened_source,
    opened_stream,
)
from webvigil.app.settings import Settings, read_settings
from webvigil.errors import DocumentRefused, StoreRefused

URL = "http://site.test/tea"
DAY = datetime(2019, 1, 1, tzinfo=UTC)
STAMP = "20190101000000"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path / "data"), "fetch_bytes": "1000000"}, environment={})


def packed(content: bytes) -> bytes:
    """The same bytes whenever they are made."""
    return gzip.compress(content, mtime=0)


def record(
    content: bytes = b"Tea",
    *,
    kind: str = "response",
    url: str = URL,
    http: str | None = "200 OK",
    date: str = "2019-01-01T00:00:00Z",
    digest: str = "",
    of: str = "text/html",
) -> bytes:
    """Returns a record with an answer, or without one if `http` is None."""
    answer = b"" if http is None else f"HTTP/1.1 {http}\r\nContent-Type: {of}\r\nX-Tea: yes\r\n\r\n".encode()
    block = answer + content
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {url}",
        f"WARC-Date: {date}",
        f"Content-Length: {len(block)}",
    ]
    if digest:
        lines.append(f"WARC-Payload-Digest: {digest}")
    if http is not None:
        lines.append("Content-Type: application/http; msgtype=response")
    elif of:
        lines.append(f"Content-Type: {of}")
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def source_of(*records: bytes, most: int = 1000) -> WarcSource:
    return WarcSource([("x.warc", io.BytesIO(b"".join(records)))], most)


class TestWarc:
    def test_a_response_a_resource_and_a_repetition_are_captures(self):
        records = [
            record(digest="A"),
            record(kind="request"),
            record(kind="resource", http=None, url=f"<{URL}>", of="text/plain"),
            record(url="ftp://site.test/tea"),
            record(kind="revisit", http="304 Not Modified", digest="A", url="https://site.test/tea"),
            record(http="404 Gone", date="2019-01-01T01:00:00+01:00"),
        ]
        at = [sum(map(len, records[:place])) for place in range(6)]
        assert list(source_of(*records).pointers()) == [
            Pointer(url=URL, at=DAY, status=200, place=(0, 0), payload="A"),
            Pointer(url=URL, at=DAY, status=200, place=(0, at[2])),
            Pointer(
                url="https://site.test/tea", at=DAY, status=304, place=(0, at[4]), payload="A", repeats=True
            ),
            Pointer(url=URL, at=DAY, status=404, place=(0, at[5])),
        ]

    def test_what_cannot_be_read_is_named_with_its_place(self):
        first = b"x" * 1200 + b"\r\n\r\n"
        second = record(date="some day")
        source = WarcSource(
            [
                ("a.warc", io.BytesIO(first + second + record(http="2x0 OK") + record())),
                ("b.warc", io.BytesIO(record())),
            ],
            1000,
            ["c.warc, byte 7: it is damaged"],
        )
        third = len(first) + len(second)
        assert list(source.pointers()) == [
            Unreadable("c.warc, byte 7: it is damaged"),
            Unreadable("a.warc, byte 0: no record begins here"),
            Unreadable("a.warc, byte 1,204: its date cannot be read"),
            Unreadable(f"a.warc, byte {third:,}: its status cannot be read"),
            Pointer(url=URL, at=DAY, status=200, place=(0, third + len(record(http="2x0 OK")))),
            Pointer(url=URL, at=DAY, status=200, place=(1, 0)),
        ]

    def test_an_answer_has_the_headers_of_its_record(self):
        source = source_of(
            record(b"whole", http="201 Made"),
            record(b"text", kind="resource", http=None, of="text/plain"),
            record(b"bare", kind="resource", http=None, of=""),
        )
        answers = [source.answer(one) for one in source.pointers() if isinstance(one, Pointer)]
        assert [(one.url, one.status, one.headers, one.body) for one in answers] == [
            (URL, 201, (("Content-Type", "text/html"), ("X-Tea", "yes")), b"whole"),
            (URL, 200, (("Content-Type", "text/plain"),), b"text"),
            (URL, 200, (("Content-Type", ""),), b"bare"),
        ]

    def test_headers_of_codings_are_left_out(self):
        head = (
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\nTRANSFER-ENCODING: chunked\r\n"
        )
        sent = packed(b"Tea")
        block = f"{head}Server: x\r\n\r\n".encode() + b"%x\r\n%s\r\n0\r\n\r\n" % (len(sent), sent)
        lines = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {URL}\r\nWARC-Date: 2019-01-01\r\n"
        whole = f"{lines}Content-Length: {len(block)}\r\nContent-Type: application/http\r\n\r\n".encode()
        source = source_of(whole + block + b"\r\n\r\n")
        (pointer,) = source.pointers()
        assert isinstance(pointer, Pointer)
        answer = source.answer(pointer)
        assert (answer.headers, answer.body) == ((("Server", "x"),), b"Tea")

    @pytest.mark.parametrize("http", [None, "304 Not Modified"])
    @pytest.mark.parametrize("is_first", [False, True])
    def test_a_repetition_has_the_content_of_its_original(self, http: str | None, *, is_first: bool):
        checksum = f"sha1:{base64.b32encode(hashlib.sha1(b'original').digest()).decode()}"
        again = record(b"", kind="revisit", http=http, digest=checksum, of="text/plain")
        both = [record(b"original", digest=checksum), again]
        source = source_of(*(both[::-1] if is_first else both))
        (found,) = (one for one in source.pointers() if isinstance(one, Pointer) and one.repeats)
        answer = source.answer(found)
        kind = "text/html" if http is None else "text/plain"
        assert (answer.body, answer.headers) == (b"original", (("Content-Type", kind), ("X-Tea", "yes")))

    def test_a_repetition_without_a_checksum_has_no_original(self):
        source = source_of(record(b"other"), record(b"", kind="revisit", http=None))
        _, again = source.pointers()
        assert isinstance(again, Pointer)
        with pytest.raises(DocumentRefused, match=r"^it repeats content that is not to be found$"):
            source.answer(again)

    def test_an_answer_may_be_as_large_as_pages_may_be(self):
        source = source_of(record(b"x" * 1000), record(b"x" * 1001))
        fits, large = source.pointers()
        assert isinstance(fits, Pointer)
        assert isinstance(large, Pointer)
        assert len(source.answer(fits).body) == 1000
        with pytest.raises(DocumentRefused, match=r"^it is larger than 1,000 bytes$"):
            source.answer(large)


@pytest.mark.parametrize(
    ("start", "name", "is_one"),
    [
        (b"WARC/1.0", "x", True),
        (b"", "x.warc", True),
        (b"", "x.warc.gz", True),
        (b"", "x.wacz", True),
        (b"", "x.cdx", True),
        (b"", "x.cdxj", True),
        (packed(b"WARC/1.0 and more"), "x.gz", True),
        (packed(b"WARC"), "x.gz", False),
        (packed(b"other"), "x.gz", False),
        (b"\x1f\x8b\x08", "x.gz", False),
        (b"", "x", False),
        (b"text WARC/", "warc", False),
    ],
)
def test_archives_are_known_by_their_name_or_beginning(start: bytes, name: str, *, is_one: bool):
    assert is_archive(start, name) is is_one


LINE = f"test,site)/ {STAMP} {URL} text/html 200 A 9"


def test_a_file_of_records_may_hold_lines_of_lists(tmp_path: Path, settings: Settings):
    (tmp_path / "x.warc").write_bytes(record(f"\n{LINE}\n".encode()))
    with zipfile.ZipFile(tmp_path / "x.wacz", "w") as archive:
        archive.writestr("indexes/index.cdx", f"\n{LINE}\n")
        archive.writestr("archive/a.warc", record())
        archive.writestr("archive/deep/b.warc", record())
        archive.writestr("archive/c.warc.txt", record())
    for name in ("x.warc", "x.wacz"):
        with opened_source(tmp_path / name, settings) as source:
            assert list(source.pointers()) == [Pointer(url=URL, at=DAY, status=200, place=(0, 0))]


def test_files_that_cannot_be_read_are_refused_in_words(tmp_path: Path, settings: Settings):
    with (
        pytest.raises(StoreRefused, match=r"none\.warc cannot be read: No such file or directory$"),
        opened_source(tmp_path / "none.warc", settings),
    ):
        pass
    listed, empty = io.BytesIO(LINE.encode()), io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("indexes/index.cdx", "")
    for stream, said in [
        (listed, "x is a list of captures that lie elsewhere; bring it with webvigil import"),
        (io.BytesIO(b"other"), "x is no WARC, WACZ or CDX file"),
        (empty, "x holds no WARC file"),
    ]:
        with pytest.raises(DocumentRefused) as refused, opened_stream(stream, "x", settings):
            pass
        assert str(refused.value) == said


@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_part_of_a_file_is_found_behind_a_long_name_and_long_remarks(settings: Settings, kind: int):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo(f"archive/{'a' * 700}.warc")
        info.extra = b"\xfe\xca" + (600).to_bytes(2, "little") + b"x" * 600
        archive.writestr(info, record(), compress_type=kind)
        archive.writestr("archive/b.warc", record(b"more"), compress_type=kind)
    with opened_stream(file, "x.wacz", settings) as source:
        found = [one for one in source.pointers() if isinstance(one, Pointer)]
        assert [source.answer(one).body for one in found] == [b"Tea", b"more"]


def test_a_small_file_may_unpack_to_much(settings: Settings):
    file = io.BytesIO(packed(record(b" " * 900_000) + record()))
    with opened_stream(file, "x.warc.gz", settings) as source:
        assert len(list(source.pointers())) == 2


@pytest.mark.parametrize(("size", "most"), [(0, 50), (1, 100), (2, 200)])
def test_a_file_unpacks_to_so_much(monkeypatch: pytest.MonkeyPatch, size: int, most: int):
    monkeypatch.setattr(sources, "_LEAST_UNPACKED", 50)
    room = _Room(io.BytesIO(), "x.wacz", size)
    parts = [room.holding([b"a" * 20, b"b" * 10]), room.holding([b"c" * (most - 30)])]
    assert [part.read() for part in parts] == [b"a" * 20 + b"b" * 10, b"c" * (most - 30)]
    with pytest.raises(DocumentRefused, match=f"^x.wacz unpacks to more than {most} bytes$"):
        room.holding([b"d"])


def test_a_part_of_a_file_has_its_own_places():
    part = _Window(io.BytesIO(b"before" + b"inside" + b"behind"), 6, 6)
    assert part.seek(2) == 2
    assert part.seek(1, io.SEEK_CUR) == 3
    assert (part.read(0), part.tell(), part.read(-1), part.tell()) == (b"", 3, b"ide", 6)
    assert (part.seek(9), part.read(), part.read(4)) == (9, b"", b"")
    assert (part.seek(5), part.read(2)) == (5, b"e")


HEADED = " CDX N b a m s k r M S V g"


@pytest.mark.parametrize(
    "listed",
    [
        LINE,
        f"{HEADED}\nx {STAMP} {URL} text/html 200 A - - 9 - -",
        f"CDX b a k s m\n{STAMP} {URL} A 200 text/html",
        f'["x","{STAMP}","{URL}","text/html","200","A","9"]',
        f'[["x","{STAMP}","{URL}","text/html","200","A","9"],',
        f',["x", {STAMP}, "{URL}", "text/html", 200, "A", 9]]',
        f'[["digest","original","timestamp","mimetype","statuscode"],\n["A","{URL}","{STAMP}","text/html","200"]]',
        f'x {STAMP} {{"url": "{URL}", "mime": "text/html", "status": 200, "digest": "A"}}',
        f'{STAMP}{{"url": "{URL}", "mime": "text/html", "status": "200", "digest": "A"}}',
        f"\nno entry\nx 2019 {URL} text/html 200 A 9\n{{broken\n[broken\n{{}}\nx {STAMP} site.test\n{LINE}",
        f"{LINE.replace('200', '-')}",
        f"x {STAMP} {{nothing\n{LINE}",
    ],
)
def test_lists_are_read_in_each_of_their_forms(tmp_path: Path, settings: Settings, listed: str):
    (tmp_path / "x.cdx").write_text(listed)
    with opened_source(tmp_path / "x.cdx", settings) as source:
        (found,) = source.pointers()
    assert isinstance(found, Pointer)
    assert replace(found, place=0) == Pointer(url=URL, at=DAY, status=200, place=0, payload="A")


def test_a_list_tells_how_far_it_is_read(tmp_path: Path, settings: Settings):
    (tmp_path / "x.cdx").write_text(f"{LINE}\nother\n")
    heard: list[int] = []
    with opened_source(tmp_path / "x.cdx", settings) as source:
        assert len(list(source.pointers(heard.append))) == 1
    assert heard == [len(LINE) + 1, 6]


def test_an_entry_of_a_long_address_is_named_by_its_beginning(tmp_path: Path, settings: Settings):
    url = URL + "x" * 100
    entries = [f"x 20190230000000 {url} text/html 200 A 9", f"x {STAMP} {url} text/html abc A 9"]
    (tmp_path / "x.cdx").write_text("\n".join(entries))
    with opened_source(tmp_path / "x.cdx", settings) as source:
        assert list(source.pointers()) == [
            Unreadable(f"x.cdx: the capture of {url[:100]} has no time"),
            Unreadable(f"x.cdx: the capture of {url[:100]} has a status that is no number"),
        ]


def test_an_entry_says_where_its_answer_lies(tmp_path: Path, settings: Settings):
    repeated = record(b"again", digest="")
    (tmp_path / "x.warc").write_bytes(record(b"first") + repeated)
    (tmp_path / "x-20190101000002-b").write_bytes(b"second file")
    (tmp_path / "x-20190101000002-a").write_bytes(b"first file")
    (tmp_path / "a-20190101000002").mkdir()
    at = str(len(record(b"first")))
    rows = [
        {"mime": "warc/revisit", "digest": "A"},
        {"filename": "elsewhere/x.warc", "offset": at, "digest": "A"},
        {"filename": "x.warc", "offset": "-"},
        {"filename": "none.warc", "offset": "0"},
        {"digest": "A", "filename": "x.warc", "offset": "0"},
    ]
    lines = [f"x 2019010100000{number} {json.dumps({'url': URL} | row)}" for number, row in enumerate(rows)]
    (tmp_path / "x.cdxj").write_text("\n".join(lines))
    said: list[bytes | str] = []
    with opened_source(tmp_path / "x.cdxj", settings) as source:
        for one in list(source.pointers()):
            assert isinstance(one, Pointer)
            try:
                said.append(source.answer(one).body)
            except DocumentRefused as refused:
                said.append(str(refused))
    assert said == [
        b"again",
        b"again",
        b"first file",
        "none.warc cannot be read: No such file or directory",
        b"first",
    ]


def test_a_file_of_a_folder_is_an_answer_of_the_size_of_a_page(tmp_path: Path, settings: Settings):
    small = replace(settings, fetch_bytes=1200)
    (tmp_path / "x.cdx").write_text(
        f"{LINE}\nx 20190102000000 {URL} - 404 B 9\nx 20190103000000 {URL} text/html 200 C 9"
    )
    (tmp_path / STAMP).write_bytes(b"x" * 1200)
    (tmp_path / "20190102000000").write_bytes(b"x" * 1201)
    with opened_source(tmp_path / "x.cdx", small) as source:
        fits, large, missing = (one for one in source.pointers() if isinstance(one, Pointer))
        answer = source.answer(fits)
        assert (answer.url, answer.status, answer.headers, len(answer.body)) == (
            URL,
            200,
            (("Content-Type", "text/html"),),
            1200,
        )
        with pytest.raises(DocumentRefused, match=r"^it is larger than 1,200 bytes$"):
            source.answer(large)
        with pytest.raises(DocumentRefused, match=r"has 20190103000000 in its name$"):
            source.answer(missing)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (STAMP, DAY),
        ("2019-01-01T00:00:00Z", DAY),
        ("2019-01-01T02:00:00+02:00", DAY),
        ("2019-01-01T00:00:00", DAY),
        ("2019-01-01", DAY),
    ],
)
def test_times_are_read_as_lists_and_records_write_them(text: str, at: datetime | None):
    assert moment_of(text) == at
