"""Mistakes that many people make in a text, each with a message of its own.

Each function looks at the place where the parser stopped. It returns the message if it recognises its
mistake, otherwise None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from webvigil.language import names, texts
from webvigil.language.expectations import Expected


class Stop(NamedTuple):
    """The place where the parser stopped, the word there ("" at the end of the text), and what was
    expected."""

    text: str
    position: int
    word: str
    expected: Expected


class Slip(NamedTuple):
    """The message for a recognised mistake; `position` and `word` say where it is, if not where the parser
    stopped."""

    message: str
    suggestion: str = ""
    position: int | None = None
    word: str = ""


_OPENINGS = {
    '"': ("QUOTED", "the quotation mark opened here is not closed on this line"),
    "'": ("QUOTED", "the quotation mark opened here is not closed on this line"),
    "{": ("BRACED", r"the brace opened here is never closed; a brace inside the text is written \{ or \}"),
    "/": ("SLASHED", r"the pattern opened by / is not closed on this line; a slash inside it is written \/"),
    "<": ("URL", "the address opened by < is not closed by > or has a space in it"),
}
_NAMED = re.compile(
    r"(?:\bsentinel\s+|\btopic\s+|\b(?:start|end|during)\s*\(\s*)(\w[\w.-]*)\Z", re.IGNORECASE
)
_USING_AS_NAME = re.compile(r"\b(?:using|as)\s*\Z", re.IGNORECASE)
_HOST = re.compile(r"(?:(?:[\w-]+\.)+[a-z]{2,}|localhost)(?::\d+)?(?:/\S*)?", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][\w+.-]*:", re.IGNORECASE)
_OTHER_UNIT = re.compile(r"(?:month|year|millisecond|fortnight)s?|ms", re.IGNORECASE)
_ADVERBS = {
    "hourly": "1 hour",
    "daily": "1 day",
    "weekly": "1 week",
    "monthly": "30 day",
    "always": "on change",
}
# How many characters before the stop are searched. All recognised mistakes begin within them.
_LOOK_BACK = 200


def unclosed(stop: Stop) -> Slip | None:
    name, message = _OPENINGS.get(stop.word[:1], ("", ""))
    return Slip(message) if name in stop.expected.names else None


def odd_name(stop: Stop) -> Slip | None:
    """Recognises a name that continues with a character that only a name in quotes may have."""
    match = _NAMED.search(_before(stop))
    if not match or not stop.word:
        return None
    name = match[1] + stop.text[stop.position :].split(maxsplit=1)[0].rstrip("(),")
    start = stop.position - len(match[1])
    if trouble := names.trouble_with(names.normal(name)):
        return Slip(trouble, "", start, name)
    suggestion = texts.quoted(name)
    message = "a name has letters, digits, _, - and . only; any other stands in quotes"
    return Slip(f"{message}: {suggestion}", suggestion, start, name)


def no_name_or_using(stop: Stop) -> Slip | None:
    if "USING" not in stop.expected.names or not _SCHEME.match(stop.word):
        return None
    if _USING_AS_NAME.search(_before(stop)):
        return Slip("the sentinel has no name; it stands between Sentinel and Using")
    return Slip("Using is missing before the address", "Using")


def odd_address(stop: Stop) -> Slip | None:
    if "URL" not in stop.expected.names:
        return None
    if _HOST.fullmatch(stop.word):
        meant = f"https://{stop.word}"
        return Slip(f"a web address begins with http:// or https://; did you mean {meant}?", meant)
    if _SCHEME.match(stop.word):
        return Slip("only addresses with http:// or https:// can be watched")
    return None


def odd_interval(stop: Stop) -> Slip | None:
    if "UNIT" in stop.expected.names and _OTHER_UNIT.fullmatch(stop.word):
        unit = stop.word.lower()
        return Slip(f"an interval is counted in seconds, minutes, hours, days or weeks, not in {unit}")
    meant = _ADVERBS.get(stop.word.lower()) if "NUMBER" in stop.expected.names else None
    return Slip(f"an interval is a number and a unit; did you mean {meant}?", meant) if meant else None


def bare_text(stop: Stop) -> Slip | None:
    if not stop.word or not stop.expected.names <= {"QUOTED", "BRACED", "SLASHED", "_COLON"}:
        return None
    return Slip("a text must stand in braces {…} or in quotes")


SLIPS: tuple[Callable[[Stop], Slip | None], ...] = (
    unclosed,
    odd_name,
    no_name_or_using,
    odd_address,
    odd_interval,
    bare_text,
)


def _before(stop: Stop) -> str:
    return stop.text[max(0, stop.position - _LOOK_BACK) : stop.position]
