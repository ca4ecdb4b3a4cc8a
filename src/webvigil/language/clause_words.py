"""The text of a sentinel in, its parts out: the words that begin clauses, and what stands between them.

The printer begins these words with a capital letter and no others, so `Monitor` is one and `any change` is
not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lark import Token
from lark.exceptions import LarkError

from webvigil.errors import WebVigilError
from webvigil.language.clauses import HEAD
from webvigil.language.parser import LONGEST, grammar, terminal


class Part(NamedTuple):
    """A piece of a text; `is_word` says that it begins a clause."""

    text: str
    is_word: bool


def clause_words(text: str) -> list[Part]:
    """Returns a printed text in parts, which together are the text again. A text that cannot be read, such as
    one of a newer version, is one part."""
    return _parts(text, text, 0)


def words_of_clauses(text: str) -> list[Part]:
    """Returns clauses in parts that stand without a sentinel, as those of a topic do."""
    return _parts(HEAD + text, text, len(HEAD))


def _parts(whole: str, text: str, shift: int) -> list[Part]:
    parts, at = [], 0
    try:
        places = [(start - shift, end - shift) for start, end in _places(whole) if start >= shift]
    except (LarkError, WebVigilError):
        places = []
    for start, end in places:
        parts += [Part(text[at:start], False), Part(text[start:end], True)]
        at = end
    return [part for part in (*parts, Part(text[at:], False)) if part.text]


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Yields where each word that begins a clause starts and ends."""
    if len(text) > LONGEST:
        return
    reading = grammar().parse_interactive(text, start="sentinel")
    for token in reading.iter_parse():
        if token[:1].isupper() and token[1:].islower() and _is_word(token):
            start = token.start_pos or 0
            yield start, start + len(token)


def _is_word(token: Token) -> bool:
    """Tells whether a token is a word of the language, whose pattern is the word itself, and no name."""
    return terminal(token.type).pattern.lower().removeprefix("(?i:").startswith(token.lower())
