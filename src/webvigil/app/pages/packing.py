"""The blocks of a Page Digest in, the bytes that are stored of them out, and back (R2).

    length of the patch  patch  zstd frame of (lengths of the blocks, blocks)

Versions of a page mostly differ in a few bytes of a few blocks. The frame of the version before is then taken
over as it is, and the patch says for each block how many bytes at its start and at its end are those of the
frame, and which bytes stand between them. To compress all blocks again would take five times as long.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from threading import local

import zstandard

from webvigil.document.containers import BLOCKS
from webvigil.document.reading import equal_ends
from webvigil.model.memo import cached_property

_LENGTH = 4  # bytes
_LENGTHS = struct.Struct(f"<{BLOCKS}I")
# For each block the bytes that are taken from its start and from its end, and those that stand between.
_PATCH = struct.Struct(f"<{3 * BLOCKS}I")
# A patch of more than this share of the blocks is not made: the blocks are compressed again.
_LARGEST = 1 / 8


class Packed:
    """The blocks of one digest: the frame of an earlier version or of this one, and what differs from it."""

    def __init__(self, frame: bytes, patch: bytes = b"") -> None:
        self._frame = frame
        self._patch = patch

    def __bytes__(self) -> bytes:
        return b"".join((len(self._patch).to_bytes(_LENGTH, "little"), self._patch, self._frame))

    def blocks(self) -> bytes | memoryview:
        """Returns all blocks of the digest, one after the other."""
        if not self._patch:
            return memoryview(self._base)[_LENGTHS.size :]
        numbers = iter(_PATCH.unpack_from(self._patch))
        pieces: list[bytes | memoryview] = []
        place = _PATCH.size
        for block, (same, alike, size) in zip(
            self._blocks(), zip(numbers, numbers, numbers, strict=True), strict=True
        ):
            pieces += (block[:same], self._patch[place : place + size], block[len(block) - alike :])
            place += size
        return b"".join(pieces)

    def followed_by(self, blocks: Sequence[bytes]) -> Packed | None:
        """Returns the blocks of the next version as a patch of this frame; None if too much differs."""
        numbers: list[int] = []
        pieces: list[bytes] = []
        room = _LARGEST * sum(map(len, blocks))
        for old, new in zip(self._blocks(), blocks, strict=True):
            same, alike = _equal_ends(old, new)
            pieces.append(new[same : len(new) - alike])
            numbers += (same, alike, len(pieces[-1]))
            room -= len(pieces[-1])
            if room < 0:
                return None
        return Packed(self._frame, b"".join((_PATCH.pack(*numbers), *pieces)))

    @cached_property
    def _base(self) -> bytes:
        return _coders.unpacker.decompress(self._frame)

    def _blocks(self) -> Iterator[memoryview]:
        """Yields the blocks of the frame."""
        base = memoryview(self._base)
        borders = accumulate(_LENGTHS.unpack_from(base), initial=_LENGTHS.size)
        return (base[start:end] for start, end in pairwise(borders))


def compressed(blocks: Sequence[bytes]) -> Packed:
    return Packed(_coders.packer.compress(b"".join((_LENGTHS.pack(*map(len, blocks)), *blocks))))


def opened(data: bytes) -> Packed:
    """Returns the packed blocks that `bytes` made these bytes of. They are uncompressed on first use."""
    start = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
    return Packed(data[start:], data[_LENGTH:start])


def _equal_ends(one: memoryview, other: bytes) -> tuple[int, int]:
    """Returns how many bytes are equal at the start, and how many of the rest at the end. As Latin-1 each
    byte is one character of a text."""
    return equal_ends(str(one, "latin-1"), other.decode("latin-1"))


class _Coders(local):
    """The compressor and decompressor of a thread. They are costly to make and cheap to use again, and two
    threads must not use one at the same time. The quickest level: a stronger one makes digests a twentieth
    smaller, and the object lives until the next version is compared."""

    def __init__(self) -> None:
        self.packer = zstandard.ZstdCompressor(level=1)
        self.unpacker = zstandard.ZstdDecompressor()


_coders = _Coders()
