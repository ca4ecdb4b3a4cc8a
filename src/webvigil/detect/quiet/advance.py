"""Two lines that differ in a time in, how far that time went on out (Q2).

Times are ages ("3 min.", "an hour", "2 days ago") and clocks ("14:41").

A line alone does not tell whether "3 min." is an age or a term. Whether the time went on as the clock did is
asked where the clock is known (`trigger.clock`). Whether the element itself names the moment that it shows
is asked in `calm`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import NamedTuple

from webvigil.detect.quiet.ticking import (
    SMALL,
    Place,
    is_unspaced,
    may_tick,
    nearby,
    plain_unit,
    times,
    units,
)

DAY = 86_400
# Characters; nothing of a time is further from the place in it that differs.
_NEAR = 40
_HALF_A_DAY = DAY // 2
# Readings of one age; more than one only if its units are those of several languages.
_MOST_READINGS = 8
# Numbers with units in a row that may be one age: from years to seconds. Each unit may have several meanings.
_MOST_UNITS = 7
# "just now" lasts about so long, "a few minutes ago" so long.
_MOMENT_LASTS = 120
_FEW_LAST = 900
_CLOCK = re.compile(
    r"(?<![\d:.])(?:(?P<date>(?:19|20)\d\d-[01]\d-[0-3]\d)[T ,]+(?:at )?)?"
    r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d+)?)?(?![\d:])"
    r"(?:\s?(?P<half>[ap])\.?m\b)?",
    re.IGNORECASE,
)


# A number, in digits or as a small word, and what may be a unit of time.
_AMOUNT = re.compile(
    rf"(?<![\w.,:/-])(?:(?:{SMALL})\s+){{0,3}}(?:(?P<number>\d{{1,6}}(?:[.,]\d{{1,2}})?)\s*|(?:{SMALL})\s+)"
    r"(?P<unit>(?:de\s+)?[^\s\d.,;:()|/-]{1,16})(?!\w)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\.?,?\s*(?:(?:and|und|et|y|e)\s+)?", re.IGNORECASE)


class Advance(NamedTuple):
    """How far a time went on, in seconds: at least `least` and at most `most`, because it is shown in units.
    `unit` is the larger one of both sides. `clock`: it is the time of a day, and shows `shown` seconds after
    midnight now; `even`: both times are of the kind that people appoint, such as 9:00 and 9:30."""

    least: float
    most: float
    unit: float
    clock: bool = False
    shown: float = 0.0
    even: bool = False


class _Age(NamedTuple):
    seconds: float
    unit: float


class _Span(NamedTuple):
    """A number with a unit: "3 min", and the seconds that the unit may have."""

    start: int
    end: int
    amount: str
    units: frozenset[int]


class _Clock(NamedTuple):
    day: str
    seconds: int
    unit: int
    around: int
    """After so many seconds it shows the same again."""


class _Time(NamedTuple):
    """A time in a line, from `start` up to before `end`, and what it may mean."""

    start: int
    end: int
    ages: tuple[_Age, ...] = ()
    clock: _Clock | None = None


Advances = tuple[Advance, ...]
"""One for each way to read a time; none if it is no time."""


def advances(before: str, was: Place, after: str, now: Place) -> Advances:
    """Returns how far the time at these places of two lines went on, in each way to read it. Nothing if there
    is no time on one side, or an age on one and a clock on the other."""
    if not may_tick(before, was) and not may_tick(after, now):
        return ()
    there = _time_at(before, was)
    here = _time_at(after, now) if there else None
    if there is None or here is None:
        return ()
    if there.clock and here.clock:
        return _of_clocks(there.clock, here.clock)
    alike = [one.unit for one in there.ages] == [one.unit for one in here.ages]
    pairs = zip(there.ages, here.ages, strict=True) if alike else product(there.ages, here.ages)
    return tuple(_of_ages(old, new) for old, new in pairs)


def shrank(found: Advances) -> bool:
    """Tells whether an age is smaller than before, however it is read: something happened meanwhile."""
    return bool(found) and all(one.most < 0 for one in found)


def _of_ages(old: _Age, new: _Age) -> Advance:
    """Returns how far an age went on. Both ages may be rounded down, or both to the nearest unit."""
    step, nearest = new.seconds - old.seconds, (old.unit + new.unit) / 2
    return Advance(step - max(old.unit, nearest), step + max(new.unit, nearest), max(old.unit, new.unit))


def _of_clocks(old: _Clock, new: _Clock) -> Advances:
    """Returns how far a clock went on; nothing if both sides show a day and the days differ. A day that only
    one side shows does not count."""
    if old.day and new.day and old.day != new.day:
        return ()
    around, unit = max(old.around, new.around), max(old.unit, new.unit)
    step = (new.seconds - old.seconds) % around
    even = unit == 60 and old.seconds % 300 == new.seconds % 300 == 0
    return (Advance(step - unit, step + unit, unit, clock=True, shown=new.seconds, even=even),)


def _time_at(line: str, place: Place) -> _Time | None:
    """Returns the time at a place of a line; a time with "ago" comes before one without."""
    begin = max(0, place[0] - _NEAR)
    near = line[begin : place[1] + _NEAR]
    for some, shift in ((_relative_times(line), 0), (_spans(near), begin), (_clocks(near), begin)):
        for one in some:
            if one.start + shift <= place[0] and place[1] <= one.end + shift:
                return one
    return None


def _relative_times(line: str) -> Iterator[_Time]:
    for start, end, kind in times(line):
        if kind == "relative":
            text = line[start:end]
            inner = None if "few" in text else next(_spans(text), None)
            # A time with a number that is no plain one ("1/4 hour ago") has an age that is not read.
            unread = inner is None and re.search(r"[\d½¼¾⅓⅔]", text)
            yield _Time(start, end, inner.ages if inner else () if unread else _moment(text))


def _moment(text: str) -> tuple[_Age, ...]:
    """Returns the age that words without a number mean: "just now" is nothing at all, or a minute;
    "yesterday" is the day before today."""
    if known := nearby().get(" ".join(text.lower().replace("'", "’").split())):
        return (_Age(*known),)
    lasts = _FEW_LAST if re.search(r"few\s+minutes", text, re.IGNORECASE) else _MOMENT_LASTS
    return (_Age(0, lasts),)


def _spans(line: str) -> Iterator[_Time]:
    """Yields the numbers with units in a line. Several in a row are one time: "1 hour, 5 minutes"."""
    row: list[_Span] = []
    for one in _single_spans(line):
        if row and not _BETWEEN.fullmatch(line, row[-1].end, one.start):
            yield _together(row)
            row = []
        row.append(one)
    if row:
        yield _together(row)


def _single_spans(line: str) -> Iterator[_Span]:
    for match in _AMOUNT.finditer(line):
        written = match["unit"]
        name = next((written[:end] for end in _ends(written) if plain_unit(written[:end]) in units()), "")
        if name:
            end = match.start("unit") + len(name)
            yield _Span(match.start(), end, match["number"] or "1", units()[plain_unit(name)])


def _ends(written: str) -> list[int]:
    """Returns where a unit may end: behind the word, or, in scripts that have no spaces, behind any
    character."""
    return [*range(len(written), 0, -1)] if is_unspaced(written) else [len(written)]


def _together(row: list[_Span]) -> _Time:
    """Returns a row of numbers with units as one time. Units go from large to small; a row of more units than
    there are kinds of units is no age."""
    if len(row) > _MOST_UNITS:
        return _Time(row[0].start, row[-1].end)
    orders = (
        order for order in product(*(one.units for one in row)) if [*order] == sorted(order, reverse=True)
    )
    amounts = [one.amount for one in row]
    return _Time(
        row[0].start, row[-1].end, tuple(_age(amounts, one) for one in islice(orders, _MOST_READINGS))
    )


def _age(amounts: list[str], units: tuple[int, ...]) -> _Age:
    """Returns the sum of the amounts in seconds. The last unit tells how exact the age is."""
    amounts = [one.replace(",", ".") for one in amounts]
    whole = sum(float(amount) * unit for amount, unit in zip(amounts, units, strict=True))
    unit = units[-1] / 10 ** len(amounts[-1].partition(".")[2])
    return _Age(whole, unit)


def _clocks(line: str) -> Iterator[_Time]:
    # Most lines have no colon, and the expression tries every place.
    for match in _CLOCK.finditer(line) if ":" in line else ():
        hour, half = int(match["hour"]), (match["half"] or "").lower()
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        seconds = hour * 3600 + int(match["minute"]) * 60 + int(match["second"] or 0)
        around = _HALF_A_DAY if not half and not match["date"] and 0 < hour <= 12 else DAY
        unit = 1 if match["second"] else 60
        yield _Time(*match.span(), clock=_Clock(match["date"] or "", seconds, unit, around))
