"""Packing of a version's pictures: pictures by address in, one byte string out, and back (P2, C3).

They are stored so that the old picture can be shown when another picture takes its place. A version stores
only the pictures that are new in it, as far as there is room; the others are stored with an earlier version.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable

# Bytes of one picture and of all pictures of a version. A page with a hundred photographs must not fill the
# disk.
LARGEST = 2_000_000
ROOM = 10_000_000
_MAGIC = b"WVI1"

Pictures = dict[str, bytes]


def packed(pictures: Iterable[tuple[str, bytes]]) -> bytes:
    """Packs pictures by address. Pictures that are too large are left out; b"" means that nothing is left to
    store."""
    kept: Pictures = {}
    room = ROOM
    for address, body in pictures:
        if body and len(body) <= min(LARGEST, room):
            kept[address] = body
            room -= len(body)
    if not kept:
        return b""
    head = json.dumps([[address, len(body)] for address, body in kept.items()]).encode()
    return b"".join([_MAGIC, struct.pack(">I", len(head)), head, *kept.values()])


def unpacked(content: bytes) -> Pictures:
    """Returns the pictures by address. Returns no pictures for damaged bytes: a page without pictures is
    better than no page."""
    try:
        (length,) = struct.unpack_from(">I", content, len(_MAGIC))
        place = len(_MAGIC) + 4 + length
        found: Pictures = {}
        for address, size in json.loads(content[len(_MAGIC) + 4 : place]):
            found[address] = content[place : place + size]
            place += size
    except (struct.error, ValueError, TypeError):
        return {}
    return found
