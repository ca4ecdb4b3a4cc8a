"""The bytes of a screenshot in, its pixels and the places of the page's elements in it out, and back.

The places are stored inside the PNG file, in a chunk of our own that other readers of PNG skip. So the
screenshot is one file that anybody can open, and a part of the page can be found in it long after the browser
has closed.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webvigil.errors import DocumentRefused

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = NDArray[np.uint8]
"""Height × width × red, green, blue."""

# Four times the largest picture that we take ourselves (1280 × 8000).
MOST_PIXELS = 40_000_000
# The most bytes of a picture file, and of the unpacked places in it. A small file could unpack to fill the
# memory.
_MOST_BYTES = 64 * 1024 * 1024
_MOST_PLACES = 16 * 1024 * 1024
_FORMATS = ("PNG", "JPEG", "WEBP")
_SIGNS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_CHUNK = b"wvPl"
_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"


class Box(NamedTuple):
    """Left, top, width and height in pixels; as text `120×40 at 10,200`."""

    left: int
    top: int
    width: int
    height: int

    @property
    def area(self) -> int:
        return self.width * self.height

    def __str__(self) -> str:
        return f"{self.width}×{self.height} at {self.left},{self.top}"

    @classmethod
    def read(cls, text: str) -> Box:
        size, _, place = text.partition(" at ")
        (width, height), (left, top) = size.split("×"), place.split(",")
        return cls(int(left), int(top), int(width), int(height))


@dataclass(frozen=True, slots=True)
class Places:
    """The elements of a page in document order: their names, and their places in the screenshot."""

    tags: tuple[str, ...]
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Screenshot:
    pixels: Pixels
    places: Places | None = None


def is_picture(body: bytes) -> bool:
    """Tells whether these bytes are a picture of a kind that can be compared."""
    return bool(media_type(body))


def media_type(body: bytes) -> str:
    """Returns the media type by the first bytes, or "" for bytes that are no PNG, JPEG or WebP."""
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for sign, kind in _SIGNS.items() if body.startswith(sign)), "")


def with_places(png: bytes, tags: Sequence[str], boxes: Sequence[Sequence[int]]) -> bytes:
    """Returns the PNG with the places of the page's elements in it; bytes that are no complete PNG
    unchanged."""
    if not png.endswith(_END):
        return png
    content = zlib.compress(json.dumps([" ".join(tags), boxes], separators=(",", ":")).encode())
    chunk = _CHUNK + content
    sealed = struct.pack(">I", len(content)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return png[: -len(_END)] + sealed + _END


def read_screenshot(body: bytes) -> Screenshot:
    """Returns the pixels of a picture and, if it has them, the places of its elements. Raises DocumentRefused
    for bytes that are no picture, a damaged one, or one that is too large."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ModuleNotFoundError as error:
        raise DocumentRefused("pictures cannot be read here; pip install 'webvigil[browser]'") from error
    if len(body) > _MOST_BYTES:
        raise DocumentRefused(f"the picture is too large: {len(body):,} bytes, at most {_MOST_BYTES:,}")
    try:
        with Image.open(BytesIO(body), formats=_FORMATS) as image:
            _judge_size(image.size)
            image.load()
            return Screenshot(_pixels(image), _places(image))
    except UnidentifiedImageError as error:
        raise DocumentRefused("this is no picture in PNG, JPEG or WebP") from error
    except Image.DecompressionBombError as error:
        raise DocumentRefused("the picture is too large to be unpacked") from error
    except _DAMAGE as error:
        raise DocumentRefused("the picture is damaged, or not what it says it is") from error


def size_of(png: bytes) -> tuple[int, int]:
    """Returns the width and height of a PNG by its first bytes, (0, 0) for anything else."""
    if len(png) < 24 or media_type(png) != "image/png":
        return 0, 0
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)


def thumbnail(body: bytes, width: int, height: int) -> bytes:
    """Returns the upper part of a picture as a small JPEG. It is drawn anew from the pixels, so nothing else
    of the file is in it. Raises DocumentRefused as `read_screenshot` does."""
    pixels = read_screenshot(body).pixels
    from PIL import Image

    shown = Image.fromarray(pixels[: max(pixels.shape[1] * height // width, 1)])
    file = BytesIO()
    shown.resize((width, max(round(shown.height * width / shown.width), 1))).save(file, "JPEG", quality=80)
    return file.getvalue()


# Errors that Pillow raises for damaged pictures besides its own.
_DAMAGE = (OSError, SyntaxError, ValueError, struct.error, zlib.error, EOFError, KeyError, IndexError)


def _judge_size(size: tuple[int, int]) -> None:
    width, height = size
    if width * height > MOST_PIXELS:
        raise DocumentRefused(
            f"the picture is too large: {width:,} × {height:,} pixels, at most {MOST_PIXELS:,} in all"
        )


def _pixels(image: Image) -> Pixels:
    """Returns the pixels of a picture. Transparent areas are drawn on white."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        from PIL import Image as Images

        seen = image.convert("RGBA")
        paper = Images.new("RGBA", seen.size, "white")
        image = Images.alpha_composite(paper, seen)
    return np.asarray(image.convert("RGB"))


def _places(image: Any) -> Places | None:
    """Returns the places in a picture, or None if it has none or they cannot be read."""
    packed = next((chunk[1] for chunk in getattr(image, "private_chunks", ()) if chunk[0] == _CHUNK), None)
    if packed is None:
        return None
    try:
        tags, boxes = json.loads(zlib.decompressobj().decompress(packed, _MOST_PLACES))
        found = Places(tuple(tags.split()), tuple(Box(*map(int, box)) for box in boxes))
    except (zlib.error, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return found if len(found.tags) == len(found.boxes) else None
