"""The types of a service class as regular expressions, looked for on a page in bounded time (S1, S3).

A type whose parts follow each other is one expression for RE2. Loose parts, and parts that stand in another
view of the page, are looked for one by one: all of them must be there. A type is never found by parts of the
page alone that were there before anything was asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import re2

from webvigil.discover.description import BUILT_IN, Choice, Element, ServiceClass, Type, View
from webvigil.document.patterns import compile_pattern
from webvigil.errors import PatternRefused

Texts = Callable[[View], str]
"""A page, as the text of each of its views."""

LONGEST = 40_000
"""Characters that a type may have as one expression."""
MOST = 1000
"""How often RE2 lets a part be repeated; what is unbounded may be more."""

_MEMORY = 32 << 20
# RE2 takes up to about 13 ns per instruction and character where its automaton outgrows its memory: a window
# takes less than half a second at worst.
_WINDOW_STEPS = 30_000_000
_OVERLAP = 2000
_MOST_FOUND = 200
_MOST_EXPRESSIONS = 64
_SECONDS = 0.25
_SAMPLE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A type on a page: by which of its alternatives, and the texts that were recognised, each once."""

    type: str
    way: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


class Types:
    """The types of a service class, made ready when they are first looked for.

    Raises PatternRefused for a type that cannot be used: `service` tries them all once.
    """

    def __init__(self, service: ServiceClass) -> None:
        self._types = {one.name: one for one in service.types}
        self._patterns: dict[str, str | None] = {}
        self._ready: dict[str, _Recogniser] = {}

    def find(self, name: str, texts: Texts, known: frozenset[str] = frozenset()) -> Found | None:
        """None where it is not on the page, or only in what is `known` already."""
        found = self._recogniser(name).find(texts)
        if found is None or (found.texts and known.issuperset(found.texts)):
            return None
        return Found(type=name, way=found.way, texts=tuple(text for text in found.texts if text not in known))

    def texts(self, name: str, texts: Texts) -> frozenset[str]:
        """All that could be taken for a part of the type on this page."""
        return frozenset(self._recogniser(name).texts(texts))

    def fits(self, name: str, value: str) -> bool:
        """Is the whole of this value of the type?"""
        pattern = self._pattern(name)
        return pattern is not None and bool(_linear(pattern).fullmatch(_bytes(value)))

    def says_nothing(self, name: str) -> bool:
        """Would an empty page do?"""
        return self._recogniser(name).says_nothing

    def _recogniser(self, name: str) -> _Recogniser:
        if name not in self._ready:
            made = self._ready[name] = self._made(name)
            if made.size > _MOST_EXPRESSIONS:
                raise PatternRefused(
                    f"the type {name!r} is made of more than {_MOST_EXPRESSIONS} expressions"
                )
        return self._ready[name]

    # --- one expression ---------------------------------------------------------------------------

    def _pattern(self, name: str) -> str | None:
        """None for a type that is no single expression. No type contains itself: `service` sees to it."""
        if name not in self._patterns:
            self._patterns[name] = self._spelled(name)
        return self._patterns[name]

    def _spelled(self, name: str) -> str | None:
        kind = self._types.get(name)
        if kind is None:
            return _usable(BUILT_IN[name])
        if not kind.parts:
            return _usable(kind.pattern) if kind.pattern else self._pattern(kind.base)
        parts = [self._part(part, kind.view) for part in kind.parts]
        return _short("".join(parts)) if None not in parts else None  # type: ignore[arg-type]

    def _part(self, part: Element | Choice, view: View) -> str | None:
        if isinstance(part, Element):
            inner = None if part.loose else self._element(part, view)
            return None if inner is None else _repeated(inner, part.least, part.most)
        inners = [self._element(one, view) for one in part.alternatives]
        if None in inners or any(one.loose for one in part.alternatives):
            return None
        choices = [
            _repeated(inner, one.least, one.most)
            for inner, one in zip(inners, part.alternatives, strict=True)
            if inner is not None
        ]
        return _repeated("|".join(choices), part.least, part.most)

    def _element(self, element: Element, view: View) -> str | None:
        if element.pattern:
            return _usable(element.pattern)
        kind = self._types.get(element.type)
        # Atomic types are looked for wherever they are used.
        if kind is not None and kind.parts and kind.view != view:
            return None
        return self._pattern(element.type)

    # --- several expressions ----------------------------------------------------------------------

    def _made(self, name: str) -> _Recogniser:
        kind = self._types.get(name)
        pattern = self._pattern(name)
        view: View = kind.view if kind is not None else "text"
        if pattern is not None and not _chooses(kind):
            return _Run(pattern, view)
        assert kind is not None, "a built-in type is one expression"
        return _All(tuple(self._pieces(kind)))

    def _pieces(self, kind: Type) -> Iterator[_Recogniser]:
        """Parts that follow each other are one piece, as far as they go."""
        run = ""
        for part in kind.parts:
            follows = None if _chooses_whole(kind, part) else self._part(part, kind.view)
            if follows is not None:
                run = _short(run + follows)
                continue
            if run:
                yield _Run(run, kind.view)
                run = ""
            yield self._piece(part, kind.view)
        if run:
            yield _Run(run, kind.view)

    def _piece(self, part: Element | Choice, view: View) -> _Recogniser:
        if isinstance(part, Choice):
            ways = tuple((_named(one), self._single(one, view)) for one in part.alternatives)
            return _Any(ways, part.least == 0)
        return self._single(part, view)

    def _single(self, element: Element, view: View) -> _Recogniser:
        inner = self._element(element, view)
        kind = None if element.pattern else self._types.get(element.type)
        if inner is None or _chooses(kind):
            return _Several(self._recogniser(element.type), element.least)
        if element.loose:
            return _Run(inner, kind.view if kind is not None and kind.parts else view, element.least)
        return _Run(_repeated(inner, element.least, element.most), view, min(1, element.least))


def _chooses(kind: Type | None) -> bool:
    """Is it a choice and nothing else? Then it matters which of its alternatives was found."""
    return kind is not None and len(kind.parts) == 1 and _chooses_whole(kind, kind.parts[0])


def _chooses_whole(kind: Type, part: Element | Choice) -> bool:
    return len(kind.parts) == 1 and isinstance(part, Choice) and part.most == 1


def _named(element: Element) -> str:
    return element.name or element.type


# --- what looks ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sight:
    way: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    count: int = 1


class _Recogniser:
    """Looks for a type or a part of one."""

    says_nothing = False
    size = 1
    """How many expressions it looks for."""

    def find(self, texts: Texts) -> _Sight | None:
        raise NotImplementedError

    def texts(self, texts: Texts) -> Iterator[str]:
        """All that it could be made of, also where not enough of it is there."""
        raise NotImplementedError


class _Run(_Recogniser):
    """One expression, to be found `least` times."""

    def __init__(self, pattern: str, view: View, least: int = 1) -> None:
        self._pattern = f"(?m:{pattern})"
        self._view = view
        self._least = least

    @cached_property
    def _linear(self) -> Any:
        return _linear(self._pattern)

    @property
    def says_nothing(self) -> bool:  # type: ignore[override]
        return self._least == 0 or bool(self._linear.fullmatch(b""))

    def find(self, texts: Texts) -> _Sight | None:
        found = _occurrences(self._linear, texts(self._view), max(self._least, _MOST_FOUND))
        return _Sight((), tuple(dict.fromkeys(found)), len(found)) if len(found) >= self._least else None

    def texts(self, texts: Texts) -> Iterator[str]:
        yield from _occurrences(self._linear, texts(self._view), _MOST_FOUND)


class _All(_Recogniser):
    """All parts, wherever they stand."""

    def __init__(self, parts: tuple[_Recogniser, ...]) -> None:
        self._parts = parts
        self.size = sum(part.size for part in parts)

    @property
    def says_nothing(self) -> bool:  # type: ignore[override]
        return all(part.says_nothing for part in self._parts)

    def find(self, texts: Texts) -> _Sight | None:
        sights = []
        for part in self._parts:
            sight = part.find(texts)
            if sight is None:
                return None
            sights.append(sight)
        way = tuple(name for sight in sights for name in sight.way)
        together = dict.fromkeys(text for sight in sights for text in sight.texts)
        return _Sight(way, tuple(together), min(sight.count for sight in sights))

    def texts(self, texts: Texts) -> Iterator[str]:
        for part in self._parts:
            yield from part.texts(texts)


class _Any(_Recogniser):
    """The first alternative that is there."""

    def __init__(self, ways: tuple[tuple[str, _Recogniser], ...], optional: bool) -> None:
        self._ways = ways
        self._optional = optional
        self.size = sum(way.size for _, way in ways)

    @property
    def says_nothing(self) -> bool:  # type: ignore[override]
        return self._optional or any(way.says_nothing for _, way in self._ways)

    def find(self, texts: Texts) -> _Sight | None:
        for name, way in self._ways:
            sight = way.find(texts)
            if sight is not None:
                return _Sight((name, *sight.way), sight.texts, sight.count)
        return _Sight() if self._optional else None

    def texts(self, texts: Texts) -> Iterator[str]:
        for _, way in self._ways:
            yield from way.texts(texts)


class _Several(_Recogniser):
    """A type that is no single expression, `least` times."""

    def __init__(self, inner: _Recogniser, least: int) -> None:
        self._inner = inner
        self._least = least
        self.size = inner.size

    @property
    def says_nothing(self) -> bool:  # type: ignore[override]
        return self._least == 0 or self._inner.says_nothing

    def find(self, texts: Texts) -> _Sight | None:
        sight = self._inner.find(texts)
        if sight is None or sight.count < self._least:
            return _Sight() if self._least == 0 else None
        return sight

    def texts(self, texts: Texts) -> Iterator[str]:
        yield from self._inner.texts(texts)


# --- expressions --------------------------------------------------------------------------------------


def _usable(pattern: str) -> str:
    """As RE2 reads it: `\\w`, `\\d`, `\\s` and `\\b` are of ASCII, which keeps large types quick."""
    if not compile_pattern(pattern).spelled_for(""):
        raise PatternRefused(
            f"the pattern {pattern[:60]!r} cannot be used: it looks around or refers back, "
            "which takes too long on some pages"
        )
    return pattern


def _repeated(pattern: str, least: int, most: int | None) -> str:
    if (least, most) == (1, 1):
        return _short(f"(?:{pattern})")
    if least > MOST or (most or 0) > MOST:
        raise PatternRefused(f"a part cannot be repeated more than {MOST:,} times; it may be unbounded")
    return _short(f"(?:{pattern}){{{least},{'' if most is None else most}}}")


def _short(pattern: str) -> str:
    if len(pattern) > LONGEST:
        raise PatternRefused(f"the type is too large: more than {LONGEST:,} characters as one expression")
    return pattern


def _linear(pattern: str) -> Any:
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


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _occurrences(linear: Any, text: str, most: int) -> list[str]:
    """What it matches, white space as one blank.

    One search is linear, but many are not, and in a large expression each character may be dear: so the text
    is looked at in windows that overlap, until the time is up.
    """
    end = time.thread_time() + _SECONDS
    found: list[str] = []
    behind = 0
    for start, window in _windows(_bytes(text), _WINDOW_STEPS // max(1, linear.programsize)):
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
