"""Plain text: one text node per line. Anything else: one node with the checksum of the bytes."""

from __future__ import annotations

from blake3 import blake3

from webvigil.document.digest import PageDigest
from webvigil.document.markup import BINARY
from webvigil.document.sink import Sink

# Beyond this many lines a node holds several of them, so that a file of line ends stays small in memory.
_LINES = 200_000


def read_text(text: str, url: str = "") -> PageDigest:
    sink = Sink()
    lines = text.splitlines(keepends=True) if text.count("\n") < _LINES else _blocks(text)
    for line in lines:
        sink.characters(line)
    return sink.digest("text", url)


def read_binary(body: bytes, url: str = "") -> PageDigest:
    sink = Sink()
    sink.leaf(BINARY, f"{len(body)} bytes blake3:{blake3(body).hexdigest()}")
    return sink.digest("binary", url)


def _blocks(text: str) -> list[str]:
    size = len(text) // _LINES + 1
    return [text[place : place + size] for place in range(0, len(text), size)]
