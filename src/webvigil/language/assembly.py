"""The clauses of one text in, a Sentinel out.

Refuses a clause that stands twice, joins each `From` with its `To`, and gives a change type the text of
`Sentinel Object`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from lark import Token

from webvigil.language import mistakes, texts, tokens
from webvigil.language.nesting import DEEPEST, depth
from webvigil.model import sentinel as model
from webvigil.model.change_types import BY_LOCTAGS, KINDS, Takes
from webvigil.model.logic import leaves

_NESTED = {"target", "monitor", "when"}


class Clause(NamedTuple):
    """One clause of a text: the field of the Sentinel it fills, the value for it, the word it begins with
    (for the place in messages) and its name in messages."""

    field: str
    value: Any
    token: Token
    label: str


@dataclass(frozen=True, slots=True)
class Lacking(model.ChangeType):
    """A change type without the text that it needs. In the WebCQ form the text follows in `Sentinel Object`,
    so `finished` puts it in later."""

    token: Token = Token("", "")  # noqa: RUF009 - a token is a string


def clause(field: str, value: Any, *words: Token) -> Clause:
    return Clause(field, value, words[0], " ".join(words))


def assembled(name: str, clauses: list[Any], word: Token) -> model.Sentinel:
    found = _collected(clauses)
    target, described = found.pop("target", None), found.pop("described", None)
    by_loctags = found.pop("by_loctags", None)
    if target is None:
        raise mistakes.at(word, f"the sentinel {name} has no page; add Sentinel Target https://…")
    fields = {field: one.value for field, one in found.items()}
    if "monitor" in fields:
        fields["monitor"] = finished(fields["monitor"], described)
    elif described:
        raise mistakes.at(described.token, f"{described.label} needs a Sentinel Type")
    if by_loctags:
        fields["monitor"] = _by_loctags(fields.get("monitor"), by_loctags.token)
    return model.Sentinel(name=name, target=target.value, **fields)


def _by_loctags(expression: model.ChangeExpression | None, word: Token) -> model.ChangeExpression:
    """Returns the expression with the option in its `all words`, where it stands when it is printed."""
    plain, full = model.ChangeType("all words"), model.ChangeType("all words", option=BY_LOCTAGS)
    if expression is None or plain not in leaves(expression):
        raise mistakes.at(word, "by loctags is a way to compare words; write Monitor all words")
    return _replaced(expression, lambda one: full if one == plain else one)


def _collected(clauses: list[Any]) -> dict[str, Clause]:
    found: dict[str, Clause] = {}
    for one in _flat(clauses):
        earlier = found.get(one.field)
        if earlier and one.field != "life":
            raise mistakes.at(one.token, _again(earlier.label, one.label))
        if one.field in _NESTED and depth(one.value) > DEEPEST:
            raise mistakes.at(one.token, too_deep(one.label))
        found[one.field] = _with_life(earlier, one) if earlier else one
    return found


def _flat(clauses: list[Any]) -> Iterator[Clause]:
    for one in clauses:
        yield from one if isinstance(one, list) else [one]


def _again(earlier: str, label: str) -> str:
    if earlier.lower() == label.lower():
        return f"{label} is given twice; keep one"
    return f"{label} says again what {earlier} has said; keep one"


def too_deep(what: str) -> str:
    return f"{what} is nested more than {DEEPEST} levels deep"


def _with_life(earlier: Clause, later: Clause) -> Clause:
    """Returns both life clauses as one. A single `To` becomes the end of a span without an end, a single
    `From` the start of a span without a start; anything else is a further span."""
    *spans, last = earlier.value
    span, *more = later.value
    if not more and span.start is None and last.end is None:
        return later._replace(value=(*spans, replace(last, end=span.end)))
    if not more and span.end is None and last.start is None:
        return later._replace(value=(*spans, replace(last, start=span.start)))
    return later._replace(value=(*earlier.value, *later.value))


def finished(expression: model.ChangeExpression, described: Clause | None) -> model.ChangeExpression:
    """Returns the expression with the text of `Sentinel Object` in the change type that lacks one. Raises
    MistakeInText if there is no such text, or more than one type that lacks it."""
    lacking = [one for one in leaves(expression) if isinstance(one, Lacking)]
    if not lacking:
        return _undescribed(expression, described)
    if described is None or len(lacking) > 1:
        raise mistakes.at(lacking[-1].token, _needs_text(lacking[-1]))
    full = _described(lacking[0], described.value)
    return _replaced(expression, lambda one: full if isinstance(one, Lacking) else one)


def _undescribed(expression: model.ChangeExpression, described: Clause | None) -> model.ChangeExpression:
    """Returns the expression unchanged. `Sentinel Object` is ignored beside a single change type without
    texts, because WebCQ always asks for it; beside any other expression it is a mistake."""
    bare = isinstance(expression, model.ChangeType) and not expression.arguments
    if described and not bare:
        raise mistakes.at(described.token, f"{described.label} is one text too many: the type has its own")
    return expression


def _replaced(
    expression: model.ChangeExpression, by: Callable[[model.ChangeType], model.ChangeType]
) -> model.ChangeExpression:
    """Returns the expression with another change type in the place of each."""
    match expression:
        case model.Not(operand):
            return model.Not(_replaced(operand, by))
        case model.And(operands) | model.Or(operands):
            return replace(expression, operands=tuple(_replaced(one, by) for one in operands))
    return by(expression)


def _needs_text(lacking: Lacking) -> str:
    example = ", ".join(KINDS[lacking.kind].example.arguments)
    return f"{lacking.kind} needs a text in braces, for example {lacking.kind}: {{{example}}}"


def _described(lacking: Lacking, text: Token) -> model.ChangeType:
    match KINDS[lacking.kind].takes:
        case Takes.PLACE if text.type != "LINE":
            place = tokens.place_of(lacking.kind, text)
            return replace(place, option=f"{place.option} {lacking.option}".strip())
        case Takes.ITEMS | Takes.WORDS:
            arguments = tokens.lines_of(text, texts.items)
        case Takes.PHRASES if text.type != "LINE":
            arguments = tokens.texts_of(text, texts.phrases)
        case _:
            arguments = (tokens.line_of(text, texts.pattern),)
    return _as_webcq_means(model.ChangeType(lacking.kind, arguments, lacking.option))


def _as_webcq_means(change: model.ChangeType) -> model.ChangeType:
    """Returns the change type with the defaults of WebCQ. WebCQ searches the source of the page for an
    expression, across lines, and finds keywords inside words; its keywords appear when the last of them comes
    and disappear when the first one goes."""
    match change:
        case model.ChangeType("regular expression", (pattern,), "" | "in source"):
            across = pattern if pattern.startswith("(?") else f"(?s){pattern}"
            return replace(change, arguments=(across,), option="in source")
        case model.ChangeType("keywords", _, ""):
            return replace(change, option="all part")
    return change
