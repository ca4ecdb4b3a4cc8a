"""A Sentinel in, its canonical text out. Reading the text gives the same sentinel again.

A value that no text can express (an unknown change type, an empty phrase, half a second) is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any, TypeVar

from webvigil.errors import SentinelRefused
from webvigil.language import change_types, names, requests, stepping, texts, times
from webvigil.language.nesting import DEEPEST, depth
from webvigil.language.parser import LONGEST, terminal
from webvigil.language.tokens import LARGEST_COUNT, LONGEST_URL
from webvigil.model import sentinel as model
from webvigil.model.approach import MOST_STEPS, Step
from webvigil.model.change_types import trouble_with
from webvigil.model.message import Message
from webvigil.model.message import trouble_with as trouble_with_message
from webvigil.model.page import normal_url
from webvigil.model.short_text import short_text
from webvigil.model.topics import LONGEST_TOGETHER, topics_in, topics_text

T = TypeVar("T")
Ordered = TypeVar("Ordered", int, tuple[int, int])

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "=", "!="})
_AMOUNTS = frozenset({"changed", "inserted", "deleted", "updated", "moved", "score"})
_MOVES = frozenset({"drops", "rises", "moves"})
_PARTS = {"words": "a list of words", "main": "no text"} | dict.fromkeys(
    ("css", "xpath", "json", "regex"), "one text"
)
_SHOWN = 80  # characters of a value that a message shows


def print_sentinel(sentinel: model.Sentinel) -> str:
    """Returns the text with one clause per line, in the order of the reference, and a line break at the end.
    Raises SentinelRefused if the sentinel cannot be written."""
    try:
        text = "\n".join(_clauses(sentinel)) + "\n"
    except ValueError as error:
        raise SentinelRefused(f"the sentinel {sentinel.name[:100]!r} cannot be written: {error}") from error
    if len(text) > LONGEST:
        raise SentinelRefused(
            f"the sentinel {sentinel.name[:100]!r} cannot be written: it has more than {LONGEST:,} characters"
        )
    return text


def print_expression(expression: model.ChangeExpression) -> str:
    try:
        return _expression(_not_too_deep(expression))
    except ValueError as error:
        raise SentinelRefused(f"the change expression cannot be written: {error}") from error


def print_steps(steps: Iterable[Step]) -> str:
    """Returns the steps, one on a line. Raises SentinelRefused for a step that cannot be written."""
    try:
        return "\n".join(map(stepping.print_step, steps))
    except ValueError as error:
        raise SentinelRefused(f"the step cannot be written: {error}") from error


# --- the clauses ----------------------------------------------------------------------------------


def _clauses(one: model.Sentinel) -> Iterator[str]:
    yield f"Create Sentinel {_name(one.name)} Using {_target(_not_too_deep(one.target))}"
    if one.title is not None:
        yield f"Title {texts.quoted(_text(one.title))}"
    if one.monitor is not None:
        yield f"Monitor {_expression(_not_too_deep(one.monitor))}"
    if one.within:
        yield "Within " + ", ".join(map(_part, one.within))
    if one.ignore:
        yield "Ignore " + ", ".join(map(_part, one.ignore))
    yield from _quiet(one)
    if one.when is not None:
        yield f"When {_condition(_not_too_deep(one.when))}"
    yield from _times_and_contacts(one)
    yield from _rest(one)


def _quiet(one: model.Sentinel) -> Iterator[str]:
    if one.quiet is not None:
        parts = " except " + ", ".join(map(_part, one.loud)) if one.loud else ""
        yield f"Quiet {_one_of(one.quiet, 'on', *([] if parts else ['off']))}{parts}"
    elif one.loud:
        raise ValueError("parts are excepted from Quiet on, and it is not said")
    if one.only is not None:
        yield f"Only {_one_of(one.only, 'new')}"


def _times_and_contacts(one: model.Sentinel) -> Iterator[str]:
    if one.fetch is not None:
        yield f"Fetch {_fetch(one.fetch)}"
    if one.life:
        yield ", ".join(map(_span, one.life))
    contacts = "Notify By " + ", ".join(map(_contact, one.contacts)) if one.contacts else ""
    every = f"Every {_notify(one.notify)}" if one.notify is not None else ""
    if contacts or every:
        yield f"{contacts} {every}".strip()
    if one.compare is not None:
        yield f"Compare {_compare(one.compare)}"


def _rest(one: model.Sentinel) -> Iterator[str]:
    if one.depth is not None:
        yield f"Depth {_count(one.depth, 0, 2)}"
    if one.steps:
        yield f"Steps {_steps(one.steps)}"
    if one.render is not None:
        waiting = f" wait {stepping.print_wait(one.wait)}" if one.wait else ""
        yield f"Render {_one_of(one.render, *([] if waiting else ['http']), 'browser')}{waiting}"
    elif one.wait:
        raise ValueError("only Render browser waits, and it is not said")
    yield from _approach(one)
    if one.topics:
        yield f"Topic {_topics(one.topics)}"
    if one.message is not None:
        yield f"Message {_message(one.message)}"
    if one.summary is not None:
        yield f"Summary {_one_of(one.summary, 'on', 'off')}"
    if one.priority is not None:
        yield f"Priority {_count(one.priority, 0, LARGEST_COUNT)}"
    if one.present is not None:
        yield f"Present {_one_of(one.present, 'dual', 'single', 'only', 'auto')}"


def _steps(steps: tuple[Step, ...]) -> str:
    if len(steps) > MOST_STEPS:
        raise ValueError(f"it has more than {MOST_STEPS} steps")
    return ",\n  ".join(map(stepping.print_step, steps))


def _topics(topics: tuple[str, ...]) -> str:
    together = topics_text(topics)
    if len(together) > LONGEST_TOGETHER:
        raise ValueError(f"topics have at most {LONGEST_TOGETHER} letters together")
    if topics_in(together) != topics:
        raise ValueError("a topic has a comma in it, or stands there twice")
    return topics_text(map(_name, topics))


def _message(message: Message) -> str:
    if trouble := trouble_with_message(message):
        raise ValueError(trouble)
    said = {"title": message.title, "body": message.body}
    return " ".join(f"{name} {texts.quoted(_text(text))}" for name, text in said.items() if text)


def _approach(one: model.Sentinel) -> Iterator[str]:
    if one.through is not None:
        yield f"Through {_name(one.through)}"
    if one.agent is not None:
        if trouble := stepping.trouble_with_agent(one.agent):
            raise ValueError(trouble)
        yield f"Agent {texts.quoted(_text(one.agent))}"
    if one.timeout is not None:
        yield f"Timeout {times.interval_text(one.timeout)}"


# --- which pages ----------------------------------------------------------------------------------


def _target(target: model.Target) -> str:
    match target:
        case model.WebPage(url):
            return _url(url)
        case model.FormPage(url, method, fields):
            form = f"form {_one_of(method, 'GET', 'POST', 'MULTIPART', 'FILL')} {_url(url)}"
            return f"{form} {_fields(fields)}" if fields else form
        case model.RequestPage(url, request):
            return requests.print_request(request, _url(url))
        case model.SentinelPages(name):
            return f"sentinel {_name(name)}"
        case model.SeveralTargets(operator, targets):
            return _joined(_one_of(operator, "AND", "OR"), targets, _target, (model.SeveralTargets,))


def _url(url: str) -> str:
    if len(url) > LONGEST_URL or texts.HIDDEN.search(url) or re.search(r"[\s<>]", url):
        raise ValueError("an address is too long or has a character that must be written as %…")
    normal_url(url)
    return url if terminal("URL").fullmatch(url) else f"<{url}>"


def _fields(fields: tuple[tuple[str, str], ...]) -> str:
    if any(texts.IMPOSSIBLE.search(side) for field in fields for side in field):
        raise ValueError("a field of the form has a character that cannot be written")
    return texts.fields_in_braces(fields)


# --- what counts as a change ----------------------------------------------------------------------


def _expression(expression: model.ChangeExpression) -> str:
    match expression:
        case model.Not(operand):
            return "NOT " + _grouped(operand, _expression, (model.And, model.Or))
        case model.And(operands):
            return _joined("AND", operands, _expression, (model.And, model.Or))
        case model.Or(operands):
            return _joined("OR", operands, _expression, (model.Or,))
        case model.ChangeType():
            return _change_type(expression)


def _change_type(change: model.ChangeType) -> str:
    if trouble := trouble_with(change):
        raise ValueError(trouble)
    for text in change.arguments:
        _text(text)
    return change_types.print_change_type(change)


def _part(part: model.Part) -> str:
    match part:
        case model.MAIN:
            return "main"
        case model.Part("words", (_, *_) as words) if isinstance(words, tuple):
            return f"words {texts.words_in_braces(tuple(map(_text, words)))}"
        case model.Part("regex", str(pattern)):
            return texts.pattern_in_slashes(_text(pattern))
        case model.Part("css" | "xpath" | "json", str(selector)):
            return f"{part.by} {texts.quoted(_text(selector))}"
    if part.by in _PARTS:
        raise ValueError(f"the part {part.by} takes {_PARTS[part.by]}")
    raise ValueError(f"there is no part {short_text(part.by, _SHOWN)!r}")


# --- when it is worth telling ---------------------------------------------------------------------


def _condition(condition: model.WhenCondition) -> str:
    match condition:
        case model.NotCondition(operand):
            return "NOT " + _grouped(operand, _condition, (model.AllConditions, model.AnyCondition))
        case model.AllConditions(operands):
            return _joined("AND", operands, _condition, (model.AllConditions, model.AnyCondition))
        case model.AnyCondition(operands):
            return _joined("OR", operands, _condition, (model.AnyCondition,))
        case model.Becomes(operand):
            if trouble := model.no_state(operand):
                raise ValueError(trouble)
            return "becomes " + _grouped(operand, _condition, (model.AllConditions, model.AnyCondition))
        case model.Condition():
            return _single_condition(condition)


def _single_condition(condition: model.Condition) -> str:
    """Returns the text of one condition, with the part that it is about."""
    if trouble := model.no_part(condition):
        raise ValueError(trouble)
    part = f" in {_part(condition.part)}" if condition.part else ""
    return _said_of_all(replace(condition, part=None)) + part


def _question(text: str) -> str:
    if trouble := model.no_question(text):
        raise ValueError(trouble)
    return texts.quoted(_text(text))


def _said_of_all(condition: model.Condition) -> str:
    match condition:
        case model.Condition("in stock" | "out of stock", "", None, "", "", None):
            return condition.subject
        case model.Condition(subject, "between", int() | float() as number, "", "", int() | float() as upper):
            if subject not in ("value", "price", "status") or number > upper:
                raise ValueError(f"there is no {subject} between {number} and {upper}")
            return f"{subject} between {_number(number)} and {_number(upper)}"
        case model.Condition("means", "", None, "", text, None):
            return f"means {_question(text)}"
        case model.Condition("contains", "matches", None, "", text, None):
            return f"contains {texts.pattern_in_slashes(_text(text))}"
        case model.Condition("appears" | "disappears" | "contains", "", None, "", text, None):
            return f"{condition.subject} {texts.quoted(_text(text))}"
        case model.Condition("appears" | "disappears", "matches", None, "", text, None):
            return f"{condition.subject} {texts.pattern_in_slashes(_text(text))}"
        case model.Condition(subject, operator, int() | float() as number, "" | "%" as unit, "", None):
            if operator in _operators(subject):
                return f"{subject} {operator} {_number(number)}{unit}"
    raise ValueError(f"there is no condition {short_text(_given(condition), _SHOWN)!r}")


def _given(condition: model.Condition) -> str:
    """Returns the members of a condition that no text can express, in the order of the language."""
    number, upper = ("" if one is None else f"{one}" for one in (condition.number, condition.upper))
    words = condition.subject, condition.operator, number + condition.unit, upper, condition.text
    return " ".join(filter(None, words))


def _operators(subject: str) -> frozenset[str]:
    if subject in ("value", "price"):
        return _COMPARISONS | _MOVES
    return _COMPARISONS if subject in _AMOUNTS or subject == "status" else frozenset()


def _number(number: float) -> str:
    number = float(number)
    if not math.isfinite(number):
        raise ValueError(f"{number} is no number to compare with")
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


# --- when to look, for how long, whom to tell -----------------------------------------------------


def _fetch(when: model.FetchWhen) -> str:
    match when:
        case model.FetchEvery(interval, hours):
            return times.interval_text(interval) + _hours(hours)
        case model.FetchOnChange(hours):
            return "on change" + _hours(hours)
        case model.FetchAt(minutes, days):
            if not minutes:
                raise ValueError("Fetch at names no time")
            return f"at {', '.join(map(times.clock_text, _in_order(minutes)))}{_days(days)}"
        case model.FetchCron(expression):
            if expression != " ".join(expression.split()):
                raise ValueError("a cron expression has single spaces")
            return f"cron {texts.quoted(_text(expression))}"


def _hours(hours: model.Hours) -> str:
    spans = [_between(*span) for span in _in_order(hours.between)]
    return _days(hours.days) + (f" {', '.join(spans)}" if spans else "")


def _between(start: int, end: int) -> str:
    if start == end or start == model.MINUTES_OF_A_DAY:
        raise ValueError(f"there is no time between the minutes {start} and {end} of a day")
    return f"between {times.clock_text(start)} and {times.clock_text(end, model.MINUTES_OF_A_DAY)}"


def _days(days: tuple[int, ...]) -> str:
    if not days:
        return ""
    if len(days) == len(model.WEEKDAYS):
        raise ValueError("all days of the week are the same as none: leave them out")
    if not all(0 <= day < len(model.WEEKDAYS) for day in _in_order(days)):
        raise ValueError("a day is a number from 0 (Monday) to 6 (Sunday)")
    short = {(0, 1, 2, 3, 4): "weekdays", (5, 6): "weekends"}
    return f" on {short.get(days) or ', '.join(model.WEEKDAYS[day] for day in days)}"


def _in_order(values: tuple[Ordered, ...]) -> tuple[Ordered, ...]:
    """Returns the values. Raises ValueError unless they are sorted and each stands once, as the reader makes
    them."""
    if list(values) != sorted(set(values)):
        raise ValueError("times and days are written in their order, each of them once")
    return values


def _span(span: model.LifeSpan) -> str:
    if span.start is None and span.end is None:
        raise ValueError("a life span has a start or an end")
    if isinstance(span.end, model.AtEvent) and span.end.event == "during":
        raise ValueError("during(…) can only begin a life span")
    start = f"From {_point(span.start)}" if span.start else ""
    return f"{start} To {_point(span.end)}".strip() if span.end else start


def _point(point: model.TimePoint) -> str:
    plus = f" + {times.interval_text(point.plus)}" if point.plus else ""
    match point:
        case model.AtTime(None):
            return "Now" + plus
        case model.AtTime(datetime() as time):
            return _moment(time, point.plus) + plus
        case model.AtEvent("during", name) if plus:
            raise ValueError(f"during({name}) takes no interval")
        case model.AtEvent(event, name):
            return f"{_one_of(event, 'start', 'end', 'during')}({_name(name)}){plus}"
    raise ValueError("a life span begins and ends at a time or at an event of a sentinel")


def _moment(time: datetime, plus: timedelta) -> str:
    offset = time.utcoffset()
    fixed = time.replace(tzinfo=None if offset is None else timezone(offset))
    text = times.moment_text(fixed)
    if times.moment(text) != fixed:
        raise ValueError(f"the time {time} cannot be written")
    times.later(fixed, plus)
    return text


def _contact(contact: model.Contact) -> str:
    channel = contact.channel
    synonym = channel != "bulletin" and terminal("BULLETIN").fullmatch(channel)
    if synonym or channel != channel.lower() or not terminal("CHANNEL").fullmatch(channel):
        raise ValueError(f"{channel!r} cannot be the name of a channel")
    return f"{channel} {_address(contact.address)}" if contact.address else channel


def _address(address: str) -> str:
    plain = terminal("ADDRESS").fullmatch(address) and address[0] != "[" and not texts.HIDDEN.search(address)
    return address if plain else texts.quoted(_text(address))


def _notify(when: model.NotifyWhen) -> str:
    match when:
        case model.NotifyEvery(interval):
            return times.interval_text(interval)
        case model.NotifyEachChanges(count):
            return f"{_count(count, 1, LARGEST_COUNT)} changes"
        case model.NotifyAt():
            return str(when)


def _compare(compare: model.Compare) -> str:
    if compare.how == "pairwise" and compare.n == 1:
        return "pairwise"
    least = 2 if compare.how == "moving" else 1
    return f"{_one_of(compare.how, 'every', 'moving')} {_count(compare.n, least, LARGEST_COUNT)}"


# --- small things ---------------------------------------------------------------------------------


def _joined(
    operator: str, operands: tuple[T, ...], printed: Callable[[T], str], groups: tuple[type, ...]
) -> str:
    if len(operands) < 2:
        raise ValueError(f"{operator} joins at least two")
    return f" {operator} ".join(_grouped(one, printed, groups) for one in operands)


def _grouped(one: T, printed: Callable[[T], str], groups: tuple[type, ...]) -> str:
    return f"({printed(one)})" if isinstance(one, groups) else printed(one)


def _not_too_deep(value: Any) -> Any:
    if depth(value) > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} levels deep")
    return value


def _name(name: str) -> str:
    if trouble := names.trouble_with(name):
        raise ValueError(trouble)
    return name if names.PLAIN.fullmatch(name) else texts.quoted(name)


def _text(text: str) -> str:
    if not text.strip() or texts.IMPOSSIBLE.search(text):
        raise ValueError("a text is empty or has a character that cannot be written")
    return text


def _count(number: int, least: int, most: int) -> int:
    if not least <= number <= most or number != int(number):
        raise ValueError(f"{number} is not a whole number from {least} to {most}")
    return int(number)


def _one_of(word: str, *words: str) -> str:
    if word not in words:
        raise ValueError(f"{word!r} is none of {', '.join(words)}")
    return word
