"""The records of a WARC file: where each begins, what is wrong with it, and how much of it is read."""

from __future__ import annotations

import gzip
import io

import pytest

from webvigil.app.moving import records
from webvigil.app.moving.records import Damage, Head, heads, is_one_piece, number_of, record_at, unpacked
from webvigil.errors import DocumentRefused


def packed(content: bytes) -> bytes:
    """The same bytes whenever they are made."""
    return gzip.compress(content, mtime=0)


def record(
    content: bytes = b"Tea", *, length: str = "", name: str = "Content-Length", kind: str = ""
) -> bytes:
    head = [
        "WARC/1.0",
        "WARC-Type: resource",
        "WARC-Target-URI: http://site.test/",
        f"{name}: {length or len(content)}",
        f"Content-Type: {kind or 'text/plain'}",
        "",
        "",
    ]
    return "\r\n".join(head).encode() + content + b"\r\n\r\n"


def answered(*headers: str, body: bytes) -> bytes:
    """A record of an answer with these headers."""
    content = "\r\n".join(["HTTP/1.1 200 OK", *headers, "", ""]).encode() + body
    return record(content, kind="application/http").replace(b": resource", b": response")


R, G = record(), packed(record())
LONG = record(b"Tea " * 40_000)
CUT = "it is cut off"
NONE = "no record begins here"


def found(content: bytes) -> list[tuple[int, str]]:
    """The place of each record with what is wrong with it ("" for nothing)."""
    return [(one.offset, one.why if isinstance(one, Damage) else "") for one in heads(io.BytesIO(content))]


PLAIN = [
    (b"", []),
    (b"\r\n\r\n", []),
    (R, [(0, "")]),
    (R + R, [(0, ""), (len(R), "")]),
    (b"\r\n\r\n" + R, [(4, "")]),
    (R[:-4], [(0, "")]),
    (R[:-5], [(0, CUT)]),
    (LONG + R, [(0, ""), (len(LONG), "")]),
    (R + b"dust\r\n\r\n" + R, [(0, ""), (len(R), NONE), (len(R) + 8, "")]),
    (R + b"dust" + R, [(0, ""), (len(R), NONE)]),
    (b"d\r\n\r\n" + R, [(0, NONE), (5, "")]),
    (b"WARC/1.0\r\n\r\n" + R, [(0, NONE), (12, "")]),
    (record(name="content-length ") + R, [(0, ""), (len(R) + 1, "")]),
    (record(length="2x") + R, [(0, NONE), (len(R) + 1, "")]),
    (record(length="9" * 18) + R, [(0, CUT), (len(R) + 17, "")]),
    (record(length="9" * 19) + R, [(0, NONE), (len(R) + 18, "")]),
    (record(name="Length") + R, [(0, NONE), (len(R) - 8, "")]),
    (b"\r\n\r\n".join([b"dust" * 40, R]), [(0, NONE), (164, "")]),
]


@pytest.mark.parametrize("piece", [17, 64, 1 << 16])
@pytest.mark.parametrize(("content", "expected"), PLAIN)
def test_reading_goes_on_at_the_next_record(
    monkeypatch: pytest.MonkeyPatch, content: bytes, expected: list[tuple[int, str]], piece: int
):
    monkeypatch.setattr(records, "_PIECE", piece)
    assert found(content) == expected


def test_a_head_is_as_long_as_it_is_however_long_the_file():
    far = b"x" * ((1 << 16) - 2) + b"\r\n\r\n"
    assert found(far + R) == [(0, NONE), (len(far), "")]


TWO = packed(R + R)
PACKED = [
    (G, [(0, "")]),
    (G + G, [(0, ""), (len(G), "")]),
    (G + b"dust" + G, [(0, ""), (len(G), NONE), (len(G) + 4, "")]),
    (G + b"dust", [(0, ""), (len(G), NONE)]),
    (G + G[:-1], [(0, ""), (len(G), CUT)]),
    (G[:-1], [(0, CUT)]),
    (TWO + G, [(0, ""), (0, "more than one record is compressed together here"), (len(TWO), "")]),
    (
        packed(b"other") + G,
        [(0, "it is no WARC record"), (len(packed(b"other")), "")],
    ),
    (
        packed(R[:-5]) + G,
        [
            (0, "only a part of a record is compressed here"),
            (len(packed(R[:-5])), ""),
        ],
    ),
    (packed(R[:-4]), [(0, "")]),
    (packed(R + b"\r\n\r\n"), [(0, "")]),
    (packed(LONG) + G, [(0, ""), (len(packed(LONG)), "")]),
    (
        packed(LONG + b"x"),
        [(0, ""), (0, "more than one record is compressed together here")],
    ),
    (G + b"\x1f\x8b\x08\x00" + G, [(0, ""), (len(G), "it is damaged"), (len(G) + 4, "")]),
]


@pytest.mark.parametrize("piece", [150, 1 << 16])
@pytest.mark.parametrize(("content", "expected"), PACKED)
def test_reading_goes_on_at_the_next_compressed_record(
    monkeypatch: pytest.MonkeyPatch, content: bytes, expected: list[tuple[int, str]], piece: int
):
    monkeypatch.setattr(records, "_PIECE", piece)
    assert [(at, why.partition(" (")[0]) for at, why in found(content)] == expected


def test_what_is_read_is_told_from_time_to_time():
    heard: list[int] = []
    list(heads(io.BytesIO(R + b"dust\r\n\r\n" + R + R), heard.append))
    assert heard == [0, len(R), 8, len(R)]


def test_a_head_is_a_record_without_the_rest():
    (one,) = heads(io.BytesIO(R))
    assert isinstance(one, Head)
    assert one.record.rec_headers.get_header("WARC-Target-URI") == "http://site.test/"
    (wrong,) = heads(io.BytesIO(R.replace(b"WARC/1.0", b"WARC/x.y")))
    assert isinstance(wrong, Damage)
    assert wrong.why.startswith("it is no record (")


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        (G, False),
        (TWO, True),
        (packed(R[:-5]), True),
        (packed(R[:-4]), False),
        (packed(R + b"\r\n"), False),
        (packed(R + b"x"), True),
        (packed(LONG), False),
        (packed(LONG + R), True),
        (packed(b"other"), False),
        (R + R, False),
        (b"", False),
    ],
)
def test_records_that_are_compressed_together_are_one_piece(content: bytes, *, is_one: bool):
    assert is_one_piece(io.BytesIO(content)) is is_one


@pytest.mark.parametrize(
    ("content", "opened", "said"),
    [
        (b"", b"", ""),
        (packed(b"one"), b"one", ""),
        (packed(b"one") + packed(b"two" * 50_000), b"one" + b"two" * 50_000, ""),
        (packed(b"one") + b"dust", b"one", "what follows is not compressed"),
        (packed(b"one") + packed(b"two")[:-1], b"onetwo", CUT),
    ],
)
def test_pieces_are_joined_up_to_a_damage(content: bytes, opened: bytes, said: str):
    read, why = b"", ""
    try:
        for piece in unpacked(io.BytesIO(content)):
            read += piece
    except DocumentRefused as refused:
        why = str(refused)
    assert (read, why) == (opened, said)


def read_at(content: bytes, most: int = 100, offset: int = 0) -> bytes | str:
    try:
        return record_at(io.BytesIO(content), offset, most)[1]
    except DocumentRefused as refused:
        return str(refused)


NOTHING_RIGHT = b"sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"


@pytest.mark.parametrize("pack", [bytes, packed])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (R, b"Tea"),
        (R[:-4], b"Tea"),
        (R[:-5], CUT),
        (record(b"x" * 100), b"x" * 100),
        (record(b"x" * 101), "it is larger than 100 bytes"),
        (record(b"x" * 300_000), "it is larger than 100 bytes"),
        (R.replace(b"WARC/1.0", b"WARC/x.y"), "it cannot be read ("),
        (
            R.replace(b"\r\nContent-Type", b"\r\nWARC-Block-Digest: %s\r\nContent-Type" % NOTHING_RIGHT),
            "its content is not what its checksum says",
        ),
        (answered("Server: x", body=b"Tea"), b"Tea"),
        (answered("Content-Encoding: gzip", body=packed(b"Tea")), b"Tea"),
        (answered("Content-Encoding: gzip", "content-encoding: gzip", body=packed(G)), R),
        (answered("Content-Encoding: gzip", body=b"Tea"), b"Tea"),
        (answered("Transfer-Encoding: CHUNKED", body=b"3\r\nTea\r\n0\r\n\r\n"), b"Tea"),
        (answered("Content-Encoding: gzip", body=packed(b"x" * 100)), b"x" * 100),
    ],
)
def test_a_record_is_read_whole_or_refused_in_words(pack: type[bytes], content: bytes, expected: bytes | str):
    told = read_at(pack(content), most=max(100, len(R)) if expected == R else 100)
    if isinstance(told, str) and isinstance(expected, str) and expected.endswith("("):
        assert told.startswith(expected)
    else:
        assert told == expected


def test_a_record_is_read_at_its_place():
    assert read_at(R + record(b"Rum") + R, offset=len(R)) == b"Rum"
    assert read_at(G + packed(record(b"Rum")) + G, offset=len(G)) == b"Rum"
    assert read_at(R, offset=3) == NONE
    assert read_at(record(b"x" * 70_000) + R, most=70_000) == b"x" * 70_000


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"Tea\0", "the answer broke off in the middle"),
        (b"\xff", "the answer is packed in a way that cannot be read: brotli: decoder failed"),
    ],
)
def test_a_broken_body_that_is_no_text_is_refused(body: bytes, said: str):
    assert read_at(answered("Content-Encoding: br", body=body)) == said


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("9" * 18, 10**18 - 1), ("9" * 19, None), ("", None), ("-1", None), ("1 ", None)],
)
def test_numbers_have_up_to_eighteen_digits(text: str, number: int | None):
    assert number_of(text) == number
