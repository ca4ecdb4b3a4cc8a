"""Names of objects: the hexadecimal digest of an object, with an ending for objects that belong to it.

Names also come from backups and from restored rows, so every store checks a name here before the name becomes
a path. An invalid name names no object: there is nothing to read and nothing to remove.
"""

from __future__ import annotations

import re

from webvigil.errors import StoreRefused

PICTURE, PICTURES, DIGEST = ".picture", ".pictures", ".digest"
NAME = r"[0-9a-f]{3,128}(?:\.(?:picture|pictures|digest))?"
_KEY = re.compile(NAME)
# The name that a directory gives to a file that is still being written.
_PART = re.compile(NAME + r"\.[0-9a-f]{8}\.part")


def is_key(name: str) -> bool:
    return _KEY.fullmatch(name) is not None


def is_part(name: str) -> bool:
    """Says whether this is the name of a leftover of an interrupted write."""
    return _PART.fullmatch(name) is not None


def refuse_other(name: str) -> None:
    """Raises StoreRefused for a name that no object can have."""
    if not is_key(name):
        raise StoreRefused(f"{name[:100]!r} is no name of an object")
