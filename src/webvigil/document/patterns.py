"""A regular expression of a user and a text in, the places of its matches out, in bounded time (C9).

RE2 runs most expressions in linear time. Expressions that RE2 does not support (look-around, back-references)
or runs slowly (long repetitions on a long text) run in the `regex` engine with a time limit. RE2 limits
`\\w`, `\\d`, `\\s` and `\\b` to ASCII. For other texts the classes are written out as Unicode classes, and an
expression with `\\b` goes to the `regex` engine.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from webvigil.document.arrays import Longs
from webvigil.errors import PatternRefused
from webvigil.model.memo import cached_property

# Bounds of one expression: its characters, and the bytes that RE2 may take for it.
_LONGEST = 10_000
_MEMORY = 8 << 20
# The seconds for one search in a text of up to `_USUAL` characters. Two versions of a page then take less
# than a tenth of a second. Longer texts get more time in proportion.
_SECONDS = 0.04
_USUAL = 200_000
# Each match found adds these seconds to the limit, because many quick matches are no runaway search; the
# limit never grows beyond _LONGEST_SEARCH seconds.
_PER_MATCH = 8e-6
_LONGEST_SEARCH = 0.4
# The most steps (instructions times characters) for RE2. If its automaton outgrows its memory, RE2 falls back
# to about 13 ns per step, which makes about a tenth of a second.
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
_MOST_REPEATS = 1000  # RE2 refuses more

# Expressions in which every character stands for itself. They are searched as plain text, which is the
# fastest way and stays quick even for half a million matches.
_LITERAL = re.compile(r"[A-Za-z0-9_,:;=@/<>\"'% !-]+")
# Expressions that match within lines: they have no white space but the blank, no classes of what is not
# listed, no flags, no anchors, and no escapes but those of signs, digits and words. A range in brackets
# begins above the line break.
_LINEWISE = re.compile(
    r"(?:[A-Za-z0-9_,:;=@/<>\"'% !&#~`|*+?{}\]).-]|\((?!\?)|\(\?:|\[(?![\^:])|\\[dwbSB.,+*?()\[\]{}|$^/-])+"
)

T = TypeVar("T")
Spans = list[tuple[int, int]]
Edges = tuple[Longs, Longs]
_Chosen = Callable[[Any], tuple[int, int]]


class Pattern:
    """A compiled expression. Make one with `compile_pattern`."""

    def __init__(self, text: str, on_ascii: Any, on_any: Any) -> None:
        """`on_ascii` and `on_any` are the RE2 programs for ASCII texts and for any text; None where RE2
        cannot run the expression."""
        self.text = text
        self._on_ascii = on_ascii
        self._on_any = on_any

    @property
    def is_linear(self) -> bool:
        return self._on_any is not None

    def spelled_for(self, text: str) -> str:
        """Returns the expression as RE2 runs it on this text, or "" if RE2 does not run it."""
        linear = self._on_ascii if text.isascii() else self._on_any
        fits = linear is not None and self._size * len(text) <= _MOST_STEPS
        return str(linear.pattern) if fits else ""

    def is_linewise(self, text: str) -> bool:
        """Tells whether the matches in each line of this text depend on that line alone, as far as is easily
        seen: nothing in the expression can match a line break, or asks for the start or end of a text."""
        return bool(self.spelled_for(text)) and _LINEWISE.fullmatch(self.text) is not None

    def spans(self, text: str) -> Spans:
        """Returns the start and end of each match, from left to right, without empty matches.

        Raises PatternRefused if the search takes too long.
        """
        starts, ends = self.edges(text)
        return list(zip(starts.tolist(), ends.tolist(), strict=True))

    def occurs_in(self, text: str) -> bool:
        """Tells whether the expression matches anywhere; an empty match (`^$`) counts."""
        if len(self.edges(text)[0]):
            return True
        return (
            self._within_time(text, lambda limit: _limited(self.text).search(text, timeout=limit)) is not None
        )

    def replaced(self, text: str, by: str) -> str:
        """Returns the text with every match replaced by `by`, in which `$1` stands for the first group."""
        import regex

        wanted = re.sub(r"(?<!\\)\$(\d)", r"\\g<\1>", by).replace("\\$", "$")
        try:
            return str(
                self._within_time(text, lambda limit: _limited(self.text).sub(wanted, text, timeout=limit))
            )
        except (regex.error, IndexError) as error:
            raise PatternRefused(f"the replacement {by!r} cannot be used: {error}") from error

    def groups(self, text: str) -> Spans:
        """Returns for each match the start and end of its first group that took part, or of the whole match
        if the expression has no groups."""
        grouped = (self._on_ascii or _limited(self.text)).groups
        starts, ends = self._searched(text, _group) if grouped else self.edges(text)
        return list(zip(starts.tolist(), ends.tolist(), strict=True))

    def edges(self, text: str) -> Edges:
        """Returns the starts and the ends of all matches as two arrays."""
        if _LITERAL.fullmatch(self.text):
            return _literal_edges(self.text, text)
        return self._searched(text, _whole)

    def _searched(self, text: str, chosen: _Chosen) -> Edges:
        return self._within_time(text, lambda limit: self._edges_of(text, chosen, limit))

    def _edges_of(self, text: str, chosen: _Chosen, limit: float) -> Edges:
        linear = self._on_ascii if text.isascii() else self._on_any
        if linear is not None and self._size * len(text) <= _MOST_STEPS:
            return _linear_edges(linear, text, limit, chosen)
        return _edges([chosen(match) for match in _limited(self.text).finditer(text, timeout=limit)])

    def _within_time(self, text: str, search: Callable[[float], T]) -> T:
        limit = _SECONDS * max(1.0, len(text) / _USUAL)
        try:
            return search(limit)
        except TimeoutError as error:
            raise PatternRefused(
                f"the expression {_short(self.text)} takes too long on this page ({limit * 1000:.0f} ms); "
                "a simpler one, with fewer nested repetitions, will do better"
            ) from error

    @cached_property
    def _size(self) -> int:
        """The number of instructions in the RE2 program for ASCII, which bounds the steps per character."""
        return self._on_ascii.programsize if self._on_ascii is not None else 0

    def cut(self, text: str) -> str:
        """Returns the text without its matches."""
        pieces, place = [], 0
        for start, end in self.spans(text):
            pieces.append(text[place:start])
            place = end
        return "".join([*pieces, text[place:]])


@lru_cache(maxsize=1024)
def compile_pattern(text: str) -> Pattern:
    """Returns the compiled expression. Raises PatternRefused for an expression that cannot be read or is too
    long."""
    if len(text) > _LONGEST:
        raise PatternRefused(f"the expression is too long: at most {_LONGEST:,} characters")
    # The engines are loaded with the first expression: most comparisons have none, and commands start sooner.
    import re2

    try:
        on_ascii = _linear(text)
        spelled = _spelled(text)
        on_any = on_ascii if spelled == text else _linear(spelled) if spelled is not None else None
    except re2.error as error:
        return _beyond_re2(text, _reason(error))
    return Pattern(text, on_ascii, on_any)


def _linear(text: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(text, options)


def _literal_edges(wanted: str, text: str) -> Edges:
    pieces = text.split(wanted)
    lengths = np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces)) + len(wanted)
    ends = np.cumsum(lengths)[:-1]
    return ends - len(wanted), ends


def _whole(match: Any) -> tuple[int, int]:
    span: tuple[int, int] = match.span()
    return span


def _group(match: Any) -> tuple[int, int]:
    span: tuple[int, int] = match.span(1)
    if span[0] >= 0:
        return span
    taken = (match.span(group) for group in range(2, len(match.groups()) + 1))
    return next((span for span in taken if span[0] >= 0), _whole(match))


def _linear_edges(linear: Any, text: str, limit: float, chosen: _Chosen) -> Edges:
    """Returns the starts and ends of the matches that RE2 finds. Raises TimeoutError beyond the limit: one
    search takes linear time, but many searches that each run to the end of the text do not.

    RE2 works on UTF-8, so the places of the matches are converted from bytes to characters.
    """
    data = text.encode("utf-8", "surrogatepass")
    begun = time.thread_time()
    longest = max(limit, _LONGEST_SEARCH)
    each = _PER_MATCH if chosen is _whole else 4 * _PER_MATCH
    found: Spans = []
    for number, match in enumerate(linear.finditer(data)):
        span = chosen(match)
        if span[0] < span[1]:
            found.append(span)
        if number % 64 == 0 and time.thread_time() - begun > min(limit + len(found) * each, longest):
            raise TimeoutError
    starts, ends = _edges(found)
    if len(data) == len(text):
        return starts, ends
    # All bytes of a character but its first are 10xxxxxx. The number of such bytes before an edge is the
    # difference between its place in bytes and in characters.
    following = np.flatnonzero((np.frombuffer(data, dtype=np.uint8) & 0xC0) == 0x80)
    return starts - np.searchsorted(following, starts), ends - np.searchsorted(following, ends)


def _edges(spans: Spans) -> Edges:
    """Returns the starts and the ends of the spans that are not empty."""
    edges = np.fromiter(chain.from_iterable(spans), dtype=np.int64, count=2 * len(spans)).reshape(-1, 2)
    starts, ends = edges[edges[:, 0] < edges[:, 1]].T
    return starts, ends


def _beyond_re2(text: str, reason: str) -> Pattern:
    """Returns a pattern for the `regex` engine if RE2 refused the expression because it lacks a feature.
    Raises PatternRefused for an expression that is wrong or too large."""
    if not any(lack in reason for lack in _LACKS):
        raise PatternRefused(f"the expression {_short(text)} cannot be used: {reason}")
    _limited(text)
    return Pattern(text, None, None)


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)


@lru_cache(maxsize=1024)
def _limited(text: str) -> Any:
    import regex

    # The `regex` engine expands repetitions when it compiles, so many of them would fill the memory. RE2
    # allows a thousand; the same limit holds here.
    repeats = [int(number) for number in _REPEATS.findall(text)]
    if any(number > _MOST_REPEATS for number in repeats) or math.prod(repeats) > _MOST_REPEATS:
        raise PatternRefused(f"the expression {_short(text)} cannot be used: it repeats too often")
    try:
        return regex.compile(text)
    except RecursionError as error:
        raise PatternRefused(
            f"the expression {_short(text)} cannot be used: its groups are nested too deeply"
        ) from error
    except (regex.error, OverflowError) as error:
        raise PatternRefused(f"the expression {_short(text)} cannot be used: {error}") from error


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _spelled(text: str) -> str | None:
    """Returns the expression with its classes written as Unicode classes, or None if RE2 cannot express
    it."""
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
