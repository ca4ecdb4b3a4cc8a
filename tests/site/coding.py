"""Bodies compressed for the wire, and bombs: bodies that are small on the wire and huge when unpacked."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Protocol

import brotli
import zstandard

from tests.site.look import Coding

_MEGABYTE = bytes(1 << 20)


class _Packer(Protocol):
    """The interface that the compressors of zlib and zstandard share."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


class _Brotli:
    """Gives the compressor of Brotli the same interface. Quality 5 is enough for small pages and quick enough
    for bombs."""

    def __init__(self) -> None:
        self._compressor = brotli.Compressor(quality=5)

    def compress(self, data: bytes, /) -> bytes:
        return bytes(self._compressor.process(data))

    def flush(self) -> bytes:
        return bytes(self._compressor.finish())


_PACKERS: dict[Coding, Callable[[], _Packer]] = {
    "gzip": lambda: zlib.compressobj(wbits=31),
    "deflate": lambda: zlib.compressobj(wbits=15),
    "deflate-raw": lambda: zlib.compressobj(wbits=-15),
    "br": _Brotli,
    "zstd": lambda: zstandard.ZstdCompressor().compressobj(),
}


def coded(body: bytes, codings: Iterable[Coding]) -> bytes:
    """Returns the body compressed with each coding in turn."""
    for coding in codings:
        body = _packed([body], coding)
    return body


@cache
def bomb(codings: tuple[Coding, ...], size: int) -> bytes:
    """Returns `size` zero bytes in compressed form. The unpacked bytes are never held in memory."""
    first, *further = codings
    return coded(_packed(_zeros(size), first), further)


def content_encoding(codings: Iterable[Coding]) -> str:
    """Returns the value of the header. Raw deflate is announced as "deflate", as some servers do."""
    return ", ".join(coding.removesuffix("-raw") for coding in codings)


def accepted(codings: Iterable[Coding], accept_encoding: str) -> bool:
    offers = {}
    for offer in accept_encoding.lower().split(","):
        name, _, quality = offer.partition(";")
        offers[name.strip()] = quality.replace(" ", "") not in ("q=0", "q=0.0")
    return all(offers.get(content_encoding([coding]), offers.get("*", False)) for coding in codings)


def _packed(pieces: Iterable[bytes], coding: Coding) -> bytes:
    packer = _PACKERS[coding]()
    return b"".join([*(packer.compress(piece) for piece in pieces), packer.flush()])


def _zeros(size: int) -> Iterator[bytes]:
    for start in range(0, size, len(_MEGABYTE)):
        yield _MEGABYTE[: size - start]
