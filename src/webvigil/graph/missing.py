"""What a sentinel names that is not on its page now: a part, a value, a table, words, an expression (V3).

A sentinel that names a place which is not there watches nothing: that is grave. Words and expressions that
are not there may be meant to appear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from webvigil.detect.find import find
from webvigil.document import PageDigest
from webvigil.document.masks import mask, union, view
from webvigil.graph.preview import emptied
from webvigil.model.change_types import KINDS, Takes
from webvigil.model.sentinel import ChangeType, Part, Sentinel, change_types, conditions_of

# Conditions on texts, and the option of keywords that means the same.
_APPEARING = {"appears": "all appear", "disappears": "all disappear"}
_LONGEST = 200


class Wanted(Protocol):
    """The part of a page that a sentinel sees. An interest, and a sentinel, can tell it."""

    @property
    def within(self) -> tuple[Part, ...]: ...
    @property
    def ignore(self) -> tuple[Part, ...]: ...


class Missing(NamedTuple):
    """`grave`: the sentinel watches nothing there until it comes."""

    words: str
    grave: bool


def names_places(part: Wanted, changes: tuple[ChangeType, ...]) -> bool:
    """Can anything be missing that is grave?"""
    return bool(part.within) or any(map(_names_place, changes))


def missing(digest: PageDigest, part: Wanted, changes: tuple[ChangeType, ...]) -> list[Missing]:
    """In the order of its clauses. Raises what comparing would raise."""
    masks = [mask(digest, one) for one in part.within]
    if masks and not union(masks).any():
        return [Missing(f"{_either(part.within)} matches nothing on the page", True)]
    found = [
        Missing(f"{_named(one)} matches nothing on the page now", False)
        for one, its in zip(part.within, masks, strict=True)
        if not its.any()
    ]
    seen = view(digest, part.within, part.ignore) if part.within or part.ignore else digest
    return found + [one for change in changes for one in _missing(seen, change)]


def missing_for(digest: PageDigest, sentinel: Sentinel) -> list[Missing]:
    """Of all that a sentinel names, also in its conditions."""
    changes = tuple(change_types(sentinel.monitor))
    found = missing(digest, sentinel, changes)
    if any(one.grave for one in found):
        return found
    seen = view(digest, sentinel.within, sentinel.ignore) if sentinel.within or sentinel.ignore else digest
    asked = (one for one in conditions_of(sentinel.when) if one.subject in _APPEARING and one.text)
    return found + [
        Missing(_said_of_words(one.text, _APPEARING[one.subject]), False)
        for one in asked
        if not find(emptied(seen), seen, ChangeType("phrase", (one.text,))).objects
    ]


def missing_places(digest: PageDigest, part: Wanted, changes: tuple[ChangeType, ...]) -> list[Missing]:
    """What is grave of it; words and expressions are not looked for."""
    places = tuple(filter(_names_place, changes))
    return [one for one in missing(digest, part, places) if one.grave]


def _missing(seen: PageDigest, change: ChangeType) -> Iterator[Missing]:
    takes = KINDS[change.kind].takes
    for text in change.arguments if takes in _SAID else ():
        option = "" if takes is Takes.ITEMS else change.option
        alone = ChangeType(change.kind, (text,), option)
        if not find(emptied(seen), seen, alone).objects:
            yield Missing(_SAID[takes](change, text), _names_place(change))


def _names_place(change: ChangeType) -> bool:
    return KINDS[change.kind].takes in (Takes.PLACE, Takes.SELECTOR)


def _either(within: tuple[Part, ...]) -> str:
    return " or ".join(_named(one) for one in within)


def _named(part: Part) -> str:
    words = part.argument if isinstance(part.argument, str) else ", ".join(part.argument)
    return f"Within {part.by} {_quoted(words)}"


def _quoted(text: str) -> str:
    return f'"{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"}"'


def _said_of_words(text: str, option: str) -> str:
    if option == "all disappear":
        return f"{_quoted(text)} is not on the page now; you will be told when it has come and goes again"
    return f"{_quoted(text)} is not on the page now; you will be told when it appears"


def _said_of_place(change: ChangeType, text: str) -> str:
    by = {"caption": "with the caption", "css": "at css"}.get(change.option, "that is meant by")
    return f"there is no {change.kind} {by} {_quoted(text)} on the page"


_SAID: dict[Takes, Callable[[ChangeType, str], str]] = {
    Takes.ITEMS: lambda change, text: _said_of_words(text, change.option),
    Takes.PHRASES: lambda change, text: _said_of_words(text, change.option),
    Takes.PATTERN: lambda _, text: (
        f"the expression {_quoted(text)} matches nothing on the page now; you will be told when it does"
    ),
    Takes.PLACE: _said_of_place,
    Takes.SELECTOR: lambda change, text: (
        f"there is no {change.kind} at {change.option} {_quoted(text)} on the page"
    ),
}
