"""The table of change types: one row for each type, which all other packages read.

`language` makes the grammar of them, reads and prints by them; `detect` finds the module of a row by its
name; verification, the commands, the dashboard, the reference and the cases of the tests go through the rows.
CONTRIBUTING.md says what a new change type needs beside its row.

How a change type is said stands in the row in a small notation:

    all | [all]      a word; one that may be left out and means nothing
    link(s)          a word, with or without its last letter
    …                the text that the change type takes: its place among the words of an option
    #                a number from 1 to LARGEST_CONTEXT
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Literal

from webvigil.model.sentinel import ChangeType

# The most words or tags around a phrase that `context n` may ask for: more do not help to find the phrase
# again. _NUMBER accepts the same numbers.
LARGEST_CONTEXT = 1000
_NUMBER = r"(?:[1-9][0-9]{0,2}|1000)"
TEXT = "…"
TEXT_ONLY = "text only"
BY_LOCTAGS = "by loctags"
ANY_ORDER = "any order"
VARIANTS = "variants"


class Takes(StrEnum):
    """The kind of argument that may follow the name of a change type."""

    NOTHING = "nothing"
    WORDS = "words"
    ITEMS = "items"
    PHRASES = "phrases"
    PLACE = "place"
    PATTERN = "pattern"
    SELECTOR = "selector"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One row of the table: a change type and the words around it. `plain` is what people call it who do not
    write sentinels as text; left out, it is called by its name.

    `said` are its spellings; left out, they are its name and its `synonyms`. `forms` are the ways to give it
    a text, each with the words of an option around the text; `bare` are the ways to say it without a text. A
    kind that takes nothing has no `forms`, one that must have a text has nothing in `bare`.

    `module` is the module of `detect` that finds it, where that is not named as the change type is. `beyond`
    are the options with which it sees more than the document: equal documents may still differ. With
    `quieted`, what never rests on a page is not told, unless the sentinel says `Quiet off`. `shown` is how
    its changes are presented if nobody says otherwise; without it the cheapest presentation is taken.
    """

    name: str
    about: str
    example: ChangeType
    plain: str = ""
    said: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    takes: Takes = Takes.NOTHING
    forms: tuple[str, ...] = ()
    bare: tuple[str, ...] = ("",)
    module: str = ""
    quieted: bool = False
    beyond: tuple[str, ...] = ()
    shown: Literal["", "dual", "only", "dual only"] = ""

    @property
    def called(self) -> str:
        """What the change type is called in front of people who do not write sentinels as text."""
        return self.plain or self.name

    @property
    def spellings(self) -> tuple[str, ...]:
        return self.said or (self.name, *self.synonyms)

    @property
    def options(self) -> tuple[str, ...]:
        """The options it can have with a text; "" if it can do without. A number in them is written #."""
        return tuple(map(option, self.forms))

    @property
    def identifier(self) -> str:
        """The change type's name as a name in Python: that of its module, of its rule in the grammar."""
        return self.name.replace(" ", "_")


# How a table or a list is named. Behind each may stand that the links in its cells do not count.
_PLACES = ("…", "caption …", "css …")

_KINDS = (
    Kind(
        name="any change",
        plain="anything",
        quieted=True,
        synonyms=("anychange",),
        about="words, links or images",
        example=ChangeType("any change"),
    ),
    Kind(
        name="exact change",
        plain="any byte",
        beyond=("",),
        about="any byte of the page",
        example=ChangeType("exact change"),
    ),
    Kind(
        name="all links",
        plain="links",
        said=("[all] link(s) [change]",),
        quieted=True,
        synonyms=("links", "link change"),
        shown="only",
        about="addresses the page links to",
        example=ChangeType("all links"),
    ),
    Kind(
        name="all images",
        plain="pictures",
        said=("[all] image(s) [change]",),
        quieted=True,
        synonyms=("images", "image change"),
        beyond=("content",),
        shown="only",
        bare=("", "content"),
        about="pictures on the page; with content also what they show",
        example=ChangeType("all images", (), "content"),
    ),
    Kind(
        name="all words",
        plain="words",
        quieted=True,
        takes=Takes.WORDS,
        said=("[all] word(s) [change]",),
        synonyms=("words", "words change"),
        forms=("except …",),
        bare=("", BY_LOCTAGS),
        about="the words in reading order, but for those excepted; by loctags: text by text between the tags",
        example=ChangeType("all words", ("today", "yesterday"), "except"),
    ),
    Kind(
        name="keywords",
        takes=Takes.ITEMS,
        said=("keyword(s)",),
        synonyms=("keyword",),
        forms=(
            *("…", "all …", "all … appear", "all … disappear"),
            *("part …", "all part …", "all part … appear", "all part … disappear"),
        ),
        shown="dual",
        bare=(),
        about="how often each keyword stands there, or all of them coming or going; part: also inside words",
        example=ChangeType("keywords", ("merger", "takeover"), "all appear"),
    ),
    Kind(
        name="phrase",
        plain="a phrase",
        takes=Takes.PHRASES,
        synonyms=("phrase update", "phrase change"),
        said=("phrase [change]",),
        forms=("… [context words]", "… context # [words]", "… context tags", "… context # tags"),
        shown="dual",
        bare=(),
        about="every occurrence of a phrase, found again by its surroundings",
        example=ChangeType("phrase", ("low risk growth",)),
    ),
    Kind(
        name="table",
        plain="a table",
        takes=Takes.PLACE,
        said=("table [change]",),
        synonyms=("table change",),
        forms=(*_PLACES, *(f"{place} {TEXT_ONLY}" for place in _PLACES)),
        module="tables",
        shown="dual only",
        bare=(),
        about="rows, cells and columns of one table, and the links in its cells",
        example=ChangeType("table", ("Opening hours",), "caption"),
    ),
    Kind(
        name="list",
        plain="a list",
        takes=Takes.PLACE,
        said=("list [change]",),
        synonyms=("list change",),
        forms=(*_PLACES, *(f"{place} {TEXT_ONLY}" for place in _PLACES)),
        module="lists",
        shown="dual only",
        bare=(),
        about="the items of one list, and the links in them",
        example=ChangeType("list", ("2",)),
    ),
    Kind(
        name="regular expression",
        plain="a pattern",
        takes=Takes.PATTERN,
        synonyms=("arbitrary text", "arbitrary text change", "regex"),
        said=("regular expression", "regex", "arbitrary text [change]"),
        forms=("…", "… in text", "… in source"),
        shown="dual",
        bare=(),
        about="the fragments that a pattern matches",
        example=ChangeType("regular expression", (r"EUR \d+",), "in source"),
    ),
    Kind(
        name="content",
        plain="texts",
        quieted=True,
        bare=("", ANY_ORDER),
        about="the texts of the page, node by node; any order: wherever they stand",
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
        plain="a value",
        takes=Takes.SELECTOR,
        forms=("css …", "xpath …", "json …", "jq …", "regex …"),
        bare=(),
        about="one value: a price, a count, a date",
        example=ChangeType("value", ("span.price",), "css"),
    ),
    Kind(
        name="visual",
        plain="how it looks",
        beyond=("",),
        about="what the page looks like, rendered",
        example=ChangeType("visual"),
    ),
    Kind(
        name="appearance",
        plain="backgrounds and colours",
        synonyms=("appearance change",),
        said=("appearance [change]",),
        about="background pictures and colours, applets and other embedded objects",
        example=ChangeType("appearance"),
    ),
    Kind(
        name="status",
        plain="whether it is up",
        synonyms=("status change",),
        said=("status [change]",),
        about="whether the page is up or down, its status, where it leads to, its certificate",
        example=ChangeType("status"),
        shown="only",
    ),
    Kind(
        name="product",
        plain="price and availability",
        synonyms=("product change",),
        said=("product [change]",),
        bare=("", VARIANTS),
        about="price, availability and name of a shop's product; variants: of each size, colour and so on",
        example=ChangeType("product"),
        shown="only",
    ),
)

KINDS = MappingProxyType({kind.name: kind for kind in _KINDS})


def change_types_called() -> dict[str, str]:
    """Returns the names of the change types with what people call them, in the order of these words."""
    called = {name: kind.called[:1].upper() + kind.called[1:] for name, kind in KINDS.items()}
    return dict(sorted(called.items(), key=lambda pair: pair[1]))


def called_together(names: Iterable[str]) -> str:
    """Returns what people call these change types, together: `links, tables, values`. That anything was
    watched says nothing."""
    called = (KINDS[name].called if name in KINDS else name for name in names if name != "any change")
    return ", ".join(f"{words[2:]}s" if words.startswith("a ") else words for words in called)


def option(form: str) -> str:
    """Returns the option that a form says: its words without the text and without those that mean nothing."""
    return " ".join(re.sub(rf"\[[^]]*\]|{TEXT}", "", form).split())


def words_of(notation: str) -> Iterator[str]:
    """Returns the words of a spelling or a form, in their order: `link(s)`, `content`."""
    yield from re.findall(r"[a-z]+(?:\(s\))?", notation)


def form_of(change: ChangeType) -> str | None:
    """Returns the form of its row in which a change type is said; None if it cannot be said."""
    kind = KINDS[change.kind]
    forms = kind.forms if change.arguments else kind.bare
    return next((one for one in forms if _says(one).fullmatch(change.option)), None)


def named_by(change: ChangeType) -> str:
    """Returns how a table or list is named: "" for a text or a number, else "caption" or "css"."""
    return change.option.removesuffix(TEXT_ONLY).rstrip()


def sees_beyond(change: ChangeType) -> bool:
    """Returns True if the change type sees more than the document. Equal documents may differ in their bytes
    and their pictures."""
    return change.kind in KINDS and change.option in KINDS[change.kind].beyond


def names_place(change: ChangeType) -> bool:
    """Returns True if the change type watches something at one place, which a page may not have."""
    return change.kind == "product" or KINDS[change.kind].takes in (Takes.PLACE, Takes.SELECTOR)


def trouble_with(change: ChangeType) -> str:
    """Returns a sentence that says why this change type cannot exist, or "" if it can."""
    kind = KINDS.get(change.kind)
    if kind is None:
        return f"there is no change type {change.kind!r}"
    if form_of(change) is None:
        return f"{kind.name} cannot be {_shape(change)}"
    if kind.takes in _TAKES_ONE and len(change.arguments) > 1:
        return f"{kind.name} takes one text, not {len(change.arguments)}"
    return "" if all(one.strip() for one in change.arguments) else f"a text of {kind.name} is empty"


_TAKES_ONE = {Takes.PLACE, Takes.PATTERN, Takes.SELECTOR}


@cache
def _says(form: str) -> re.Pattern[str]:
    """Returns the options that a form can say."""
    return re.compile(option(form).replace("#", _NUMBER))


def _shape(change: ChangeType) -> str:
    """Describes the option and arguments of a change type for a sentence such as "table cannot be …"."""
    words = f"with {change.option!r}" if change.option else "without an option"
    return words + (" and texts" if change.arguments else " and without a text")
