"""The rows of `model/change_types.py` as rules of the grammar, and as they are read and printed.

The notation of the rows is described there. Each form of each row is one alternative of the rule
`change_type`, so that whoever reads it knows the row and the form, and has only to read the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from lark import Token

from webvigil.language import texts, tokens
from webvigil.language.assembly import Lacking
from webvigil.model.change_types import (
    KINDS,
    LARGEST_CONTEXT,
    TEXT,
    Kind,
    Takes,
    form_of,
    named_by,
    option,
    words_of,
)
from webvigil.model.sentinel import ChangeType

_PLACE_IN_GRAMMAR = "// <change types>\n"
_TOKEN = re.compile(r"[][#…]|[a-z]+(?:\(s\))?")


# --- the grammar ----------------------------------------------------------------------------------


def with_change_types(grammar: str) -> str:
    """Returns the grammar with the rule `change_type` and the words that the rows need and the grammar has
    not."""
    rules = "\n".join([*_rules(), *_terminals(grammar)])
    return grammar.replace(_PLACE_IN_GRAMMAR, f"{rules}\n")


def alternatives() -> Iterator[tuple[str, Kind, str]]:
    """Yields every form of every row, with the name that the form has in the grammar."""
    for kind in KINDS.values():
        for number, form in enumerate((*kind.bare, *kind.forms)):
            yield f"{kind.identifier}_{number}", kind, form


def _rules() -> Iterator[str]:
    every = [
        f"_said_{kind.identifier} {_pattern(form, kind)} -> {name}" for name, kind, form in alternatives()
    ]
    yield "?change_type: " + "\n | ".join(every)
    for kind in KINDS.values():
        yield f"_said_{kind.identifier}: " + " | ".join(_pattern(one, kind) for one in kind.spellings)


def _pattern(notation: str, kind: Kind) -> str:
    """Returns the words of a form for the grammar. A text that stands first and cannot be left out may be
    lacking here: the reader then asks for it."""
    text = "_text?" if notation.startswith(TEXT) and not kind.bare else "_text"
    signs = {"[": "(", "]": ")?", "#": "NUMBER", TEXT: text}
    return " ".join(signs.get(one) or _terminal(one) for one in _TOKEN.findall(notation))


def _terminals(grammar: str) -> Iterator[str]:
    said = (part for kind in KINDS.values() for part in (*kind.spellings, *kind.bare, *kind.forms))
    for word in dict.fromkeys(word for part in said for word in words_of(part)):
        if not re.search(rf"^{_terminal(word)}:", grammar, re.MULTILINE):
            yield f"{_terminal(word)}: /{word.replace('(s)', 's?')}\\b/i"


def _terminal(word: str) -> str:
    return word.replace("(s)", "s").upper()


# --- reading --------------------------------------------------------------------------------------


def read_change_type(kind: Kind, form: str, children: list[Token]) -> ChangeType:
    """Returns the change type that was written in this form. `children` are all words of the form, and its
    text."""
    said = option(form).replace("#", _number(children))
    if TEXT not in form:
        return ChangeType(kind.name, (), said)
    text = next((one for one in children if one.type in {"QUOTED", "BRACED", "SLASHED"}), None)
    if text is None:
        return Lacking(kind.name, (), said, children[0])
    if kind.takes is Takes.PLACE and form.startswith(TEXT):
        place = tokens.place_of(kind.name, text)
        return replace(place, option=f"{place.option} {said}".strip())
    return ChangeType(kind.name, _texts(kind.takes, text, said), said)


def _texts(takes: Takes, text: Token, said: str) -> tuple[str, ...]:
    match takes:
        case Takes.PATTERN:
            return (tokens.text_of(text, texts.pattern),)
        case Takes.SELECTOR:
            return (tokens.selector_of(text, said),)
        case Takes.PLACE:
            return (tokens.text_of(text, texts.whole),)
    return tokens.texts_of(text, _SEVERAL[takes])


_SEVERAL: dict[Takes, Callable[[str], tuple[str, ...]]] = {
    Takes.WORDS: texts.words,
    Takes.ITEMS: texts.items,
    Takes.PHRASES: texts.phrases,
}


def _number(children: list[Token]) -> str:
    numbers = (one for one in children if one.type == "NUMBER")
    return "".join(str(tokens.count_of(one, 1, LARGEST_CONTEXT)) for one in numbers)


# --- printing -------------------------------------------------------------------------------------


def print_change_type(change: ChangeType) -> str:
    """Returns the canonical text of a change type that can be said."""
    kind, form = KINDS[change.kind], form_of(change) or ""
    if not change.arguments:
        return f"{kind.name} {change.option}".rstrip()
    if kind.takes is Takes.PLACE and (by := named_by(change)):
        place = f"{kind.name}: {{{by} {texts.quoted_in_braces(change.arguments[0])}}}"
        return f"{place} {change.option.removeprefix(by).strip()}".rstrip()
    before, _, _ = form.partition(TEXT)
    after = change.option.removeprefix(before.strip()).strip()
    start = f"{kind.name} {before}" if before else f"{kind.name}: "
    return f"{start}{_PRINTED[kind.takes](change.arguments)} {after}".rstrip()


_PRINTED: dict[Takes, Callable[[tuple[str, ...]], str]] = {
    Takes.WORDS: texts.words_in_braces,
    Takes.ITEMS: texts.in_braces,
    Takes.PHRASES: texts.phrases_in_braces,
    Takes.PLACE: lambda several: texts.whole_in_braces(several[0]),
    Takes.PATTERN: lambda several: texts.pattern_in_braces(several[0]),
    Takes.SELECTOR: lambda several: texts.quoted(several[0]),
}
