"""The one canonical text of a sentinel: reading it gives the same sentinel again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from webvigil.errors import SentinelRefused
from webvigil.language import texts, times
from webvigil.model import sentinel as model


def print_sentinel(sentinel: model.Sentinel) -> str:
    """One clause per line, in the order of the reference, ending with a new line."""
    try:
        return "\n  ".join(_clauses(sentinel)) + "\n"
    except ValueError as error:
        raise SentinelRefused(f"the sentinel {sentinel.name} cannot be written: {error}") from error


def print_expression(expression: model.ChangeExpression) -> str:
    return _expression(expression)


def print_change_type(change: model.ChangeType) -> str:
    first = change.arguments[0] if change.arguments else ""
    match change:
        case model.ChangeType("all words", arguments, "except"):
            return f"all words except {texts.in_braces(arguments, texts.words)}"
        case model.ChangeType("keywords", arguments, ""):
            return f"keywords: {texts.in_braces(arguments)}"
        case model.ChangeType("keywords", arguments, option):
            every, turn = option.split()
            return f"keywords {every} {texts.in_braces(arguments)} {turn}"
        case model.ChangeType("phrase", arguments):
            return f"phrase: {texts.phrases_in_braces(arguments)}"
        case model.ChangeType("table" | "list", _, ""):
            return f"{change.kind}: {texts.whole_in_braces(first)}"
        case model.ChangeType("table" | "list", _, option):
            return f"{change.kind}: {{{option} {texts.quoted(first)}}}"
        case model.ChangeType("regular expression", _, option):
            return f"regular expression: {texts.pattern_in_braces(first)}" + (f" {option}" if option else "")
        case model.ChangeType("value", _, option):
            return f"value {option} {texts.quoted(first)}"
    return f"{change.kind} {change.option}".strip()


def _clauses(one: model.Sentinel) -> Iterator[str]:
    yield f"Create Sentinel {_name(one.name)} Using {_target(one.target)}"
    if one.title is not None:
        yield f"Title {texts.quoted(one.title)}"
    if one.monitor is not None:
        yield f"Monitor {_expression(one.monitor)}"
    if one.within:
        yield "Within " + ", ".join(map(_part, one.within))
    if one.ignore:
        yield "Ignore " + ", ".join(map(_part, one.ignore))
    if one.when is not None:
        yield f"When {_condition(one.when)}"
    if one.fetch is not None:
        yield f"Fetch {_fetch(one.fetch)}"
    if one.life:
        yield ", ".join(map(_span, one.life))
    if one.contacts:
        yield "Notify By " + ", ".join(map(_contact, one.contacts))
    if one.notify is not None:
        yield f"Every {_notify(one.notify)}"
    if one.compare is not None:
        yield f"Compare {_compare(one.compare)}"
    yield from _rest(one)


def _rest(one: model.Sentinel) -> Iterator[str]:
    rest = {"Depth": one.depth, "Render": one.render, "Topic": one.topic, "Priority": one.priority}
    for word, value in (rest | {"Present": one.present}).items():
        if value is not None:
            yield f"{word} {_name(value) if word == 'Topic' else value}"  # type: ignore[arg-type]


def _name(name: str) -> str:
    return name if texts.NAME.fullmatch(name) else texts.quoted(name)


def _target(target: model.Target) -> str:
    match target:
        case model.WebPage(url):
            return _url(url)
        case model.FormPage(url, method, fields):
            return f"form {method} {_url(url)}" + (f" {texts.fields_in_braces(fields)}" if fields else "")
        case model.SentinelPages(name):
            return f"sentinel {_name(name)}"
        case model.SeveralTargets(operator, targets):
            return _joined(operator, targets, _target, (model.SeveralTargets,))


def _url(url: str) -> str:
    return url if texts.URL.fullmatch(url) else f"<{url}>"


def _expression(expression: model.ChangeExpression) -> str:
    match expression:
        case model.Not(operand):
            return "NOT " + _in_parentheses(operand, _expression, (model.And, model.Or))
        case model.And(operands):
            return _joined("AND", operands, _expression, (model.And, model.Or))
        case model.Or(operands):
            return _joined("OR", operands, _expression, (model.Or,))
        case model.ChangeType():
            return print_change_type(expression)


def _condition(condition: model.WhenCondition) -> str:
    match condition:
        case model.NotCondition(operand):
            return "NOT " + _in_parentheses(operand, _condition, (model.AllConditions, model.AnyCondition))
        case model.AllConditions(operands):
            return _joined("AND", operands, _condition, (model.AllConditions, model.AnyCondition))
        case model.AnyCondition(operands):
            return _joined("OR", operands, _condition, (model.AnyCondition,))
        case model.Condition("appears" | "disappears" as subject, text=text):
            return f"{subject} {texts.quoted(text)}"
        case model.Condition(subject, operator, number, unit):
            return f"{subject} {operator} {_number(number or 0.0)}{unit}"


def _number(number: float) -> str:
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _joined(operator, operands, printed, groups):
    if len(operands) < 2:
        raise ValueError(f"{operator} joins at least two")
    return f" {operator} ".join(_in_parentheses(one, printed, groups) for one in operands)


def _in_parentheses(one, printed, groups):
    return f"({printed(one)})" if isinstance(one, groups) else printed(one)


def _part(part: model.Part) -> str:
    if isinstance(part.argument, tuple):
        return f"words {texts.in_braces(part.argument, texts.words)}"
    if part.by == "regex":
        return texts.in_slashes(part.argument)
    return f"{part.by} {texts.quoted(part.argument)}"


def _fetch(when: model.FetchWhen) -> str:
    return times.interval_text(when.interval) if isinstance(when, model.FetchEvery) else "on change"


def _span(span: model.LifeSpan) -> str:
    start = f"From {_point(span.start)}" if span.start else ""
    end = f"To {_point(span.end)}" if span.end else ""
    return f"{start} {end}".strip()


def _point(point: model.TimePoint) -> str:
    if isinstance(point, model.AtEvent):
        at = f"{point.event}({_name(point.sentinel)})"
    else:
        at = "Now" if point.time is None else times.moment_text(point.time)
    return at + (f" + {times.interval_text(point.plus)}" if point.plus else "")


def _contact(contact: model.Contact) -> str:
    if not contact.address:
        return contact.channel
    plain = texts.ADDRESS.fullmatch(contact.address)
    return f"{contact.channel} {contact.address if plain else texts.quoted(contact.address)}"


def _notify(when: model.NotifyWhen) -> str:
    match when:
        case model.NotifyEvery(interval):
            return times.interval_text(interval)
        case model.NotifyEachChanges(count):
            return f"{count} changes"
    return str(when)


def _compare(compare: model.Compare) -> str:
    return "pairwise" if compare.how == "pairwise" else f"{compare.how} {compare.n}"
