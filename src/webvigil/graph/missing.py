"""A page and a sentinel in, the parts, values, tables and words that the page lacks out (V3).

A sentinel whose place is not on the page watches nothing, which is grave. Words and expressions that are not
on the page may be meant to appear later, which is only worth a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from webvigil.detect.find import find
from webvigil.detect.registry import functions_of
from webvigil.document import PageDigest
from webvigil.document.masks import mask, union, view
from webvigil.graph.preview import emptied
from webvigil.model.change_types import KINDS, Takes, named_by, names_place
from webvigil.model.sentinel import ChangeType, Condition, Part, Sentinel, change_types, conditions_of
from webvigil.model.short_text import short_text

_PRODUCT = "product"
# The conditions on texts, each with the option of `keywords` that means the same.
_APPEARING = {"appears": "all appear", "disappears": "all disappear"}
# Longer names are cut in messages, so that one expression does not fill a screen.
_LONGEST = 200


class Wanted(Protocol):
    """What says which part of a page is watched: a sentinel, or its interest."""

    @property
    def within(self) -> tuple[Part, ...]: ...
    @property
    def ignore(self) -> tuple[Part, ...]: ...


class Missing(NamedTuple):
    """Something a sentinel names that is not on the page. If `grave`, the sentinel watches nothing until it
    appears."""

    words: str
    grave: bool


def missing(digest: PageDigest, part: Wanted, changes: tuple[ChangeType, ...]) -> list[Missing]:
    """Returns what the page lacks of the parts and change types, in the order of the clauses. Raises the
    errors that comparing would raise."""
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
    """Returns what the page lacks of all that a sentinel names, its conditions included."""
    changes = tuple(change_types(sentinel.monitor)) if sentinel.monitor else ()
    found = missing(digest, sentinel, changes)
    if any(one.grave for one in found):
        return found
    seen = view(digest, sentinel.within, sentinel.ignore) if sentinel.within or sentinel.ignore else digest
    return found + [note for one in conditions_of(sentinel.when) for note in _of_condition(digest, seen, one)]


def _of_condition(digest: PageDigest, seen: PageDigest, condition: Condition) -> Iterator[Missing]:
    """Yields a note for a part or a text of a condition that is not on the page."""
    part = condition.part
    if part and condition.subject == "value":
        watched = ChangeType("value", (str(part.argument),), part.by)
        yield from (one._replace(grave=False) for one in _missing(digest, watched))
    elif part and not mask(digest, part).any():
        yield Missing(f"When … in {_of_part(part)} matches nothing on the page now", False)
    elif condition.subject in _APPEARING and condition.text:
        seen = view(digest, (part,)) if part else seen
        if not find(emptied(seen), seen, ChangeType("phrase", (condition.text,))).objects:
            yield Missing(_said_of_words(condition.text, _APPEARING[condition.subject]), False)


def missing_places(digest: PageDigest, part: Wanted, changes: tuple[ChangeType, ...]) -> list[Missing]:
    """Returns the missing places only, all grave. Words and expressions are not searched."""
    places = tuple(filter(names_place, changes))
    return [one for one in missing(digest, part, places) if one.grave]


def _missing(seen: PageDigest, change: ChangeType) -> Iterator[Missing]:
    """Yields a note for each argument of a change type that finds nothing on the page, and for a product that
    is not there."""
    if change.kind == _PRODUCT and not _shows(seen, change):
        yield Missing("the page shows no product with a price or an availability", True)
    takes = KINDS[change.kind].takes
    for text in change.arguments if takes in _SAID else ():
        option = _alone(change) if takes is Takes.ITEMS else change.option
        alone = ChangeType(change.kind, (text,), option)
        if not _is_there(seen, alone):
            yield Missing(_SAID[takes](change, text), names_place(change))


def _is_there(seen: PageDigest, change: ChangeType) -> bool:
    """Tells whether a change type finds something on the page. A table or a list is looked for and not read:
    this is asked of every new version."""
    if KINDS[change.kind].takes is Takes.PLACE:
        return _shows(seen, change)
    return bool(find(emptied(seen), seen, change).objects)


def _shows(seen: PageDigest, change: ChangeType) -> bool:
    is_there = functions_of(change.kind).is_there
    assert is_there, "each change type that names a place says whether the place is there"
    return is_there(seen, change)


def _alone(change: ChangeType) -> str:
    """Returns the option of `keywords` that looks for one keyword by itself."""
    return "part" if "part" in change.option.split() else ""


def _either(within: tuple[Part, ...]) -> str:
    return " or ".join(_named(one) for one in within)


def _named(part: Part) -> str:
    return f"Within {_of_part(part)}"


def _of_part(part: Part) -> str:
    words = part.argument if isinstance(part.argument, str) else ", ".join(part.argument)
    return f"{part.by} {_quoted(words)}"


def _quoted(text: str) -> str:
    return f'"{short_text(text, _LONGEST)}"'


def _said_of_words(text: str, option: str) -> str:
    if option == "all disappear":
        return f"{_quoted(text)} is not on the page now; you will be told when it has come and goes again"
    return f"{_quoted(text)} is not on the page now; you will be told when it appears"


def _said_of_place(change: ChangeType, text: str) -> str:
    by = {"caption": "with the caption", "css": "at css"}.get(named_by(change), "that is meant by")
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
