"""A stored answer in, the document that is compared out: frames in their place, a PDF as its text."""

from __future__ import annotations

from collections.abc import Iterator

from blake3 import blake3

from webvigil.document import PageDigest, read
from webvigil.document.hashes import both
from webvigil.errors import DocumentRefused
from webvigil.fetch.frames import whole
from webvigil.fetch.pdf import is_pdf, pdf_text
from webvigil.model.version import Answer


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
