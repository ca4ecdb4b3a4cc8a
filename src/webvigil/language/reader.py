"""What the grammar recognised, as values. The methods are named after the rules of `sentinel.lark`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from lark import Token, Transformer

from webvigil.errors import MistakeInText
from webvigil.language import mistakes, names, texts, times
from webvigil.language.nesting import DEEPEST, depth
from webvigil.model import sentinel as model
from webvigil.model.change_types import KINDS, Takes
from webvigil.model.page import normal_url

LARGEST_COUNT = 1_000_000
LONGEST_URL = 8_000
_PLACE = re.compile(r'\{\s*(caption|css)\s+("(?:\\.|[^"\\\n])*")\s*\}', re.IGNORECASE)
_MARKDOWN = re.compile(r"\[.+\]\(mailto:(.+)\)")
_COMMENT = re.compile(r"\s--.*")
_SIGNS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}


class Clause(NamedTuple):
    """One clause: the field it fills, with what, the word it began with and what it is called."""

    field: str
    value: Any
    token: Token
    label: str


@dataclass(frozen=True, slots=True)
class Lacking(model.ChangeType):
    """A change type whose text has not been given (yet: WebCQ has it in `Sentinel Object`)."""

    token: Token = Token("", "")  # noqa: RUF009 - a token is a string


def _clause(field: str, value: Any, *words: Token) -> Clause:
    return Clause(field, value, words[0], " ".join(words))


class Reader(Transformer[Token, Any]):
    # --- the whole -------------------------------------------------------------------------------

    def using(self, children: list[Any]) -> model.Sentinel:
        _, word, name, using, target, *clauses = children
        return _sentinel(name, [_clause("target", target, using), *clauses], word)

    def as_clauses(self, children: list[Any]) -> model.Sentinel:
        _, word, name, _, *clauses = children
        return _sentinel(name, clauses, word)

    def alone(self, children: list[Any]) -> model.ChangeExpression:
        (expression,) = children
        if depth(expression) > DEEPEST:
            raise MistakeInText(_too_deep("the expression"))
        return _finished(expression, None)

    def name(self, children: list[Token]) -> str:
        return _name(children[0])

    # --- which pages -----------------------------------------------------------------------------

    def target_clause(self, children: list[Any]) -> Clause:
        *words, target = children
        return _clause("target", target, *words)

    def any_of_targets(self, children: list[Any]) -> model.Target:
        return model.SeveralTargets("OR", tuple(children))

    def all_of_targets(self, children: list[Any]) -> model.Target:
        return model.SeveralTargets("AND", tuple(children))

    def web_page(self, children: list[Token]) -> model.Target:
        return model.WebPage(_url(children[0]))

    def form_page(self, children: list[Token]) -> model.Target:
        found = {token.type: token for token in children}
        verb: Any = found.get("VERB", "GET").upper()
        fields = _fields(found["BRACED"]) if "BRACED" in found else ()
        return model.FormPage(_url(found["URL"]), verb, fields)

    def sentinel_pages(self, children: list[Any]) -> model.Target:
        return model.SentinelPages(children[-1])

    def title(self, children: list[Token]) -> Clause:
        *words, text = children
        return _clause("title", _text(text, _line if text.type == "LINE" else texts.unquoted), *words)

    # --- what counts as a change -----------------------------------------------------------------

    def monitor(self, children: list[Any]) -> Clause:
        *words, expression = children
        return _clause("monitor", expression, *words)

    def described(self, children: list[Token]) -> Clause:
        *words, text = children
        return _clause("described", text, *words)

    def any_of_changes(self, children: list[Any]) -> model.ChangeExpression:
        return model.Or(tuple(children))

    def all_of_changes(self, children: list[Any]) -> model.ChangeExpression:
        return model.And(tuple(children))

    def no_change(self, children: list[Any]) -> model.ChangeExpression:
        return model.Not(children[0])

    def any_change(self, children: list[Token]) -> model.ChangeType:
        return model.ChangeType("any change")

    def exact_change(self, children: list[Token]) -> model.ChangeType:
        return model.ChangeType("exact change")

    def all_links(self, children: list[Token]) -> model.ChangeType:
        return model.ChangeType("all links")

    def all_images(self, children: list[Token]) -> model.ChangeType:
        return model.ChangeType("all images", (), _option(children, "CONTENT"))

    def all_words(self, children: list[Token]) -> model.ChangeType:
        words = _given(children)
        return model.ChangeType(
            "all words", _several(words, texts.words) if words else (), "except" if words else ""
        )

    def keywords(self, children: list[Token]) -> model.ChangeType:
        words, turn = _given(children), _option(children, "APPEAR", "DISAPPEAR")
        if words is None:
            return Lacking("keywords", token=children[0])
        return model.ChangeType("keywords", _several(words, texts.items), f"all {turn}" if turn else "")

    def phrase(self, children: list[Token]) -> model.ChangeType:
        text = _given(children)
        if text is None:
            return Lacking("phrase", token=children[0])
        return model.ChangeType("phrase", _several(text, texts.phrases))

    def table(self, children: list[Token]) -> model.ChangeType:
        return _placed("table", children)

    def a_list(self, children: list[Token]) -> model.ChangeType:
        return _placed("list", children)

    def regular_expression(self, children: list[Token]) -> model.ChangeType:
        text = _given(children)
        option = f"in {children[-1].lower()}" if _option(children, "IN") else ""
        if text is None:
            return Lacking("regular expression", (), option, children[0])
        return model.ChangeType("regular expression", (_text(text, texts.pattern),), option)

    def aspect(self, children: list[Token]) -> model.ChangeType:
        return model.ChangeType(children[0].lower())

    def value(self, children: list[Token]) -> model.ChangeType:
        _, by, text = children
        return model.ChangeType("value", (_text(text, texts.pattern),), by.lower())

    # --- when to look, and for how long ----------------------------------------------------------

    def fetch(self, children: list[Any]) -> Clause:
        word, when = children
        return _clause("fetch", when, word)

    def fetch_when(self, children: list[Any]) -> model.FetchWhen:
        last = children[-1]
        return model.FetchEvery(last) if isinstance(last, timedelta) else model.FetchOnChange()

    def trigger(self, children: list[Any]) -> list[Clause]:
        first, second, *parts = children
        return [
            _clause("fetch" if isinstance(part, model.FetchWhen) else "when", part, first, second)
            for part in parts
        ]

    def interval(self, children: list[Token]) -> timedelta:
        pairs = zip(children[::2], children[1::2], strict=True)
        length = sum(
            (times.interval(_count(number, 1, 10**10), unit) for number, unit in pairs), timedelta(0)
        )
        if length > times.LONGEST:
            raise mistakes.at(children[0], "an interval lasts at most 100 years")
        return length

    def life(self, children: list[Any]) -> Clause:
        spans = tuple(span for span, _ in children)
        return _clause("life", spans, children[0][1])

    def span(self, children: list[Any]) -> tuple[model.LifeSpan, Token]:
        ends = {
            word.type: _end(word, point) for word, point in zip(children[::2], children[1::2], strict=True)
        }
        return model.LifeSpan(ends.get("FROM"), ends.get("TO")), children[0]

    def start_condition(self, children: list[Any]) -> Clause:
        *words, point = children
        return _clause("life", (model.LifeSpan(start=_end(words[0], point)),), *words)

    def stop_condition(self, children: list[Any]) -> Clause:
        *words, point = children
        return _clause("life", (model.LifeSpan(end=_end(words[0], point)),), *words)

    def point(self, children: list[Any]) -> model.TimePoint:
        word, *rest = children
        plus = rest.pop() if rest and isinstance(rest[-1], timedelta) else timedelta(0)
        if word.type in {"NOW", "DATE"}:
            return model.AtTime(_moment(word, plus) if word.type == "DATE" else None, plus)
        if word.type == "DURING" and plus:
            raise mistakes.at(
                word, "during(…) means now, while that sentinel is active; it takes no + interval"
            )
        return model.AtEvent(word.lower(), rest[0], plus)

    # --- whom to tell, and how often -------------------------------------------------------------

    def notify(self, children: list[Any]) -> Clause:
        first, second, *contacts = children
        return _clause("contacts", tuple(contacts), first, second)

    def contact(self, children: list[Token]) -> model.Contact:
        channel, *address = children
        if channel.type == "CHANNEL":
            return model.Contact(channel.lower(), _contact_address(address[0]) if address else "")
        if "://" not in channel and "@" not in channel:
            raise mistakes.at(
                channel, f"say how to reach {mistakes.shown(channel)}, for example: sms {channel}"
            )
        return model.Contact("webhook" if "://" in channel else "email", _contact_address(channel))

    def every(self, children: list[Any]) -> Clause:
        *words, when = children
        return _clause("notify", when, *words)

    def every_when(self, children: list[Any]) -> model.NotifyWhen:
        first = children[0]
        if isinstance(first, timedelta):
            return model.NotifyEvery(first)
        if first.type == "NUMBER":
            return model.NotifyEachChanges(_count(first, 1, LARGEST_COUNT))
        return _NOTIFY_AT[first.type]

    # --- what to compare, and when it is worth telling -------------------------------------------

    def compare(self, children: list[Any]) -> Clause:
        word, how, *n = children
        least = 2 if how.type == "MOVING" else 1
        return _clause(
            "compare", model.Compare(how.lower(), _count(n[0], least, LARGEST_COUNT) if n else 1), word
        )

    def within(self, children: list[Any]) -> Clause:
        word, *parts = children
        return _clause("within", tuple(parts), word)

    def ignore(self, children: list[Any]) -> Clause:
        word, *parts = children
        return _clause("ignore", tuple(parts), word)

    def part(self, children: list[Token]) -> model.Part:
        by, text = children[0], children[-1]
        if by.type == "WORDS":
            return model.Part("words", _several(text, texts.words))
        kind: Any = "regex" if by.type == "SLASHED" else by.lower()
        return model.Part(kind, _text(text, texts.pattern))

    def when(self, children: list[Any]) -> Clause:
        word, condition = children
        return _clause("when", condition, word)

    def any_condition(self, children: list[Any]) -> model.WhenCondition:
        return model.AnyCondition(tuple(children))

    def all_conditions(self, children: list[Any]) -> model.WhenCondition:
        return model.AllConditions(tuple(children))

    def no_condition(self, children: list[Any]) -> model.WhenCondition:
        return model.NotCondition(children[0])

    def comparison(self, children: list[Token]) -> model.WhenCondition:
        subject, operator, number, *percent = children
        sign = _SIGNS.get(operator, operator.lower())
        return model.Condition(subject.lower(), sign, _number(number), "%" if percent else "")

    def appearance(self, children: list[Token]) -> model.WhenCondition:
        word, text = children
        return model.Condition(word.lower(), text=_text(text, texts.whole))

    # --- the rest --------------------------------------------------------------------------------

    def depth(self, children: list[Token]) -> Clause:
        word, number = children
        return _clause("depth", _count(number, 0, 2), word)

    def render(self, children: list[Token]) -> Clause:
        word, engine = children
        return _clause("render", engine.lower(), word)

    def topic(self, children: list[Token]) -> Clause:
        word, topic = children
        return _clause("topic", _name(topic), word)

    def priority(self, children: list[Token]) -> Clause:
        word, number = children
        return _clause("priority", _count(number, 0, LARGEST_COUNT), word)

    def present(self, children: list[Token]) -> Clause:
        word, look = children
        return _clause("present", look.lower(), word)


_NOTIFY_AT = {
    "IMMEDIATE": model.NotifyAt.IMMEDIATE,
    "EFFORT": model.NotifyAt.BEST_EFFORT,
    "INTERACTIVE": model.NotifyAt.INTERACTIVE,
}

# --- putting a sentinel together ------------------------------------------------------------------


def _sentinel(name: str, clauses: list[Any], word: Token) -> model.Sentinel:
    found = _collected(clauses)
    target, described = found.pop("target", None), found.pop("described", None)
    if target is None:
        raise mistakes.at(word, f"the sentinel {name} has no page; add Sentinel Target https://…")
    fields = {field: clause.value for field, clause in found.items()}
    if "monitor" in fields:
        fields["monitor"] = _finished(fields["monitor"], described)
    elif described:
        raise mistakes.at(described.token, f"{described.label} needs a Sentinel Type")
    return model.Sentinel(name=name, target=target.value, **fields)


def _collected(clauses: list[Any]) -> dict[str, Clause]:
    found: dict[str, Clause] = {}
    for clause in _flat(clauses):
        earlier = found.get(clause.field)
        if earlier and clause.field != "life":
            raise mistakes.at(clause.token, _again(earlier.label, clause.label))
        if clause.field in _NESTED and depth(clause.value) > DEEPEST:
            raise mistakes.at(clause.token, _too_deep(clause.label))
        found[clause.field] = _with_life(earlier, clause) if earlier else clause
    return found


_NESTED = {"target", "monitor", "when"}


def _flat(clauses: list[Any]) -> Iterator[Clause]:
    for one in clauses:
        yield from one if isinstance(one, list) else [one]


def _again(earlier: str, label: str) -> str:
    if earlier.lower() == label.lower():
        return f"{label} is given twice; keep one"
    return f"{label} says again what {earlier} has said; keep one"


def _too_deep(what: str) -> str:
    return f"{what} is nested more than {DEEPEST} levels deep"


def _with_life(earlier: Clause, clause: Clause) -> Clause:
    """A `To` of its own closes the span that has no end yet, a `From` opens the one without a start."""
    *spans, last = earlier.value
    span, *more = clause.value
    if not more and span.start is None and last.end is None:
        return clause._replace(value=(*spans, replace(last, end=span.end)))
    if not more and span.end is None and last.start is None:
        return clause._replace(value=(*spans, replace(last, start=span.start)))
    return clause._replace(value=(*earlier.value, *clause.value))


def _finished(expression: model.ChangeExpression, described: Clause | None) -> model.ChangeExpression:
    """The expression with `Sentinel Object` put where a text is lacking."""
    lacking = list(_lacking(expression))
    if not lacking and described and expression != model.ChangeType(getattr(expression, "kind", "")):
        raise mistakes.at(
            described.token, f"{described.label} has nothing to say here: the change type has its text"
        )
    if not lacking:
        return expression
    if described is None or len(lacking) > 1:
        raise mistakes.at(lacking[-1].token, _lacking_text(lacking[-1]))
    return _filled(expression, _described(lacking[0], described.value))


def _lacking(expression: model.ChangeExpression) -> Iterator[Lacking]:
    match expression:
        case Lacking():
            yield expression
        case model.Not(operand):
            yield from _lacking(operand)
        case model.And(operands) | model.Or(operands):
            for one in operands:
                yield from _lacking(one)


def _filled(expression: model.ChangeExpression, full: model.ChangeType) -> model.ChangeExpression:
    match expression:
        case Lacking():
            return full
        case model.Not(operand):
            return model.Not(_filled(operand, full))
        case model.And(operands) | model.Or(operands):
            return replace(expression, operands=tuple(_filled(one, full) for one in operands))
    return expression


def _lacking_text(lacking: Lacking) -> str:
    example = _EXAMPLES[KINDS[lacking.kind].takes]
    return f"{lacking.kind} needs a text in braces, for example {lacking.kind}: {{{example}}}"


_EXAMPLES = {
    Takes.WORDS: "merger, takeover",
    Takes.PHRASES: "low risk growth",
    Takes.PLACE: "Opening hours",
    Takes.PATTERN: r"EUR \d+",
}


def _described(lacking: Lacking, text: Token) -> model.ChangeType:
    in_line = text.type == "LINE"
    match KINDS[lacking.kind].takes:
        case Takes.WORDS:
            arguments = _several(text, _line_items if in_line else texts.items)
        case Takes.PATTERN:
            arguments = (_text(text, _line if in_line else texts.pattern),)
        case Takes.PLACE if not in_line:
            return _place(lacking.kind, text)
        case _:
            arguments = (_text(text, _line if in_line else texts.whole),)
    return model.ChangeType(lacking.kind, arguments, lacking.option)


# --- tokens as values -----------------------------------------------------------------------------


def _given(children: list[Token]) -> Token | None:
    """The text that a change type or part has been given."""
    return next((one for one in children if one.type in {"QUOTED", "BRACED", "SLASHED"}), None)


def _option(children: list[Token], *types: str) -> str:
    return next((one.lower() for one in children if one.type in types), "")


def _text(token: Token, reading: Callable[[str], str]) -> str:
    (text,) = _several(token, lambda inside: (reading(inside),))
    return text


def _several(token: Token, reading: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    found = reading(token)
    if not found or not all(one.strip() for one in found):
        raise mistakes.at(token, f"{mistakes.shown(token)} holds an empty text")
    if any(texts.IMPOSSIBLE.search(one) for one in found):
        raise mistakes.at(token, r"\u0000 and halves of characters (\ud800 to \udfff) cannot stand in a text")
    return found


def _line(text: str) -> str:
    """The rest of a line, without a comment and without quotes of whatever kind."""
    return _COMMENT.sub("", text).strip().strip("'\"‘’“”").strip()


def _line_items(text: str) -> tuple[str, ...]:
    return tuple(_line(one) for one in _line(text).split(",") if _line(one))


def _name(token: Token) -> str:
    name = names.normal(texts.unquoted(token) if token.type == "QUOTED" else token)
    if trouble := names.trouble_with(name):
        raise mistakes.at(token, trouble)
    return name


def _placed(kind: str, children: list[Token]) -> model.ChangeType:
    text, option = _given(children), _option(children, "CAPTION", "CSS")
    if text is None:
        return Lacking(kind, token=children[0])
    return model.ChangeType(kind, (_text(text, texts.whole),), option) if option else _place(kind, text)


def _place(kind: str, text: Token) -> model.ChangeType:
    """A text, a number, or inside the braces `caption "…"` and `css "…"`."""
    if match := _PLACE.fullmatch(text):
        return model.ChangeType(kind, (_text(text, lambda _: texts.unquoted(match[2])),), match[1].lower())
    return model.ChangeType(kind, (_text(text, texts.whole),))


def _url(token: Token) -> str:
    url = token[1:-1] if token.startswith("<") else str(token)
    try:
        normal_url(url[: LONGEST_URL + 1])
    except ValueError as error:
        raise mistakes.at(token, _short_reason(error, url)) from error
    if len(url) > LONGEST_URL:
        raise mistakes.at(token, f"a web address has at most {LONGEST_URL} characters, this one {len(url)}")
    return url


def _short_reason(error: ValueError, url: str) -> str:
    return str(error).replace(repr(url), mistakes.shown(url))


def _fields(token: Token) -> tuple[tuple[str, str], ...]:
    try:
        fields = texts.fields(token)
    except ValueError as error:
        raise mistakes.at(token, str(error)) from error
    _several(token, lambda _: ("fields", *(name + value for name, value in fields if name + value)))
    return fields


def _contact_address(token: Token) -> str:
    if token.type == "QUOTED":
        return _text(token, texts.unquoted)
    match = _MARKDOWN.fullmatch(token)
    return match[1] if match else str(token)


def _moment(token: Token, plus: timedelta) -> datetime:
    try:
        moment = times.moment(token)
        times.later(moment, plus)
    except ValueError as error:
        raise mistakes.at(token, f"{mistakes.shown(token)} is not a date: {error}") from error
    return moment


def _end(word: Token, point: model.TimePoint) -> model.TimePoint:
    if word.type in {"TO", "STOP"} and isinstance(point, model.AtEvent) and point.event == "during":
        raise mistakes.at(word, f"during(…) can only begin a life span; use {word} end({point.sentinel})")
    return point


def _count(token: Token, least: int, most: int) -> int:
    if not token.isdecimal() or len(token) > 20 or not least <= int(token) <= most:
        raise mistakes.at(
            token, f"expected a whole number from {least} to {most}, but found {mistakes.shown(token)}"
        )
    return int(token)


def _number(token: Token) -> float:
    number = float(token)
    if not math.isfinite(number):
        raise mistakes.at(token, f"{mistakes.shown(token)} is too large")
    return number
