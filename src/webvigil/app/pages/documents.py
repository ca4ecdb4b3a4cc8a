"""A stored answer in, the Page Digest that is compared out: frames put in place, a PDF as its text.

The page repository keeps the digests of the versions that are compared next, packed for fast loading, so that
nothing is parsed again after a restart or in another worker (R2). A packed digest carries a mark that tells
how documents were read when it was made. A digest with another mark is made again. The digests used last stay
in memory.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from blake3 import blake3
from xxhash import xxh3_64_digest

from webvigil.app.pages.packing import Packed, compressed, opened
from webvigil.document import PageDigest, read
from webvigil.document.containers import HEAD_SIZE, head_and_blocks
from webvigil.document.hashes import both
from webvigil.document.parsing import is_pdf
from webvigil.errors import DocumentRefused
from webvigil.fetch.frames import whole
from webvigil.fetch.pdf import pdf_text
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
