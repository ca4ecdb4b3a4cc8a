"""Plain text has a node per line, and a very long one a node for several lines."""

from __future__ import annotations

import pytest

from webvigil.document import plain_text
from webvigil.document.plain_text import read_binary, read_text


def nodes(text: str) -> list[str]:
    digest = read_text(text)
    assert digest.kind == "text"
    return [digest.own_text(node) for node in range(1, len(digest))]


def numbered(count: int) -> str:
    return "".join(f"line {number}\n" for number in range(count))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\nb\r\nc\r", ["a\n", "b\r\n", "c\r"]),
        ("\n\na", ["\n", "\n", "a"]),
        ("a\u2028b\x0cc", ["a\u2028", "b\x0c", "c"]),
    ],
)
def test_each_line_is_a_node(text: str, lines: list[str]):
    assert nodes(text) == lines


@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (7, [1] * 7),
        (8, [4, 4]),
        (9, [4, 4, 1]),
        (15, [4, 4, 4, 3]),
        (16, [8, 8]),
        (17, [8, 8, 1]),
        (31, [8, 8, 8, 7]),
        (32, [16, 16]),
        (40, [16, 16, 8]),
    ],
)
def test_a_node_of_a_long_text_has_several_lines(
    count: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(plain_text, "_LINES", 8)
    text = "same\n" * count
    assert [node.count("\n") for node in nodes(text)] == sizes
    assert "".join(nodes(numbered(count))) == numbered(count)


@pytest.mark.parametrize(("count", "longest"), [(399, 1), (400, 7), (801, 15), (1600, 55)])
def test_a_node_ends_behind_lines_that_are_chosen_by_what_they_say(
    count: int, longest: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(plain_text, "_LINES", 400)
    found = nodes(numbered(count))
    assert "".join(found) == numbered(count)
    assert max(node.count("\n") for node in found) == longest
    if count == 400:
        more = nodes("new\n" + numbered(count))
        assert more[-90:] == found[-90:]


def test_of_binary_bytes_the_number_and_the_checksum_are_kept():
    digest = read_binary(b"\0\1", "https://e.org/")
    assert (digest.kind, len(digest), digest.tag(1), digest.source_url) == (
        "binary",
        2,
        "#binary",
        "https://e.org/",
    )
    assert digest.own_text(1).startswith("2 bytes blake3:")
    assert len(digest.own_text(1)) == len("2 bytes blake3:") + 64
    assert digest.own_text(1) != read_binary(b"\0\2").own_text(1)
