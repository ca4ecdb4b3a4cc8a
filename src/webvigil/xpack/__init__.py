"""A Page Digest in, a packed file (`.xpk`) that answers XPath without being unpacked out, and back."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from webvigil.xpack.file import PackedFile, Place, Writer, append
from webvigil.xpack.packed import Packed
from webvigil.xpack.profiles import PROFILES
from webvigil.xpack.xpath import Found, Result

if TYPE_CHECKING:
    from webvigil.document import PageDigest

__all__ = [
    "PROFILES",
    "Found",
    "Packed",
    "PackedFile",
    "Result",
    "Writer",
    "append",
    "open_packed",
    "pack",
    "unpack",
]


def pack(
    document: PageDigest | bytes,
    content_type: str = "",
    url: str = "",
    *,
    name: str = "",
    profile: str | None = None,
    codec: str = "auto",
    exact: bool = False,
    signatures: bool = False,
) -> bytes:
    """Packs one document into the bytes of a packed file.

    With `exact` the file also keeps the very bytes of a document that is given as bytes. With `signatures` it
    also keeps the signatures of the Page Digest, so that they need not be computed again.
    """
    source = None
    if isinstance(document, bytes):
        from webvigil.document import read

        source = document if exact else None
        document = read(document, content_type, url)
    stream = BytesIO()
    with Writer(stream, profile=profile, codec=codec, signatures=signatures) as writer:
        writer.add(document, name=name, source=source)
    return stream.getvalue()


def unpack(data: bytes) -> PageDigest:
    """Returns the Page Digest of a packed file.

    Raises XPackError unless the file holds exactly one document.
    """
    return PackedFile.open(data).only.digest()


def open_packed(file: Place | bytes) -> PackedFile:
    """Opens a packed file, given by its path or its bytes. Raises XPackError if it is not a packed file."""
    return PackedFile.open(file)
