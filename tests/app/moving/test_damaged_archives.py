"""Archives that are coded in rare ways, damaged, or made to do harm: what can be read is read, and what
cannot be read is named."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import brotli
import pytest

from tests.app.moving.old_archive import URL, page, with_revisit
from webvigil.app.moving import sources
from webvigil.app.moving.records import Head, heads
from webvigil.app.moving.sources import Unreadable, _Window, moment_of, opened_source
from webvigil.app.settings import Settings, read_settings
from webvigil.errors import DocumentRefused
from webvigil.fetch.coding import zstd


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path / "data"), "fetch_bytes": "1000000"}, environment={})


def record(
    body: bytes = b"<p>Tea",
    *,
    date: str = "2019-01-01T00:00:00Z",
    status: str = "200 OK",
    headers: Sequence[str] = (),
    kind: str = "response",
    length: str = "",
    version: bytes = b"WARC/1.0",
) -> bytes:
    """Returns one record of a WARC file, as bytes."""
    block = "\r\n".join([f"HTTP/1.1 {status}", "Content-Type: text/html", *headers, "", ""]).encode() + body
    head = "\r\n".join(
        [
            f"WARC-Type: {kind}",
            f"WARC-Target-URI: {URL}",
            f"WARC-Date: {date}",
            "Content-Type: application/http",
            f"Content-Length: {length or len(block)}",
        ]
    )
    return version + b"\r\n" + head.encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def file_of(place: Path, records: Iterable[bytes]) -> Path:
    place.write_bytes(b"".join(records))
    return place


def read(file: Path, settings: Settings) -> tuple[list[bytes], list[str]]:
    """Returns the bodies of all captures of a file, and what is said of those that cannot be read."""
    bodies, said = [], []
    with opened_source(file, settings) as source:
        for one in list(source.pointers()):
            if isinstance(one, Unreadable):
                said.append(one.said)
                continue
            try:
                bodies.append(source.answer(one).body)
            except DocumentRefused as error:
                said.append(str(error))
    return bodies, said


# --- codings ---------------------------------------------------------------------------------------

CODED = {
    "gzip": gzip.compress,
    "GZIP": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
    "gzip, br": lambda body: brotli.compress(gzip.compress(body)),
}


@pytest.mark.parametrize("coding", CODED)
@pytest.mark.parametrize("chunked", [True, False])
def test_bodies_in_every_coding_are_unpacked(tmp_path: Path, settings: Settings, coding: str, chunked: bool):
    body = page(7) * 3000
    sent = CODED[coding](body)
    headers = [f"Content-Encoding: {coding}"]
    if chunked:
        headers.append("Transfer-Encoding: Chunked")
        sent = b"5\r\n" + sent[:5] + b"\r\n%x\r\n" % len(sent[5:]) + sent[5:] + b"\r\n0\r\n\r\n"
    file = file_of(tmp_path / "x.warc", [record(sent, headers=headers)])
    assert read(file, settings) == ([body], [])


@pytest.mark.parametrize("coding", CODED)
def test_a_body_that_was_unpacked_before_it_was_archived_is_taken_as_it_is(
    tmp_path: Path, settings: Settings, coding: str
):
    file = file_of(tmp_path / "x.warc", [record(page(7), headers=[f"Content-Encoding: {coding}"])])
    assert read(file, settings) == ([page(7)], [])


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "deflate"])
def test_a_bomb_and_a_broken_body_are_named(tmp_path: Path, settings: Settings, coding: str):
    bomb, broken = CODED[coding](b"\xff" * 50_000_000), CODED[coding](bytes(range(256)) * 90)[:-9]
    coded = [f"Content-Encoding: {coding}"]
    file = file_of(tmp_path / "x.warc", [record(bomb, headers=coded), record(broken, headers=coded)])
    bodies, said = read(file, settings)
    assert bodies == []
    assert "larger than 1,000,000 bytes" in said[0]
    assert len(said) == 2


# --- files whose records are not compressed one by one -----------------------------------------------


def test_records_that_are_compressed_together_are_all_read(tmp_path: Path, settings: Settings):
    records = [record(page(number)) for number in range(9)]
    file = tmp_path / "x.warc.gz"
    file.write_bytes(gzip.compress(b"".join(records)))
    assert read(file, settings) == ([page(number) for number in range(9)], [])


def test_members_that_end_in_the_middle_of_a_record_are_read(tmp_path: Path, settings: Settings):
    records = b"".join(record(page(number)) for number in range(9))
    file = tmp_path / "x.warc.gz"
    file.write_bytes(b"".join(gzip.compress(records[at : at + 500]) for at in range(0, len(records), 500)))
    assert read(file, settings) == ([page(number) for number in range(9)], [])


def test_records_behind_the_first_of_a_later_member_are_told(tmp_path: Path, settings: Settings):
    first = gzip.compress(record(page(1)))
    file = file_of(tmp_path / "x.warc.gz", [first, gzip.compress(record(page(2)) + record(page(3)))])
    bodies, said = read(file, settings)
    assert bodies == [page(1), page(2)]
    assert said == [f"x.warc.gz, byte {len(first):,}: more than one record is compressed together here"]


def test_a_file_that_unpacks_to_far_more_than_it_is_is_refused(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sources, "_LEAST_UNPACKED", 1 << 20)
    file = tmp_path / "x.warc.gz"
    file.write_bytes(gzip.compress(record() + record(b"\0" * 50_000_000)))
    with pytest.raises(DocumentRefused, match="unpacks to more than"):
        read(file, settings)


def test_reading_goes_on_behind_many_blank_lines(tmp_path: Path, settings: Settings):
    file = file_of(
        tmp_path / "x.warc", [record(page(1)), b"\r\n" * 100_000, record(page(2)), b"\r\n" * 70_000]
    )
    assert read(file, settings) == ([page(1), page(2)], [])


def test_reading_goes_on_behind_a_record_with_an_untrue_length(tmp_path: Path, settings: Settings):
    file = file_of(tmp_path / "x.warc", [record(page(1)), record(length="9" * 5000), record(page(2))])
    bodies, said = read(file, settings)
    assert bodies == [page(1), page(2)]
    assert len(said) == 1
    assert "x.warc, byte" in said[0]


# --- numbers and times -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        record(status="²00 OK"),
        record(status="9" * 5000 + " OK"),
        record(status=""),
        record(date="9999-12-31T23:59:59-23:59"),
        record(date="0001-01-01T00:00:00+23:59"),
        record(date="²0190101000000"),
        record(date="never"),
    ],
)
def test_a_record_with_impossible_numbers_is_named_and_the_others_are_read(
    tmp_path: Path, settings: Settings, bad: bytes
):
    file = file_of(tmp_path / "x.warc", [record(page(1)), bad, record(page(2))])
    bodies, said = read(file, settings)
    assert bodies == [page(1), page(2)]
    assert len(said) == 1


@pytest.mark.parametrize(
    "odd",
    [{"status": "²"}, {"status": "9" * 5000}, {"offset": "²"}, {"offset": "9" * 5000}, {"offset": "9" * 18}],
)
def test_an_entry_of_a_list_with_impossible_numbers_is_named(
    tmp_path: Path, settings: Settings, odd: dict[str, str]
):
    good = {"url": URL, "mime": "text/html", "status": "200", "filename": "x.warc", "offset": "0"}
    file_of(tmp_path / "x.warc", [record(page(1))])
    lines = [
        f"key 2019010100000{place} {json.dumps(one)}" for place, one in enumerate([good, good | odd, good])
    ]
    (tmp_path / "x.cdxj").write_text("\n".join(lines))
    bodies, said = read(tmp_path / "x.cdxj", settings)
    assert bodies == [page(1), page(1)]
    assert len(said) == 1


def test_an_entry_that_cannot_be_read_is_named_by_its_address(tmp_path: Path, settings: Settings):
    entries = {"20191301000000": "200", "20190101000000": "fine", "20190101000001": "²"}
    lines = [f"key {at} {json.dumps({'url': URL, 'status': one})}" for at, one in entries.items()]
    (tmp_path / "x.cdxj").write_text("\n".join(lines))
    _, said = read(tmp_path / "x.cdxj", settings)
    assert said == [
        f"x.cdxj: the capture of {URL} has no time",
        f"x.cdxj: the capture of {URL} has a status that is no number",
        f"x.cdxj: the capture of {URL} has a status that is no number",
    ]


@pytest.mark.parametrize("text", ["٢٠١٩٠١٠١٠٠٠٠٠٠", "2019010100000²", "99991231235960", "", "x" * 100_000])
def test_a_time_that_is_none_is_none(text: str):
    assert moment_of(text) is None


# --- content that lies elsewhere -------------------------------------------------------------------


def test_a_list_that_names_a_repetition_without_the_original_brings_no_empty_page(
    tmp_path: Path, settings: Settings
):
    file = with_revisit(tmp_path / "r.warc.gz")
    with file.open("rb") as stream:
        last = [one.offset for one in heads(stream) if isinstance(one, Head)][-1]
    for mime in ("warc/revisit", "text/html"):
        entry = {"url": URL, "mime": mime, "status": "200", "digest": "A", "filename": "r.warc.gz"}
        line = f"key 20200101000000 {json.dumps(entry | {'offset': str(last)})}"
        (tmp_path / "x.cdxj").write_text(line)
        assert read(tmp_path / "x.cdxj", settings) == ([], ["it repeats content that is not to be found"])


# --- files in files --------------------------------------------------------------------------------


def wacz(file: Path, *members: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(f"archive/{name}", content)
    return file


def test_a_wacz_file_whose_parts_unpack_to_far_more_is_refused(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sources, "_LEAST_UNPACKED", 1 << 20)
    half = b"\0" * 800_000
    with pytest.raises(DocumentRefused, match=r"x\.wacz unpacks to more than"):
        read(wacz(tmp_path / "x.wacz", ("a.warc", half), ("b.warc", half)), settings)


def test_a_wacz_file_with_a_damaged_part_is_refused_in_words(tmp_path: Path, settings: Settings):
    file = wacz(tmp_path / "x.wacz", ("a.warc", record(page(1)) * 50))
    content = bytearray(file.read_bytes())
    content[60:120] = b"\xff" * 60
    file.write_bytes(content)
    with pytest.raises(DocumentRefused, match="no WACZ file that can be read"):
        read(file, settings)


def test_a_wacz_file_with_a_gzip_part_of_one_piece_is_read_whole(tmp_path: Path, settings: Settings):
    inner = gzip.compress(record(page(1)) + record(page(2)))
    assert read(wacz(tmp_path / "x.wacz", ("a.warc.gz", inner)), settings) == ([page(1), page(2)], [])


def test_a_part_of_a_file_is_read_from_its_first_byte_to_its_last():
    part = _Window(io.BytesIO(b"before" + b"inside" + b"behind"), 6, 6)
    assert (part.tell(), part.read(2), part.read()) == (0, b"in", b"side")
    assert part.read(1) == b""
    assert (part.seek(-2, io.SEEK_END), part.read(9)) == (4, b"de")
