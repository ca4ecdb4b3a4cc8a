"""The place where the parser stopped in, the words that could have followed and a phrase for messages out."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from functools import cache

from lark import Lark
from lark.exceptions import UnexpectedInput

END = "$END"

# The names in messages of terminals that are not plain words. Other terminals appear as they are written.
_CALLED = {
    "NAME": "a name",
    "QUOTED": 'a text in quotes "…"',
    "BRACED": "a text in braces {…}",
    "DATA": "an object of JSON {…}",
    "SLASHED": "a pattern in slashes /…/",
    "LINE": "a text",
    "NUMBER": "a number",
    "ASKING": "a method such as POST",
    "DATE": "a date such as 12/31/2026",
    "CLOCK": "a time of day such as 7:30",
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
# Words that a reader understands better together with what follows them.
_SHOWN = {
    "CREATE": "Create Sentinel",
    "START": "start(…)",
    "END": "end(…)",
    "DURING": "during(…)",
    "EVERY": "every",
    "_ON": "on change",
    "_ON_DAY": "on weekdays",
    "DAY": "weekdays, weekends, a day such as monday",
    "BETWEEN": "between 8:00 and 18:00",
    "AT": "at 7:30",
    "CRON": 'cron "…"',
    "_BEST": "best effort",
}
# By the beginning of a text: one phrase that stands in messages for all words that may follow this beginning.
_GROUPS = {
    "Create Sentinel s AS": "a clause such as Monitor, Fetch, From or Notify By",
    "Create Sentinel s AS Monitor": "a change type such as any change, all links or phrase: {…}",
    "Create Sentinel s AS When": 'a condition such as changed > 50%, appears "…" or contains "…"',
}
# Terminals that may follow too but are seldom meant. A message with such a phrase leaves them out to stay
# short.
_SELDOM_MEANT = {"LPAR", "_NOT", "CHANGE", "NUMBER", "_ON_DAY", "BETWEEN"}
_CAPITAL = frozenset({"USING", "TARGET", "NAME_WORD", "TYPE", "OBJECT", "CONDITION", "BY", "METHOD", "NOW"})
_UPPER = frozenset({"AS", "_AND", "_OR", "_NOT", "VERB"})
_ABBREVIATED = {"sec", "min", "hr", "mon", "tue", "wed", "thu", "fri", "sat", "sun"}

Spellings = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Expected:
    """The terminals that the parser would have taken, the words they stand for, and a phrase that lists
    them."""

    names: frozenset[str]
    words: tuple[str, ...]
    listed: str


def expected_at_stop(grammar: Lark, text: str, rule: str) -> Expected:
    accepted = _following(grammar, text, rule)
    spelled = {name: words for name, words in _spellings(grammar).items() if name in accepted}
    words = dict.fromkeys(word for some in spelled.values() for word in some)
    return Expected(frozenset(accepted), tuple(words), _listed(spelled, _groups(grammar)))


def _following(grammar: Lark, text: str, rule: str = "sentinel") -> set[str]:
    """Returns the terminals that may follow the text. The text is parsed step by step, because only the
    interactive parser of Lark can say exactly what it would take next."""
    steps = grammar.parse_interactive(text, start=rule)
    with contextlib.suppress(UnexpectedInput):
        steps.exhaust_lexer()
    accepted: set[str] = steps.accepts()  # type: ignore[no-untyped-call]
    return accepted


# --- how the words are written --------------------------------------------------------------------


@cache
def _spellings(grammar: Lark) -> Spellings:
    """Returns for each terminal the words it is written with, in the order of the grammar."""
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
    if name == "BULLETIN":  # The bulletin is one of the contacts, which have a name in messages already.
        return ()
    words = re.sub(r"\(\?![^)]*\)|\)s\?|\(ly\)\?|\?|\\b|[()]", "", pattern).split("|")
    if name in _UPPER:
        return tuple(word.upper() for word in words)
    capital = name in _CAPITAL or name in clauses or name == "CREATE"
    return tuple(word.capitalize() if capital else word for word in words if word not in _ABBREVIATED)


# --- how they are said ----------------------------------------------------------------------------


@cache
def _groups(grammar: Lark) -> dict[str, set[str]]:
    """Returns for each phrase of _GROUPS the terminals that it stands for."""
    return {phrase: _following(grammar, text) - _SELDOM_MEANT - {END} for text, phrase in _GROUPS.items()}


def _listed(spelled: Spellings, groups: dict[str, set[str]]) -> str:
    """Returns the expected words as a phrase such as "a, b or c". A group of which all words are expected is
    written as its one phrase."""
    whole = {phrase: names for phrase, names in groups.items() if names <= spelled.keys()}
    covered = set[str]().union(_SELDOM_MEANT if whole else (), *whole.values())
    words = [word for name in spelled if name not in covered for word in _called(name, spelled)]
    quoted = ["a comma" if word == "," else word for word in words]
    *most, last = dict.fromkeys([*quoted, *whole]) or ["the end of the text"]
    return f"{', '.join(most)} or {last}" if most else last


def _called(name: str, spelled: Spellings) -> tuple[str, ...]:
    if name == "NUMBER" and spelled.keys() & {"_ON", "_BEST"}:
        return ("an interval such as 2 day",)
    if name == "BETWEEN" and "COMPARISON" in spelled:
        return ("between 10 and 20",)
    return (_SHOWN[name],) if name in _SHOWN else spelled[name]
