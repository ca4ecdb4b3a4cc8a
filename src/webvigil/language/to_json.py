"""A Sentinel in, plain data for JSON out. The form is a promise: programs read and write it.

    {"name": "s1",
     "target": {"url": "https://www.cnn.com/"},
     "monitor": {"and": [{"type": "all links"}, {"type": "phrase", "arguments": ["low risk"]}]},
     "fetch": {"every": 172800},
     "life": [{"from": {"at": "2026-12-02T00:00:00"}, "to": {"at": "now", "plus": 86400}}],
     "contacts": [{"channel": "email", "address": "jill@example.org"}],
     "notify": {"every": 345600}}

Intervals are in seconds, times in ISO 8601. Clauses that the user left out are left out. `from_json` is the
inverse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from webvigil.errors import MistakeInText
from webvigil.language.times import clock_text
from webvigil.model import sentinel as model
from webvigil.model.approach import Step
from webvigil.model.message import Message
from webvigil.model.request import request_as_json

if TYPE_CHECKING:
    from webvigil.model.shapes import MistakeShape

Plain = dict[str, Any]


def sentinel_as_json(one: model.Sentinel) -> Plain:
    return dict(_members(one))


def _members(one: model.Sentinel) -> Iterator[tuple[str, Any]]:
    """Yields a member for each field that is said. A single topic is `topic`, several are `topics`."""
    for name in (field.name for field in fields(one)):
        value = getattr(one, name)
        if name == "topics" and len(value) == 1:
            yield "topic", value[0]
        elif value is not None and value != ():
            yield name, _plain(value)


def _plain(value: Any) -> Any:
    """Returns the form of a value, which depends on its type alone: a further clause needs no line here,
    unless its values are of a new type."""
    for kind, form in _FORMS:
        if isinstance(value, kind):
            return form(value)
    raise TypeError(f"a clause has values of the type {type(value)}: add the type to _FORMS in {__name__}")


def mistake_as_json(mistake: MistakeInText) -> MistakeShape:
    return {
        "message": mistake.message,
        "line": mistake.line,
        "column": mistake.column,
        "word": mistake.word,
        "expected": list(mistake.expected),
        "suggestion": mistake.suggestion,
    }


def _target(target: model.Target) -> Plain:
    match target:
        case model.WebPage(url):
            return {"url": url}
        case model.FormPage(url, method, fields):
            return {"form": {"url": url, "method": method, "fields": [list(field) for field in fields]}}
        case model.RequestPage(url, request):
            return {"request": {"url": url, **request_as_json(request)}}
        case model.SentinelPages(name):
            return {"sentinel": name}
        case model.SeveralTargets(operator, targets):
            return {operator.lower(): [_target(one) for one in targets]}


def _expression(expression: model.ChangeExpression) -> Plain:
    match expression:
        case model.ChangeType(kind, arguments, option):
            return _without_blanks(type=kind, arguments=list(arguments), option=option)
        case model.Not(operand):
            return {"not": _expression(operand)}
        case model.And(operands):
            return {"and": [_expression(one) for one in operands]}
        case model.Or(operands):
            return {"or": [_expression(one) for one in operands]}


def _condition(condition: model.WhenCondition) -> Plain:
    match condition:
        case model.Condition(subject, operator, number, unit, text, upper, part):
            found = _without_blanks(subject=subject, operator=operator, unit=unit, text=text)
            numbers = {"number": number, "upper": upper}
            found |= {name: one for name, one in numbers.items() if one is not None}
            return found | ({"part": _part(part)} if part else {})
        case model.Becomes(operand):
            return {"becomes": _condition(operand)}
        case model.NotCondition(operand):
            return {"not": _condition(operand)}
        case model.AllConditions(operands):
            return {"and": [_condition(one) for one in operands]}
        case model.AnyCondition(operands):
            return {"or": [_condition(one) for one in operands]}


def _when(when: model.FetchWhen | model.NotifyWhen) -> Plain | str:
    match when:
        case model.FetchEvery(interval, hours):
            return {"every": _seconds(interval)} | _hours(hours)
        case model.FetchOnChange(hours):
            return {"on": "change"} | _hours(hours) if hours != model.ALWAYS else "on change"
        case model.FetchAt(minutes, days):
            return {"at": [clock_text(one) for one in minutes]} | _hours(model.Hours(days))
        case model.FetchCron(expression):
            return {"cron": expression}
        case model.NotifyEvery(interval):
            return {"every": _seconds(interval)}
        case model.NotifyEachChanges(count):
            return {"changes": count}
        case model.NotifyAt():
            return str(when)


def _hours(hours: model.Hours) -> Plain:
    spans = [[clock_text(one, model.MINUTES_OF_A_DAY) for one in span] for span in hours.between]
    return _without_blanks(days=[model.WEEKDAYS[day] for day in hours.days], between=spans)


def _span(span: model.LifeSpan) -> Plain:
    ends = {"from": span.start, "to": span.end}
    return {name: _point(point) for name, point in ends.items() if point is not None}


def _point(point: model.TimePoint) -> Plain:
    plus = {"plus": _seconds(point.plus)} if point.plus else {}
    if isinstance(point, model.AtEvent):
        return {"event": point.event, "sentinel": point.sentinel} | plus
    return {"at": point.time.isoformat() if point.time else "now"} | plus


def _part(part: model.Part) -> Plain:
    return {
        "by": part.by,
        "argument": list(part.argument) if isinstance(part.argument, tuple) else part.argument,
    }


def _step(step: Step) -> Plain:
    return {name: value for name, value in asdict(step).items() if value}


def _seconds(interval: timedelta) -> int | float:
    seconds = interval.total_seconds()
    return int(seconds) if seconds.is_integer() else seconds


def _without_blanks(**fields: Any) -> Plain:
    return {name: value for name, value in fields.items() if value not in ("", [])}


_FORMS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (model.Target, _target),
    (model.ChangeExpression, _expression),
    (model.WhenCondition, _condition),
    (model.FetchWhen | model.NotifyWhen, _when),
    (model.LifeSpan, _span),
    (model.Contact, lambda way: _without_blanks(channel=way.channel, address=way.address)),
    (model.Compare, lambda compare: {"how": compare.how, "n": compare.n}),
    (model.Part, _part),
    (Step, _step),
    (Message, lambda message: _without_blanks(title=message.title, body=message.body)),
    (timedelta, _seconds),
    (tuple, lambda values: [_plain(one) for one in values]),
    (str | int, lambda plain: plain),
)
