"""A file of another program in, sentinels out (U6): one module and one row of `FORMATS` for each file format.

A format reads bytes and returns a `Found` for each thing in the file: a sentinel, with remarks on what could
not be taken over, or the reason why there is no sentinel. Formats install nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from webvigil.app.moving.formats import changedetection, distill, opml, text, urls, urlwatch
from webvigil.app.moving.formats.found import Found
from webvigil.errors import SettingRefused

Reader = Callable[[bytes], list[Found]]

# Formats are tried in this order. The last one accepts any text.
FORMATS: dict[str, tuple[Callable[[bytes], bool], Reader]] = {
    "changedetection.io": (changedetection.is_mine, changedetection.read),
    "distill": (distill.is_mine, distill.read),
    "opml": (opml.is_mine, opml.read),
    "sentinels": (text.is_mine, text.read),
    "urlwatch": (urlwatch.is_mine, urlwatch.read),
    "urls": (urls.is_mine, urls.read),
}
# Bytes of a file. It is read into memory, and anybody with an account may upload one.
LARGEST = 100_000_000

__all__ = ["FORMATS", "Found", "read_foreign"]


def read_foreign(data: bytes, format_: str | None = None) -> tuple[str, list[Found]]:
    """Returns the name of the format and everything found in the data. Without `format_` the format is
    guessed.

    Raises SettingRefused if the data is too large or of no known format.
    """
    if len(data) > LARGEST:
        raise SettingRefused(f"this is too large to import: more than {LARGEST // 1_000_000} MB")
    names = [format_] if format_ else list(FORMATS)
    for name in names:
        is_mine, read = FORMATS[name]
        if format_ or is_mine(data):
            return name, read(data)
    raise SettingRefused(
        "nothing here can be imported; known are sentinel texts, lists of addresses, OPML, and the exports "
        "of changedetection.io, urlwatch, webchanges and Distill"
    )
