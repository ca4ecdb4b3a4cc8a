"""The compressors a container may use. Opening one is bounded: it never gives more than it says it holds.

zstd is the default: among those that unpack fast it packs smallest, and it takes a dictionary, so that
documents packed together share theirs. In small containers deflate needs the fewest bytes for its tables and
brotli knows common words beforehand, so the smallest of the three is taken; it costs next to no time there.
"""

from __future__ import annotations

import lzma
import threading
import zlib
from collections.abc import Callable
from functools import lru_cache

import brotli
import zstandard

from webvigil.errors import XPackError

STORED, ZSTD, DEFLATE, BROTLI, XZ = range(5)
AUTO, FAST, ASKED = -1, -2, -3
CODECS = {"auto": AUTO, "none": STORED, "zstd": ZSTD, "deflate": DEFLATE, "brotli": BROTLI, "xz": XZ}
CODECS["fast"] = FAST
# Up to this size all are tried. From a sweep over web pages: 8 K is 4 % larger, 64 K takes twice the time.
_SMALL = 32 * 1024
# A document that is asked again and again is opened by zstd, ten times as fast for small containers, unless
# another one saves more than this share. On plays and bibliographies that costs half a percent and saves a
# third of the time of a query.
_WORTH = 1 / 8
_NEVER_WORTH = 4096
# What is to be opened fast is compressed from this size on, with zstd's quickest level.
_TINY = 512

# Above this size the strongest level may take minutes, so fewer matches are looked at. The levels below that
# take the first good match are quicker still, but gzip packs some texts smaller than they do.
_LARGE = 8 * 1024 * 1024

# The largest container that is opened: twice the largest document that is read.
LARGEST = 128 * 1024 * 1024
# Above this the room is taken bit by bit, so that a length that lies costs nothing.
_AT_ONCE = 1 << 20
_PIECE = 1 << 18
_MAGICLESS = zstandard.FORMAT_ZSTD1_MAGICLESS
_WINDOW = 1 << 28
_SMALLEST_XZ = 1 << 12


Told = Callable[[int], None]  # hears how many bytes more are done


def packed(raw: bytes, codec: int, dictionary: bytes = b"", told: Told | None = None) -> tuple[int, bytes]:
    """(the codec used, the bytes): what does not shrink is stored as it is."""
    if told and len(raw) > _LARGE and codec in (AUTO, ASKED, ZSTD):
        found = _zstd(raw, dictionary, told)
        return (ZSTD, found) if len(found) < len(raw) else (STORED, raw)
    found_at_once = _at_once(raw, codec, dictionary)
    if told:
        told(len(raw))
    return found_at_once


def _at_once(raw: bytes, codec: int, dictionary: bytes = b"") -> tuple[int, bytes]:
    if codec == AUTO:
        tried = (ZSTD, DEFLATE, BROTLI) if len(raw) <= _SMALL and not dictionary else (ZSTD,)
        return min((_at_once(raw, one, dictionary) for one in tried), key=lambda one: len(one[1]))
    if codec == ASKED:
        plain = _at_once(raw, ZSTD, dictionary)
        if len(plain[1]) > _NEVER_WORTH or dictionary:
            return plain
        small = min((_at_once(raw, one) for one in (DEFLATE, BROTLI)), key=lambda one: len(one[1]))
        return small if len(small[1]) < (1 - _WORTH) * len(plain[1]) else plain
    if codec == STORED or (codec == FAST and len(raw) < _TINY):
        return STORED, raw
    if codec == FAST:
        quick = _fast(raw)
        return (ZSTD, quick) if len(quick) < len(raw) else (STORED, raw)
    found = _zstd(raw, dictionary) if codec == ZSTD else _PACK[codec](raw)
    return (codec, found) if len(found) < len(raw) else (STORED, raw)


def opened(stored: bytes, codec: int, size: int, dictionary: bytes = b"") -> bytes:
    """Raises XPackError unless exactly `size` bytes come out."""
    if size > LARGEST:
        raise XPackError(f"a container is too large to open: {size:,} bytes, at most {LARGEST:,}")
    try:
        raw = _open(stored, codec, size, dictionary)
    except (zstandard.ZstdError, zlib.error, brotli.error, lzma.LZMAError, EOFError) as error:
        raise XPackError(f"the packed file is damaged: {error}") from error
    if len(raw) != size:
        raise XPackError("the packed file is damaged: a container has another size than it says")
    return raw


def _open(stored: bytes, codec: int, size: int, dictionary: bytes) -> bytes:
    match codec:
        case 0:
            return stored
        case 1 if size <= _AT_ONCE:
            return _unpacker(dictionary).decompress(stored, max_output_size=size)
        case 1:
            return _in_pieces(_unpacker(dictionary).decompressobj().decompress, stored, size)
        case 2:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(stored, size + 1)
        case 3:
            raw: bytes = brotli.Decompressor().process(stored, output_buffer_limit=size + 1)
            return raw
        case 4:
            return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_xz_filters(size)).decompress(
                stored, size + 1
            )
    raise XPackError(f"the packed file uses compressor {codec}, which this version does not know")


def _in_pieces(step: Callable[[bytes], bytes], stored: bytes, size: int) -> bytes:
    """Fed a little at a time, so that no more than a piece's worth comes out beyond what is allowed."""
    found, total = [], 0
    fed = max(64, min(_PIECE, len(stored) * _PIECE // max(size, 1)))
    for place in range(0, len(stored), fed):
        found.append(step(stored[place : place + fed]))
        total += len(found[-1])
        if total > size:
            raise XPackError("the packed file is damaged: a container holds more than it says")
    return b"".join(found)


def _fast(raw: bytes) -> bytes:
    return _coders.quick.compress(raw)


def _zstd(raw: bytes, dictionary: bytes, told: Told | None = None) -> bytes:
    """The strongest level with matches of at least four bytes, better by half a percent on texts.

    Where somebody wants to hear of it, it goes piece by piece.
    """
    window = max(10, min(27, (len(raw) + len(dictionary)).bit_length()))
    level, strength = (16, _QUICKER) if len(raw) > _LARGE else (19, _STRONGEST)
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level,
        source_size=len(raw) + len(dictionary),
        window_log=window,
        **strength,
        write_content_size=False,
        write_dict_id=False,
        format=_MAGICLESS,
    )
    shared = _raw_dictionary(dictionary) if dictionary else None
    packer = zstandard.ZstdCompressor(compression_params=parameters, dict_data=shared)
    if told is None:
        return packer.compress(raw)
    stream, found = packer.compressobj(size=len(raw)), []
    for place in range(0, len(raw), _AT_ONCE):
        piece = raw[place : place + _AT_ONCE]
        found.append(stream.compress(piece))
        told(len(piece))
    return b"".join([*found, stream.flush()])


_QUICKER = {"min_match": 4, "search_log": 4, "target_length": 32, "strategy": zstandard.STRATEGY_BTOPT}
_STRONGEST = {"min_match": 4, "target_length": 999, "strategy": zstandard.STRATEGY_BTULTRA2}


class _Coders(threading.local):
    """zstd's packers and unpackers are costly to make, cheap to use again, and for one thread only."""

    def __init__(self) -> None:
        quickest = zstandard.ZstdCompressionParameters(
            compression_level=1, write_content_size=False, write_dict_id=False, format=_MAGICLESS
        )
        self.quick = zstandard.ZstdCompressor(compression_params=quickest)
        self.plain = zstandard.ZstdDecompressor(format=_MAGICLESS, max_window_size=_WINDOW)
        self.sharing = lru_cache(maxsize=8)(_sharing)


def _sharing(dictionary: bytes) -> zstandard.ZstdDecompressor:
    shared = _raw_dictionary(dictionary)
    return zstandard.ZstdDecompressor(dict_data=shared, format=_MAGICLESS, max_window_size=_WINDOW)


_coders = _Coders()


def _unpacker(dictionary: bytes) -> zstandard.ZstdDecompressor:
    return _coders.sharing(dictionary) if dictionary else _coders.plain


def _raw_dictionary(dictionary: bytes) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


def _deflate(raw: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return packer.compress(raw) + packer.flush()


_PACK: dict[int, Callable[[bytes], bytes]] = {
    DEFLATE: _deflate,
    BROTLI: lambda raw: brotli.compress(raw, quality=11, lgwin=24),
    XZ: lambda raw: lzma.compress(raw, lzma.FORMAT_RAW, filters=_xz_filters(len(raw))),
}


def _xz_filters(size: int) -> list[dict[str, int]]:
    """The reader makes its room by the size, so the writer must use no more."""
    room = max(_SMALLEST_XZ, 1 << (size - 1).bit_length() if size else 0)
    return [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0, "dict_size": room}]
