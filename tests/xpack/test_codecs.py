"""Each container gets the compressor that suits it, and none opens into more than it says."""

from __future__ import annotations

from random import Random

import pytest

from webvigil.errors import XPackError
from webvigil.xpack import codecs
from webvigil.xpack.codecs import (
    ASKED,
    AUTO,
    BROTLI,
    DEFLATE,
    FAST,
    STORED,
    XZ,
    ZSTD,
    opened,
    packed,
)

DRAWN = Random(1)
WORDS = ("watch", "page", "change", "found", "the", "of", "a", "when", "it", "was", "night", "wall")
TEXT = " ".join(DRAWN.choices(WORDS, k=9_000)).encode()
NOISE = DRAWN.randbytes(5_000)


@pytest.mark.parametrize("codec", [STORED, ZSTD, DEFLATE, BROTLI, XZ])
@pytest.mark.parametrize("size", [0, 1, 600, 5_000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1])
def test_what_is_packed_is_opened(codec: int, size: int):
    raw = (b"0123456789" * (size // 10 + 1))[:size]
    used, stored = packed(raw, codec)
    assert used == (codec if len(stored) < size else STORED)
    assert opened(stored, used, size) == raw


@pytest.mark.parametrize("codec", [ZSTD, DEFLATE, BROTLI, XZ, AUTO, ASKED, FAST])
def test_what_does_not_shrink_is_stored(codec: int):
    assert packed(NOISE, codec) == (STORED, NOISE)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """The sizes into which the compressors pack whatever it is."""
    found = {ZSTD: 800, DEFLATE: 720, BROTLI: 700}
    monkeypatch.setattr(codecs, "_zstd", lambda *_: bytes(found[ZSTD]))
    for codec in (DEFLATE, BROTLI):
        monkeypatch.setitem(codecs._PACK, codec, lambda _, codec=codec: bytes(found[codec]))
    return found


def test_small_containers_are_tried_with_three_compressors(sizes: dict[int, int]):
    small, large = bytes(32 * 1024), bytes(32 * 1024 + 1)
    assert packed(small, AUTO) == (BROTLI, bytes(700))
    assert packed(large, AUTO) == (ZSTD, bytes(800))
    assert packed(small, AUTO, b"shared") == (ZSTD, bytes(800))
    sizes[DEFLATE] = 699
    assert packed(small, AUTO) == (DEFLATE, bytes(699))
    sizes[ZSTD] = 698
    assert packed(small, AUTO) == (ZSTD, bytes(698))


def test_what_is_often_asked_is_packed_by_zstd_unless_it_costs_an_eighth(sizes: dict[int, int]):
    raw = bytes(9_000)
    assert packed(raw, ASKED)[0] == ZSTD
    sizes[BROTLI] = 699
    assert packed(raw, ASKED)[0] == BROTLI
    sizes[DEFLATE] = 698
    assert packed(raw, ASKED)[0] == DEFLATE
    assert packed(raw, ASKED, b"shared")[0] == ZSTD
    sizes[ZSTD] = 4096
    assert packed(raw, ASKED)[0] == DEFLATE
    sizes[ZSTD] = 4097
    assert packed(raw, ASKED)[0] == ZSTD


@pytest.mark.parametrize(("size", "codec"), [(511, STORED), (512, ZSTD)])
def test_what_must_be_quick_is_not_compressed_when_tiny(size: int, codec: int):
    used, stored = packed(b"a" * size, FAST)
    assert used == codec
    assert opened(stored, used, size) == b"a" * size


def test_dictionaries_are_needed_to_open_what_was_packed_with_them():
    raw = TEXT[:600]
    used, stored = packed(raw, ZSTD, TEXT[:5_000])
    assert len(stored) < 40 < len(packed(raw, ZSTD)[1])
    assert opened(stored, used, 600, TEXT[:5_000]) == raw
    with pytest.raises(XPackError):
        opened(stored, used, 600)


def test_progress_is_told_once_or_after_every_megabyte(monkeypatch: pytest.MonkeyPatch):
    told: list[int] = []
    packed(b"ab" * 50, AUTO, told=told.append)
    assert told == [100]
    monkeypatch.setattr(codecs, "_LARGE", 2 << 20)
    for size, pieces in ((2 << 20, [2 << 20]), ((2 << 20) + 1, [1 << 20, 1 << 20, 1])):
        told.clear()
        raw = bytes(size)
        used, stored = packed(raw, ZSTD, told=told.append)
        assert told == pieces
        assert opened(stored, used, size) == raw


def test_texts_are_packed_by_xz_without_an_alignment():
    stored = packed(TEXT, XZ)[1]
    assert stored[5] == 3  # of the first chunk: three bits of the letter before, and no bits of the position


@pytest.mark.parametrize(("size", "room"), [(0, 12), (1, 12), (4096, 12), (4097, 13), (8192, 13), (8193, 14)])
def test_the_dictionary_of_xz_follows_from_the_size(size: int, room: int):
    assert codecs._xz_filters(size)[0]["dict_size"] == 1 << room


@pytest.mark.parametrize("codec", [ZSTD, DEFLATE, BROTLI, XZ])
def test_a_container_has_the_size_it_says(codec: int, monkeypatch: pytest.MonkeyPatch):
    raw = TEXT[:2_000]
    used, stored = packed(raw, codec)
    assert used == codec
    for size in (0, 1_999, 2_001):
        with pytest.raises(XPackError, match="the packed file is damaged"):
            opened(stored, used, size)
    monkeypatch.setattr(codecs, "_AT_ONCE", 1_000)  # so that it is opened piece by piece
    assert opened(stored, used, 2_000) == raw
    for size in (1_999, 2_001):
        with pytest.raises(XPackError, match="the packed file is damaged"):
            opened(stored, used, size)


def test_what_is_too_large_or_unknown_is_not_opened(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(codecs, "LARGEST", 2_000)
    assert opened(bytes(2_000), STORED, 2_000) == bytes(2_000)
    with pytest.raises(XPackError, match="a container is too large to open: 2,001 bytes, at most 2,000"):
        opened(bytes(2_001), STORED, 2_001)
    with pytest.raises(XPackError, match="uses compressor 5, which this version does not know"):
        opened(b"x", 5, 1)
