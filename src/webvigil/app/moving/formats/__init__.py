"""What other programs and people bring, as sentinels (U6): one module for each format, one row in the table.

A module of a format has two functions: `is_mine` tells whether data is of this format, `read` gives what it
found there, each as a sentinel with remarks on what could not be taken along, or as a trouble. It installs
nothing. CONTRIBUTING.md says what a new format needs beside its row.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from webvigil.errors import SettingRefused

if TYPE_CHECKING:
    from webvigil.app.moving.formats.found import Found


class Format(NamedTuple):
    """The module of a format in this package, and what its files are called."""

    module: str
    called: str


# Formats are tried in this order. The last one accepts any text.
FORMATS = {
    "changedetection.io": Format("changedetection", "exports of changedetection.io"),
    "distill": Format("distill", "exports of Distill"),
    "opml": Format("opml", "OPML"),
    "sentinels": Format("text", "sentinels as text"),
    "urlwatch": Format("urlwatch", "jobs of urlwatch and webchanges"),
    "urls": Format("urls", "lists of addresses"),
}
KNOWN = ", ".join(one.called for one in FORMATS.values())
# Bytes of a file. It is read into memory, and anybody with an account may upload one.
LARGEST = 100_000_000


def read_foreign(data: bytes, format_: str | None = None) -> tuple[str, list[Found]]:
    """Returns the name of the format and everything found in the data. Without `format_` the format is
    guessed.

    Raises SettingRefused if the data is too large or of no known format.
    """
    if len(data) > LARGEST:
        raise SettingRefused(f"this is too large to import: more than {LARGEST // 1_000_000} MB")
    for name in [format_] if format_ else FORMATS:
        module = import_module(f"{__name__}.{FORMATS[name].module}")
        if format_ or module.is_mine(data):
            return name, module.read(data)
    raise SettingRefused(f"nothing here can be imported; known are: {KNOWN}")
