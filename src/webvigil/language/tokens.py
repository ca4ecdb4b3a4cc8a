"""A token of the grammar in, its value out.

Raises MistakeInText at the token's place for a value that is not allowed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime, timedelta

from lark import Token

from webvigil.language import mistakes, names, texts, times
from webvigil.model import sentinel as model
from webvigil.model.change_types import KINDS
from webvigil.model.page import normal_url
from webvigil.model.topics import topics_in

# The largest number of a `Priority` or of `Every … changes`.
LARGEST_COUNT = 1_000_000
# The most characters of an address in a sentinel.
LONGEST_URL = 8_000
_PLACE = re.compile(r'\{\s*([a-z]+)\s+("(?:\\.|[^"\\\n])*")\s*\}', re.IGNORECASE)
_MARKDOWN = re.compile(r"\[.+\]\(mailto:(.+)\)")
_COMMENT = re.compile(r"\s--.*")


def text_of(token: Token, reading: Callable[[str], str]) -> str:
    (text,) = _texts_of(token, lambda inside: (reading(inside),), reading is texts.pattern)
    return text


def texts_of(token: Token, reading: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    return _texts_of(token, reading, False)


def selector_of(token: Token, by: str) -> str:
    """Returns the text of a CSS selector, an XPath or a regular expression (`by` says which). Only a regular
    expression may stand in slashes."""
    return "".join(_texts_of(token, lambda inside: (texts.pattern(inside),), by.lower() == "regex"))


def _texts_of(
    token: Token, reading: Callable[[str], tuple[str, ...]], is_expression: bool
) -> tuple[str, ...]:
    if token.type == "SLASHED" and not is_expression:
        raise mistakes.at(
            token,
            f"{mistakes.shown(token)} is a regular expression, and here stands a text; "
            "write the text in quotes, or watch a regular expression: {…}",
        )
    found = reading(token)
    if not found or not all(one.strip() for one in found):
        raise mistakes.at(token, f"{mistakes.shown(token)} holds an empty text")
    if any(texts.IMPOSSIBLE.search(one) for one in found):
        raise mistakes.at(token, r"\u0000 and halves of characters (\ud800 to \udfff) cannot stand in a text")
    return found


def line_of(token: Token, reading: Callable[[str], str]) -> str:
    """Returns the text of a token like `text_of`; the token may also be the rest of a line without quotes."""
    return text_of(token, _line if token.type == "LINE" else reading)


def lines_of(token: Token, reading: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    return texts_of(token, _line_items if token.type == "LINE" else reading)


def _line(text: str) -> str:
    """Returns the text of a line without its comment and without quotation marks of any kind around it."""
    return _COMMENT.sub("", text).strip().strip("'\"‘’“”").strip()


def _line_items(text: str) -> tuple[str, ...]:
    return tuple(one for one in map(_line, _line(text).split(",")) if one)


def name_of(token: Token) -> str:
    name = names.normal(texts.unquoted(token) if token.type == "QUOTED" else str(token))
    if trouble := names.trouble_with(name):
        raise mistakes.at(token, trouble)
    return name


def topics_of(token: Token) -> tuple[str, ...]:
    """Returns the topics that a word or a text in quotes names. Commas part them also inside quotes."""
    found = topics_in(names.normal(texts.unquoted(token) if token.type == "QUOTED" else str(token)))
    if trouble := next(filter(None, map(names.trouble_with, found or ("",))), ""):
        raise mistakes.at(token, trouble)
    return found


def place_of(kind: str, text: Token) -> model.ChangeType:
    """Returns a change type for one place of the page, such as a table. The place is given by a text, a
    number or, inside braces, by `caption "…"` or `css "…"`."""
    match = _PLACE.fullmatch(text)
    if match and match[1].lower() in KINDS[kind].options:
        place = text_of(text, lambda _: texts.unquoted_in_braces(match[2]))
        return model.ChangeType(kind, (place,), match[1].lower())
    return model.ChangeType(kind, (text_of(text, texts.whole),))


def url_of(token: Token) -> str:
    url = token[1:-1] if token.startswith("<") else str(token)
    if len(url) > LONGEST_URL:
        raise mistakes.at(token, f"a web address has at most {LONGEST_URL} characters, this one {len(url)}")
    try:
        normal_url(url)
    except ValueError as error:
        raise mistakes.at(token, str(error).replace(repr(url), mistakes.shown(url))) from error
    return url


def fields_of(token: Token) -> tuple[tuple[str, str], ...]:
    try:
        fields = texts.fields(token)
    except ValueError as error:
        raise mistakes.at(token, str(error)) from error
    texts_of(token, lambda _: ("all", *(name + value for name, value in fields if value or name)))
    return fields


def address_of(token: Token) -> str:
    if token.type == "QUOTED":
        return text_of(token, texts.unquoted)
    match = _MARKDOWN.fullmatch(token)
    return match[1] if match else str(token)


def moment_of(token: Token, plus: timedelta) -> datetime:
    try:
        moment = times.moment(token)
        times.later(moment, plus)
    except ValueError as error:
        raise mistakes.at(token, f"{mistakes.shown(token)} is not a date: {error}") from error
    return moment


def interval_of(number: Token, unit: Token) -> timedelta:
    if not number.isdecimal() or not number.strip("0"):
        raise mistakes.at(
            number, f"an interval is a whole number of at least 1, not {mistakes.shown(number)}"
        )
    try:
        return times.interval(int(number[:20]), unit)
    except ValueError as error:
        raise mistakes.at(number, str(error)) from error


def end_of(word: Token, point: model.TimePoint) -> model.TimePoint:
    if word.type in {"TO", "STOP"} and isinstance(point, model.AtEvent) and point.event == "during":
        raise mistakes.at(word, f"during(…) can only begin a life span; use {word} end({point.sentinel})")
    return point


def count_of(token: Token, least: int, most: int) -> int:
    if not token.isdecimal() or len(token) > 20 or not least <= int(token) <= most:
        raise mistakes.at(token, f"{mistakes.shown(token)} is not a whole number from {least} to {most:,}")
    return int(token)


def clock_of(token: Token, last: int = model.MINUTES_OF_A_DAY - 1) -> int:
    """Returns a time of day in minutes since midnight. Only the end of a span may be 24:00."""
    hour, colon, minute = token.partition(":")
    found = int(hour) * 60 + int(minute or 0)
    if (colon and len(minute) != 2) or int(minute or 0) > 59 or found > last:
        raise mistakes.at(token, f"{mistakes.shown(token)} is not a time of day such as 7:30 or 19:00")
    return found


def days_of(token: Token) -> tuple[int, ...]:
    """Returns the days that a word such as `weekdays`, `friday` or `fri` names; 0 is Monday."""
    name = token.lower()
    if name.startswith("week"):
        return (0, 1, 2, 3, 4) if name.startswith("weekday") else (5, 6)
    return (next(at for at, day in enumerate(model.WEEKDAYS) if name.startswith(day[:3])),)


def number_of(token: Token) -> float:
    number = float(token)
    if not math.isfinite(number):
        raise mistakes.at(token, f"{mistakes.shown(token)} is too large")
    return number
