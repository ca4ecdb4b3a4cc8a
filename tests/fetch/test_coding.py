"""Tests that packed bodies come out whole, never too large, and never cut off unnoticed (F3, F5)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.fetching import body, fetch
from tests.site import Site
from tests.site.coding import bomb, coded, content_encoding
from webvigil.errors import PageError, PageRefused, PageUnreachable
from webvigil.fetch import coding as unpacking
from webvigil.fetch.client import Limits
from webvigil.fetch.coding import decoded

CODINGS = ["gzip", "deflate", "deflate-raw", "br", "zstd"]


@pytest.fixture(params=["the quickest", "zlib"], autouse=True, scope="module")
def inflating(request: pytest.FixtureRequest) -> Iterator[None]:
    """Runs each test with the installed library and with zlib, which every Python has."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "zlib":
            patch.setattr(unpacking, "inflate", zlib)
        yield


@given(st.binary(max_size=2000), st.lists(st.sampled_from(CODINGS), max_size=3))
def test_what_was_packed_is_unpacked(plain: bytes, codings: list[Any]):
    assert decoded(coded(plain, codings), content_encoding(codings), 10_000) == plain


@pytest.mark.parametrize("coding", CODINGS)
def test_a_bomb_stops_at_the_limit(coding: Any):
    with pytest.raises(PageRefused, match="larger than 100,000 bytes"):
        decoded(bomb((coding,), 100 << 20), content_encoding([coding]), 100_000)


@pytest.mark.parametrize("coding", CODINGS)
def test_exactly_the_limit_is_allowed(coding: Any):
    plain = bytes(50_000)
    assert decoded(coded(plain, [coding]), content_encoding([coding]), 50_000) == plain


@pytest.mark.parametrize("coding", CODINGS)
def test_a_packed_body_that_ends_too_early_is_no_page(coding: Any):
    packed = coded(b"<p>news " * 1000, [coding])
    with pytest.raises(PageUnreachable):
        decoded(packed[: len(packed) // 2], content_encoding([coding]), 100_000)


@given(st.binary(min_size=1, max_size=300), st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_noise_is_an_answer_or_a_clear_error(noise: bytes, coding: str):
    with suppress(PageError):
        assert len(decoded(noise, coding, 10_000)) <= 10_000


def test_what_is_only_called_packed_is_taken_as_it_is():
    assert decoded(b"<p>plain", "gzip", 100) == b"<p>plain"
    assert decoded(b"<p>plain", "utf-8, identity", 100) == b"<p>plain"


def test_packed_over_and_over_is_refused():
    with pytest.raises(PageRefused, match="packed 9 times"):
        decoded(b"x", ", ".join(["gzip"] * 9), 100)


def test_several_members_are_one_body():
    parts = [b"<p>one", b"<p>two"]
    for coding in ("gzip", "zstd"):
        assert decoded(b"".join(coded(part, [coding]) for part in parts), coding, 100) == b"<p>one<p>two"  # type: ignore[list-item]


@pytest.mark.parametrize("codings", [("gzip",), ("br",), ("zstd",), ("gzip", "gzip"), ("deflate", "br")])
def test_bombs_on_the_wire_are_refused(site: Site, codings: Any):
    page = site.page("/a").bomb(*codings, size=50 << 20)
    with pytest.raises(PageRefused, match="larger than"):
        fetch(page, limits=Limits(bytes=1_000_000))


@pytest.mark.parametrize("codings", [("gzip",), ("zstd",), ("deflate", "gzip")])
def test_a_server_that_packs_without_being_asked(site: Site, codings: Any):
    assert body(site.page("/a", "<p>one").compressed(*codings, forced=True)) == b"<p>one"


def test_four_codings_on_top_of_each_other_are_taken_off_and_five_refused():
    assert decoded(coded(b"x", ["gzip"] * 4), content_encoding(["gzip"] * 4), 1_000) == b"x"
    with pytest.raises(PageRefused, match="the page is packed 5 times over"):
        decoded(coded(b"x", ["gzip"] * 5), content_encoding(["gzip"] * 5), 1_000)


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("limit", [0, 1, 2])
def test_a_limit_holds_to_the_byte(coding: Any, limit: int):
    packed = coded(b"x" * limit, [coding]), coded(b"x" * (limit + 1), [coding])
    assert decoded(packed[0], content_encoding([coding]), limit) == b"x" * limit
    with pytest.raises(PageRefused, match=f"larger than {limit} bytes"):
        decoded(packed[1], content_encoding([coding]), limit)


@pytest.mark.parametrize("coding", CODINGS)
def test_an_answer_that_broke_off_is_noticed_wherever_it_broke_off(coding: Any):
    plain = bytes(range(256)) * 4
    packed = coded(plain, [coding])
    for end in range(3, len(packed) - 1, 7):
        with pytest.raises(PageUnreachable):
            decoded(packed[:end], content_encoding([coding]), 10_000)


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_members_are_unpacked_one_after_the_other_up_to_the_limit(coding: Any):
    packed = coded(b"one", [coding]) + coded(b"two", [coding])
    assert decoded(packed, content_encoding([coding]), 6) == b"onetwo"
    with pytest.raises(PageRefused):
        decoded(packed, content_encoding([coding]), 5)


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_behind_the_limit_nothing_is_unpacked(coding: Any):
    """The damaged member would be told of as another error."""
    packed = coded(b"1234567", [coding])
    with pytest.raises(PageRefused, match="larger than 6 bytes"):
        decoded(packed + packed[:6] + b"damaged", content_encoding([coding]), 6)


def test_deflate_without_a_header_is_known_by_its_first_bytes():
    """A stored block whose first two bytes could be a header, but for the kind of packing."""
    first = next(two for two in range(0x7900, 0x7A00) if two % 31 == 0).to_bytes(2, "big")
    length = first[1]
    block = first + bytes([0, 0xFF - length, 0xFF]) + b"x" * length
    assert decoded(block, "deflate", 1_000) == b"x" * length
