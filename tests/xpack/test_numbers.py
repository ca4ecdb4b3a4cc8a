"""Columns are as narrow as their numbers allow, and numbers of any length are read where they end."""

from __future__ import annotations

import numpy as np
import pytest

from webvigil.errors import XPackError
from webvigil.xpack.numbers import (
    WIDTHS,
    Widths,
    column_width,
    from_planes,
    read_varint,
    to_planes,
    varint,
    width_of,
)


@pytest.mark.parametrize(
    ("top", "width"),
    [
        (0, 1),
        (2**8 - 1, 1),
        (2**8, 2),
        (2**16 - 1, 2),
        (2**16, 4),
        (2**32 - 1, 4),
        (2**32, 8),
        (2**64 - 1, 8),
    ],
)
def test_a_column_is_as_wide_as_its_largest_number(top: int, width: int):
    assert width_of(top) == width
    if top < 2**63:
        assert column_width(np.array([0, top, 1], dtype=np.int64)) == width
    with pytest.raises(XPackError, match="no column holds a number as large as it says"):
        width_of(2**64)
    assert column_width(np.array([], dtype=np.int64)) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_a_column_is_written_byte_after_byte_and_read_again(width: int):
    numbers = np.array([0, 1, 200, (1 << (8 * width - 1)) - 1], dtype=np.int64)
    written = to_planes(numbers, width)
    assert written[:4] == bytes(int(one) & 0xFF for one in numbers)
    assert len(written) == 4 * width
    read = from_planes(written, width)
    assert (read.tolist(), read.ndim) == (numbers.tolist(), 1)
    assert from_planes(b"", width).tolist() == []
    if width > 1:
        with pytest.raises(XPackError, match="a column does not hold whole numbers"):
            from_planes(written[:-1], width)


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, b"\0"),
        (127, b"\x7f"),
        (128, b"\x80\x01"),
        (300, b"\xac\x02"),
        (2**14 - 1, b"\xff\x7f"),
        (2**14, b"\x80\x80\x01"),
        (2**64 - 1, b"\xff" * 9 + b"\x01"),
    ],
)
def test_a_number_is_written_in_groups_of_seven_bits(number: int, written: bytes):
    assert varint(number) == written
    assert read_varint(b"\xff" + written + b"\xff", 1) == (number, 1 + len(written))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the packed file is cut off"),
        (b"\x80", "the packed file is cut off"),
        (b"\xff" * 9, "the packed file is cut off"),
        (b"\x80" * 10, "a number is too long"),
    ],
)
def test_a_number_that_does_not_end_is_refused(data: bytes, said: str):
    with pytest.raises(XPackError, match=said):
        read_varint(data, 0)


def test_the_widths_of_six_columns_are_two_bits_each():
    assert Widths(1, 2, 4, 8, 1, 2).packed() == 0b01_00_11_10_01_00
    assert Widths.unpacked(0b01_00_11_10_01_00) == Widths(1, 2, 4, 8, 1, 2)
    assert Widths.unpacked(0xFFF) == Widths(8, 8, 8, 8, 8, 8)
    assert Widths.unpacked(0) == Widths()
    for bits in (0x1000, 0x8000):
        with pytest.raises(XPackError, match="its widths are impossible"):
            Widths.unpacked(bits)
