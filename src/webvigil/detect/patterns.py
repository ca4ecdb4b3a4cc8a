"""A user's regular expression on a text, in bounded time (C9).

google-re2 never takes more than time proportional to the text; it is asked first. What it does not know
(look-around, back-references) or would be slow at (huge repetitions) goes to `regex` with a time limit.
Both understand `\\w`, `\\d` and `\\s` as Unicode does; `\\b` in a text beyond ASCII is left to `regex`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2
import regex

from webvigil.errors import PatternRefused

SECONDS = 0.04  # for one text of up to `USUAL` characters: two versions stay under a tenth of a second
USUAL = 200_000
LONGEST = 5_000
# Where re2's automaton outgrows its memory it falls back to about 13 ns per instruction and character.
_STEPS = 8_000_000

_UNICODE = {"w": r"\p{L}\p{M}\p{N}_", "d": r"\p{Nd}", "s": r"\s\x0b\x1c-\x1f\x85\p{Z}"}


def fragments(pattern: str, text: str) -> list[tuple[str, int]]:
    """The parts of a text that a pattern matches, and where; empty ones do not count.

    Raises PatternRefused for a pattern that cannot be read or takes too long on this text.
    """
    limit = SECONDS * max(1.0, len(text) / USUAL)
    end = time.thread_time() + limit
    found = []
    try:
        for match in _matches(pattern, text, limit):
            if match[0]:
                found.append((match[0], match.start()))
            if time.thread_time() > end:
                raise TimeoutError
    except TimeoutError:
        raise PatternRefused(
            f"the regular expression {_short(pattern)} takes too long on this page ({limit * 1000:.0f} ms); "
            "a simpler one, with fewer nested repetitions, will do better"
        ) from None
    return found


def check(pattern: str) -> None:
    """Raises PatternRefused if a pattern cannot be used at all."""
    for _ in _matches(pattern, "", SECONDS):
        pass


def _matches(pattern: str, text: str, limit: float) -> Iterator[Any]:
    if len(pattern) > LONGEST:
        raise PatternRefused(
            f"a regular expression may have {LONGEST:,} characters, this one has {len(pattern):,}"
        )
    quick = _linear(pattern, text.isascii())
    if quick is not None and _size(pattern) * len(text) <= _STEPS:
        return iter(quick.finditer(text))
    return iter(_limited(pattern).finditer(text, timeout=limit))


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
