"""A stored answer in, the Page Digest that is compared out: frames put in place, a PDF as its text.

The page repository keeps the digests of the versions that are compared next, packed for fast loading, so that
nothing is parsed again after a restart or in another worker (R2). A packed digest carries a mark that tells
how documents were read when it was made. A digest with another mark is made again. The digests used last stay
in memory.

    mark  checksum  head  length of the patch  patch  zstd frame of (lengths of the blocks, blocks)

Versions of a page mostly differ in a few bytes of a few blocks. The frame of the version before is then taken
over as it is, and the patch says for each block how many bytes at its start and at its end are those of the
frame, and which bytes stand between them. To compress all blocks again would take five times as long.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from itertools import accumulate, pairwise
from threading import Lock, local
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

import zstandard
from blake3 import blake3
from xxhash import xxh3_64_digest

from webvigil.document import PageDigest, read
from webvigil.document.containers import BLOCKS, HEAD_SIZE, head_and_blocks
from webvigil.document.hashes import both
from webvigil.document.parsing import is_pdf
from webvigil.document.reading import equal_ends
from webvigil.errors import DocumentRefused
from webvigil.fetch.frames import whole
from webvigil.fetch.pdf import pdf_text
from webvigil.model.memo import cached_property
from webvigil.model.version import Answer
from webvigil.store.repository import PageRepository

T = TypeVar("T")


class Recent(Generic[T]):
    """A cache of things with a weight, of at most `room` in total. The last `few` things stay, however heavy
    they are; the least recently used goes first.

    A thing that somebody still works with is found even if it had to go: many checks at the same time hold
    more than there is room for, and each of them would otherwise read its own things again.
    """

    def __init__(self, room: int, few: int = 2) -> None:
        self._room = room
        self._few = few
        self._kept: OrderedDict[str, tuple[T, int]] = OrderedDict()
        self._in_use: WeakValueDictionary[str, T] = WeakValueDictionary()
        self._weight = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> T | None:
        with self._lock:
            if key not in self._kept:
                return self._in_use.get(key)
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: str, thing: T, weight: int) -> None:
        with self._lock:
            self._forget(key)
            self._kept[key] = thing, weight
            self._in_use[key] = thing
            self._weight += weight
            while self._weight > self._room and len(self._kept) > self._few:
                self._forget(next(iter(self._kept)))

    def trim(self) -> None:
        """Drops the least recently used things until a quarter of the room is in use, also heavy things that
        `put` let stay. Whoever still works with a dropped thing has its own reference."""
        with self._lock:
            while self._weight > self._room // 4:
                self._forget(next(iter(self._kept)))

    @property
    def weight(self) -> int:
        return self._weight

    def forget(self, key: str) -> None:
        with self._lock:
            self._forget(key)
            self._in_use.pop(key, None)

    def _forget(self, key: str) -> None:
        if key in self._kept:
            self._weight -= self._kept.pop(key)[1]


MEMORY = 64_000_000  # bytes that digests in memory may occupy
# Upper bound of the bytes that a digest occupies, with all that change types derive from it, per node and per
# character of text. Real pages were measured to take 4 to 50 % of the bound. A character of an attribute
# takes up to four bytes, and as many in the stored form; pictures within a page are such attributes.
_NODE, _CHARACTER, _OF_ATTRIBUTE = 800, 40, 8


class Digests:
    """Gives the Page Digest of a version: from memory, from the repository, or by parsing the answer
    again."""

    def __init__(self, pages: PageRepository, memory: int = MEMORY) -> None:
        """`memory` bounds the bytes that digests in memory occupy, with everything derived from them."""
        self._pages = pages
        self._recent: Recent[PageDigest] = Recent(memory)

    def of(self, key: str) -> PageDigest:
        known = self._recent.get(key)
        if known is None:
            known = self._read(key)
            self._recent.put(key, known, _weight(known))
        return known

    def keep(
        self,
        key: str,
        answer: Answer,
        document: PageDigest | None = None,
        *,
        before: PageDigest | None = None,
        instead_of: str = "",
    ) -> PageDigest:
        """Makes and stores the digest of a new version now, because the version is compared next, and returns
        it; `document` is that digest if somebody has made it already, `before` that of the version before.
        Drops the digest of the version `instead_of`. Raises DocumentRefused if the answer cannot be read."""
        try:
            digest = document or document_of(answer)
        except DocumentRefused:
            self.drop(instead_of)
            raise
        self._pages.keep_digest(key, packed(digest, key, before), instead_of=instead_of)
        self._recent.put(key, digest, _weight(digest))
        return digest

    def drop(self, key: str) -> None:
        """Deletes the packed digest in the repository. A copy in memory stays, because a comparison may still
        need it."""
        self._pages.drop_digest(key)

    def trim(self) -> None:
        """Drops digests from memory that are too large to stay. They are read again when needed."""
        self._recent.trim()

    @property
    def weight(self) -> int:
        """Upper bound of the bytes that the digests in memory occupy."""
        return self._recent.weight

    def forget(self, key: str) -> None:
        self._recent.forget(key)

    def _read(self, key: str) -> PageDigest:
        stored = self._pages.digest(key)
        known = unpacked(stored, key) if stored else None
        return document_of(self._pages.answer(key)) if known is None else known


def packed(digest: PageDigest, key: str, before: PageDigest | None = None) -> bytes:
    """Returns the mark, a checksum of what follows, the head of the stored digest, and its packed blocks. The
    checksum depends on `key`, the version's object, so that the digest of one version is never taken for that
    of another. If the version `before` was loaded, what both have in common is not compressed again."""
    head, blocks = head_and_blocks(digest)
    like = before.once(_PACKED, _not_loaded) if before else None
    stored = head + bytes((like and like.followed_by(blocks)) or compressed(blocks))
    return mark().encode() + _END + _checksum(stored, key) + stored


def _not_loaded(_: PageDigest) -> Packed | None:
    return None


def _checksum(stored: bytes, key: str) -> bytes:
    return xxh3_64_digest(stored, seed=int(key[:16], 16))


def unpacked(data: bytes, key: str) -> PageDigest | None:
    """Returns the digest, or None if the data is damaged, belongs to another version or was made by another
    way of reading documents. Its blocks are uncompressed on first use."""
    made, _, rest = data.partition(_END)
    checksum, stored = rest[:_CHECKSUM], rest[_CHECKSUM:]
    if made != mark().encode() or _checksum(stored, key) != checksum:
        return None
    head, blocks = stored[:HEAD_SIZE], opened(stored[HEAD_SIZE:])
    with suppress(DocumentRefused):
        digest = PageDigest.from_bytes(head, blocks.blocks)
        digest.once(_PACKED, lambda _: blocks)
        return digest
    return None


@cache
def mark() -> str:
    """Returns a text that changes whenever documents are read differently. It is made from parsed examples,
    the versions of the parsers, and a number for differences that the examples do not show."""
    examples = [read(body, kind, "http://site.test/") for body, kind in _EXAMPLES]
    parts = [f"{part} {version(part)}" for part in _PARTS]
    told = b"".join(one.to_bytes() for one in examples)
    return f"{_READING} {blake3(told + ' '.join(parts).encode()).hexdigest(length=8)}"


# What ends the mark, and the bytes of the checksum after it.
_END, _CHECKSUM = b"\n", 8
# The name under which a loaded digest keeps the bytes that it was loaded from.
_PACKED = "packed"
# Increase this number when documents are read differently in a way that the examples do not show, or packed
# differently.
_READING = 3
_PARTS = ("turbohtml", "lxml")
_EXAMPLES = (
    (b"<!doctype html><title>A</title><p class=b>c<b>d</p>e<table><td>f<tr><!--g-->&eacute;", "text/html"),
    (b'<a b="c" xmlns:d="e">f<d:g/><![CDATA[h]]><!--i--><?j k?></a>', "application/xml"),
    (b'{"a": [1, "b", null], "c": {"d": true}}', "application/json"),
    (b"a  b\n\nc", "text/plain"),
    (b"\x00\x01", "application/octet-stream"),
)


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


def document_of(answer: Answer) -> PageDigest:
    if is_pdf(answer.body, answer.content_type):
        return _of_pdf(answer)
    digest = whole(answer) if answer.frames else read(answer.body, answer.content_type, answer.url)
    return digest.with_pictures(dict(answer.pictures)) if answer.pictures else digest


def _of_pdf(answer: Answer) -> PageDigest:
    """Returns the text of a PDF as a document. A PDF whose text cannot be read is compared by its bytes, like
    any other binary file."""
    try:
        text = pdf_text(answer.body).encode()
    except DocumentRefused:
        return read(answer.body, answer.content_type, answer.url)
    return read(text, "text/plain; charset=utf-8", answer.url).with_source(both(answer.body))


def signature_of(answer: Answer) -> str:
    """Returns a hash that is equal for equal pages. It covers the body, the bodies of its frames, and its
    pictures if somebody watches them."""
    parts = list(_parts(answer))
    return blake3(parts[0] if len(parts) == 1 else b"\0".join(parts)).hexdigest()


def _parts(answer: Answer) -> Iterator[bytes]:
    yield answer.body
    for address, seen in answer.pictures:
        yield f"{address} {seen}".encode("utf-8", "surrogatepass")
    for frame in answer.frames:
        yield frame.address.encode("utf-8", "surrogatepass")
        yield signature_of(frame.answer).encode()


def _weight(digest: PageDigest) -> int:
    """Returns an upper bound of the bytes that a digest will occupy."""
    in_attributes = _OF_ATTRIBUTE * digest.attribute_characters
    return _NODE * len(digest) + _CHARACTER * digest.characters + in_attributes
