"""The table of change types: the name of each, the arguments it takes, and what it is for.

This table is the only list of names: `language` reads and prints change types by it, `detect` has a function
for each row, the reference has a heading for each row. A new change type starts with a row here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from webvigil.model.sentinel import ChangeType


class Takes(StrEnum):
    """The kind of argument that may follow the name of a change type."""

    NOTHING = "nothing"
    WORDS = "words"
    PHRASES = "phrases"
    PLACE = "place"
    PATTERN = "pattern"
    SELECTOR = "selector"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One row of the table: a change type and the words around it.

    `options` are the words that may qualify the change type when it has arguments, `bare` those when it has
    none; "" means that no option is needed. A kind that takes no arguments has no `options`, and a kind that
    needs arguments has an empty `bare`. `measures` is a pattern for options that hold a number. With
    `quieted`, what never rests on a page is not told, unless the sentinel says `Quiet off`.
    """

    name: str
    takes: Takes = Takes.NOTHING
    options: tuple[str, ...] = ()
    bare: tuple[str, ...] = ("",)
    synonyms: tuple[str, ...] = ()
    measures: str = ""
    quieted: bool = False
    about: str
    example: ChangeType


_KINDS = (
    Kind(
        name="any change",
        quieted=True,
        synonyms=("anychange",),
        about="words, links or images",
        example=ChangeType("any change"),
    ),
    Kind(
        name="exact change",
        about="any byte of the page",
        example=ChangeType("exact change"),
    ),
    Kind(
        name="all links",
        quieted=True,
        synonyms=("links", "link change"),
        about="addresses the page links to",
        example=ChangeType("all links"),
    ),
    Kind(
        name="all images",
        quieted=True,
        synonyms=("images", "image change"),
        bare=("", "content"),
        about="pictures on the page; with content also what they show",
        example=ChangeType("all images", (), "content"),
    ),
    Kind(
        name="all words",
        quieted=True,
        takes=Takes.WORDS,
        synonyms=("words", "words change"),
        options=("except",),
        about="the words in reading order, but for those excepted",
        example=ChangeType("all words", ("today", "yesterday"), "except"),
    ),
    Kind(
        name="keywords",
        takes=Takes.WORDS,
        synonyms=("keyword",),
        options=("", "all appear", "all disappear"),
        bare=(),
        about="how often each keyword stands there, or all of them coming or going",
        example=ChangeType("keywords", ("merger", "takeover"), "all appear"),
    ),
    Kind(
        name="phrase",
        takes=Takes.PHRASES,
        synonyms=("phrase update", "phrase change"),
        options=("", "context tags"),
        measures=r"context ([1-9][0-9]{0,2}|1000)( tags)?",
        bare=(),
        about="every occurrence of a phrase, found again by its surroundings",
        example=ChangeType("phrase", ("low risk growth",)),
    ),
    Kind(
        name="table",
        takes=Takes.PLACE,
        synonyms=("table change",),
        options=("", "caption", "css"),
        bare=(),
        about="rows, cells and columns of one table",
        example=ChangeType("table", ("Opening hours",), "caption"),
    ),
    Kind(
        name="list",
        takes=Takes.PLACE,
        synonyms=("list change",),
        options=("", "caption", "css"),
        bare=(),
        about="the items of one list",
        example=ChangeType("list", ("2",)),
    ),
    Kind(
        name="regular expression",
        takes=Takes.PATTERN,
        synonyms=("arbitrary text", "arbitrary text change", "regex"),
        options=("", "in text", "in source"),
        bare=(),
        about="the fragments that a pattern matches",
        example=ChangeType("regular expression", (r"EUR \d+",), "in source"),
    ),
    Kind(
        name="content",
        quieted=True,
        about="the texts of the page, node by node",
        example=ChangeType("content"),
    ),
    Kind(
        name="structure",
        about="everything but the text: elements, attributes, comments",
        example=ChangeType("structure"),
    ),
    Kind(name="layout", about="elements that come, go or move", example=ChangeType("layout")),
    Kind(name="tags", about="which elements the page uses, and how often", example=ChangeType("tags")),
    Kind(
        name="attributes",
        about="names and values of attributes",
        example=ChangeType("attributes"),
    ),
    Kind(name="comments", about="comments in the source", example=ChangeType("comments")),
    Kind(
        name="value",
        takes=Takes.SELECTOR,
        options=("css", "xpath", "json", "regex"),
        bare=(),
        about="one value: a price, a count, a date",
        example=ChangeType("value", ("span.price",), "css"),
    ),
    Kind(name="visual", about="what the page looks like, rendered", example=ChangeType("visual")),
)

# The most words or tags around a phrase that `context n` may ask for: more do not help to find the phrase
# again. The pattern in the row of phrase accepts the same numbers.
LARGEST_CONTEXT = 1000

KINDS = MappingProxyType({kind.name: kind for kind in _KINDS})


def trouble_with(change: ChangeType) -> str:
    """Returns a sentence that says why this change type cannot exist, or "" if it can."""
    kind = KINDS.get(change.kind)
    if kind is None:
        return f"there is no change type {change.kind!r}"
    allowed = kind.options if change.arguments else kind.bare
    measured = change.option and change.arguments and re.fullmatch(kind.measures, change.option)
    if change.option not in allowed and not measured:
        return f"{kind.name} cannot be {_shape(change)}"
    if kind.takes in _TAKES_ONE and len(change.arguments) > 1:
        return f"{kind.name} takes one text, not {len(change.arguments)}"
    return "" if all(one.strip() for one in change.arguments) else f"a text of {kind.name} is empty"


_TAKES_ONE = {Takes.PLACE, Takes.PATTERN, Takes.SELECTOR}


def _shape(change: ChangeType) -> str:
    """Describes the option and arguments of a change type for a sentence such as "table cannot be …"."""
    words = f"with {change.option!r}" if change.option else "without an option"
    return words + (" and texts" if change.arguments else " and without a text")
