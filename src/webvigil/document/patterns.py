"""Regular expressions of users, never slower than linear or a bound (C9).

RE2 runs most of them in linear time. What it does not know (look-around, references back) runs in the
`regex` engine with a limit on time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import re2
import regex

from webvigil.errors import PatternRefused

_LONGEST = 10_000
_SECONDS = 0.5
_MEMORY = 8 << 20


class Pattern:
    """A compiled expression. Make one with `compile_pattern`."""

    def __init__(self, text: str, matches: Callable[[str], Iterator[Any]], is_linear: bool) -> None:
        self.text = text
        self.is_linear = is_linear
        self._matches = matches

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it matches, from left to right, empty matches left out.

        Raises PatternRefused when a match takes too long.
        """
        try:
            found = [match.span() for match in self._matches(text)]
        except TimeoutError as error:
            raise PatternRefused(f"the expression {self.text!r} takes too long on this page") from error
        return [(start, end) for start, end in found if end > start]

    def cut(self, text: str) -> str:
        """The text without its matches."""
        pieces, place = [], 0
        for start, end in self.spans(text):
            pieces.append(text[place:start])
            place = end
        return "".join([*pieces, text[place:]])


@lru_cache(maxsize=1024)
def compile_pattern(text: str) -> Pattern:
    """Raises PatternRefused for an expression that cannot be read."""
    if len(text) > _LONGEST:
        raise PatternRefused(f"the expression is too long: at most {_LONGEST} characters")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        linear = re2.compile(text, options)
    except re2.error:
        return _with_limit(text)
    return Pattern(text, linear.finditer, True)


def _with_limit(text: str) -> Pattern:
    try:
        limited = regex.compile(text)
    except (regex.error, RecursionError, OverflowError) as error:
        raise PatternRefused(f"the expression {text!r} cannot be used: {error}") from error
    return Pattern(text, lambda page: limited.finditer(page, timeout=_SECONDS), False)
