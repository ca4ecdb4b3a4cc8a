"""Pictures as they came with a version in, one text out, and back: so that the old one can be shown when
another takes its place (P2, C3).

With a version are kept the pictures that came anew with it, as far as there is room; the others are those of
a version before. A page of a hundred photographs must not fill the disk, so a large one is left out.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable

LARGEST = 2_000_000
ROOM = 10_000_000
_MAGIC = b"WVI1"

Pictures = dict[str, bytes]


def packed(pictures: Iterable[tuple[str, bytes]]) -> bytes:
    """By address; b"" where there is nothing to keep."""
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
    """Nothing where the text is damaged: a page is shown without pictures rather than not at all."""
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
