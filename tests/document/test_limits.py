"""Pictures and patterns at both sides of their limits, and what is said beyond them."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from PIL import Image

from webvigil.document import screenshot
from webvigil.document.patterns import compile_pattern
from webvigil.document.screenshot import (
    Box,
    is_picture,
    media_type,
    read_screenshot,
    size_of,
    thumbnail,
    with_places,
)
from webvigil.errors import DocumentRefused, PatternRefused


def picture(width: int, height: int, kind: str = "PNG", mode: str = "RGB", colour: object = 0) -> bytes:
    file = io.BytesIO()
    Image.new(mode, (width, height), colour).save(file, kind)  # type: ignore[arg-type]
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "media"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp"), ("GIF", "")]
)
def test_a_picture_is_known_by_its_first_bytes(kind: str, media: str):
    body = picture(3, 2, kind)
    assert media_type(body) == media
    assert is_picture(body) is bool(media)
    if media:
        assert read_screenshot(body).pixels.shape == (2, 3, 3)
    else:
        with pytest.raises(DocumentRefused, match="this is no picture in PNG, JPEG or WebP"):
            read_screenshot(body)


@pytest.mark.parametrize(
    ("body", "media"),
    [(b"RIFF1234WEBP", "image/webp"), (b"RIFF1234WAVE", ""), (b"RAFF1234WEBP", ""), (b"RIFF123WEBP", "")],
)
def test_a_riff_is_a_picture_if_it_says_webp(body: bytes, media: str):
    assert media_type(body) == media


def test_the_size_of_a_png_is_in_its_first_24_bytes():
    body = picture(300, 2)
    assert size_of(body) == size_of(body[:24]) == (300, 2)
    assert size_of(body[:23]) == (0, 0)
    assert size_of(picture(300, 2, "JPEG")) == (0, 0)


def test_a_picture_has_a_limit_of_bytes_and_of_pixels(monkeypatch: pytest.MonkeyPatch):
    body = picture(6, 5)
    monkeypatch.setattr(screenshot, "_MOST_BYTES", len(body))
    monkeypatch.setattr(screenshot, "MOST_PIXELS", 30)
    assert read_screenshot(body).pixels.shape == (5, 6, 3)
    with pytest.raises(DocumentRefused) as refused:
        read_screenshot(body + b"x")
    assert str(refused.value) == f"the picture is too large: {len(body) + 1} bytes, at most {len(body)}"
    monkeypatch.setattr(screenshot, "MOST_PIXELS", 29)
    with pytest.raises(DocumentRefused, match="the picture is too large: 6 × 5 pixels, at most 29 in all"):
        read_screenshot(body)


def test_a_picture_that_was_cut_is_damaged():
    body = picture(60, 50)
    with pytest.raises(DocumentRefused, match="the picture is damaged, or not what it says it is"):
        read_screenshot(body[: len(body) // 2])


@pytest.mark.parametrize(
    ("mode", "colour", "shown"),
    [
        ("RGB", (1, 2, 3), (1, 2, 3)),
        ("RGBA", (1, 2, 3, 255), (1, 2, 3)),
        ("RGBA", (1, 2, 3, 0), (255, 255, 255)),
        ("LA", (0, 0), (255, 255, 255)),
        ("L", 7, (7, 7, 7)),
    ],
)
def test_what_is_transparent_is_white(mode: str, colour: object, shown: tuple[int, int, int]):
    pixels = read_screenshot(picture(2, 2, mode=mode, colour=colour)).pixels
    assert np.array_equal(pixels, np.full((2, 2, 3), shown))


def test_places_are_kept_in_the_picture():
    body = with_places(picture(4, 4), ["body", "p"], [(0, 0, 4, 4), (1, 2, 3, 1)])
    places = read_screenshot(body).places
    assert places
    assert (places.tags, places.boxes) == (("body", "p"), (Box(0, 0, 4, 4), Box(1, 2, 3, 1)))
    assert read_screenshot(with_places(picture(4, 4), ["p"], [])).places is None
    assert read_screenshot(with_places(picture(4, 4), ["p"], [("x",)])).places is None  # type: ignore[list-item]
    assert read_screenshot(picture(4, 4)).places is None
    assert with_places(b"cut off", ["p"], []) == b"cut off"


def test_a_box_is_written_and_read():
    box = Box(10, 20, 120, 40)
    assert (str(box), box.area) == ("120×40 at 10,20", 4800)
    assert Box.read(str(box)) == box


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [(400, 600, (100, 50)), (400, 100, (100, 25)), (400, 1, (100, 1)), (50, 10, (100, 20))],
)
def test_a_thumbnail_is_the_upper_part(width: int, height: int, size: tuple[int, int]):
    with Image.open(io.BytesIO(thumbnail(picture(width, height), 100, 50))) as shown:
        assert (shown.format, shown.size) == ("JPEG", size)


@pytest.mark.parametrize(
    ("pattern", "is_taken"),
    [
        (r"(?=x)a{1000}", True),
        (r"(?=x)a{1001}", False),
        (r"(?=x)a{1,1000}", True),
        (r"(?=x)a{1,1001}", False),
        (r"(?=x)a{25}b{40}", True),
        (r"(?=x)a{25}b{41}", False),
        (r"(?=x)a{2,}b{1000}", True),
    ],
)
def test_a_pattern_that_looks_around_repeats_at_most_a_thousand_times(pattern: str, is_taken: bool):
    if is_taken:
        compile_pattern(pattern)
        return
    with pytest.raises(PatternRefused, match="cannot be used: it repeats too often"):
        compile_pattern(pattern)


@pytest.mark.parametrize(("length", "shown"), [(60, "(" * 60), (61, "(" * 57 + "...")])
def test_a_long_pattern_is_shown_by_its_beginning(length: int, shown: str):
    with pytest.raises(PatternRefused, match=re.escape(f"the expression '{shown}' cannot be used: ")):
        compile_pattern("(" * length)
