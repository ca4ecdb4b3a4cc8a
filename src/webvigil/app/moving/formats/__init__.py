"""What other programs and people bring, as sentinels (U6): one module for each format, one line in the table.

A format reads bytes and gives what it found there, each as a sentinel with remarks on what could not be
taken along, or as a trouble. It installs nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from webvigil.app.moving.formats import changedetection, distill, opml, text, urls, urlwatch
from webvigil.app.moving.formats.found import Found
from webvigil.errors import SettingRefused

Reader = Callable[[bytes], list[Found]]

# In the order in which a file is tried; the last one takes any text.
FORMATS: dict[str, tuple[Callable[[bytes], bool], Reader]] = {
    "changedetection.io": (changedetection.is_mine, changedetection.read),
    "distill": (distill.is_mine, distill.read),
    "opml": (opml.is_mine, opml.read),
    "sentinels": (text.is_mine, text.read),
    "urlwatch": (urlwatch.is_mine, urlwatch.read),
    "urls": (urls.is_mine, urls.read),
}
LARGEST = 100_000_000

__all__ = ["FORMATS", "Found", "read_foreign"]


def read_foreign(data: bytes, format_: str | None = None) -> tuple[str, list[Found]]:
    """The format's name, and what is in the data. Raises SettingRefused where nothing can be made of it."""
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
