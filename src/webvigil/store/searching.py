"""Full-text search of changes: which words of a change are searched, and how a search is read (N2).

All knowledge bases share these rules. Texts become plain words: lower case, without accents, ideographs one
by one. All words of a search must occur; words in quotes, or written together, must stand together; a star
stands for any end of a word. No text that a person types is passed to a database as a query.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from webvigil.model.change import Finding

MOST_WORDS = 10_000  # of one change; PostgreSQL's index knows positions up to 16,383
# The most phrases of one search, characters of one word, and texts or characters that `_lines` joins.
MOST_ASKED = 30
_LONGEST = 100
_TOGETHER, _LONG = 1000, 10_000
_PLAIN = re.compile(r"[^\W_]+")
_CHUNK = re.compile(r'"([^"]*)"?|(\S+)')
# The change type is indexed as a word that begins with letters which no text contains.
_TYPE = "wvtype"


class Phrase(NamedTuple):
    """Words that stand together; with `begins` the last one is only the beginning of a word."""

    words: tuple[str, ...]
    begins: bool = False


class FoundWords(NamedTuple):
    """The searchable words of findings, in order. Sentinels that share findings share these words."""

    types: list[str]
    words: list[str]


def words_of_change(sentinel: str, url: str, findings: Iterable[Finding]) -> list[str]:
    """Returns all searchable words of a change, in order."""
    return with_names(sentinel, url, words_of_findings(tuple(findings)))


def words_of_findings(findings: Sequence[Finding]) -> FoundWords:
    found: list[str] = []
    for text in _lines(chain(*map(_texts, findings))):
        found += plain_words(text)
        if len(found) > MOST_WORDS:
            break
    types = dict.fromkeys(type_word(finding.type) for finding in findings if finding.changed)
    return FoundWords(list(types), found)


def with_names(sentinel: str, url: str, found: FoundWords) -> list[str]:
    names = plain_words(f"{sentinel}\n{url}")
    return [*found.types, *names, *found.words][:MOST_WORDS]


def _lines(texts: Iterable[str]) -> Iterator[str]:
    """Joins many short texts into a few long ones, because splitting has a cost per text."""
    waiting: list[str] = []
    for text in texts:
        waiting.append(text)
        if len(waiting) >= _TOGETHER or len(text) >= _LONG:
            yield "\n".join(waiting)
            waiting = []
    yield "\n".join(waiting)


def plain_words(text: str) -> list[str]:
    """Splits a text into plain words: lower case, without accents, at most 100 characters each."""
    if text.isascii():
        return [part[:_LONGEST] for part in _PLAIN.findall(text.lower())]
    from webvigil.document.words import words_of  # loads the document package, which most commands never need

    spread = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join([sign for sign in spread if not unicodedata.combining(sign)])
    return [part[:_LONGEST] for word in words_of(bare) for part in _PLAIN.findall(word)]


@lru_cache(256)
def type_word(kind: str) -> str:
    return _TYPE + "".join(plain_words(kind))


def phrases(words: str, kind: str | None = None) -> tuple[Phrase, ...]:
    """Reads what a person typed. A search without any word returns no phrases, and matches everything."""
    found = [_phrase(quoted, plain) for quoted, plain in _CHUNK.findall(words[:1_000])]
    asked = [one for one in found if one.words][:MOST_ASKED]
    return (*asked, *([Phrase((type_word(kind),))] if kind else []))


def matches(words: Sequence[str], asked: Sequence[Phrase]) -> bool:
    """Says whether the words contain all phrases, by going through the list without an index."""
    return all(any(_at(words, place, one) for place in range(len(words))) for one in asked)


def _phrase(quoted: str, plain: str) -> Phrase:
    return Phrase(tuple(plain_words(quoted or plain)), plain.endswith("*"))


def _at(words: Sequence[str], place: int, one: Phrase) -> bool:
    *first, last = one.words
    end = place + len(first)
    if end >= len(words) or list(words[place:end]) != first:
        return False
    return words[end].startswith(last) if one.begins else words[end] == last


def _texts(finding: Finding) -> Iterator[str]:
    yield finding.type
    yield finding.note
    for one in finding.objects:
        around = one.surrounding
        names = (one.label, one.section, one.link_text)
        # Both lines have nearly the same words, and what differs is in `before` and `after`.
        line = (around.after or around.before) if around else ""
        yield from dict.fromkeys(filter(None, (one.object, one.before, one.after, *names, line)))
