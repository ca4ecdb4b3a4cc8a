"""What went wrong, said so that the writer can put it right.

The parser knows where it stopped and which words could have stood there. From these come the message,
the expected words and, for a near miss, the word that was probably meant.
"""

from __future__ import annotations

import contextlib
import difflib
import itertools
import re
from collections.abc import Iterable
from functools import cache

from lark import Lark, Token
from lark.exceptions import UnexpectedEOF, UnexpectedInput, UnexpectedToken

from webvigil.errors import MistakeInText
from webvigil.language import names, texts

END = "$END"

# How terminals that are not plain words are called; the others are called by what is written.
_CALLED = {
    "NAME": "a name",
    "QUOTED": 'a text in quotes "…"',
    "BRACED": "a text in braces {…}",
    "SLASHED": "a pattern in slashes /…/",
    "LINE": "a text",
    "NUMBER": "a number",
    "DATE": "a date such as 12/31/2026",
    "URL": "a web address https://…",
    "ADDRESS": "an address",
    "CHANNEL": "a contact such as email jill@example.org",
    "COMPARISON": "a comparison such as > or <=",
    "LPAR": "(",
    "RPAR": ")",
    "PERCENT": "%",
    "_COMMA": ",",
    "_COLON": ":",
    "_PLUS": "+",
}
# One phrase for many words: those that may follow the beginning of a sentinel.
_GROUPS = {
    "Create Sentinel s AS": "a clause such as Monitor, Fetch, From or Notify By",
    "Create Sentinel s AS Monitor": "a change type such as any change, all links or phrase: {…}",
    "Create Sentinel s AS When": 'a condition such as changed > 50% or appears "…"',
}
_CAPITAL = {
    "CREATE",
    "SENTINEL",
    "USING",
    "TARGET",
    "NAME_WORD",
    "TYPE",
    "OBJECT",
    "CONDITION",
    "BY",
    "METHOD",
    "NOW",
}
_UPPER = {"AS", "_AND", "_OR", "_NOT", "VERB"}
_WORD = re.compile(r"[^\s(){},\"']+|\S")
_LONGEST_SHOWN = 40

_OPENINGS = {
    '"': ("QUOTED", "the quotation mark opened here is not closed on this line"),
    "'": ("QUOTED", "the quotation mark opened here is not closed on this line"),
    "{": ("BRACED", r"the brace opened here is never closed; a brace inside the text is written \{ or \}"),
    "/": ("SLASHED", r"the pattern opened by / is not closed on this line; a slash inside it is written \/"),
    "<": ("URL", "the address opened by < is not closed by > or has a space in it"),
}
_BEFORE_NAME = re.compile(
    r"(?:\bsentinel\s+|\btopic\s+|\b(?:start|end|during)\s*\(\s*)(\w[\w.-]*)\Z", re.IGNORECASE
)
_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:/\S*)?|localhost(?::\d+)?(?:/\S*)?", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][\w+.-]*:", re.IGNORECASE)
_LONG_UNIT = re.compile(r"(?:month|year|millisecond|fortnight)s?|ms", re.IGNORECASE)
_ADVERBS = {
    "hourly": "1 hour",
    "daily": "1 day",
    "weekly": "1 week",
    "monthly": "30 day",
    "always": "on change",
}


def at(token: Token, message: str, *, expected: tuple[str, ...] = (), suggestion: str = "") -> MistakeInText:
    """A mistake in what a token says."""
    return MistakeInText(
        message,
        line=token.line or 1,
        column=token.column or 1,
        word=_short(token),
        expected=expected,
        suggestion=suggestion,
    )


def hidden_character(text: str) -> MistakeInText | None:
    """The first character that nobody can see, if there is one."""
    match = texts.HIDDEN.search(text)
    if not match:
        return None
    line, column = place(text, match.start())
    message = (
        f"{names.described(match[0])} is not allowed here; in quotes it can be written \\u{ord(match[0]):04x}"
    )
    return MistakeInText(message, line=line, column=column, word=match[0])


def unexpected(error: UnexpectedInput, text: str, grammar: Lark, rule: str) -> MistakeInText:
    """What the parser could not read, in the words of the language."""
    accepted = _accepted(grammar, text, rule)
    position = _position(error, text)
    word = _word_at(text, position)
    expected = tuple(dict.fromkeys(word for words in accepted.values() for word in words))
    message, suggestion = _said(text, position, word, accepted, _groups(grammar))
    line, column = place(text, position)
    return MistakeInText(
        message, line=line, column=column, word=_short(word), expected=expected, suggestion=suggestion
    )


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column, both counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def near(word: str, candidates: Iterable[str]) -> str:
    """The candidate that was probably meant, or ""."""
    by_spelling = {candidate.lower(): candidate for candidate in candidates if candidate.isalpha()}
    if not 1 < len(word) <= _LONGEST_SHOWN:
        return ""
    found = difflib.get_close_matches(word.lower(), by_spelling, n=1, cutoff=0.66)
    return by_spelling[found[0]] if found and found[0] != word.lower() else ""


def shown(word: str) -> str:
    return f"'{_short(word)}'"


# --- where it stopped, and what could have stood there --------------------------------------------

Accepted = dict[str, tuple[str, ...]]


def _accepted(grammar: Lark, text: str, rule: str) -> Accepted:
    """Parses once more, step by step: only then the parser can say exactly what it would have taken."""
    accepted = _following(grammar, text, rule)
    return {name: words for name, words in _spellings(grammar).items() if name in accepted}


def _following(grammar: Lark, text: str, rule: str = "sentinel") -> set[str]:
    steps = grammar.parse_interactive(text, start=rule)
    with contextlib.suppress(UnexpectedInput):
        steps.exhaust_lexer()
    accepted: set[str] = steps.accepts()  # type: ignore[no-untyped-call]
    return accepted


@cache
def _groups(grammar: Lark) -> dict[str, set[str]]:
    """What each phrase of _GROUPS stands for."""
    return {phrase: _following(grammar, text) - {END, "LPAR", "_NOT"} for text, phrase in _GROUPS.items()}


@cache
def _spellings(grammar: Lark) -> Accepted:
    """Each terminal as it is written, in the order of the grammar."""
    clauses = _following(grammar, next(iter(_GROUPS)))
    spelled = {one.name: _spelled(one.name, one.pattern.value, clauses) for one in grammar.terminals}
    order = sorted(spelled, key=lambda name: _defined(grammar, name))
    return {name: spelled[name] for name in order} | {END: ()}


def _defined(grammar: Lark, name: str) -> int:
    match = re.search(rf"^{name}\b", grammar.source_grammar, re.MULTILINE)
    return match.start() if match else 0


def _spelled(name: str, pattern: str, clauses: set[str]) -> tuple[str, ...]:
    if name in _CALLED:
        return (_CALLED[name],)
    words = re.sub(r"\(ly\)\?|\?|\\b|[()]", "", pattern.replace(r")s?\b", "")).split("|")
    if name in _UPPER:
        return tuple(word.upper() for word in words)
    return tuple(word.capitalize() if name in _CAPITAL or name in clauses else word for word in words)


def _position(error: UnexpectedInput, text: str) -> int:
    """The end of the text is where its last word ends, not somewhere in the blank after it."""
    end = len(text.rstrip())
    at_end = isinstance(error, UnexpectedEOF) or (
        isinstance(error, UnexpectedToken) and error.token.type == END
    )
    return end if at_end or error.pos_in_stream is None else min(error.pos_in_stream, end)


def _word_at(text: str, position: int) -> str:
    match = _WORD.match(text, position)
    return match[0] if match else ""


# --- how it is said -------------------------------------------------------------------------------


def _said(
    text: str, position: int, word: str, accepted: Accepted, groups: dict[str, set[str]]
) -> tuple[str, str]:
    for slip in (_unclosed, _odd_name, _odd_address, _odd_interval, _bare_text):
        if said := slip(text, position, word, accepted):
            return said
    suggestion = near(word, [*itertools.chain(*accepted.values()), *(["Create"] if END in accepted else [])])
    hint = f"; did you mean {suggestion}?" if suggestion else ""
    found = f"found {shown(word)}" if word else "the text ends"
    return f"expected {_listed(accepted, groups)}, but {found}{hint}", suggestion


def _listed(accepted: Accepted, groups: dict[str, set[str]]) -> str:
    """The expected words, with one phrase for each group that is expected as a whole."""
    whole = {phrase: names for phrase, names in groups.items() if names <= accepted.keys()}
    left = [name for name in accepted if not any(name in names for names in whole.values())]
    words = dict.fromkeys([*itertools.chain(*(accepted[name] for name in left)), *whole])
    *most, last = words or ["the end of the text"]
    return f"{', '.join(most)} or {last}" if most else last


Said = tuple[str, str] | None


def _unclosed(text: str, position: int, word: str, accepted: Accepted) -> Said:
    """A quotation mark, a brace or a slash that never closes."""
    for opening, (name, message) in _OPENINGS.items():
        if word.startswith(opening) and name in accepted:
            return message, ""
    return None


def _odd_name(text: str, position: int, word: str, accepted: Accepted) -> Said:
    """A name went on with a character that only a quoted name may have."""
    match = _BEFORE_NAME.search(text[max(0, position - 200) : position])
    if not word or not match:
        return None
    suggestion = texts.quoted(match[1] + text[position:].split(maxsplit=1)[0].rstrip("(),"))
    return (
        f"a name has letters, digits, _, - and . only; any other stands in quotes: {_short(suggestion)}",
        suggestion,
    )


def _odd_address(text: str, position: int, word: str, accepted: Accepted) -> Said:
    if "URL" not in accepted:
        return None
    if _HOST.fullmatch(word):
        return (
            f"a web address begins with http:// or https://; did you mean https://{_short(word)}?",
            f"https://{word}",
        )
    if _SCHEME.match(word):
        return f"only addresses with http:// or https:// can be watched, not {shown(word)}", ""
    return None


def _odd_interval(text: str, position: int, word: str, accepted: Accepted) -> Said:
    if "UNIT" in accepted and _LONG_UNIT.fullmatch(word):
        return f"an interval is counted in seconds, minutes, hours, days or weeks, not in {word.lower()}", ""
    if "NUMBER" in accepted and (meant := _ADVERBS.get(word.lower())):
        return f"an interval is a number and a unit; did you mean {meant}?", meant
    return None


def _bare_text(text: str, position: int, word: str, accepted: Accepted) -> Said:
    if word and accepted.keys() <= {"QUOTED", "BRACED", "SLASHED", "_COLON"}:
        return f"the text must stand in braces or quotes: {{{_short(word)} …}}", ""
    return None


def _short(word: str) -> str:
    return word if len(word) <= _LONGEST_SHOWN else word[: _LONGEST_SHOWN - 1] + "…"
