"""A service class: what a kind of service on the web takes and what it answers, without saying whose (S1).

Three parts, as in DynaBot's descriptions: types of what can be read on a page, a control flow graph of the
pages that one passes from the form to the result, and examples to try the service with. A member of the class
is any form that leads through the graph to a page of the result's type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

View = Literal["text", "source", "links"]
"""Where a type is looked for: what a reader sees, the markup, or the links (one a line)."""

HTML_FORM = "HTMLform"
"""The type of a page with a form that could be filled in."""

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
    """One part of a complex type: of a named type, or with a pattern of its own.

    A loose element may stand anywhere on the page; others follow each other. `most` None is unbounded.
    """

    type: str = "string"
    name: str = ""
    pattern: str = ""
    least: int = 1
    most: int | None = 1
    loose: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of several; the first that fits is taken."""

    alternatives: tuple[Element, ...]
    least: int = 1
    most: int | None = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """Atomic with a `base`, and a `pattern` where it is narrower than that; complex with `parts`."""

    name: str
    base: str = ""
    pattern: str = ""
    parts: tuple[Element | Choice, ...] = ()
    view: View = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A page that one may come to: the start, a result, or one between. `wanted` is what one came for."""

    name: str
    type: str
    start: bool = False
    result: bool = False
    wanted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The control flow graph: from which page which others may follow."""

    name: str = ""
    states: tuple[State, ...]
    edges: tuple[tuple[str, str], ...]

    @property
    def start(self) -> State:
        return next(state for state in self.states if state.start)

    def state(self, name: str) -> State:
        return next(state for state in self.states if state.name == name)

    def after(self, name: str) -> tuple[State, ...]:
        """The states that may follow, in the order of the edges."""
        return tuple(self.state(end) for origin, end in self.edges if origin == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One thing to tell a service.

    `value` is written into text fields; of a field with choices it is a pattern for those that will do.
    `hints` are patterns for the names of fields, best first; `inputs` is one for their kind. An iterator
    tries its choices one after the other. `control` is a value that no service can know.
    """

    name: str
    value: str
    type: str = "string"
    required: bool = False
    iterator: bool = False
    hints: tuple[str, ...] = ()
    inputs: str = ""
    control: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A query and the type of what a member answers; that must mention the arguments in `mentions`."""

    arguments: tuple[Argument, ...]
    result: str
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceClass:
    """`words` stand in the addresses and links that lead to members: hints for a crawler."""

    name: str
    title: str = ""
    about: str = ""
    words: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()
    flow: Flow
    examples: tuple[Example, ...] = ()

    def type(self, name: str) -> Type | None:
        """None for a built-in one."""
        return next((one for one in self.types if one.name == name), None)
