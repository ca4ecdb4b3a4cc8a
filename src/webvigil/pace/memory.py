"""What the best-effort rule of a page remembers in, a few hundred bytes for the store out, and back.

The bytes are a mark of the format, then compressed JSON. Bytes that cannot be read, or were written by
another policy, count as no memory: the page is learnt anew, and no look is lost.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from webvigil.pace.hints import Hints
from webvigil.pace.policy import Plain

_FORMAT = b"\x01"
_LARGEST = 100_000
"""The most bytes that are unpacked. No memory is nearly as large; damaged bytes must not fill ours."""

# A memory is some hundred bytes. By default zlib prepares a quarter of a megabyte before it packs the first
# byte, which takes fifteen times as long as packing; these sizes take some ten kilobytes.
_WINDOW, _ROOM = 12, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The state of a policy as plain values, the version that was seen last, and what hints have earned."""

    policy: str
    state: Plain
    version: int
    hints: Hints | None = None


def written(memory: Memory) -> bytes:
    """Writes a memory as bytes."""
    plain: list[Any] = [
        memory.policy,
        memory.version,
        memory.hints.as_plain() if memory.hints else None,
        memory.state,
    ]
    packer = zlib.compressobj(wbits=_WINDOW, memLevel=_ROOM)
    text = json.dumps(plain, separators=(",", ":")).encode()
    return _FORMAT + packer.compress(text) + packer.flush()


def read(kept: bytes) -> Memory | None:
    """Reads a memory. Returns None for bytes that are damaged or in another format."""
    if kept[:1] != _FORMAT:
        return None
    try:
        text = zlib.decompressobj().decompress(kept[1:], _LARGEST)
        policy, version, hints, state = json.loads(text)
        earned = Hints.from_plain(hints) if hints else None
        return Memory(policy=str(policy), state=dict(state), version=int(version), hints=earned)
    except (zlib.error, ArithmeticError, RecursionError, ValueError, TypeError):
        return None
