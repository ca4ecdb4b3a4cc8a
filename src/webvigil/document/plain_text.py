"""Plain text in, a Page Digest with one text node per line out.

Binary bytes give a digest with their checksum.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from zlib import crc32

from webvigil.document.digest import PageDigest
from webvigil.document.markup import BINARY
from webvigil.document.sink import Sink

# In a text with more lines a node holds several of them, so that a file of mere line ends stays small in
# memory.
_LINES = 200_000


def read_text(text: str, url: str = "") -> PageDigest:
    sink = Sink()
    lines = text.splitlines(keepends=True) if text.count("\n") < _LINES else _blocks(text)
    for line in lines:
        sink.characters(line)
    return sink.digest("text", url)


def read_binary(body: bytes, url: str = "") -> PageDigest:
    from blake3 import blake3  # the only use; most pages are text

    sink = Sink()
    sink.leaf(BINARY, f"{len(body)} bytes blake3:{blake3(body).hexdigest()}")
    return sink.digest("binary", url)


def _blocks(text: str) -> Iterator[str]:
    """Yields blocks of several lines. A block ends behind a line whose checksum has a certain remainder, so
    an inserted line changes one block and those behind it stay the same. If that gives too many or too long
    blocks, every block gets the same number of lines."""
    lines = text.splitlines(keepends=True)
    # A power of two stays the same for most changes in the number of lines, so both versions are cut alike.
    several = 2 << (len(lines) // _LINES).bit_length()
    cuts = [
        number
        for number, line in enumerate(lines, 1)
        if crc32(line.encode("utf-8", "replace")) % several == 0
    ]
    longest = max((end - start for start, end in pairwise([0, *cuts, len(lines)])), default=0)
    if len(cuts) > _LINES or longest > several * _LINES // 100:
        cuts = list(range(several, len(lines), several))
    for start, end in pairwise(dict.fromkeys([0, *cuts, len(lines)])):
        yield "".join(lines[start:end])
