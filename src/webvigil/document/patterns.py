"""Regular expressions of users, never slower than linear or a bound (C9).

RE2 runs most of them in linear time. What it does not know (look-around, references back) runs in the
`regex` engine with a limit on time. RE2 takes `\\w`, `\\d`, `\\s` and `\\b` for ASCII; on a text that has
more than ASCII they are spelled out for it as Unicode classes, and `\\b` goes to the other engine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import re2
import regex

from webvigil.errors import PatternRefused

_LONGEST = 10_000
# The engine looks at the clock rarely: a limit of 0.3 s ends within one second.
_SECONDS = 0.3
_MEMORY = 8 << 20

_WORD, _DIGIT, _SPACE = r"\p{L}\p{M}\p{N}\p{Pc}", r"\p{Nd}", r"\s\x{85}\p{Z}"
_PIECE = re.compile(r"\\Q.*?(?:\\E|\Z)|\\.|\[\^?\]?|\]|.", re.DOTALL)
_OUTSIDE = {
    r"\w": f"[{_WORD}]", r"\d": f"[{_DIGIT}]", r"\s": f"[{_SPACE}]",
    r"\W": f"[^{_WORD}]", r"\D": f"[^{_DIGIT}]", r"\S": f"[^{_SPACE}]",
}  # fmt: skip
_INSIDE = {r"\w": _WORD, r"\d": _DIGIT, r"\s": _SPACE, r"\D": r"\P{Nd}"}

_LACKS = (
    "invalid perl operator",
    "invalid escape sequence",
    "bad repetition operator",
    "invalid named capture",
)
_REPEATS = re.compile(r"[{,]([1-9]\d*)\}")
_MOST_REPEATS = 1000

Matches = Callable[[str], Iterator[Any]]


class Pattern:
    """A compiled expression. Make one with `compile_pattern`."""

    def __init__(self, text: str, on_ascii: Matches, on_any: Matches, is_linear: bool) -> None:
        self.text = text
        self.is_linear = is_linear
        self._on_ascii = on_ascii
        self._on_any = on_any

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it matches, from left to right, empty matches left out.

        Raises PatternRefused when a match takes too long.
        """
        matches = self._on_ascii if text.isascii() else self._on_any
        try:
            found = [match.span() for match in matches(text)]
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
    try:
        linear = _linear(text)
    except re2.error as error:
        return _beyond_re2(text, _reason(error))
    spelled = _spelled(text)
    if spelled is None:
        return Pattern(text, linear, _limited(text), False)
    return Pattern(text, linear, linear if spelled == text else _linear(spelled), True)


def _linear(text: str) -> Matches:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(text, options).finditer  # type: ignore[no-any-return]


def _beyond_re2(text: str, reason: str) -> Pattern:
    """Only what RE2 lacks goes to the other engine: an expression that is wrong or too large stays so."""
    if not any(lack in reason for lack in _LACKS):
        raise PatternRefused(f"the expression {text!r} cannot be used: {reason}")
    limited = _limited(text)
    return Pattern(text, limited, limited, False)


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)


def _limited(text: str) -> Matches:
    # This engine writes repetitions out; RE2 allows a thousand, so do we here.
    repeats = [int(number) for number in _REPEATS.findall(text)]
    if any(number > _MOST_REPEATS for number in repeats) or math.prod(repeats) > _MOST_REPEATS:
        raise PatternRefused(f"the expression {text!r} cannot be used: it repeats too often")
    try:
        pattern = regex.compile(text)
    except (regex.error, RecursionError, OverflowError) as error:
        raise PatternRefused(f"the expression {text!r} cannot be used: {error}") from error
    return lambda page: pattern.finditer(page, timeout=_SECONDS)


def _spelled(text: str) -> str | None:
    """The expression with its classes spelled out for Unicode, None where RE2 has no words for it."""
    pieces, inside = [], False
    for piece in _PIECE.findall(text):
        if piece in (r"\b", r"\B") and not inside:
            return None
        if piece in (r"\W", r"\S") and inside:
            return None
        pieces.append((_INSIDE if inside else _OUTSIDE).get(piece, piece))
        if piece[0] == "[" and not inside:
            inside = True
        elif piece == "]":
            inside = False
    return "".join(pieces)
