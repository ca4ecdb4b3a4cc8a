"""A user's regular expression on a text, in bounded time (C9).

google-re2 never takes more than time proportional to the text; it is asked first. What it does not know
(look-around, back-references) or would be slow at (huge repetitions) goes to `regex` with a time limit.
Both understand `\\w`, `\\d` and `\\s` as Unicode does; `\\b` in a text beyond ASCII is left to `regex`.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

import numpy as np
import re2
import regex

from webvigil.errors import PatternRefused

SECONDS = 0.04  # for one text of up to `USUAL` characters: two versions stay under a tenth of a second
USUAL = 200_000
LONGEST = 5_000
# Where re2's automaton outgrows its memory it falls back to about 13 ns per instruction and character.
_STEPS = 8_000_000
_PER_MATCH = 4e-6  # seconds that a match itself may take: many matches are no catastrophe

_UNICODE = {"w": r"\p{L}\p{M}\p{N}_", "d": r"\p{Nd}", "s": r"\s\x0b\x1c-\x1f\x85\p{Z}"}


def fragments(pattern: str, text: str) -> list[tuple[str, int]]:
    """The parts of a text that a pattern matches, and where; empty ones do not count.

    Raises PatternRefused for a pattern that cannot be read or takes too long on this text.
    """
    limit = SECONDS * max(1.0, len(text) / USUAL)
    linear = _suited(pattern, text)
    try:
        if linear is None:
            return [
                (match[0], match.start())
                for match in _limited(pattern).finditer(text, timeout=limit)
                if match[0]
            ]
        return _found(linear, text, limit)
    except TimeoutError:
        raise PatternRefused(
            f"the regular expression {_short(pattern)} takes too long on this page ({limit * 1000:.0f} ms); "
            "a simpler one, with fewer nested repetitions, will do better"
        ) from None


def check(pattern: str) -> None:
    """Raises PatternRefused if a pattern cannot be used at all."""
    if _suited(pattern, "") is None:
        _limited(pattern)


def _suited(pattern: str, text: str) -> Any:
    """The pattern compiled by re2, if that means the same and is quick on this text."""
    if len(pattern) > LONGEST:
        raise PatternRefused(
            f"a regular expression may have {LONGEST:,} characters, this one has {len(pattern):,}"
        )
    linear = _linear(pattern, text.isascii())
    return linear if linear is not None and _size(pattern) * len(text) <= _STEPS else None


def _found(linear: Any, text: str, limit: float) -> list[tuple[str, int]]:
    """One search is linear, but many that each run to the end of the text are not: so we look at the clock.

    Matches are found in UTF-8, where re2 works; their places are then counted in characters.
    """
    data = text.encode("utf-8", "surrogatepass")
    end = time.thread_time() + limit
    spans: list[tuple[int, int]] = []
    for number, match in enumerate(linear.finditer(data)):
        span = match.span()
        if span[0] < span[1]:
            spans.append(span)
        if number % 16 == 0 and time.thread_time() > end + len(spans) * _PER_MATCH:
            raise TimeoutError
    if len(data) == len(text):
        return [(text[start:stop], start) for start, stop in spans]
    codes = np.frombuffer(data, dtype=np.uint8)
    places = np.cumsum((codes & 0xC0) != 0x80) - 1
    return [(data[start:stop].decode("utf-8", "replace"), int(places[start])) for start, stop in spans]


@lru_cache(maxsize=512)
def _linear(pattern: str, ascii_only: bool) -> Any:
    """Compiled by re2, or None where that would not mean the same, or cannot be."""
    translated = pattern if ascii_only else _for_unicode(pattern)
    return None if translated is None else _re2(translated)


@lru_cache(maxsize=512)
def _size(pattern: str) -> int:
    """How many instructions a character may pass, classes counted as if they were of ASCII."""
    compiled = _re2(pattern)
    return compiled.programsize if compiled else 1


def _re2(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeError):
        return None


def _for_unicode(pattern: str) -> str | None:
    """The pattern with Unicode's classes in place of ASCII's; None where re2 has no such thing."""
    pieces, place, inside = [], 0, False
    while place < len(pattern):
        character = pattern[place]
        if character == "\\":
            piece = _escape(pattern[place + 1 : place + 2], inside)
            if piece is None:
                return None
            pieces.append(piece)
            place += 2
            continue
        if character == "[" and not inside:
            inside = True
            # A bracket that comes first stands for itself.
            first = pattern[place : place + 3]
            character = first if first == "[^]" else first[:2] if first[:2] == "[]" else "["
        elif character == "]":
            inside = False
        elif character == "[":
            return None
        pieces.append(character)
        place += len(character)
    return "".join(pieces)


def _escape(letter: str, inside: bool) -> str | None:
    if letter in ("b", "B", "Q") or (inside and letter in ("W", "D", "S")):
        return None
    if letter in _UNICODE:
        return _UNICODE[letter] if inside else f"[{_UNICODE[letter]}]"
    if letter.lower() in _UNICODE and letter:
        return f"[^{_UNICODE[letter.lower()]}]"
    return "\\" + letter


@lru_cache(maxsize=512)
def _limited(pattern: str) -> Any:
    try:
        return regex.compile(pattern)
    except regex.error as error:
        place = f" at character {error.pos + 1}" if error.pos is not None else ""
        raise PatternRefused(
            f"the regular expression {_short(pattern)} cannot be read: {error.msg}{place}"
        ) from error
    except (RecursionError, OverflowError, ValueError, MemoryError) as error:
        raise PatternRefused(f"the regular expression {_short(pattern)} is too deeply nested") from error


def _short(pattern: str) -> str:
    return repr(pattern if len(pattern) <= 60 else pattern[:57] + "...")
