"""The page repository: an Answer in, the same Answer out, exact to the byte (R2).

An answer is stored as one object: a head (address, status, headers in order) and the body, compressed
together. Its key is the digest of its content, so that the same answer is one object however often it is
kept, and a damaged object is noticed when it is read.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator

import zstandard
from blake3 import blake3

from webvigil.errors import StoreError
from webvigil.model.version import Answer, Frame
from webvigil.store.promises import Objects

_MAGIC = b"WVA1"
_LEVEL = 9


class PageRepository:
    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def keep(self, answer: Answer) -> str:
        content = _packed(answer)
        key = blake3(content).hexdigest()
        if not self._objects.has(key):
            self._objects.put(key, zstandard.ZstdCompressor(level=_LEVEL).compress(content))
        return key

    def keep_picture(self, picture: bytes) -> str:
        """A picture is packed as it is. "" for none."""
        if not picture:
            return ""
        key = blake3(picture).hexdigest()
        if not self._objects.has(key):
            self._objects.put(key, picture)
        return key

    def picture(self, key: str) -> bytes:
        picture = self._objects.get(key)
        if blake3(picture).hexdigest() != key:
            raise StoreError(f"object {key} is damaged: its content does not match its name")
        return picture

    def answer(self, key: str) -> Answer:
        try:
            content = zstandard.ZstdDecompressor().decompress(self._objects.get(key))
        except zstandard.ZstdError as error:
            raise StoreError(f"object {key} is damaged: {error}") from error
        if blake3(content).hexdigest() != key:
            raise StoreError(f"object {key} is damaged: its content does not match its name")
        return _unpacked(content)


def _packed(answer: Answer) -> bytes:
    """Frames follow the body; the head says which, and how long each is, and tells the pictures' signatures.

    Without either it says nothing of them.
    """
    frames = [(frame.address, _packed(frame.answer)) for frame in answer.frames]
    lengths = [[address, len(packed)] for address, packed in frames]
    more = [lengths, answer.pictures] if answer.pictures else [lengths] if lengths else []
    parts = [answer.url, answer.status, answer.headers, *more]
    head = json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogateescape")
    inner = b"".join(packed for _, packed in frames)
    return _MAGIC + struct.pack(">I", len(head)) + head + answer.body + inner


def _unpacked(content: bytes) -> Answer:
    start = len(_MAGIC) + 4
    (length,) = struct.unpack_from(">I", content, len(_MAGIC))
    head = content[start : start + length].decode("utf-8", "surrogateescape")
    url, status, headers, *more = json.loads(head)
    lengths = more[0] if more else []
    end = len(content) - sum(size for _, size in lengths)
    return Answer(
        url=url,
        status=status,
        headers=tuple((name, value) for name, value in headers),
        body=content[start + length : end],
        frames=tuple(_frames(content, end, lengths)),
        pictures=tuple((address, seen) for address, seen in (more[1] if len(more) > 1 else ())),
    )


def _frames(content: bytes, place: int, lengths: list[tuple[str, int]]) -> Iterator[Frame]:
    for address, size in lengths:
        yield Frame(address=address, answer=_unpacked(content[place : place + size]))
        place += size
