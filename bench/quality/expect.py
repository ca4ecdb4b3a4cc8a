"""The words in which a pair of pages says what must be reported.

A pair says what a careful reader wants to be told, not how a detector happens to cut it:

    new, more, fewer, gone   a counted object, named exactly (a link, an image, a keyword, a tag)
    updated                  one object with its old and its new form
    replaced                 the same, or told as one that went and one that came
    shown                    an object of that status whose name, forms or place show these texts
    moved                    told as moved, or as gone here and come there
    inserted, deleted        words, however they are cut into runs
    some                     anything at all (the object has no name, as in `exact change`)

No fact at all: the reader must not be told.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

HTML = "text/html; charset=utf-8"
XML = "application/xml"
RSS = "application/rss+xml"
ATOM = "application/atom+xml"
JSON = "application/json"
TEXT = "text/plain; charset=utf-8"

# A monitor belongs to the first name that it begins with, so `all words except` stands before `all words`.
TYPES = (
    "any change",
    "exact change",
    "all links",
    "all images",
    "all words except",
    "all words",
    "keywords all",
    "keywords",
    "phrase",
    "table",
    "list",
    "regular expression",
    "content",
    "structure",
    "layout",
    "tags",
    "attributes",
    "comments",
    "value",
)
COMBINED = "combined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing the reader wants to be told. `sort` is the word above that made it; `roomy`: it may be
    told within something larger, as with the subtree of an inserted element."""

    sort: str
    status: str = ""
    object: str = ""
    before: str = ""
    after: str = ""
    shows: tuple[str, ...] = ()
    old: int | None = None
    new: int | None = None
    roomy: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """Several ways to report the same change, each of them right."""

    accounts: tuple[tuple[Fact, ...], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions of a page and what a reader who monitors `monitor` expects to be told."""

    name: str
    monitor: str
    before: bytes
    after: bytes
    expected: tuple[Fact, ...] | Either
    content_type: str = HTML
    url: str = "https://www.example.org/"
    after_type: str = ""

    @property
    def type(self) -> str:
        return type_of(self.monitor)

    @property
    def changed(self) -> bool:
        """Whether a change must be reported. A pair with several accepted accounts counts as changed."""
        return self.expected != ()

    @property
    def accounts(self) -> tuple[tuple[Fact, ...], ...]:
        return self.expected.accounts if isinstance(self.expected, Either) else (self.expected,)


def type_of(monitor: str) -> str:
    """Returns the change type under which the figures count an expression."""
    if any(f" {operator} " in f" {monitor} " for operator in ("AND", "OR", "NOT")):
        return COMBINED
    return next(name for name in TYPES if monitor.startswith(name))


def digest(pairs: tuple[Pair, ...]) -> str:
    """Returns the fingerprint of a corpus: the pages, the monitors and the expectations."""
    state = hashlib.sha256()
    for pair in sorted(pairs, key=lambda one: one.name):
        state.update(repr(pair).encode())
    return state.hexdigest()[:16]


def pair(
    name: str,
    monitor: str,
    before: str | bytes,
    after: str | bytes,
    *expected: Fact | Either,
    type: str = HTML,  # noqa: A002 - reads as in a header
    after_type: str = "",
    url: str = "https://www.example.org/",
) -> Pair:
    facts = expected[0] if expected and isinstance(expected[0], Either) else expected
    return Pair(
        name=name,
        monitor=monitor,
        before=before.encode() if isinstance(before, str) else before,
        after=after.encode() if isinstance(after, str) else after,
        expected=facts,  # type: ignore[arg-type]
        content_type=type,
        after_type=after_type or type,
        url=url,
    )


def new(name: str, now: int | None = None) -> Fact:
    return Fact(sort="new", status="i", object=name, old=None if now is None else 0, new=now)


def more(name: str, was: int | None = None, now: int | None = None) -> Fact:
    return Fact(sort="more", status="i+", object=name, old=was, new=now)


def fewer(name: str, was: int | None = None, now: int | None = None) -> Fact:
    return Fact(sort="fewer", status="d-", object=name, old=was, new=now)


def gone(name: str, was: int | None = None) -> Fact:
    return Fact(sort="gone", status="d", object=name, old=was, new=None if was is None else 0)


def updated(before: str, after: str, *shows: str) -> Fact:
    return Fact(sort="updated", status="u", before=before, after=after, shows=shows)


def replaced(before: str, after: str, *shows: str) -> Fact:
    return Fact(sort="replaced", before=before, after=after, shows=shows)


def shown(status: str, *shows: str) -> Fact:
    return Fact(sort="shown", status=status, shows=shows)


def moved(text: str) -> Fact:
    return Fact(sort="moved", status="m", shows=(text,))


def inserted(text: str) -> Fact:
    return Fact(sort="inserted", after=text)


def deleted(text: str) -> Fact:
    return Fact(sort="deleted", before=text)


def some() -> Fact:
    return Fact(sort="some")


def either(*accounts: tuple[Fact, ...]) -> Either:
    return Either(accounts)
