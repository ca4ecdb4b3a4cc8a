"""A body as it came over the wire in, the body as it was meant out; never more than the limit allows.

The whole body is here before it is unpacked, so a bomb costs what it weighs on the wire, and unpacking
stops at the limit. A stream that ends too early is no page (F3, F5).
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from typing import Any

import brotli

from webvigil.errors import PageError, PageRefused, PageUnreachable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def _inflating() -> Any:
    """ISA-L takes less than half of zlib's time, and speaks as zlib does; not every machine has it."""
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib
    return isal_zlib


inflate = _inflating()
ACCEPTED = "gzip, deflate, br, zstd"

_GZIP = 31  # window bits that say: with a gzip head
_MOST_CODINGS = 4
# RFC 9659: what a server sends as zstd needs no larger window (2**23).
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}


def decoded(body: bytes, content_encoding: str, limit: int) -> bytes:
    """`content_encoding` is the header: codings in the order they were applied. Unknown ones are left."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    codings = [_DECODERS[name] for name in names if name in _DECODERS]
    if len(codings) > _MOST_CODINGS:
        raise PageRefused(f"the page is packed {len(codings)} times over")
    for unpack in reversed(codings):
        body = _unpacked(unpack, body, limit)
    return body


def too_large(limit: int) -> PageRefused:
    return PageRefused(f"the page is larger than {limit:,} bytes")


def _unpacked(unpack: Callable[[bytes, int], bytes], body: bytes, limit: int) -> bytes:
    try:
        plain = unpack(body, limit + 1) if body else b""
    except (inflate.error, brotli.error, zstd.ZstdError) as error:
        raise PageUnreachable(f"the answer is packed in a way that cannot be read: {error}") from error
    if len(plain) > limit:
        raise too_large(limit)
    return plain


def _gzip(body: bytes, most: int) -> bytes:
    """One member after the other. What is no gzip at all was only called so."""
    if body[:2] != b"\x1f\x8b":
        return body
    parts: list[bytes] = []
    while body[:2] == b"\x1f\x8b" and most > 0:
        stream = inflate.decompressobj(_GZIP)
        part = stream.decompress(body, most)
        most -= len(part)
        parts.append(part)
        if not stream.eof and most > 0:
            raise _cut()
        body = stream.unused_data
    return b"".join(parts)


def _deflate(body: bytes, most: int) -> bytes:
    """With the head it should have, or without, as some servers send it."""
    wrapped = body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    stream = inflate.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
    plain: bytes = stream.decompress(body, most)
    if not stream.eof and len(plain) < most:
        raise _cut()
    return plain


def _brotli(body: bytes, most: int) -> bytes:
    stream = brotli.Decompressor()
    plain: bytes = stream.process(body, output_buffer_limit=most)
    if not stream.is_finished() and len(plain) < most:
        raise _cut()
    return plain


def _zstd(body: bytes, most: int) -> bytes:
    parts: list[bytes] = []
    while body and most > 0:
        stream = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)
        part = stream.decompress(body, max_length=most)
        most -= len(part)
        parts.append(part)
        if not stream.eof and most > 0:
            raise _cut()
        body = stream.unused_data if stream.eof else b""
    return b"".join(parts)


def _cut() -> PageError:
    return PageUnreachable("the answer broke off in the middle")


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
