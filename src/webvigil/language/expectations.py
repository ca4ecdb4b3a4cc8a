"""Which words could have stood where the parser stopped, and what they are called in a message."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from functools import cache

from lark import Lark
from lark.exceptions import UnexpectedInput

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
# Words that say more in a message together with what follows them.
_SHOWN = {
    "CREATE": "Create Sentinel",
    "START": "start(…)",
    "END": "end(…)",
    "DURING": "during(…)",
    "EVERY": "every",
    "_ON": "on change",
    "_BEST": "best effort",
}
# One phrase for all words that may follow the beginning of a sentinel.
_GROUPS = {
    "Create Sentinel s AS": "a clause such as Monitor, Fetch, From or Notify By",
    "Create Sentinel s AS Monitor": "a change type such as any change, all links or phrase: {…}",
    "Create Sentinel s AS When": 'a condition such as changed > 50% or appears "…"',
}
# What may also stand there, but would only make a message with such a phrase longer.
_SELDOM_MEANT = {"LPAR", "_NOT", "CHANGE", "NUMBER"}
_CAPITAL = frozenset({"USING", "TARGET", "NAME_WORD", "TYPE", "OBJECT", "CONDITION", "BY", "METHOD", "NOW"})
_UPPER = frozenset({"AS", "_AND", "_OR", "_NOT", "VERB"})
_ABBREVIATED = {"sec", "min", "hr"}

Spellings = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Expected:
    """The terminals, the words they stand for, and all of it as a phrase."""

    names: frozenset[str]
    words: tuple[str, ...]
    listed: str


def expected_at_stop(grammar: Lark, text: str, rule: str) -> Expected:
    accepted = _following(grammar, text, rule)
    spelled = {name: words for name, words in _spellings(grammar).items() if name in accepted}
    words = dict.fromkeys(word for some in spelled.values() for word in some)
    return Expected(frozenset(accepted), tuple(words), _listed(spelled, _groups(grammar)))


def _following(grammar: Lark, text: str, rule: str = "sentinel") -> set[str]:
    """Parses step by step: only so the parser can say exactly what it would have taken next."""
    steps = grammar.parse_interactive(text, start=rule)
    with contextlib.suppress(UnexpectedInput):
        steps.exhaust_lexer()
    accepted: set[str] = steps.accepts()  # type: ignore[no-untyped-call]
    return accepted


# --- how the words are written --------------------------------------------------------------------


@cache
def _spellings(grammar: Lark) -> Spellings:
    """Each terminal as it is written, in the order of the grammar."""
    clauses = _following(grammar, next(iter(_GROUPS)))
    spelled = {one.name: _spelled(one.name, one.pattern.value, clauses) for one in grammar.terminals}
    order = sorted(spelled, key=lambda name: _defined(grammar, name))
    return {name: spelled[name] for name in order}


def _defined(grammar: Lark, name: str) -> int:
    match = re.search(rf"^{name}\b", grammar.source_grammar, re.MULTILINE)
    return match.start() if match else 0


def _spelled(name: str, pattern: str, clauses: set[str]) -> tuple[str, ...]:
    if name in _CALLED:
        return (_CALLED[name],)
    if name == "BULLETIN":  # a contact like others, with a spelling of its own
        return ()
    words = re.sub(r"\)s\?|\(ly\)\?|\?|\\b|[()]", "", pattern).split("|")
    if name in _UPPER:
        return tuple(word.upper() for word in words)
    capital = name in _CAPITAL or name in clauses or name == "CREATE"
    return tuple(word.capitalize() if capital else word for word in words if word not in _ABBREVIATED)


# --- how they are said ----------------------------------------------------------------------------


@cache
def _groups(grammar: Lark) -> dict[str, set[str]]:
    """What each phrase of _GROUPS stands for."""
    return {phrase: _following(grammar, text) - _SELDOM_MEANT - {END} for text, phrase in _GROUPS.items()}


def _listed(spelled: Spellings, groups: dict[str, set[str]]) -> str:
    """The expected words, with one phrase for each group that is expected as a whole."""
    whole = {phrase: names for phrase, names in groups.items() if names <= spelled.keys()}
    covered = set[str]().union(_SELDOM_MEANT if whole else (), *whole.values())
    words = [word for name in spelled if name not in covered for word in _called(name, spelled)]
    quoted = ["a comma" if word == "," else word for word in words]
    *most, last = dict.fromkeys([*quoted, *whole]) or ["the end of the text"]
    return f"{', '.join(most)} or {last}" if most else last


def _called(name: str, spelled: Spellings) -> tuple[str, ...]:
    if name == "NUMBER" and spelled.keys() & {"_ON", "_BEST"}:
        return ("an interval such as 2 day",)
    return (_SHOWN[name],) if name in _SHOWN else spelled[name]
