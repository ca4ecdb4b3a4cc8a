"""A body as it came over the wire in, the unpacked body out, never larger than the limit.

The whole body is received before it is unpacked, and unpacking stops at the limit, so a compression bomb
costs no more than its bytes on the wire and the limit. A packed body that ends too early is refused (F3, F5).
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
    """Returns ISA-L's module if it is installed, else zlib. ISA-L needs less than half of zlib's time and has
    the same functions, but is not available on every machine."""
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib
    return isal_zlib


inflate = _inflating()
ACCEPTED = "gzip, deflate, br, zstd"

_GZIP = 31  # zlib's window bits for a stream with a gzip header
# More codings on top of each other are refused: each costs time, and no honest server applies so many.
_MOST_CODINGS = 4
# RFC 9659 limits the window of zstd on the web to 2**23 bytes; a larger one would cost memory.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}


def decoded(body: bytes, content_encoding: str, limit: int) -> bytes:
    """Unpacks a body. `content_encoding` is the header, with the codings in the order they were applied;
    unknown codings are ignored. Raises PageRefused if the result is too large, PageUnreachable if it is
    damaged."""
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
    """Unpacks all gzip members, one after the other. A body that does not begin as gzip is returned as it is,
    because some servers name a coding that they did not apply."""
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
    """Unpacks deflate with the zlib header, as the standard says, or without it, as some servers send it."""
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
