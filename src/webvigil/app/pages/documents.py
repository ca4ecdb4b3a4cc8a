"""A stored answer in, the document that is compared out: frames in their place, a PDF as its text.

The page repository keeps the digests of the versions that are compared next, packed for fast loading, so
that nothing is parsed again after a restart or in another worker (R2). A packed digest bears a mark of how
documents were read when it was made; one with another mark is made again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version

from blake3 import blake3

from webvigil.app.pages.recent import Recent
from webvigil.document import PageDigest, read
from webvigil.document.hashes import both
from webvigil.errors import DocumentRefused, XPackError
from webvigil.fetch.frames import whole
from webvigil.fetch.pdf import is_pdf, pdf_text
from webvigil.model.version import Answer
from webvigil.store.repository import PageRepository
from webvigil.xpack import open_packed, pack

MEMORY = 64_000_000  # bytes
# What a digest takes at most, with all that change types derive of it, per node and per character of text.
# Real pages take 4 to 50 % of that.
_NODE, _CHARACTER = 800, 40


class Digests:
    """Page Digests by version: from memory, from the repository, or by reading the answer again."""

    def __init__(self, pages: PageRepository, memory: int = MEMORY) -> None:
        """`memory`: how many bytes the digests that are remembered take, with what was derived of them."""
        self._pages = pages
        self._recent: Recent[PageDigest] = Recent(memory)

    def of(self, key: str) -> PageDigest:
        known = self._recent.get(key)
        if known is None:
            known = self._read(key)
            self._recent.put(key, known, _weight(known))
        return known

    def keep(self, key: str, answer: Answer, document: PageDigest | None = None) -> None:
        """The digest of a new version is made now, for it is compared next, unless `document` is it."""
        with suppress(DocumentRefused):
            digest = document or document_of(answer)
            self._pages.keep_digest(key, packed(digest))
            self._recent.put(key, digest, _weight(digest))

    def drop(self, key: str) -> None:
        """Its packed form; what is in memory may still be needed."""
        self._pages.drop_digest(key)

    def trim(self) -> None:
        """Lets go of digests that are too large to be kept in memory; they are read again when needed."""
        self._recent.trim()

    @property
    def weight(self) -> int:
        """What the digests in memory take at most, in bytes."""
        return self._recent.weight

    def forget(self, key: str) -> None:
        self._recent.forget(key)

    def _read(self, key: str) -> PageDigest:
        stored = self._pages.digest(key)
        known = unpacked(stored) if stored else None
        return document_of(self._pages.answer(key)) if known is None else known


def packed(digest: PageDigest) -> bytes:
    return pack(digest, name=mark(), profile="digest", codec="fast", signatures=True)


def unpacked(data: bytes) -> PageDigest | None:
    """None where it is damaged, or was made in another way than we make them."""
    try:
        found = open_packed(data).only
        found.verify()
        return found.digest() if found.name == mark() else None
    except XPackError:
        return None


@cache
def mark() -> str:
    """Tells how documents are read, by examples, our parts and a number for what these do not show."""
    examples = [read(body, kind, "http://site.test/") for body, kind in _EXAMPLES]
    parts = [f"{part} {version(part)}" for part in _PARTS]
    told = b"".join(pack(one, codec="none", signatures=True) for one in examples)
    return f"{_READING} {blake3(told + ' '.join(parts).encode()).hexdigest(length=8)}"


# Count up when documents come out differently in a way that the examples do not show.
_READING = 1
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
    return whole(answer).with_pictures(dict(answer.pictures)) if answer.pictures else whole(answer)


def _of_pdf(answer: Answer) -> PageDigest:
    """One that cannot be read is known by its bytes alone, like any other file."""
    try:
        text = pdf_text(answer.body).encode()
    except DocumentRefused:
        return read(answer.body, answer.content_type, answer.url)
    return read(text, "text/plain; charset=utf-8", answer.url).with_source(both(answer.body))


def signature_of(answer: Answer) -> str:
    """Equal for equal pages: the body, the bodies in its frames, and its pictures where they are watched."""
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
    """The memory it will take at most."""
    return _NODE * len(digest) + _CHARACTER * sum(map(len, digest.texts))
