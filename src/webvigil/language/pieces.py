"""A text with many sentinels in, one piece of text per sentinel out.

A sentinel begins with the words `Create Sentinel`, unless they stand in a comment, in quotes or in braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# A quotation mark that is not closed ends with its line. No character is read more than twice, so the scan
# takes linear time for hostile texts too.
_TOKEN = re.compile(
    r"""
      --[^\n]*+
    | "(?:\\[^\n]|[^"\\\n])*+["\\]?
    | '(?:\\[^\n]|[^'\\\n])*+['\\]?
    | \{(?:\\.|[^{}\\]|\{(?:\\.|[^{}\\])*+\})*+\}
    | /(?:\\[^\n]|[^/\\\n])++/?
    | \w+://\S++ | <[^<>\s]++>
    | (create\s+sentinel\b)
    | (?:\\.|[^\s"'{}(),:<\\])++
    | [}(),:]++
    | \S
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


class Piece(NamedTuple):
    """The text of one sentinel, the line and column where it begins (counted from 1), and the position in the
    whole text where it ends."""

    text: str
    line: int
    column: int
    end: int


def pieces(text: str) -> Iterator[Piece]:
    line = line_start = counted = 0
    for start, end in _ranges(text):
        line += text.count("\n", counted, start)
        line_start = max(line_start, text.rfind("\n", counted, start) + 1)
        counted = start
        yield Piece(text[start:end], line + 1, start - line_start + 1, end)


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    start, anything = 0, False
    for match in _TOKEN.finditer(text):
        if match[1]:
            if anything:
                yield start, match.start()
            start, anything = match.start(), True
        elif not match[0].startswith("--"):
            anything = True
    if anything:
        yield start, len(text)
