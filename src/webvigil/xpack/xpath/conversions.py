"""Numbers, strings and booleans converted into each other, as libxml2 does it.

libxml2 differs from the letter of XPath 1.0 in writing numbers: large and very small numbers are written with
an exponent, and such a text is read as a number as well.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_SPACE = " \t\r\n"
_NUMBER = re.compile(r"[ \t\r\n]*(-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[ \t\r\n]*\Z")
# The limits beyond which libxml2 writes an exponent, and below which it writes whole numbers as integers.
_LARGE, _SMALL = 1e9, 1e-5
_WHOLE = 2**31 - 1


def to_number(text: str) -> float:
    """Reads a number, with white space around it allowed. Any other text gives NaN."""
    found = _NUMBER.match(text)
    return float(found[1]) if found else math.nan


def to_numbers(texts: Iterable[str]) -> Floats:
    return np.array([to_number(text) for text in texts], dtype=np.float64)


def number_text(number: float) -> str:
    """Writes a number as libxml2 does, with at most 15 digits."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    if number.is_integer() and abs(number) < _WHOLE:
        return str(int(number))
    size = abs(number)
    if size > _LARGE or size < _SMALL:
        return _with_exponent(number)
    whole_digits = 1 + math.floor(math.log10(size))
    return _without_zeros(f"{number:.{15 - whole_digits}f}")


def _with_exponent(number: float) -> str:
    mantissa, _, exponent = f"{number:.14e}".partition("e")
    return f"{_without_zeros(mantissa)}e{exponent}"


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def rounded(number: float) -> float:
    """Rounds to the nearest whole number, halves upwards. From -0.5 up to 0 the result is negative zero."""
    if math.isnan(number) or math.isinf(number):
        return number
    if -0.5 <= number < 0:
        return -0.0
    floor = math.floor(number)
    return float(floor if number - floor < 0.5 else floor + 1)


def normalized(text: str) -> str:
    """Strips white space and makes each run of it one space. Only XML's four white space characters count."""
    return " ".join([word for word in re.split(r"[ \t\r\n]+", text.strip(_SPACE)) if word])


def substring(text: str, start: float, length: float | None) -> str:
    """Cuts a part out of a text, by the rules of XPath.

    Positions count from 1, both numbers are rounded first, and NaN gives the empty string.
    """
    first = rounded(start)
    end = math.inf if length is None else first + rounded(length)
    if math.isnan(first) or math.isnan(end):
        return ""
    low = 0 if first < 1 else len(text) if first > len(text) else int(first) - 1
    high = len(text) if end > len(text) else 0 if end < 1 else int(end) - 1
    return text[low:high]


def translated(text: str, characters: str, replacements: str) -> str:
    """Replaces each of `characters` by the one at the same place of `replacements`.

    A character without a replacement is removed.
    """
    table: dict[int, str | None] = {}
    for place, character in enumerate(characters):
        table.setdefault(ord(character), replacements[place] if place < len(replacements) else None)
    return text.translate(table)
