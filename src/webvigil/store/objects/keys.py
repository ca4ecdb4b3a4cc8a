"""Names of objects: the digest of an object in hexadecimal letters, with an ending for what belongs to it.

Names also come from backups and from rows that a backup brought, so every store asks here before a name
becomes a path. A name that is none is the name of no object: there is nothing to read and nothing to remove.
"""

from __future__ import annotations

import re

from webvigil.errors import StoreRefused

PICTURE, PICTURES, DIGEST = ".picture", ".pictures", ".digest"
NAME = r"[0-9a-f]{3,128}(?:\.(?:picture|pictures|digest))?"
_KEY = re.compile(NAME)
# What a folder calls a file that is still being written.
_PART = re.compile(NAME + r"\.[0-9a-f]{8}\.part")


def is_key(name: str) -> bool:
    return _KEY.fullmatch(name) is not None


def is_part(name: str) -> bool:
    """Whether this is the name of a file that was cut off while an object was written."""
    return _PART.fullmatch(name) is not None


def refuse_other(name: str) -> None:
    """Raises StoreRefused for a name that no object can have."""
    if not is_key(name):
        raise StoreRefused(f"{name[:100]!r} is no name of an object")
