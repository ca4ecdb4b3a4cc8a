"""The compressors of a packed file: bytes in, compressed bytes out, and back to a size known beforehand.

zstd is the default: of the compressors that unpack fast it packs smallest, and it takes a dictionary, so that
documents packed together can share one. In small containers deflate needs the fewest bytes for its tables,
and brotli knows common words beforehand. So small containers are packed with all three compressors and the
smallest result is kept; at that size the two extra attempts cost next to no time.

Unpacking is bounded: a damaged or hostile container never yields more bytes than its directory entry states.
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
# Not compressors but ways to choose one: AUTO takes the smallest result, FAST packs and unpacks quickest,
# ASKED prefers zstd because the container will be opened by many queries.
AUTO, FAST, ASKED = -1, -2, -3
CODECS = {"auto": AUTO, "none": STORED, "zstd": ZSTD, "deflate": DEFLATE, "brotli": BROTLI, "xz": XZ}
CODECS["fast"] = FAST
# Up to this size AUTO tries all three compressors. From a sweep over web pages: with 8 K files are 4 %
# larger, with 64 K packing takes twice the time. Run bench/speed/xpack.py again after a change.
_SMALL = 32 * 1024
# ASKED takes zstd, which opens small containers ten times as fast as the others, unless another compressor
# saves more than this share of the bytes. On plays and bibliographies (bench/speed/xpack.py) files grow by
# half a percent and a query takes a third less time.
_WORTH = 1 / 8
# A container that zstd packs into more bytes than this is not tried with the other compressors.
_NEVER_WORTH = 4096
# FAST stores anything smaller than this without compression: there is little to save.
_TINY = 512

# Above this size zstd's strongest level may take minutes, so a level that looks at fewer matches is used. The
# levels that take the first good match are quicker still, but gzip packs some texts smaller than they do.
_LARGE = 8 * 1024 * 1024

# The largest container that is opened: twice the largest document that the parsers accept.
LARGEST = 128 * 1024 * 1024
# Containers that claim to be larger than this are opened piece by piece, so that a false length does not
# make us allocate memory for bytes that never come.
_AT_ONCE = 1 << 20
_PIECE = 1 << 18
# The magic number of zstd is left out: the directory of the section names the compressor already.
_MAGICLESS = zstandard.FORMAT_ZSTD1_MAGICLESS
_WINDOW = 1 << 28
_SMALLEST_XZ = 1 << 12  # liblzma accepts no smaller dictionary


Told = Callable[[int], None]  # called with the number of bytes compressed since the last call


def packed(raw: bytes, codec: int, dictionary: bytes = b"", told: Told | None = None) -> tuple[int, bytes]:
    """Compresses `raw` and returns (the codec used, the compressed bytes).

    Bytes that do not shrink are returned as they are, with the codec STORED. `told` is called with the number
    of bytes done: once at the end, or after every megabyte of a large container.
    """
    if told and len(raw) > _LARGE and codec in (AUTO, ASKED, ZSTD):
        found = _zstd(raw, dictionary, told)
        return (ZSTD, found) if len(found) < len(raw) else (STORED, raw)
    found_at_once = _at_once(raw, codec, dictionary)
    if told:
        told(len(raw))
    return found_at_once


def _at_once(raw: bytes, codec: int, dictionary: bytes = b"") -> tuple[int, bytes]:
    """Compresses `raw` in one call, after choosing a compressor for AUTO, ASKED and FAST."""
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
    """Uncompresses a container. Raises XPackError unless exactly `size` bytes come out."""
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
    # One byte more than allowed is asked for, so that a container that holds more than it says is noticed.
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
    """Uncompresses `stored` in small slices and stops soon after the output exceeds `size`.

    The slices are so small that each yields about `_PIECE` bytes at the ratio the container claims. A
    container that holds more than it says is therefore refused before it fills the memory.
    """
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
    """Compresses with zstd at its strongest level, or a quicker one above `_LARGE` bytes.

    Matches have at least four bytes, which packs texts half a percent smaller. With `told`, the bytes are
    compressed in slices of one megabyte, and each slice is reported when it is done.
    """
    window = max(10, min(27, (len(raw) + len(dictionary)).bit_length()))
    level, strength = (16, _QUICKER) if len(raw) > _LARGE else (19, _STRONGEST)
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level,
        source_size=len(raw) + len(dictionary),
        window_log=window,
        **strength,
        # The directory has the size already; leaving it out saves some bytes in each container.
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
    """Keeps zstd's compressors and decompressors of one thread.

    They are costly to make and cheap to use again, but must not be used by two threads at once.
    """

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
    """Returns the xz filter whose dictionary is just large enough for `size` bytes.

    A raw xz stream does not say how large its dictionary is. Reader and writer both derive it from the size.
    """
    room = max(_SMALLEST_XZ, 1 << (size - 1).bit_length())
    return [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0, "dict_size": room}]
