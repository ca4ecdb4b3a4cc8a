"""The text of a page in, the places out where a type was found, or None if it is missing (S3).

A recogniser is one regular expression (`Run`), several that must all be found (`Every`), alternatives
(`Either`), or a number of repetitions (`Several`). The time is bounded on any page: one search is linear, and
a large expression searches the text in windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from webvigil.discover.description import View
from webvigil.errors import PatternRefused

Texts = Callable[[View], str]
"""Returns the text of a page in one of its views."""

# Bytes that RE2 may use for one expression.
_MEMORY = 32 << 20
# Instructions times characters in one window. RE2 takes up to about 13 ns for each where its automaton
# outgrows its memory, so a window takes less than half a second at worst.
_WINDOW_STEPS = 30_000_000
# Bytes by which windows overlap, so that a match across the border of two windows is found.
_OVERLAP = 2000
_MOST_FOUND = 200  # matches of one expression that are collected
# Time for one expression on one page; after it, the search returns what it has found.
_SECONDS = 0.25
# Characters kept of each match.
_SAMPLE = 300


@dataclass(frozen=True, slots=True)
class Sight:
    """What was found: the names of the alternatives taken, the matched texts, and how many matches there
    were."""

    way: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    count: int = 1


class Recogniser(Protocol):
    """Looks for a type, or for a part of a type, on a page."""

    size: int
    """How many expressions this recogniser searches for."""

    @property
    def says_nothing(self) -> bool: ...

    def find(self, texts: Texts) -> Sight | None: ...

    def texts(self, texts: Texts) -> Iterator[str]:
        """Yields all texts that could be part of the type, even if the type as a whole is missing."""


class Run:
    """One expression that must be found at least `least` times."""

    size = 1

    def __init__(self, pattern: str, view: View, least: int = 1) -> None:
        self._pattern = f"(?m:{pattern})"
        self._view = view
        self._least = least

    @cached_property
    def _linear(self) -> Any:
        return compiled(self._pattern)

    @property
    def says_nothing(self) -> bool:
        return self._least == 0 or bool(self._linear.fullmatch(b""))

    def find(self, texts: Texts) -> Sight | None:
        found = _occurrences(self._linear, texts(self._view), max(self._least, _MOST_FOUND))
        return Sight((), tuple(dict.fromkeys(found)), len(found)) if len(found) >= self._least else None

    def texts(self, texts: Texts) -> Iterator[str]:
        yield from _occurrences(self._linear, texts(self._view), _MOST_FOUND)


class Every:
    """Several parts that must all be found, in any place."""

    def __init__(self, parts: tuple[Recogniser, ...]) -> None:
        self._parts = parts
        self.size = sum(part.size for part in parts)

    @property
    def says_nothing(self) -> bool:
        return all(part.says_nothing for part in self._parts)

    def find(self, texts: Texts) -> Sight | None:
        sights = []
        for part in self._parts:
            sight = part.find(texts)
            if sight is None:
                return None
            sights.append(sight)
        way = tuple(name for sight in sights for name in sight.way)
        together = dict.fromkeys(text for sight in sights for text in sight.texts)
        return Sight(way, tuple(together), min(sight.count for sight in sights))

    def texts(self, texts: Texts) -> Iterator[str]:
        for part in self._parts:
            yield from part.texts(texts)


class Either:
    """Alternatives; the first one that is found counts."""

    def __init__(self, ways: tuple[tuple[str, Recogniser], ...], optional: bool) -> None:
        self._ways = ways
        self._optional = optional
        self.size = sum(way.size for _, way in ways)

    @property
    def says_nothing(self) -> bool:
        return self._optional or any(way.says_nothing for _, way in self._ways)

    def find(self, texts: Texts) -> Sight | None:
        for name, way in self._ways:
            sight = way.find(texts)
            if sight is not None:
                return Sight((name, *sight.way), sight.texts, sight.count)
        return Sight() if self._optional else None

    def texts(self, texts: Texts) -> Iterator[str]:
        for _, way in self._ways:
            yield from way.texts(texts)


class Several:
    """A type that cannot be written as a single expression, to be found at least `least` times."""

    def __init__(self, inner: Recogniser, least: int) -> None:
        self._inner = inner
        self._least = least
        self.size = inner.size

    @property
    def says_nothing(self) -> bool:
        return self._least == 0 or self._inner.says_nothing

    def find(self, texts: Texts) -> Sight | None:
        sight = self._inner.find(texts)
        if sight is None or sight.count < self._least:
            return Sight() if self._least == 0 else None
        return sight

    def texts(self, texts: Texts) -> Iterator[str]:
        yield from self._inner.texts(texts)


def compiled(pattern: str) -> Any:
    """Compiles an expression for RE2. Raises PatternRefused if RE2 does not accept it."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    options.never_capture = True
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise PatternRefused(f"the type cannot be used: {said}") from error


def can_never_match(pattern: str) -> bool:
    """Tells whether no text at all matches: RE2 reduces such an expression to the single instruction to
    fail. Expressions that RE2 does not accept may match."""
    try:
        return bool(compiled(pattern).programsize == 1)
    except PatternRefused:
        return False


def in_bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _occurrences(linear: Any, text: str, most: int) -> list[str]:
    """Returns up to `most` matches, with white space collapsed.

    One search is linear, but many searches are not, and in a large expression each character can be slow. So
    the text is searched in overlapping windows until the time is up.
    """
    end = time.thread_time() + _SECONDS
    found: list[str] = []
    behind = 0
    for start, window in _windows(in_bytes(text), _WINDOW_STEPS // max(1, linear.programsize)):
        for number, match in enumerate(linear.finditer(window)):
            first, last = start + match.start(), start + match.end()
            if last > first >= behind:
                behind = last
                sample = match.group()[: 4 * _SAMPLE].decode("utf-8", "ignore")
                found.append(" ".join(sample.split())[:_SAMPLE])
            if len(found) >= most or (number % 16 == 15 and time.thread_time() > end):
                return found
        if time.thread_time() > end:
            break
    return found


def _windows(data: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    size = max(size, 4 * _OVERLAP)
    for start in range(0, max(1, len(data) - _OVERLAP), size - _OVERLAP):
        yield start, data[start : start + size]
