"""The values of a service class: what a kind of service takes and answers, whoever offers it (S1).

As in DynaBot's descriptions there are three parts: types that can be recognised on a page, a control flow
graph of the pages between form and result, and examples to try a service with. A form is a member of the
class if it leads through the graph to a page of the result's type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

View = Literal["text", "source", "links"]
"""Where a type is searched: in the visible text, in the markup, or in the links (one per line)."""

HTML_FORM = "HTMLform"
"""The type of a page that has a form to fill in."""

BUILT_IN: dict[str, str] = {
    "string": r"[^\n]+",
    "word": r"[^\s]+",
    "whitespace": r"\s+",
    "integer": r"[+-]?\d+",
    "decimal": r"[+-]?\d+(?:[.,]\d+)*",
    "date": r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    "time": r"\d{1,2}[:.h]\d{2}",
    "EmailAddress": r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}",
    "URL": r"https?://[^\s\"'<>]+",
}
"""The types that need no definition, each with its pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One part of a complex type: it refers to a named type, or has a pattern of its own.

    A loose element may stand anywhere on the page; other elements follow each other. `most` None means
    unbounded.
    """

    type: str = "string"
    name: str = ""
    pattern: str = ""
    least: int = 1
    most: int | None = 1
    loose: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Several alternatives, of which the first that fits is taken."""

    alternatives: tuple[Element, ...]
    least: int = 1
    most: int | None = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """An atomic type has a `base`, and a `pattern` if it is narrower than the base; a complex type has
    `parts`."""

    name: str
    base: str = ""
    pattern: str = ""
    parts: tuple[Element | Choice, ...] = ()
    view: View = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A page on the way through a service: the start, a result, or a page between. `wanted` is the type of
    the data that the user came for."""

    name: str
    type: str
    start: bool = False
    result: bool = False
    wanted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The control flow graph: which pages may follow which."""

    name: str = ""
    states: tuple[State, ...]
    edges: tuple[tuple[str, str], ...]

    @property
    def start(self) -> State:
        return next(state for state in self.states if state.start)

    def state(self, name: str) -> State:
        return next(state for state in self.states if state.name == name)

    def after(self, name: str) -> tuple[State, ...]:
        """Returns the states that may follow a state, in the order of the edges."""
        return tuple(self.state(end) for origin, end in self.edges if origin == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One value that a service is asked with.

    `value` is written into text fields; for a field with choices it is a pattern that fitting choices match.
    `hints` are patterns for the names of fields, best first; `inputs` is a pattern for the kind of field. An
    `iterator` tries its choices one after the other. `control` is a value that no service can know: it shows
    whether a service answers anything to everybody. For a `site` argument, words of the site itself may be
    asked. A `called` argument goes only into fields that fit a hint, or into the only text field of a form
    that says that it searches.
    """

    name: str
    value: str
    type: str = "string"
    required: bool = False
    iterator: bool = False
    hints: tuple[str, ...] = ()
    inputs: str = ""
    control: str = ""
    site: bool = False
    called: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A query, and the type of a member's answer to it. The answer must mention the arguments named in
    `mentions`. A `given` example is not of the class, but of the user."""

    arguments: tuple[Argument, ...]
    result: str
    mentions: tuple[str, ...] = ()
    given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceClass:
    """A service class. `words` occur in addresses and links that lead to members; they guide a crawler."""

    name: str
    title: str = ""
    about: str = ""
    words: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()
    flow: Flow
    examples: tuple[Example, ...] = ()

    def type(self, name: str) -> Type | None:
        """Returns a type by name, or None for a built-in type."""
        return next((one for one in self.types if one.name == name), None)
