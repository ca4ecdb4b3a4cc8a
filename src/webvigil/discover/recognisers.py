"""What looks for a type on a page: one expression, or several of which all, or one, must be there (S3).

Time is bounded whatever the page: one search is linear, a large expression looks at the text in windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import re2

from webvigil.discover.description import View
from webvigil.errors import PatternRefused

Texts = Callable[[View], str]
"""A page, as the text of each of its views."""

_MEMORY = 32 << 20
# RE2 takes up to about 13 ns per instruction and character where its automaton outgrows its memory: a window
# takes less than half a second at worst.
_WINDOW_STEPS = 30_000_000
_OVERLAP = 2000
_MOST_FOUND = 200
_SECONDS = 0.25
_SAMPLE = 300


@dataclass(frozen=True, slots=True)
class Sight:
    way: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    count: int = 1


class Recogniser(Protocol):
    """Looks for a type or a part of one."""

    size: int
    """How many expressions it looks for."""

    @property
    def says_nothing(self) -> bool: ...

    def find(self, texts: Texts) -> Sight | None: ...

    def texts(self, texts: Texts) -> Iterator[str]:
        """All that it could be made of, also where not enough of it is there."""


class Run:
    """One expression, to be found `least` times."""

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
    """All parts, wherever they stand."""

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
    """The first alternative that is there."""

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
    """A type that is no single expression, `least` times."""

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


def in_bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _occurrences(linear: Any, text: str, most: int) -> list[str]:
    """What it matches, white space as one blank.

    One search is linear, but many are not, and in a large expression each character may be dear: so the text
    is looked at in windows that overlap, until the time is up.
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
