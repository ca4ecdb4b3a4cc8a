"""The types of a service class in, recognisers out that find them on a page in bounded time (S1, S3).

A type whose parts follow each other becomes one expression for RE2. Loose parts, and parts in another view of
the page, are searched one by one, and all must be found. A type does not count as found if everything found
was on the form's own page already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webvigil.discover.description import BUILT_IN, Choice, Element, ServiceClass, Type, View
from webvigil.discover.recognisers import Either, Every, Recogniser, Run, Several, Texts, compiled, in_bytes
from webvigil.document.patterns import compile_pattern
from webvigil.errors import PatternRefused

LONGEST = 40_000
"""Most characters of a type as one expression."""
MOST = 1000
"""Most repetitions of a part that RE2 accepts; an unbounded part may repeat more often."""

# Most expressions in one recogniser: it bounds the time of a search, since each expression has its own limit.
_MOST_EXPRESSIONS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A type found on a page: the alternatives taken, and the recognised texts, each once."""

    type: str
    way: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


class Types:
    """The types of a service class, made into recognisers when they are first used.

    Raises PatternRefused for a type that cannot be used; reading a service class tries all of its types once.
    """

    def __init__(self, service: ServiceClass) -> None:
        self._types = {one.name: one for one in service.types}
        self._patterns: dict[str, str | None] = {}
        self._ready: dict[str, Recogniser] = {}

    def find(self, name: str, texts: Texts, known: frozenset[str] = frozenset()) -> Found | None:
        """Returns what was found of a type, or None if it is not on the page or only in `known` texts."""
        found = self._recogniser(name).find(texts)
        if found is None or (found.texts and known.issuperset(found.texts)):
            return None
        return Found(type=name, way=found.way, texts=tuple(text for text in found.texts if text not in known))

    def texts(self, name: str, texts: Texts) -> frozenset[str]:
        """Returns all texts on this page that could be part of the type."""
        return frozenset(self._recogniser(name).texts(texts))

    def fits(self, name: str, value: str) -> bool:
        """Tells whether the whole value is of the type."""
        pattern = self._pattern(name)
        return pattern is not None and bool(compiled(pattern).fullmatch(in_bytes(value)))

    def says_nothing(self, name: str) -> bool:
        """Tells whether even an empty page would have the type."""
        return self._recogniser(name).says_nothing

    def _recogniser(self, name: str) -> Recogniser:
        if name not in self._ready:
            made = self._ready[name] = self._made(name)
            if made.size > _MOST_EXPRESSIONS:
                raise PatternRefused(
                    f"the type {name!r} is made of more than {_MOST_EXPRESSIONS} expressions"
                )
        return self._ready[name]

    # --- one expression ---------------------------------------------------------------------------

    def _pattern(self, name: str) -> str | None:
        """Returns the type as one expression, or None if that is impossible. No type contains itself:
        `service` checks that."""
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
        """Returns a part as one expression, or None if it is loose or stands in another view."""
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
        # Atomic types have no view of their own: they are searched in the view that uses them.
        if kind is not None and kind.parts and kind.view != view:
            return None
        return self._pattern(element.type)

    # --- several expressions ----------------------------------------------------------------------

    def _made(self, name: str) -> Recogniser:
        kind = self._types.get(name)
        pattern = self._pattern(name)
        view: View = kind.view if kind is not None else "text"
        if pattern is not None and not _chooses(kind):
            return Run(pattern, view)
        assert kind is not None, "a built-in type is one expression"
        return Every(tuple(self._pieces(kind)))

    def _pieces(self, kind: Type) -> Iterator[Recogniser]:
        """Yields the recognisers of a complex type. Neighbouring parts that follow each other are joined into
        one expression."""
        run = ""
        for part in kind.parts:
            follows = None if _chooses_whole(kind, part) else self._part(part, kind.view)
            if follows is not None:
                run = _short(run + follows)
                continue
            if run:
                yield Run(run, kind.view)
                run = ""
            yield self._piece(part, kind.view)
        if run:
            yield Run(run, kind.view)

    def _piece(self, part: Element | Choice, view: View) -> Recogniser:
        if isinstance(part, Choice):
            ways = tuple((_named(one), self._single(one, view)) for one in part.alternatives)
            return Either(ways, part.least == 0)
        return self._single(part, view)

    def _single(self, element: Element, view: View) -> Recogniser:
        inner = self._element(element, view)
        kind = None if element.pattern else self._types.get(element.type)
        if inner is None or _chooses(kind):
            return Several(self._recogniser(element.type), element.least)
        if element.loose:
            return Run(inner, kind.view if kind is not None and kind.parts else view, element.least)
        return Run(_repeated(inner, element.least, element.most), view, min(1, element.least))


def _chooses(kind: Type | None) -> bool:
    """Tells whether a type is nothing but a choice. Then the report must say which alternative was found."""
    return kind is not None and len(kind.parts) == 1 and _chooses_whole(kind, kind.parts[0])


def _chooses_whole(kind: Type, part: Element | Choice) -> bool:
    return len(kind.parts) == 1 and isinstance(part, Choice) and part.most == 1


def _named(element: Element) -> str:
    return element.name or element.type


# --- expressions --------------------------------------------------------------------------------------


def _usable(pattern: str) -> str:
    r"""Returns the pattern after checking that RE2 accepts it. In RE2, `\w`, `\d`, `\s` and `\b` mean
    ASCII only, which keeps large types quick."""
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
