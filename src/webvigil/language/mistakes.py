"""An error of the parser in, a MistakeInText out that tells the writer how to correct the text.

A mistake has a place, the offending word, the words that were expected and, for a misspelling, the word that
was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lark import Lark, Token
from lark.exceptions import UnexpectedEOF, UnexpectedInput, UnexpectedToken

from webvigil.errors import MistakeInText
from webvigil.language import names, texts
from webvigil.language.expectations import END, Expected, expected_at_stop
from webvigil.language.slips import SLIPS, Slip, Stop
from webvigil.model.short_text import short_text

_WORD = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[^\s(){},\"']+|\S")
_LONGEST_SHOWN = 40


def at(token: Token, message: str) -> MistakeInText:
    """Returns a mistake at the place of a token."""
    return MistakeInText(message, line=token.line or 1, column=token.column or 1, word=short(token))


def hidden_character(text: str) -> MistakeInText | None:
    """Returns a mistake for the first invisible character in the text, or None if there is none."""
    match = texts.HIDDEN.search(text)
    if not match:
        return None
    line, column = place(text, match.start())
    message = f"{names.described(match[0])} is not allowed here"
    if not texts.IMPOSSIBLE.match(match[0]):
        message += f"; in quotes it can be written \\u{ord(match[0]):04x}"
    return MistakeInText(message, line=line, column=column, word=match[0])


def unexpected(error: UnexpectedInput, text: str, grammar: Lark, rule: str) -> MistakeInText:
    """Returns the parser's error as a mistake in the words of the sentinel language. A slip that many people
    make gets a message of its own (see slips.py)."""
    expected = expected_at_stop(grammar, text, rule)
    position = _position(error, text)
    stop = Stop(text, position, _word_at(text, position), expected)
    slip = next((found for looking in SLIPS if (found := looking(stop))), None) or _plainly(stop)
    line, column = place(text, position if slip.position is None else slip.position)
    return MistakeInText(
        slip.message,
        line=line,
        column=column,
        word=short(slip.word or stop.word),
        expected=expected.words,
        suggestion=slip.suggestion,
    )


def place(text: str, position: int) -> tuple[int, int]:
    """Returns the line and column of a position in the text, both counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def near(word: str, candidates: Iterable[str]) -> str:
    """Returns the candidate whose spelling is close to the word, or "" if none is."""
    import difflib

    by_spelling = {candidate.lower(): candidate for candidate in candidates if candidate.isalpha()}
    if not 1 < len(word) <= _LONGEST_SHOWN:
        return ""
    # The second spelling drops a plural s, which brings a word closer to a candidate in the singular.
    for spelling in (word.lower(), word.lower().removesuffix("s")):
        found = difflib.get_close_matches(spelling, by_spelling, n=1, cutoff=0.66)
        if found and found[0] != word.lower():
            return by_spelling[found[0]]
    return ""


def shown(word: str) -> str:
    return f"'{short(word)}'"


def short(word: str) -> str:
    return short_text(word, _LONGEST_SHOWN)


def _plainly(stop: Stop) -> Slip:
    suggestion = near(stop.word, _candidates(stop.expected))
    hint = f"; did you mean {suggestion}?" if suggestion else ""
    found = f"found {shown(stop.word)}" if stop.word else "the text ends"
    return Slip(f"expected {stop.expected.listed}, but {found}{hint}", suggestion)


def _candidates(expected: Expected) -> tuple[str, ...]:
    """Returns the words with which a misspelling is compared. Where a sentinel may end, this includes
    "Create", because the next sentinel may begin there."""
    return (*expected.words, "Create") if END in expected.names else expected.words


def _position(error: UnexpectedInput, text: str) -> int:
    """Returns the position of the error. An error at the end of the text is put behind its last word, not
    behind the white space after it."""
    end = len(text.rstrip())
    at_end = isinstance(error, UnexpectedEOF) or (
        isinstance(error, UnexpectedToken) and error.token.type == END
    )
    return end if at_end or error.pos_in_stream is None else min(error.pos_in_stream, end)


def _word_at(text: str, position: int) -> str:
    match = _WORD.match(text, position)
    return match[0] if match else ""
