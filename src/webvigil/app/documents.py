"""A stored answer in, the document that is compared out: frames in their place, a PDF as its text."""

from __future__ import annotations

from collections.abc import Iterator

from blake3 import blake3

from webvigil.document import PageDigest
from webvigil.fetch.frames import whole
from webvigil.model.version import Answer


def document_of(answer: Answer) -> PageDigest:
    return whole(answer)


def signature_of(answer: Answer) -> str:
    """Equal for equal pages: the body, and the bodies in its frames."""
    parts = list(_parts(answer))
    return blake3(parts[0] if len(parts) == 1 else b"\0".join(parts)).hexdigest()


def _parts(answer: Answer) -> Iterator[bytes]:
    yield answer.body
    for frame in answer.frames:
        yield frame.address.encode("utf-8", "surrogatepass")
        yield signature_of(frame.answer).encode()
