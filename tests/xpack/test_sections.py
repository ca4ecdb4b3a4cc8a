"""The heads of packed files and sections: what is wrong with one is told, at either side of every limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from webvigil.errors import XPackError
from webvigil.xpack import codecs
from webvigil.xpack.numbers import varint
from webvigil.xpack.sections import (
    DOCUMENT,
    FIRST_SECTION,
    NAMES,
    VALUES,
    Container,
    InMemory,
    Section,
    check_magic,
    checksum,
    directory,
    read_container,
    read_section,
    section,
)


def told(asked: Callable[[], Any]) -> Any:
    """Returns the answer, or what the error says."""
    try:
        return asked()
    except XPackError as error:
        return str(error)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"XPK\x1a\x01\x00", 0),
        (b"XPK\x1a\x02\x01", 1),
        (b"XPK\x1a\x03\x01more", 1),
        (b"", "the packed file is empty"),
        (b"XPK", "this is not a packed file (.xpk)"),
        (b"XPK\x1b\x01\x00", "this is not a packed file (.xpk)"),
        (b"XPK\x1a", "the packed file is cut off"),
        (b"XPK\x1a\x01", "the packed file is cut off"),
        (b"XPK\x1a\x00\x00", "the packed file has format version 0; this program reads up to 3"),
        (b"XPK\x1a\x04\x00", "the packed file has format version 4; this program reads up to 3"),
        (b"XPK\x1a\x03\x02", "the packed file is damaged: it has flags that mean nothing"),
        (b"XPK\x1a\x03\x03", "the packed file is damaged: it has flags that mean nothing"),
    ],
)
def test_a_file_begins_with_its_version_and_its_flags(head: bytes, said: int | str):
    assert told(lambda: check_magic(InMemory(head))) == said
    assert FIRST_SECTION == 6


TEXTS = [(NAMES, 1, b"packed", 90), (VALUES, 0, b"as it is", 8)]


def test_a_section_is_found_as_it_was_written():
    written = section(DOCUMENT, b"fields", TEXTS)
    source = InMemory(b"before" + written + b"behind")
    found = read_section(source, 6)
    assert (found.type, found.start, found.end) == (DOCUMENT, 6, 6 + len(written))
    assert found.fields[:6] == b"fields"
    first, second = directory(found, 6)
    assert first == Container(NAMES, 1, found.body, 6, 90, checksum(b"packed"))
    assert second == Container(VALUES, 0, found.body + 6, 8, 8, checksum(b"as it is"))
    assert read_container(source, second) == b"as it is"


@pytest.mark.parametrize("length", [4, 100, 4096, 5000])
def test_a_long_head_is_read_whole(length: int):
    fields = bytes(length)
    found = read_section(InMemory(section(DOCUMENT, fields, [])), 0)
    assert (found.fields, directory(found, length)) == (fields + b"\0", [])


def head(total: int, length: int, body: bytes = b"") -> bytes:
    """Returns a section with these lengths, its checksum and what stands behind it."""
    begin = DOCUMENT + varint(total) + varint(length)
    return begin + (checksum(begin) if length >= 4 else b"") + body


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (head(5, 4), b""),
        (head(5, 4, b"body"), b""),
        (b"", "the packed file is cut off"),
        (head(4, 3), "the packed file is damaged: a head has an impossible length"),
        (head(4, 4), "the packed file is damaged: a head has an impossible length"),
        (head(1 << 30, (1 << 24) + 1), "the packed file is damaged: a head has an impossible length"),
        (head(1 << 30, 1 << 24), "the packed file is cut off"),
        (head(6, 5), "the packed file is cut off"),
        (head(6, 5, b"x"), "the packed file is damaged: the checksum of a head is wrong"),
    ],
)
def test_a_head_is_as_long_as_it_can_be(data: bytes, said: bytes | str):
    assert told(lambda: read_section(InMemory(data), 0).fields) == said


@pytest.mark.parametrize(
    ("fields", "end", "fits"),
    [
        (b"\0", 10, True),
        (b"\x01\x01\x02xxxx", 12, True),
        (b"\x01\x01\x02xxxx", 13, False),
        (b"\x01\x01\x02xxxx", 11, False),
        (b"\x01\x01\x02xxx", 12, False),
        (b"\x01\x01\x02xxxxx", 12, False),
        (b"\x02\x01\x02xxxx", 12, False),
        (b"\x01\x11\x02\x09xxxx", 12, True),
        (b"\x01\x10\x02\x09xxxx", 12, True),
        (b"\x01\x0f\x02xxxx", 12, True),
    ],
)
def test_the_containers_fill_their_section(fields: bytes, end: int, fits: bool):
    there = Section(DOCUMENT, 0, end, fields, 10)
    if fits:
        assert sum(one.stored for one in directory(there, 0)) == end - 10
    else:
        with pytest.raises(XPackError, match="its directory does not fit its length"):
            directory(there, 0)


@pytest.mark.parametrize(
    ("container", "said"),
    [
        (Container(VALUES, 0, 0, 3, 3, checksum(b"abc")), None),
        (Container(VALUES, 0, 0, 4, 4, checksum(b"abc")), "the packed file is cut off"),
        (
            Container(VALUES, 0, 0, 3, 3, b"wxyz"),
            "the packed file is damaged: the checksum of container values is wrong",
        ),
        (
            Container(14, 0, 0, 3, 3, b"wxyz"),
            "the packed file is damaged: the checksum of container ? is wrong",
        ),
        (Container(VALUES, 1, 0, 3, 1001, checksum(b"abc")), "a container is too large to open: 1,001 bytes"),
    ],
)
def test_a_container_is_read_and_checked(
    container: Container, said: str | None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(codecs, "LARGEST", 1_000)
    source = InMemory(b"abc")
    if said is None:
        assert read_container(source, container) == b"abc"
        return
    with pytest.raises(XPackError) as refused:
        read_container(source, container)
    assert str(refused.value) == said


def test_a_container_of_the_largest_size_is_opened(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(codecs, "LARGEST", 3)
    assert read_container(InMemory(b"abc"), Container(VALUES, 0, 0, 3, 3, checksum(b"abc"))) == b"abc"
