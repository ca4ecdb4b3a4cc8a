"""Regular expressions of users, never slower than linear or a bound (C9).

RE2 runs most of them in linear time. What it does not know (look-around, references back), or would be
slow at (long repetitions on a long text), runs in the `regex` engine with a limit on time. RE2 takes
`\\w`, `\\d`, `\\s` and `\\b` for ASCII; on a text that has more than ASCII they are spelled out for it as
Unicode classes, and `\\b` goes to the other engine.
"""

from __future__ import annotations

import math
import re
import time
from functools import lru_cache
from typing import Any

import numpy as np
import re2
import regex

from webvigil.document.derived import cached_property
from webvigil.errors import PatternRefused

_LONGEST = 10_000
_MEMORY = 8 << 20
# For one text of up to `_USUAL` characters, so that two versions take less than a tenth of a second.
_SECONDS = 0.04
_USUAL = 200_000
# That a match itself may take: many of them are no catastrophe.
_PER_MATCH = 4e-6
# Where RE2's automaton outgrows its memory it falls back to about 13 ns per instruction and character.
_MOST_STEPS = 8_000_000

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

# Nothing in it means anything but itself: then there is nothing to fear, and the quickest engine will do,
# also where it stands on the page half a million times.
_LITERAL = re.compile(r"[A-Za-z0-9_,:;=@/<>\"'% !-]+")

# Only what can match no end of a line, and looks at nothing beyond what it matches. (Control characters are
# left out, so that no range of characters has them in it.)
_IN_LINE = re.compile(
    r"""(?: \\[dw] | \\[^\w\s]                                  # a digit, a letter, an escaped sign
          | \[(?!\^) (?: \\[dw] | \\[^\w\s] | [^\\\[\]\x00-\x1f\x7f-\x9f] )+ \]   # one of these
          | \(\?: | \((?!\?) | [)|.+*?] | \{\d*,?\d*\}
          | [^\\\[\](){}^$|+*?.\x00-\x1f\x7f-\x9f]
        )+""",
    re.VERBOSE,
)

Spans = list[tuple[int, int]]


class Pattern:
    """A compiled expression. Make one with `compile_pattern`."""

    def __init__(self, text: str, on_ascii: Any, on_any: Any) -> None:
        """What RE2 made of it for texts of ASCII alone, and for any; None where it is no help."""
        self.text = text
        self._on_ascii = on_ascii
        self._on_any = on_any

    @property
    def is_linear(self) -> bool:
        return self._on_any is not None

    def spelled_for(self, text: str) -> str:
        """The expression as RE2 runs it on this text; "" where it does not."""
        linear = self._on_ascii if text.isascii() else self._on_any
        fits = linear is not None and self._size * len(text) <= _MOST_STEPS
        return str(linear.pattern) if fits else ""

    def spans(self, text: str) -> Spans:
        """Where it matches, from left to right, empty matches left out.

        Raises PatternRefused when that takes too long.
        """
        if _LITERAL.fullmatch(self.text):
            return [match.span() for match in re.finditer(self.text, text)]
        limit = _SECONDS * max(1.0, len(text) / _USUAL)
        linear = self._on_ascii if text.isascii() else self._on_any
        try:
            if linear is not None and self._size * len(text) <= _MOST_STEPS:
                return _linear_spans(linear, text, limit)
            found = [match.span() for match in _limited(self.text).finditer(text, timeout=limit)]
        except TimeoutError as error:
            raise PatternRefused(
                f"the expression {_short(self.text)} takes too long on this page ({limit * 1000:.0f} ms); "
                "a simpler one, with fewer nested repetitions, will do better"
            ) from error
        return [(start, end) for start, end in found if end > start]

    @cached_property
    def stays_in_line(self) -> bool:
        """Does surely no match reach over the end of a line, or depend on what stands in another?"""
        return _IN_LINE.fullmatch(self.text) is not None

    @cached_property
    def _size(self) -> int:
        """How many instructions a character may pass, classes counted as if they were of ASCII."""
        return self._on_ascii.programsize if self._on_ascii is not None else 0

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
        raise PatternRefused(f"the expression is too long: at most {_LONGEST:,} characters")
    try:
        on_ascii = _linear(text)
        spelled = _spelled(text)
        on_any = on_ascii if spelled == text else _linear(spelled) if spelled is not None else None
    except re2.error as error:
        return _beyond_re2(text, _reason(error))
    return Pattern(text, on_ascii, on_any)


def _linear(text: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(text, options)


def _linear_spans(linear: Any, text: str, limit: float) -> Spans:
    """One search is linear, but many that each run to the end of the text are not: so we look at the clock.

    Matches are found in UTF-8, where RE2 works; their places are then counted in characters.
    """
    data = text.encode("utf-8", "surrogatepass")
    end = time.thread_time() + limit
    found: Spans = []
    for number, match in enumerate(linear.finditer(data)):
        span = match.span()
        if span[0] < span[1]:
            found.append(span)
        if number % 64 == 0 and time.thread_time() > end + len(found) * _PER_MATCH:
            raise TimeoutError
    return found if len(data) == len(text) else _in_characters(data, found)


def _in_characters(data: bytes, spans: Spans) -> Spans:
    """All bytes of a character but its first are 10xxxxxx: how many of those are before each edge?"""
    following = np.flatnonzero((np.frombuffer(data, dtype=np.uint8) & 0xC0) == 0x80)
    edges = np.array(spans, dtype=np.int64).reshape(-1, 2)
    places = edges - np.searchsorted(following, edges)
    return [(start, end) for start, end in places.tolist()]


def _beyond_re2(text: str, reason: str) -> Pattern:
    """Only what RE2 lacks goes to the other engine: an expression that is wrong or too large stays so."""
    if not any(lack in reason for lack in _LACKS):
        raise PatternRefused(f"the expression {_short(text)} cannot be used: {reason}")
    _limited(text)
    return Pattern(text, None, None)


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)


@lru_cache(maxsize=1024)
def _limited(text: str) -> Any:
    # This engine writes repetitions out; RE2 allows a thousand, so do we here.
    repeats = [int(number) for number in _REPEATS.findall(text)]
    if any(number > _MOST_REPEATS for number in repeats) or math.prod(repeats) > _MOST_REPEATS:
        raise PatternRefused(f"the expression {_short(text)} cannot be used: it repeats too often")
    try:
        return regex.compile(text)
    except (regex.error, RecursionError, OverflowError) as error:
        raise PatternRefused(f"the expression {_short(text)} cannot be used: {error}") from error


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


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
