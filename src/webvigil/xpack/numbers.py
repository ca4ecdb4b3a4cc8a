"""Numbers in, bytes out, and back: columns as narrow as their largest number allows, and single numbers.

A column of numbers is 1, 2, 4 or 8 bytes wide. Wider columns are stored as planes (all low bytes, then all
second bytes …): the high bytes of small numbers are equal, and beside each other they compress well. Single
numbers (varints) are written in groups of seven bits, the lowest first, with the eighth bit set on all but
the last byte.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from webvigil.errors import XPackError

Column = npt.NDArray[np.unsignedinteger]

WIDTHS = (1, 2, 4, 8)
_TYPES = {width: np.dtype(f"<u{width}") for width in WIDTHS}
_LONGEST = 63  # the largest shift, so ten bytes; a damaged file must not make us build a number without end


def width_of(top: int) -> int:
    """Returns how many bytes per number a column needs whose largest number is `top`."""
    for width in WIDTHS:
        if top < 1 << (8 * width):
            return width
    raise XPackError("the packed file is damaged: no column holds a number as large as it says")


def column_width(numbers: npt.NDArray[np.integer]) -> int:
    return width_of(int(numbers.max(initial=0)))


def to_planes(numbers: npt.NDArray[np.integer], width: int) -> bytes:
    """Writes a column as planes of `width` bytes per number."""
    plain = np.ascontiguousarray(numbers, dtype=_TYPES[width])
    if width == 1:
        return plain.tobytes()
    return np.ascontiguousarray(plain.view(np.uint8).reshape(-1, width).T).tobytes()


def from_planes(data: bytes | memoryview, width: int) -> Column:
    """Reads a column that `to_planes` has written.

    Raises XPackError if its length is not a multiple of `width`.
    """
    if width == 1:
        return np.frombuffer(data, dtype=np.uint8)
    if len(data) % width:
        raise XPackError("the packed file is damaged: a column does not hold whole numbers")
    planes = np.frombuffer(data, dtype=np.uint8).reshape(width, -1)
    return np.ascontiguousarray(planes.T).view(_TYPES[width]).ravel()


class Widths(NamedTuple):
    """The bytes per number (1, 2, 4 or 8) of each column. The head stores each width in 2 bits."""

    nodes: int = 1
    labels: int = 1
    parents: int = 1
    counts: int = 1
    distinct: int = 1
    sizes: int = 1

    def packed(self) -> int:
        widths = (self.nodes, self.labels, self.parents, self.counts, self.distinct, self.sizes)
        return sum((width.bit_length() - 1) << (2 * place) for place, width in enumerate(widths))

    @classmethod
    def unpacked(cls, bits: int) -> Widths:
        """Reads the widths from the bits of a head. Raises XPackError for bits that are never set."""
        if bits >> 12:
            raise XPackError("the packed file is damaged: its widths are impossible")
        return _widths(bits)


@lru_cache(256)
def _widths(bits: int) -> Widths:
    return Widths(*(1 << (bits >> 2 * place & 3) for place in range(6)))


def varint(number: int) -> bytes:
    if number <= 0x7F:
        return bytes((number,))
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def read_varint(data: bytes, place: int) -> tuple[int, int]:
    """Reads the varint at a place and returns (the number, the place behind it).

    Raises XPackError where the data ends within the number or the number takes more than ten bytes.
    """
    number = shift = 0
    try:
        if (byte := data[place]) < 0x80:
            return byte, place + 1
        while (byte := data[place]) > 0x7F:
            number |= (byte & 0x7F) << shift
            shift += 7
            place += 1
            if shift > _LONGEST:
                raise XPackError("the packed file is damaged: a number is too long")
    except IndexError:
        raise XPackError("the packed file is cut off") from None
    return number | byte << shift, place + 1
