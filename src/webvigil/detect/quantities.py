"""A text in, the number or date that it means out (C14).

Numbers may have any usual notation: `1,234.56`, `1.234,56`, `1 234,56`, `1'234.56`, `₹1,23,456`, `19,-`, `1.2
million`, in the digits of any script, with a currency, a percent sign or a unit. Dates are read as people and
machines write them. Two texts that mean the same are the same value, however they are written.

Ambiguous texts are read like this: a comma before exactly three digits groups thousands; a point before
exactly three digits does so only if the currency is one that is written with a decimal comma; 03/12/2026 is
the twelfth of March, unless the first number cannot be a month.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal, NamedTuple

from webvigil.detect.dates import find_date, is_month
from webvigil.detect.units import (
    COMMA_CURRENCIES,
    MAGNITUDE,
    MAGNITUDES,
    MAGNITUDES_OF_MONEY,
    UNIT_AFTER,
    UNIT_BEFORE,
    UNITS,
)

# A longer text is not one value, and a longer number is an identifier, not an amount.
_LONGEST_TEXT, _MOST_DIGITS, _LARGEST_EXPONENT = 2_000, 60, 300
_EXACTLY = Context(prec=400)

# The spaces that group digits: plain, no-break, figure, thin and narrow no-break space.
_SPACE = "[ \u00a0\u2007\u2009\u202f]"
_BODY = rf"""
    \d{{1,3}} (?:{_SPACE}\d{{3}})+ (?!\d) (?:[.,]\d+)?     # 1 234 567,89
  | \d{{1,3}} (?:['’]\d{{3}})+ (?!\d) (?:[.,]\d+)?         # 1'234'567.89
  | \d+ (?:[.,]\d+)*                                       # 1,234.56  1.234,56  1,23,456
  | [.,]\d+                                                # .99
"""
_NUMBER = re.compile(
    rf"""
    (?<![\w.,:/]) (?P<sign>[-+\u2212]|(?<!\S)[\u2010-\u2013])? (?:(?P<before>{UNIT_BEFORE}) {_SPACE}?)?
    (?P<inner_sign>[-+\u2212])? (?P<body>{_BODY}) (?P<exponent>[eE][-+]?\d{{1,4}}(?!\w))?
    (?P<dash>[.,][-\u2010-\u2015]{{1,2}})?
    (?: {_SPACE}? (?P<magnitude>{MAGNITUDE}|(?(before)m|(?!)))(?!\w) \.? )?
    (?: {_SPACE}? (?P<after>{UNIT_AFTER})(?!\w) )?
    (?![:/.,]?\d) (?!\w)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Value:
    """What a text means. `number` is the first number in it. A text with several numbers, or with half a
    date, is of the kind text.

    `unit` is a currency by its code (`EUR`), `%`, or a unit of measure. `canonical` is a text with several
    numbers, each written in one notation.
    """

    text: str
    number: Decimal | None = None
    date: date | datetime | None = None
    unit: str = ""
    canonical: str = ""

    @property
    def kind(self) -> Literal["number", "date", "text"]:
        if self.date is not None:
            return "date"
        return "number" if self.number is not None and not self.canonical else "text"

    def same_as(self, other: Value) -> bool:
        """Returns True if both mean the same. A unit that only one of them has makes no difference."""
        if self.kind != other.kind:
            return False
        if self.kind == "number":
            units = {self.unit, other.unit} - {""}
            return self.number == other.number and len(units) <= 1
        if self.kind == "date":
            return self.date == other.date
        return (self.canonical or self.text) == (other.canonical or other.text)


class Amount(NamedTuple):
    """A number in a text: where it stands with its currency or unit, and what it means."""

    start: int
    end: int
    number: Decimal
    unit: str


def amounts_in(text: str) -> tuple[Amount, ...]:
    """Returns the numbers of a text. Of a text whose characters cannot be told one by one, none."""
    if len(text) <= _MOST_DIGITS and text.isascii() and text.isdigit():
        return (Amount(0, len(text), Decimal(text), ""),)
    return _amounts_in(text) if len(text) <= _LONGEST_TEXT else ()


@lru_cache(4096)  # the same lines are read for every list that shows a change
def _amounts_in(text: str) -> tuple[Amount, ...]:
    plain = _plain(text)
    if len(plain) != len(text):
        return ()
    return tuple(
        Amount(match.start(), match.start() + len(match[0].rstrip()), number, unit)
        for match in _NUMBER.finditer(plain)
        if (number := _number(match, unit := _unit(match))) is not None
    )


def parse_value(text: str) -> Value:
    """Returns the value that a text means."""
    shown = " ".join(text.split())
    if len(shown) > _LONGEST_TEXT:
        return Value(shown)
    plain = _plain(shown)
    dated = find_date(plain)
    if dated and not any(map(str.isdigit, plain[: dated.start] + plain[dated.end :])):
        return Value(shown, date=dated.value)
    found = [
        (match, number)
        for match in _NUMBER.finditer(plain)
        if (number := _number(match, _unit(match))) is not None
    ]
    if not found:
        return Value(shown)
    first, amount = found[0]
    several = len(found) > 1 or _has_other_digits(plain, first) or _is_beside_month(plain, first)
    canonical = _canonical(plain, found) if several else ""
    return Value(shown, number=amount, unit=_unit(first), canonical=canonical)


def difference(old: Value, new: Value) -> str:
    """Returns by how much a value changed, such as `-2.00 (-10%)` or `+3 days`; "" if that cannot be said."""
    if old.date is not None and new.date is not None:
        return _days(old.date, new.date)
    if old.kind != "number" or new.kind != "number" or old.number is None or new.number is None:
        return ""
    if old.unit and new.unit and old.unit != new.unit:
        return ""
    step = _EXACTLY.subtract(new.number, old.number)
    unit = new.unit or old.unit
    amount = f"{step:+f}" + ("" if not unit else unit if unit == "%" else f" {unit}")
    if not old.number or unit == "%":
        return amount
    share = float(step / abs(old.number) * 100)
    return f"{amount} ({share:+.3g}%)" if abs(share) < 1e6 else amount


def _days(old: date | datetime, new: date | datetime) -> str:
    if isinstance(old, datetime) and isinstance(new, datetime) and bool(old.tzinfo) == bool(new.tzinfo):
        step = new - old
        if step % timedelta(days=1):
            sign = "-" if step < timedelta(0) else "+"
            return f"{sign}{abs(step)}"
    days = (_day(new) - _day(old)).days
    return f"{days:+d} day{'' if abs(days) == 1 else 's'}"


def _day(when: date | datetime) -> date:
    return when.date() if isinstance(when, datetime) else when


def _plain(text: str) -> str:
    """Returns the text with digits of any script as 0-9, and with plain separators and signs."""
    if text.isascii():
        return text
    return "".join(map(_plain_character, text))


def _plain_character(character: str) -> str:
    if character.isascii():
        return character
    if character in _PLAIN:
        return _PLAIN[character]
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 and folded.isascii() and not folded.isspace() else character


_PLAIN = {"٫": ".", "٬": ",", "٪": "%", "﹪": "%", "％": "%", "\u200e": "", "\u200f": "", "\u061c": ""}


def _number(match: re.Match[str], unit: str) -> Decimal | None:
    sign, inner_sign, body, exponent, magnitude = match.group(*_PARTS)
    if len(body) > _MOST_DIGITS:
        return None
    digits = _digits(body, unit)
    if digits is None:
        return None
    signs = (sign or "") + (inner_sign or "")
    try:
        number = Decimal(f"{'-' if signs.strip('+') else ''}{digits}{exponent or ''}")
    except InvalidOperation:  # pragma: no cover - the pattern lets only numbers through
        return None
    if number and abs(number.adjusted()) > _LARGEST_EXPONENT:
        return None
    return _EXACTLY.multiply(number, _magnitude(_folded(magnitude))) if magnitude else number


_PARTS = ("sign", "inner_sign", "body", "exponent", "magnitude")


def _magnitude(word: str) -> Decimal:
    return MAGNITUDES.get(word) or MAGNITUDES_OF_MONEY[word]


def _digits(body: str, unit: str) -> str | None:
    """Returns the number with a decimal point and without grouping, or None if its separators make no
    sense."""
    if body.isdecimal():
        return body
    body = _GROUPING.sub("", body)
    marks = [mark for mark in body if mark in ".,"]
    if not marks:
        return body
    groups = re.split("[.,]", body)
    last = marks[-1]
    if len(set(marks)) == 2:
        if marks.count(last) > 1 or not _grouped(groups[:-1]):
            return None
        return f"{''.join(groups[:-1])}.{groups[-1]}"
    if len(marks) > 1:
        return "".join(groups) if _grouped(groups) else None
    thousands = len(groups[1]) == 3 and 1 <= len(groups[0]) <= 3 and groups[0].strip("0")
    if thousands and (last == "," or unit in COMMA_CURRENCIES):
        return "".join(groups)
    return f"{groups[0] or '0'}.{groups[1]}"


_GROUPING = re.compile(rf"{_SPACE}|['’]")


def _grouped(groups: list[str]) -> bool:
    """Returns True if the groups are thousands, or, as in India, hundreds with thousands at the end."""
    first, *rest = groups
    if not rest:
        return bool(first)
    return (
        1 <= len(first) <= 3
        and len(rest[-1]) == 3
        and (
            all(len(group) == 3 for group in rest)
            or (len(first) <= 2 and all(len(group) == 2 for group in rest[:-1]))
        )
    )


def _unit(match: re.Match[str]) -> str:
    before, after = match.group("before", "after")
    if before is None and after is None:
        return ""
    return UNITS.get(_folded(before)) or UNITS.get(_folded(after)) or ""


def _folded(word: str | None) -> str:
    return (word or "").strip(". ")


def _has_other_digits(plain: str, match: re.Match[str]) -> bool:
    return any(map(str.isdigit, plain[: match.start()] + plain[match.end() :]))


def _is_beside_month(plain: str, match: re.Match[str]) -> bool:
    """Returns True for half a date (12 March, March 2026), whose number alone does not say which half."""
    before, after = _WORD_BEFORE.search(plain[: match.start()]), _WORD_AFTER.match(plain[match.end() :])
    return any(is_month(word[1]) for word in (before, after) if word)


_WORD_BEFORE = re.compile(r"([^\W\d_]{3,10})[.,]?\s*$")
_WORD_AFTER = re.compile(r"[.,]?\s*(?:(?:de|of)\s+)?([^\W\d_]{3,10})(?!\w)")


def _canonical(plain: str, found: list[tuple[re.Match[str], Decimal]]) -> str:
    """Returns the text with every number in one notation."""
    pieces, place = [], 0
    for match, number in found:
        pieces += [plain[place : match.start()], f" {number.normalize(_EXACTLY):f} {_unit(match)} "]
        place = match.end()
    return " ".join("".join([*pieces, plain[place:]]).split())
