"""What the grammar recognised, as values. The methods are named after the rules of `sentinel.lark`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from lark import Token, Transformer

from webvigil.errors import MistakeInText
from webvigil.language import texts, times
from webvigil.model import sentinel as model
from webvigil.model.page import normal_url

DEEPEST = 100
T = TypeVar("T")
_PLACE = re.compile(r'\{\s*(caption|css)\s+("(?:\\.|[^"\\\n])*")\s*\}', re.IGNORECASE)


class Clause(NamedTuple):
    """One clause: the field it fills, its value and the word it began with."""

    field: str
    value: Any
    token: Token


@dataclass(frozen=True, slots=True)
class Lacking(model.ChangeType):
    """A change type whose argument has not been given (yet: WebCQ has it in `Sentinel Object`)."""

    token: Token | None = None


def mistake(token: Token, message: str, **more: Any) -> MistakeInText:
    return MistakeInText(message, line=token.line or 1, column=token.column or 1, word=str(token), **more)


def _of(children: list[Any], *types: str) -> Token | None:
    return next((one for one in children if isinstance(one, Token) and one.type in types), None)


def _texts(children: list[Any]) -> Token | None:
    return _of(children, "QUOTED", "BRACED", "SLASHED")


def _option(children: list[Any], *types: str) -> str:
    return str(_of(children, *types) or "").lower()


class Reader(Transformer[Token, Any]):
    # --- the whole -------------------------------------------------------------------------------

    def using(self, children: list[Any]) -> model.Sentinel:
        _, word, name, target, *clauses = children
        return _sentinel(name, [Clause("target", target, word), *clauses], word)

    def as_clauses(self, children: list[Any]) -> model.Sentinel:
        _, word, name, *clauses = children
        return _sentinel(name, clauses, word)

    def alone(self, children: list[Any]) -> model.ChangeExpression:
        (expression,) = children
        return _finished(expression, None)

    def name(self, children: list[Token]) -> str:
        (token,) = children
        return texts.unquoted(token) if token.type == "QUOTED" else str(token)

    # --- which pages -----------------------------------------------------------------------------

    def target_clause(self, children: list[Any]) -> Clause:
        return Clause("target", children[-1], children[0])

    def any_of_targets(self, children: list[Any]) -> model.Target:
        return model.SeveralTargets("OR", tuple(children))

    def all_of_targets(self, children: list[Any]) -> model.Target:
        return model.SeveralTargets("AND", tuple(children))

    def web_page(self, children: list[Token]) -> model.Target:
        return model.WebPage(_address(children[0]))

    def form_page(self, children: list[Token]) -> model.Target:
        verb, fields = _option(children, "VERB").upper() or "GET", _of(children, "BRACED")
        url = _of(children, "URL")
        assert url is not None
        return model.FormPage(_address(url), verb, _fields(fields) if fields else ())  # type: ignore[arg-type]

    def sentinel_pages(self, children: list[Any]) -> model.Target:
        return model.SentinelPages(children[-1])

    def title(self, children: list[Token]) -> Clause:
        return Clause("title", _line(children[-1]), children[0])

    # --- what counts as a change -----------------------------------------------------------------

    def monitor(self, children: list[Any]) -> Clause:
        return Clause("monitor", children[-1], children[0])

    def object(self, children: list[Token]) -> Clause:
        return Clause("object", children[-1], children[0])

    def any_of_changes(self, children: list[Any]) -> model.ChangeExpression:
        return model.Or(tuple(children))

    def all_of_changes(self, children: list[Any]) -> model.ChangeExpression:
        return model.And(tuple(children))

    def no_change(self, children: list[Any]) -> model.ChangeExpression:
        return model.Not(children[0])

    def any_change(self, _: list[Token]) -> model.ChangeType:
        return model.ChangeType("any change")

    def exact_change(self, _: list[Token]) -> model.ChangeType:
        return model.ChangeType("exact change")

    def all_links(self, _: list[Token]) -> model.ChangeType:
        return model.ChangeType("all links")

    def all_images(self, children: list[Token]) -> model.ChangeType:
        return model.ChangeType("all images", (), _option(children, "CONTENT"))

    def all_words(self, children: list[Token]) -> model.ChangeType:
        words = _texts(children)
        if words is None:
            return model.ChangeType("all words")
        return model.ChangeType("all words", _some(texts.words, words), "except")

    def keywords(self, children: list[Token]) -> model.ChangeType:
        words, turn = _texts(children), _option(children, "APPEAR", "DISAPPEAR")
        if words is None:
            return Lacking("keywords", token=children[0])
        return model.ChangeType("keywords", _some(texts.items, words), f"all {turn}" if turn else "")

    def phrase(self, children: list[Token]) -> model.ChangeType:
        words = _texts(children)
        return (
            model.ChangeType("phrase", _some(texts.phrases, words))
            if words
            else Lacking("phrase", token=children[0])
        )

    def table(self, children: list[Token]) -> model.ChangeType:
        return _placed("table", children)

    def list(self, children: list[Token]) -> model.ChangeType:
        return _placed("list", children)

    def regular_expression(self, children: list[Token]) -> model.ChangeType:
        pattern = _texts(children)
        option = f"in {children[-1].lower()}" if children[-1].type in {"TEXT", "SOURCE"} and pattern else ""
        if pattern is None:
            return Lacking("regular expression", (), option, children[0])
        return model.ChangeType("regular expression", (_some(texts.pattern, pattern),), option)

    def aspect(self, children: list[Token]) -> model.ChangeType:
        return model.ChangeType(children[0].lower())

    def value(self, children: list[Token]) -> model.ChangeType:
        _, by, pattern = children
        return model.ChangeType("value", (_some(texts.pattern, pattern),), by.lower())

    # --- when to look, and for how long ----------------------------------------------------------

    def fetch(self, children: list[Any]) -> Clause:
        return Clause("fetch", children[1], children[0])

    def fetch_when(self, children: list[Any]) -> model.FetchWhen:
        last = children[-1]
        return model.FetchEvery(last) if isinstance(last, timedelta) else model.FetchOnChange()

    def trigger(self, children: list[Any]) -> list[Clause]:
        word, _, *parts = children
        return [Clause("fetch" if isinstance(one, model.FetchWhen) else "when", one, word) for one in parts]

    def interval(self, children: list[Token]) -> timedelta:
        pairs = zip(children[::2], children[1::2], strict=True)
        return sum((_interval(number, unit) for number, unit in pairs), timedelta(0))

    def life(self, children: list[model.LifeSpan]) -> Clause:
        return Clause("life", tuple(span for span, _ in children), children[0][1])

    def span(self, children: list[Any]) -> tuple[model.LifeSpan, Token]:
        ends = {word.type: point for word, point in zip(children[::2], children[1::2], strict=True)}
        return model.LifeSpan(ends.get("FROM"), ends.get("TO")), children[0]

    def start_condition(self, children: list[Any]) -> Clause:
        return Clause("life", (model.LifeSpan(start=children[-1]),), children[0])

    def stop_condition(self, children: list[Any]) -> Clause:
        return Clause("life", (model.LifeSpan(end=children[-1]),), children[0])

    def point(self, children: list[Any]) -> model.TimePoint:
        word, *rest = children
        plus = rest.pop() if rest and isinstance(rest[-1], timedelta) else timedelta(0)
        if rest:
            return model.AtEvent(word.lower(), rest[0], plus)
        return model.AtTime(None if word.type == "NOW" else _moment(word, plus), plus)

    # --- whom to tell, and how often -------------------------------------------------------------

    def notify(self, children: list[Any]) -> Clause:
        return Clause("contacts", tuple(children[2:]), children[0])

    def contact(self, children: list[Token]) -> model.Contact:
        channel, address = children[0], children[-1]
        if channel.type == "ADDRESS":
            return model.Contact("email", _contact_address(channel))
        return model.Contact(channel.lower(), _contact_address(address) if address is not channel else "")

    def every(self, children: list[Any]) -> Clause:
        return Clause("notify", children[-1], children[0])

    def every_when(self, children: list[Any]) -> model.NotifyWhen:
        first = children[0]
        if isinstance(first, timedelta):
            return model.NotifyEvery(first)
        if first.type == "NUMBER":
            return model.NotifyEachChanges(_whole_number(first, 1, 1_000_000))
        return {"IMMEDIATE": model.NotifyAt.IMMEDIATE, "EFFORT": model.NotifyAt.BEST_EFFORT}.get(
            first.type, model.NotifyAt.INTERACTIVE
        )

    # --- how to compare and what to leave out ----------------------------------------------------

    def compare(self, children: list[Token]) -> Clause:
        word, how, *n = children
        value = model.Compare(how.lower(), _whole_number(n[0], 1, 1_000_000) if n else 1)  # type: ignore[arg-type]
        return Clause("compare", value, word)

    def within(self, children: list[Any]) -> Clause:
        return Clause("within", tuple(children[1:]), children[0])

    def ignore(self, children: list[Any]) -> Clause:
        return Clause("ignore", tuple(children[1:]), children[0])

    def part(self, children: list[Token]) -> model.Part:
        by, argument = children[0], children[-1]
        if by.type == "SLASHED":
            return model.Part("regex", texts.pattern(by))
        if by.type == "WORDS":
            return model.Part("words", _some(texts.words, argument))
        return model.Part(by.lower(), _some(texts.pattern, argument))  # type: ignore[arg-type]

    def when(self, children: list[Any]) -> Clause:
        return Clause("when", children[1], children[0])

    def any_condition(self, children: list[Any]) -> model.WhenCondition:
        return model.AnyCondition(tuple(children))

    def all_conditions(self, children: list[Any]) -> model.WhenCondition:
        return model.AllConditions(tuple(children))

    def no_condition(self, children: list[Any]) -> model.WhenCondition:
        return model.NotCondition(children[0])

    def comparison(self, children: list[Token]) -> model.WhenCondition:
        subject, operator, number, *percent = children
        sign = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}.get(operator, operator.lower())
        return model.Condition(subject.lower(), sign, _number(number), "%" if percent else "")

    def appearance(self, children: list[Token]) -> model.WhenCondition:
        return model.Condition(children[0].lower(), text=_some(texts.whole, children[1]))

    # --- the rest --------------------------------------------------------------------------------

    def depth(self, children: list[Token]) -> Clause:
        return Clause("depth", _whole_number(children[1], 0, 2), children[0])

    def render(self, children: list[Token]) -> Clause:
        return Clause("render", children[1].lower(), children[0])

    def topic(self, children: list[Token]) -> Clause:
        word = children[1]
        return Clause("topic", texts.unquoted(word) if word.type == "QUOTED" else str(word), children[0])

    def priority(self, children: list[Token]) -> Clause:
        return Clause("priority", _whole_number(children[1], 0, 1_000_000), children[0])

    def present(self, children: list[Token]) -> Clause:
        return Clause("present", children[1].lower(), children[0])


# --- putting a sentinel together ------------------------------------------------------------------


def _sentinel(name: str, clauses: list[Any], word: Token) -> model.Sentinel:
    fields = _collected(clauses)
    target, described = fields.pop("target", None), fields.pop("object", None)
    if target is None:
        raise mistake(word, f"the sentinel {name} names no page; add: Sentinel Target https://…")
    if "monitor" in fields:
        fields["monitor"] = _finished(fields["monitor"], described)
    return model.Sentinel(name=name, target=target, **fields)


def _collected(clauses: list[Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for clause in (one for some in clauses for one in (some if type(some) is list else [some])):
        if clause.field == "life":
            fields["life"] = _with_life(fields.get("life", ()), clause)
        elif clause.field in fields:
            raise mistake(clause.token, f"{clause.token} is given twice")
        else:
            fields[clause.field] = clause.value
    return fields


def _with_life(spans: tuple[model.LifeSpan, ...], clause: Clause) -> tuple[model.LifeSpan, ...]:
    """A `To` of its own closes the span that has no end yet, a `From` opens the one without a start."""
    (span, *more), last = clause.value, spans[-1] if spans else None
    if not more and last and span.start is None and last.end is None:
        return (*spans[:-1], replace(last, end=span.end))
    if not more and last and span.end is None and last.start is None:
        return (*spans[:-1], replace(last, start=span.start))
    return (*spans, *clause.value)


def _finished(expression: Any, described: Token | None) -> Any:
    """The expression with `Sentinel Object` put where an argument is lacking."""
    match expression:
        case Lacking():
            if described is None:
                raise mistake(expression.token or Token("", ""), f"{expression.kind} needs a text in braces")
            return _described(expression, described)
        case model.Not(operand):
            return model.Not(_finished(operand, described))
        case model.And(operands):
            return model.And(tuple(_finished(one, described) for one in operands))
        case model.Or(operands):
            return model.Or(tuple(_finished(one, described) for one in operands))
    return expression


def _described(lacking: Lacking, described: Token) -> model.ChangeType:
    if lacking.kind == "keywords":
        return model.ChangeType(
            "keywords", texts.items(described if described.type == "BRACED" else "{%s}" % _line(described))
        )
    return model.ChangeType(lacking.kind, (_line(described),), lacking.option)


# --- small readings -------------------------------------------------------------------------------


def _some(reading: Callable[[str], T], token: Token) -> T:
    found = reading(token)
    if not found:
        raise mistake(token, "there is nothing in it")
    return found


def _placed(kind: str, children: list[Token]) -> model.ChangeType:
    place = _texts(children)
    if place is None:
        return Lacking(kind, token=children[0])
    option = _option(children, "CAPTION", "CSS")
    if not option and (match := _PLACE.fullmatch(place)):
        return model.ChangeType(kind, (texts.unquoted(match[2]),), match[1].lower())
    return model.ChangeType(kind, (_some(texts.whole, place),), option)


def _line(token: Token) -> str:
    if token.type == "LINE":
        return str(token).split(" --")[0].strip().strip("'\"‘’“”").strip()
    return texts.pattern(token)


def _address(token: Token) -> str:
    url = token[1:-1] if token.startswith("<") else str(token)
    try:
        normal_url(url)
    except ValueError as error:
        raise mistake(token, str(error)) from error
    return url


def _fields(token: Token) -> tuple[tuple[str, str], ...]:
    return texts.fields(token)


def _contact_address(token: Token) -> str:
    if token.type == "QUOTED":
        return texts.unquoted(token)
    return str(token)


def _interval(number: Token, unit: Token) -> timedelta:
    try:
        return times.interval(_whole_number(number, 1, 10**10), unit)
    except ValueError as error:
        raise mistake(number, str(error)) from error


def _moment(token: Token, plus: timedelta) -> datetime:
    try:
        moment = times.moment(token)
        _ = moment + plus
    except (ValueError, OverflowError) as error:
        raise mistake(token, f"{token} is not a date: {error}") from error
    return moment


def _whole_number(token: Token, least: int, most: int) -> int:
    if not token.isdecimal() or not least <= int(token[:20]) <= most:
        raise mistake(token, f"expected a whole number from {least} to {most}")
    return int(token)


def _number(token: Token) -> float:
    number = float(token)
    if not math.isfinite(number):
        raise mistake(token, f"{token} is too large a number")
    return number
