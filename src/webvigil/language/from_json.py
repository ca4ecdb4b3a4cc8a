"""Data read from JSON in, a Sentinel out: the inverse of `to_json`.

The data is accepted only if it has the promised form and can be written as a text that reads back.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from webvigil.errors import MistakeInText, SentinelRefused
from webvigil.language.nesting import DEEPEST
from webvigil.language.parser import parse
from webvigil.language.printer import print_sentinel
from webvigil.model import sentinel as model
from webvigil.model.approach import Step
from webvigil.model.message import Message
from webvigil.model.request import Header, Request

_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")
# A number in the data must lie within the range of floats. This refuses infinity, NaN and larger whole
# numbers.
_LARGEST = sys.float_info.max


def sentinel_from_json(plain: Any) -> model.Sentinel:
    """Returns the sentinel that the data describes. Raises SentinelRefused, with the place in the data, for
    data that does not describe a sentinel."""
    sentinel = _At(plain, "").sentinel()
    try:
        (again,) = parse(print_sentinel(sentinel))
    except MistakeInText as error:
        raise SentinelRefused(f"not a sentinel: {error.message}") from error
    return again


class _At:
    """A piece of the data together with its place. Each method reads the piece as one kind of value, or
    raises SentinelRefused with the place."""

    def __init__(self, data: Any, where: str, level: int = 1) -> None:
        self.data, self.where, self.level = data, where, level

    def refused(self, reason: str) -> SentinelRefused:
        return SentinelRefused(f"not a sentinel: {self.where or 'the whole'} {reason}")

    # --- shapes ---

    def fields(self, *names: str) -> dict[str, _At]:
        if not isinstance(self.data, dict):
            raise self.refused("is not an object")
        for name in self.data:
            if name not in names:
                raise self.refused(f"has an unknown member {str(name)[:40]!r}; known are {', '.join(names)}")
        return {name: self._inner(value, name) for name, value in self.data.items() if value is not None}

    def items(self) -> list[_At]:
        if not isinstance(self.data, list):
            raise self.refused("is not a list")
        return [self._inner(value, f"[{at}]") for at, value in enumerate(self.data)]

    def _inner(self, value: Any, name: str) -> _At:
        joint = "" if not self.where or name.startswith("[") else "."
        return _At(value, f"{self.where}{joint}{name}", self.level + 1)

    def text(self) -> str:
        if not isinstance(self.data, str):
            raise self.refused("is not a string")
        return self.data

    def word(self) -> Any:
        """Returns a text that the model limits to a few words. Whether it is one of these words is checked
        when the sentinel is printed."""
        return self.text()

    def number(self) -> float:
        if isinstance(self.data, bool) or not isinstance(self.data, int | float):
            raise self.refused("is not a number")
        if not -_LARGEST <= self.data <= _LARGEST:
            raise self.refused("is not a number")
        return self.data

    def count(self) -> int:
        if self.number() != int(self.number()):
            raise self.refused("is not a whole number")
        return int(self.number())

    def interval(self) -> timedelta:
        if abs(self.number()) > 1e12:
            raise self.refused("is too long an interval")
        return timedelta(seconds=self.number())

    def texts(self) -> tuple[str, ...]:
        return tuple(one.text() for one in self.items())

    def several(self, reading: Callable[[_At], Any]) -> tuple[Any, ...]:
        return tuple(reading(one) for one in self.items())

    # --- values ---

    def sentinel(self) -> model.Sentinel:
        found = self.fields(*_READINGS)
        for name in ("name", "target"):
            if name not in found:
                raise self.refused(f"has no {name}")
        values = {name: _READINGS[name](value) for name, value in found.items()}
        # A single topic is `topic`, several are `topics`.
        if one := values.pop("topic", None):
            values.setdefault("topics", (one,))
        return model.Sentinel(**values)

    def target(self) -> model.Target:
        found = self.fields("url", "form", "request", "sentinel", "and", "or")
        match self._only(found):
            case "url":
                return model.WebPage(found["url"].text())
            case "form":
                return found["form"].form()
            case "request":
                return found["request"].request()
            case "sentinel":
                return model.SentinelPages(found["sentinel"].text())
            case operator:
                joint: Any = operator.upper()
                return model.SeveralTargets(joint, found[operator].several(_At.target))

    def form(self) -> model.Target:
        found = self.fields("url", "method", "fields")
        if "url" not in found:
            raise self.refused("has no url")
        method: Any = found["method"].text() if "method" in found else "GET"
        pairs = found["fields"].several(_At.pair) if "fields" in found else ()
        return model.FormPage(found["url"].text(), method, pairs)

    def request(self) -> model.Target:
        bodies = ("json", "form", "body")
        found = self.fields("url", "method", "headers", "query", *bodies)
        if "url" not in found:
            raise self.refused("has no url")
        kinds: list[Any] = [one for one in bodies if one in found]
        if len(kinds) > 1:
            raise self.refused("has more than one body")
        kind: Any = kinds[0] if kinds else ""
        request = Request(
            method=found["method"].word() if "method" in found else "GET",
            headers=found["headers"].several(_At.header) if "headers" in found else (),
            query=found["query"].several(_At.pair) if "query" in found else (),
            kind=kind,
            body=found[kind].text() if kind in ("json", "body") else "",
            fields=found["form"].several(_At.pair) if kind == "form" else (),
        )
        return model.RequestPage(found["url"].text(), request)

    def header(self) -> Header:
        found = {name: one.text() for name, one in self.fields("name", "text", "secret").items()}
        if "name" not in found:
            raise self.refused("has no name")
        return Header(**found)

    def pair(self) -> tuple[str, str]:
        sides = self.texts()
        if len(sides) != 2:
            raise self.refused("is not a pair of name and value")
        return sides[0], sides[1]

    def expression(self) -> model.ChangeExpression:
        if isinstance(self.data, dict) and "type" in self.data:
            return self._change_type(self.fields("type", "arguments", "option"))
        found = self.fields("not", "and", "or")
        match self._only(found):
            case "not":
                return model.Not(found["not"].expression())
            case "and":
                return model.And(found["and"].several(_At.expression))
            case "or":
                return model.Or(found["or"].several(_At.expression))
        raise self.refused("has no type")

    def _change_type(self, found: dict[str, _At]) -> model.ChangeType:
        arguments = found["arguments"].texts() if "arguments" in found else ()
        option = found["option"].text() if "option" in found else ""
        return model.ChangeType(found["type"].text(), arguments, option)

    def condition(self) -> model.WhenCondition:
        if isinstance(self.data, dict) and "subject" in self.data:
            return self._comparison(
                self.fields("subject", "operator", "number", "unit", "text", "upper", "part")
            )
        found = self.fields("not", "and", "or", "becomes")
        match self._only(found):
            case "not":
                return model.NotCondition(found["not"].condition())
            case "becomes":
                return model.Becomes(found["becomes"].condition())
            case "and":
                return model.AllConditions(found["and"].several(_At.condition))
            case "or":
                return model.AnyCondition(found["or"].several(_At.condition))
        raise self.refused("has no subject")

    def _comparison(self, found: dict[str, _At]) -> model.Condition:
        words = {
            name: found[name].text() for name in ("subject", "operator", "unit", "text") if name in found
        }
        number = found["number"].number() if "number" in found else None
        upper = found["upper"].number() if "upper" in found else None
        part = found["part"].part() if "part" in found else None
        return model.Condition(**words, number=number, upper=upper, part=part)

    def _only(self, found: dict[str, _At]) -> str:
        if len(found) != 1:
            raise self.refused("must have exactly one member")
        if self.level > 2 * DEEPEST + 2:
            raise self.refused(f"is nested more than {DEEPEST} levels deep")
        return next(iter(found))

    def fetch(self) -> model.FetchWhen:
        if self.data == "on change":
            return model.FetchOnChange()
        found = self.fields("every", "on", "at", "cron", "days", "between")
        hours = model.Hours(
            found.pop("days").several(_At.day) if "days" in found else (),
            found.pop("between").several(_At.between) if "between" in found else (),
        )
        match self._only(found):
            case "every":
                return model.FetchEvery(found["every"].interval(), hours)
            case "on" if found["on"].data == "change":
                return model.FetchOnChange(hours)
            case "at" if not hours.between:
                return model.FetchAt(found["at"].several(_At.clock), hours.days)
            case "cron" if hours == model.ALWAYS:
                return model.FetchCron(found["cron"].text())
        raise self.refused("is no time to look")

    def day(self) -> int:
        if self.data not in model.WEEKDAYS:
            raise self.refused(f"is none of {', '.join(model.WEEKDAYS)}")
        return model.WEEKDAYS.index(self.data)

    def between(self) -> tuple[int, int]:
        ends = self.several(_At.clock)
        if len(ends) != 2:
            raise self.refused("is not a pair of times of day")
        return ends[0], ends[1]

    def clock(self) -> int:
        found = _CLOCK.fullmatch(self.text())
        if not found or int(found[2]) > 59:
            raise self.refused("is not a time of day such as 7:30")
        return int(found[1]) * 60 + int(found[2])

    def notify(self) -> model.NotifyWhen:
        if isinstance(self.data, str):
            return self._notify_at()
        found = self.fields("every", "changes")
        if self._only(found) == "every":
            return model.NotifyEvery(found["every"].interval())
        return model.NotifyEachChanges(found["changes"].count())

    def _notify_at(self) -> model.NotifyAt:
        try:
            return model.NotifyAt(self.data)
        except ValueError as error:
            raise self.refused(f"is none of {', '.join(model.NotifyAt)}") from error

    def span(self) -> model.LifeSpan:
        found = self.fields("from", "to")
        ends = {name: one.point() for name, one in found.items()}
        return model.LifeSpan(ends.get("from"), ends.get("to"))

    def point(self) -> model.TimePoint:
        found = self.fields("at", "event", "sentinel", "plus")
        plus = found["plus"].interval() if "plus" in found else timedelta(0)
        if "at" in found:
            return model.AtTime(found["at"].time(), plus)
        if "event" not in found or "sentinel" not in found:
            raise self.refused("has neither a time nor an event with its sentinel")
        return model.AtEvent(found["event"].word(), found["sentinel"].text(), plus)

    def time(self) -> datetime | None:
        try:
            return None if self.text() == "now" else datetime.fromisoformat(self.text())
        except ValueError as error:
            raise self.refused("is not a time in ISO 8601") from error

    def contact(self) -> model.Contact:
        found = self.fields("channel", "address")
        if "channel" not in found:
            raise self.refused("has no channel")
        return model.Contact(found["channel"].text(), found["address"].text() if "address" in found else "")

    def compare(self) -> model.Compare:
        found = self.fields("how", "n")
        if "how" not in found:
            raise self.refused("does not say how")
        return model.Compare(found["how"].word(), found["n"].count() if "n" in found else 1)

    def step(self) -> Step:
        found = self.fields("do", "by", "argument", "text", "secret", "seconds")
        if "do" not in found:
            raise self.refused("does not say what to do")
        seconds = found["seconds"].count() if "seconds" in found else 0
        words = {name: one.word() for name, one in found.items() if name != "seconds"}
        return Step(**words, seconds=seconds)

    def message(self) -> Message:
        said = self.fields("title", "body")
        return Message(**{name: one.text() for name, one in said.items()})

    def part(self) -> model.Part:
        found = self.fields("by", "argument")
        if len(found) != 2:
            raise self.refused("needs both by and argument")
        argument = found["argument"]
        return model.Part(
            found["by"].word(), argument.texts() if isinstance(argument.data, list) else argument.text()
        )


# How a value is read depends on its type alone: a further clause needs no line here, unless its values are of
# a new type. A union is known by its first type.
_OF_TYPE: dict[Any, Callable[[_At], Any]] = {
    str: _At.text,
    int: _At.count,
    timedelta: _At.interval,
    model.WebPage: _At.target,
    model.ChangeType: _At.expression,
    model.Condition: _At.condition,
    model.FetchEvery: _At.fetch,
    model.NotifyEvery: _At.notify,
    model.LifeSpan: _At.span,
    model.Contact: _At.contact,
    model.Compare: _At.compare,
    model.Part: _At.part,
    Step: _At.step,
    Message: _At.message,
}


def _reading(kind: Any) -> Callable[[_At], Any]:
    """Returns the function that reads a field of this type."""
    first = get_args(kind)[0] if isinstance(kind, UnionType) or get_origin(kind) is Union else kind
    if get_origin(first) is Literal:
        return _At.word
    if get_origin(first) is tuple:
        one = _reading(get_args(first)[0])
        return lambda at: at.several(one)
    if first not in _OF_TYPE:
        raise TypeError(f"a clause has values of the type {first}: add the type to _OF_TYPE in {__name__}")
    return _OF_TYPE[first]


_READINGS = {name: _reading(kind) for name, kind in get_type_hints(model.Sentinel).items()}
_READINGS["topic"] = _At.text
