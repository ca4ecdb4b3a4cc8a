"""The XML of a service class in, nodes out that know their line and report mistakes with it (S1).

Nothing outside of the text is read, and documents with a document type are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from webvigil.discover.recognisers import can_never_match
from webvigil.discover.types import MOST
from webvigil.document.patterns import compile_pattern
from webvigil.errors import MistakeInText, PatternRefused

if TYPE_CHECKING:
    from lxml import etree

LARGEST = 512 * 1024  # bytes of a service class
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}

T = TypeVar("T")


def parsed(data: bytes) -> etree._Element:
    """Parses the XML. Raises MistakeInText if it is too large, no XML, or has a document type."""
    from lxml import etree

    if len(data) > LARGEST:
        raise MistakeInText(f"the text is too large for a service class: at most {LARGEST:,} bytes")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise MistakeInText(f"not XML: {error.msg}", line=max(1, line), column=max(1, column)) from error
    except ValueError as error:
        raise MistakeInText(f"not XML: {error}") from error
    about: Any = root.getroottree().docinfo
    if about.doctype:
        raise MistakeInText("a service class has no document type: remove <!DOCTYPE …>")
    return root


class Node:
    """One element of the text. Its methods read attributes and children, and raise MistakeInText with the
    line of the element."""

    def __init__(self, element: etree._Element) -> None:
        place: Any = element.sourceline
        self._element = element
        self.tag = str(element.tag)
        self.line = int(place or 1)

    def wrong(self, message: str, *, expected: Iterable[str] = (), word: str = "") -> NoReturn:
        """Raises MistakeInText for this element, with a suggestion if the wrong word is close to an expected
        one."""
        known = tuple(expected)
        near = get_close_matches(word, known, n=1)
        suggestion = near[0] if near else ""
        hint = f"; did you mean {suggestion!r}?" if suggestion else ""
        raise MistakeInText(message + hint, line=self.line, word=word, expected=known, suggestion=suggestion)

    @property
    def text(self) -> str:
        return (self._element.text or "").strip()

    def attribute(self, name: str, default: str = "") -> str:
        return str(self._element.get(name, default))

    def only_attributes(self, *known: str) -> None:
        for name in map(str, self._element.attrib):
            if name not in known:
                self.wrong(f"<{self.tag}> has no attribute {name!r}", expected=known, word=name)

    def children(self, *known: str) -> list[Node]:
        found = [Node(child) for child in self._element]
        for child in found:
            if child.tag not in known:
                child.wrong(f"<{child.tag}> cannot stand in <{self.tag}>", expected=known, word=child.tag)
        return found

    def parts(self, *known: str) -> dict[str, Node]:
        """Returns the children by tag; a second child with the same tag is a mistake."""
        found: dict[str, Node] = {}
        for child in self.children(*known):
            if child.tag in found:
                child.wrong(f"there is a second <{child.tag}>")
            found[child.tag] = child
        return found

    def needed(self, parts: dict[str, Node], name: str) -> Node:
        return parts[name] if name in parts else self.wrong(f"<{self.tag}> needs <{name}>")

    def name(self, name: str = "name") -> str:
        return self.attribute(name).strip() or self.wrong(f"<{self.tag}> needs {name}=…")

    def truth(self, name: str, default: bool) -> bool:
        said = self.attribute(name, str(default).lower()).strip().lower()
        return _TRUTH[said] if said in _TRUTH else self.wrong(f"{name} is true or false, not {said[:40]!r}")

    def number(self, name: str, default: int | None) -> int | None:
        said = self.attribute(name).strip()
        if not said:
            return default
        if said == "unbounded" and name == "maxOccurs":
            return None
        if not (said.isascii() and said.isdigit() and int(said[:9]) <= MOST):
            self.wrong(f"{name} is a number up to {MOST:,}{' or unbounded' if name == 'maxOccurs' else ''}")
        return int(said)

    def pattern(self, text: str) -> str:
        """Returns a pattern after checking that it compiles and can match; "" for an empty text."""
        if not text:
            return ""
        if self.usable(lambda: can_never_match(text)):
            self.wrong(f"the pattern {text[:60]!r} can never match, whatever the page")
        return self.usable(lambda: compile_pattern(text).text)

    def usable(self, make: Callable[[], T]) -> T:
        """Calls `make`, and reports a refused pattern as a mistake in this element."""
        try:
            return make()
        except PatternRefused as error:
            self.wrong(str(error))
