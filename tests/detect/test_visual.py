"""Tests of visual changes: regions of pictures, found despite noise and shifts, and bounded (C14)."""

from __future__ import annotations

import struct
import time
import zlib
from collections import Counter
from contextlib import suppress
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.detect.laws import assert_lawful
from webvigil.detect.find import find
from webvigil.detect.pictures import Region, regions
from webvigil.document import PageDigest, read
from webvigil.document.masks import view
from webvigil.document.screenshot import Box, Pixels, read_screenshot, with_places
from webvigil.errors import DocumentRefused, PatternRefused
from webvigil.library import diff, digest_of
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType, Part

VISUAL = ChangeType("visual")
WHITE, BLACK, RED = 255, 0, (200, 0, 0)


def paper(width: int = 200, height: int = 160) -> Pixels:
    return np.full((height, width, 3), WHITE, dtype=np.uint8)


def png(pixels: Pixels) -> bytes:
    out = BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def drawn(*boxes: tuple[Box, object], width: int = 200, height: int = 160) -> Pixels:
    pixels = paper(width, height)
    for box, colour in boxes:
        pixels[box.top : box.top + box.height, box.left : box.left + box.width] = colour
    return pixels


def rendered(html: str, pixels: Pixels, places: list[tuple[str, Box]]) -> PageDigest:
    """Returns a page with its picture, as a browser would hand it over."""
    picture = with_places(png(pixels), [tag for tag, _ in places], [box for _, box in places])
    return read(html.encode(), "text/html").with_screenshot(lambda: picture)


# --- laws ------------------------------------------------------------------------------------------

boxes = st.builds(Box, st.integers(0, 150), st.integers(0, 120), st.integers(1, 60), st.integers(1, 40))
colours = st.sampled_from([BLACK, 60, 200, RED])
pictures = st.builds(
    lambda things, height: drawn(*things, height=height),
    st.lists(st.tuples(boxes, colours), max_size=6),
    st.sampled_from([120, 160, 200]),
)


@settings(max_examples=60, deadline=None)
@given(old=pictures, new=pictures)
def test_the_laws_of_change_hold_for_pictures(old: Pixels, new: Pixels):
    assert_lawful(digest_of(png(old)), digest_of(png(new)), VISUAL)


@settings(max_examples=60, deadline=None)
@given(
    old=pictures, painted=st.builds(Box, st.integers(0, 150), st.integers(0, 80), *[st.integers(9, 40)] * 2)
)
def test_a_box_that_is_painted_over_is_never_missed(old: Pixels, painted: Box):
    new = old.copy()
    new[painted.top : painted.top + painted.height, painted.left : painted.left + painted.width] = (0, 90, 0)
    assert regions(old, new)


@settings(max_examples=40, deadline=None)
@given(old=pictures, new=pictures)
def test_both_ways_the_same_regions(old: Pixels, new: Pixels):
    there, back = regions(old, new), regions(new, old)
    assert Counter(there) == Counter(Region(one.after, one.before) for one in back)


# --- what is a change, and what is none ------------------------------------------------------------


def test_what_is_inserted_is_told_and_what_it_pushes_down_is_not():
    marks = [Box(10, top, 80, 6) for top in range(10, 130, 20)]
    inks = [(box, 20 + 30 * number) for number, box in enumerate(marks)]
    old = drawn(*inks)
    lower = [(box._replace(top=box.top + 30), ink) for box, ink in inks[3:]]
    new = drawn(*inks[:3], (Box(10, 75, 50, 10), RED), *lower, height=190)
    (one,) = regions(old, new)
    assert one.before is None
    assert one.after is not None
    assert one.after.height == 30
    assert one.after.top <= 75 < one.after.top + 30


def test_two_changes_far_apart_are_two_regions():
    old = drawn((Box(10, 10, 20, 20), BLACK), (Box(150, 10, 20, 20), BLACK))
    new = drawn((Box(10, 10, 20, 20), RED), (Box(150, 10, 20, 20), RED))
    assert [one.after for one in regions(old, new)] == [Box(10, 10, 20, 20), Box(150, 10, 20, 20)]


def test_softer_edges_and_dithering_are_no_change():
    old = drawn((Box(40, 40, 60, 60), BLACK))
    noise = np.random.default_rng(7).integers(-4, 5, old.shape)
    new = np.clip(old.astype(int) + noise, 0, 255).astype(np.uint8)
    new[40:100, 39] = 128
    assert regions(old, new) == []


def test_a_thin_line_is_a_change():
    assert regions(paper(), drawn((Box(0, 80, 200, 1), BLACK)))


# --- parts of a page -------------------------------------------------------------------------------

HTML = "<html><head></head><body><main>text</main><aside>ad</aside></body></html>"
AD = Box(100, 0, 100, 160)
MAIN = Box(0, 0, 100, 160)
PLACES = [
    ("html", Box(0, 0, 200, 160)),
    ("head", Box(0, 0, 0, 0)),
    ("body", Box(0, 0, 200, 160)),
    ("main", MAIN),
    ("aside", AD),
]


def both_parts(new_pixels: Pixels) -> tuple[PageDigest, PageDigest]:
    return rendered(HTML, paper(), PLACES), rendered(HTML, new_pixels, PLACES)


def seen(old: PageDigest, new: PageDigest, *, within: str = "", ignore: str = "") -> tuple[ObjectChange, ...]:
    parts = [(Part("css", one),) if one else () for one in (within, ignore)]
    return find(view(old, *parts), view(new, *parts), VISUAL).objects


def test_what_blinks_can_be_ignored():
    old, new = both_parts(drawn((Box(120, 20, 40, 40), RED)))
    assert seen(old, new)
    assert not seen(old, new, ignore="aside")
    assert not seen(old, new, within="main")
    (one,) = seen(old, new, within="aside")
    assert one.after == "40×40 at 120,20"


def test_a_region_is_told_by_the_element_it_is_in():
    old, new = both_parts(drawn((Box(120, 20, 40, 40), RED), (Box(10, 100, 30, 30), BLACK)))
    assert {one.where for one in seen(old, new)} == {("/html/body/aside",), ("/html/body/main",)}


def test_a_watched_part_that_moves_as_a_whole_looks_the_same():
    old = rendered(HTML, drawn((Box(10, 10, 50, 20), RED)), PLACES)
    moved = [*PLACES[:3], ("main", Box(0, 40, 100, 160)), PLACES[4]]
    new = rendered(HTML, drawn((Box(10, 50, 50, 20), RED), height=200), moved)
    assert not seen(old, new, within="main")


def test_elements_that_only_the_browser_or_only_the_document_has_do_no_harm():
    html = HTML.replace("<aside>", "<noscript><p>no</p></noscript><aside>")
    places = [
        *PLACES[:3],
        ("main", MAIN),
        ("iframe", Box(0, 0, 5, 5)),
        ("noscript", Box(0, 0, 0, 0)),
        PLACES[4],
    ]
    old = rendered(html, paper(), places)
    new = rendered(html, drawn((Box(120, 20, 40, 40), RED)), places)
    assert not seen(old, new, ignore="aside")


def test_a_version_without_a_picture_says_nothing():
    old, new = both_parts(drawn((Box(120, 20, 40, 40), RED)))
    plain = read(HTML.encode(), "text/html")
    assert not find(plain, new, VISUAL).changed
    assert not find(old, plain, VISUAL).changed


# --- what is no picture ----------------------------------------------------------------------------


def bomb(width: int, height: int) -> bytes:
    """Returns a small file whose header claims a huge picture."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(100_000))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


@pytest.mark.parametrize("size", [(60_000, 60_000), (2**31 - 1, 2**31 - 1), (8_000, 6_000)])
def test_a_picture_that_would_fill_the_memory_is_refused(size: tuple[int, int]):
    started = time.process_time()
    with pytest.raises(DocumentRefused, match=r"too large|cannot be read"):
        read_screenshot(bomb(*size))
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "body", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", png(paper())[:60], b"\xff\xd8\xff" * 9]
)
def test_what_is_no_picture_is_refused(body: bytes):
    with pytest.raises(DocumentRefused):
        read_screenshot(body)


@settings(max_examples=60, deadline=None)
@given(place=st.integers(8, 400), byte=st.integers(0, 255))
def test_a_damaged_picture_is_an_answer_or_a_clear_error(place: int, byte: int):
    body = bytearray(with_places(png(drawn((Box(1, 1, 50, 50), RED))), ["html"], [[0, 0, 1, 1]]))
    body[place % len(body)] = byte
    with suppress(DocumentRefused):
        assert read_screenshot(bytes(body)).pixels.ndim == 3


def test_a_picture_that_knows_its_places_is_still_a_picture():
    picture = with_places(png(paper()), ["html", "p"], [[0, 0, 9, 9], [1, 2, 3, 4]])
    read_back = read_screenshot(picture)
    assert read_back.places is not None
    assert read_back.places.boxes[1] == Box(1, 2, 3, 4)
    assert (read_back.pixels == paper()).all()


def test_pages_without_a_picture_cannot_be_compared_by_looks():
    with pytest.raises(PatternRefused, match="visual compares pictures"):
        diff("<p>one", "<p>two", "visual")
