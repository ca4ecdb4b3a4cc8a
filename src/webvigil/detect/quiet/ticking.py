"""Times that tick, known by their form alone: "6 minutes ago", "generated in 63.4 ms" (Q2).

    ticks(before, was, after, now)   is a change of these places of two lines nothing but a time that went on?
    timeless(text)                   the text with a sign in the place of each such time

A relative time is one of the forms that languages have for it. Words such as "yesterday" or "last week" are
one where nothing else is on the line but a clock: in a sentence somebody may mean them. A heading "Within an
hour" names a group of things by their age; anywhere else it may be a promise. A duration or a clock counts
only where the line says that it is about making or showing the page; anywhere else it may be what the page is
about, and whether it ticks is learnt by watching it (`trigger.restless`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path

Place = tuple[int, int]
"""From the first character up to before the last."""

# The seconds of a year, a month, a week, a day, an hour, a minute and a second, as `relative.txt` has them.
_UNITS = (31_556_952, 2_629_746, 604_800, 86_400, 3_600, 60, 1)
_DIGIT = re.compile(r"\d")
# What may stand beside a time on its line.
_BESIDE = " \t\n\u00a0.,:;·•|–—-()[]"
# Scripts that write a unit and "ago" as one: the first and the last character of each. A regular expression
# for all of them would take 3 ms to compile at each start.
_UNSPACED = (("\u0e00", "\u0e7f"), ("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7af"))
# No number of a time has more digits. Without the bound, and if one could begin inside of another, a page
# of digits would take time with the square of its length.
_NUMBER = r"(?:(?<!\d)\d[\d.,\u00a0\u202f]{0,15}|(?<![\d/])(?:\d{1,3}\s?)?(?:[1-9]/[1-9](?!\d)|[½¼¾⅓⅔]))"
# Numbers that are written as words in the small: a minute ago, an hour ago.
SMALL = r"an?|one|une?|eine[rmn]?|un[ao]?|uma?|een|en|ett|jeden|około|etwa|about|environ|circa|over|almost"
_MOMENT = (
    r"just now|right now|moments? ago|a (?:few )?(?:moments?|seconds?|minutes?) ago"
    r"|less than a minute(?: ago)?"
    r"|à l['’]instant|il y a un instant|gerade eben|soeben|vor kurzem|ahora mismo|hace un momento|agora mesmo"
    r"|proprio ora|poco fa|zojuist|przed chwilą|právě teď|nyligen|just nå|lige nu|только что|щойно"
    r"|az önce|şimdi"
    r"|刚刚|剛剛|たった今|방금|الآن|vừa xong|baru saja|เมื่อสักครู่"
)
# As machines write them: with a fraction, or in thousandths of a second. "30 seconds" may be a term.
_DURATION = re.compile(
    r"(?<![\w.,])(?:\d+[.,]\d+\s*(?:s|secs?|seconds?|sek(?:unden?)?|secondes?|segundos?|secondi|сек|секунд\w*|秒|초)"
    r"|\d[\d.,]*\s*(?:ms|msecs?|milliseconds?|millisekunden|millisecondes?|milisegundos?|millisecondi|µs|μs|мс))"
    r"(?!\w)",
    re.IGNORECASE,
)
_MAKING = re.compile(
    r"\b(?:generated?|generation|rendered|rendering|created in|built in|made in|loaded|took|queries|executed"
    r"|execution"
    r"|served|processed|processing|elapsed|computed|response time|load time|page time|runtime"
    r"|générée?|chargée?|erzeugt|erstellt in|generiert|geladen|ladezeit|generad[oa]|cargad[oa]|gerad[oa] em"
    r"|generat[oa]|gegenereerd|wygenerowan\w+|vygenerov\w+|genererad|сгенерирован\w*|создан\w* за)\b"
    r"|生成|処理時間|耗时",
    re.IGNORECASE,
)
_DATE = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})[T ,]*"
_ZONE = r"(?:\s*[ap]\.?m\b\.?)?(?:\s*(?:UTC|GMT|Z|CES?T|[ECMP][SD]T)\b)?"
_CLOCK = re.compile(
    rf"(?:{_DATE})?(?<![\d:])\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d+)?)?{_ZONE}", re.IGNORECASE
)
_SHOWING = re.compile(
    r"\b(?:current(?: \w+)? time|server time|time now|it is now|generated|rendered|retrieved|refreshed"
    r"|new changes starting from|heure actuelle|heure du serveur|générée?|uhrzeit jetzt|serverzeit|erzeugt"
    r"|abgerufen am|hora actual|hora atual|ora attuale|huidige tijd|текущее время)\b|現在時刻|当前时间",
    re.IGNORECASE,
)
# "Within an hour", "Past 24 hours", "In the last week": how old the things of a group are at most.
_WITHIN = re.compile(
    r"(?:within(?: the (?:last|past))?|(?:in the |the )?(?:last|past)|innerhalb|in de[rnm] letzten"
    r"|(?:dans|au cours de) la dernière|en (?:las?|los|el) últim[oa]s?|nell['’]ultim[oa]|n[ao] últim[oa]"
    rf"|(?:het )?afgelopen)\s+(?:(?:{SMALL})\s+|\d{{1,3}}\s*)?(?P<unit>[^\W\d]{{1,16}})",
    re.IGNORECASE,
)
# Nothing that belongs to a time is further from it.
LONGEST = 400
# Longer lines than this have more on them than a time.
_ALONE = 60


def ticks(
    before: str, was: Place, after: str, now: Place, is_heading: Callable[[], bool] = lambda: False
) -> bool:
    """Tells whether nothing but a time that ticks differs between two lines. `was` and `now` are the places
    that differ; an empty place is where something came or went. `is_heading` tells whether the lines are
    headings: one that says "This week" names a group of things by their age, any other line that does may
    name a term."""
    if not may_tick(before, was) and not may_tick(after, now):
        return False
    there = _kind_at(before, was)
    if there == "":
        return _names_group(before) and _names_group(after) and is_heading()
    return there == _kind_at(after, now) and (not _is_present(after) or is_heading())


def may_tick(line: str, place: Place) -> bool:
    """Tells, with a quick test, whether a time may stand at this place of a line. There is none if the line
    has no number, no unit at this place, and is neither a word for a time nor the name of a group."""
    if _DIGIT.search(line):
        return True
    if not units().keys().isdisjoint(line[place[0] : place[1]].lower().split()):
        return True
    return len(line) <= _ALONE and (_plain_line(line) in nearby() or _names_group(line))


def timeless(text: str) -> str:
    """Returns the text with a sign in the place of each time that ticks. Two texts that differ only in such
    times give the same."""
    pieces, place = [], 0
    for start, end, kind in times(text[:LONGEST]):
        pieces += [text[place:start], f"\x00{kind}\x00"]
        place = end
    return "".join([*pieces, text[place:]])


def spanless(text: str) -> str:
    """Returns the text with a sign in the place of each span of time. Two texts that differ only in how long
    something takes, or has lasted, give the same: "59 seconds" and "1 minute" tick at the same place."""
    return _span().sub("\x00span\x00", text)


def is_unspaced(text: str) -> bool:
    """Tells whether a character is of a script that writes a unit and "ago" as one."""
    return any(first <= one <= last for one in text for first, last in _UNSPACED)


@cache
def _span() -> re.Pattern[str]:
    """Returns an expression for a number with a unit of time, in the units that the relative times of all
    languages have."""
    units = {unit for unit in seconds_of_units() if not is_unspaced(unit)}
    # Most numbers have no unit. What follows tells that by its first character, before all units are tried.
    firsts = re.escape("".join(sorted({unit[0] for unit in units})))
    return re.compile(rf"(?<!\w)\d{{1,16}}\s*(?=[{firsts}])(?:{_any_of(units)})(?!\w)", re.IGNORECASE)


def _kind_at(line: str, place: Place) -> str:
    first, last = place
    for start, end, kind in times(line):
        if start <= first and last <= end:
            return kind
    return ""


@lru_cache(256)
def times(line: str) -> tuple[tuple[int, int, str], ...]:
    """Returns where times that tick stand in a line, from left to right, none inside another."""
    found = [(*match.span(), "relative") for match in _relative().finditer(line)]
    if _MAKING.search(line):
        found += [(*match.span(), "duration") for match in _DURATION.finditer(line)]
    if _SHOWING.search(line):
        found += [(*match.span(), "clock") for match in _CLOCK.finditer(line)]
    found += _nearby_in(line)
    found.sort()
    chosen: list[tuple[int, int, str]] = []
    for one in found:
        if not chosen or one[0] >= chosen[-1][1]:
            chosen.append(one)
    return tuple(chosen)


def _nearby_in(line: str) -> list[tuple[int, int, str]]:
    """Returns the place of a word for a time that has the line for itself, or shares it with a clock:
    "Yesterday, 14:05"."""
    if len(line) > _ALONE:
        return []
    rest = _CLOCK.sub("", line, count=1) if _DIGIT.search(line) else line
    word = rest.strip(_BESIDE)
    if _plain_line(rest) not in nearby() or (start := line.find(word)) < 0:
        return []
    return [(start, start + len(word), "relative")]


def _is_present(line: str) -> bool:
    return len(line) <= _ALONE and nearby().get(_plain_line(_CLOCK.sub("", line)), (1,))[0] == 0


def _names_group(line: str) -> bool:
    """Tells whether a line says nothing but how old something is at most."""
    match = _WITHIN.fullmatch(line.strip(_BESIDE)) if len(line) <= _ALONE else None
    return match is not None and plain_unit(match["unit"]) in units()


def _plain_line(line: str) -> str:
    return " ".join(line.strip(_BESIDE).lower().replace("'", "’").split())


@cache
def nearby() -> dict[str, tuple[float, int]]:
    """Returns words for a time in all languages, in small letters, with its age and its unit in seconds:
    "today", "last week". Something of last week is older than anything of this week."""
    found: dict[str, tuple[float, int]] = {}
    for cells in _cells("nearby.txt"):
        for seconds, of_unit in zip(_UNITS, cells, strict=False):
            for age, word in zip((0.0, 1.5 * seconds), of_unit.split("|"), strict=True):
                found.setdefault(_plain_line(word), (age, seconds))
    return found


@cache
def _relative() -> re.Pattern[str]:
    """Returns all forms of relative times as one expression. What stands before the number, the longest
    first, tells what may stand after it; each is a group, so that the number is written and compiled once."""
    after: dict[str, set[str]] = {}
    for pattern, _ in _patterns():
        head, _, tail = pattern.partition("{0}")
        after.setdefault(head.strip(), set()).add(tail.strip())
    heads = sorted(filter(None, after), key=len, reverse=True)
    tails = f"(?:{_any_of(after[''])})"
    for group, head in reversed(list(enumerate(heads, 1))):
        tails = f"(?({group})(?:{_any_of(after[head])})|{tails})"
    before = "|".join(f"({_spaced(head)})" for head in heads)
    number = rf"(?:(?<!\w)(?:{SMALL})\s+){{0,3}}(?:{_NUMBER}|(?<!\w)(?:{SMALL})(?!\w))"
    form = rf"(?:(?<!\w)(?:{before})\s*|){number}\s*{tails}(?!\w)"
    return re.compile(rf"(?<!\w)(?:{_MOMENT})(?!\w)|{form}", re.IGNORECASE)


@cache
def seconds_of_units() -> dict[str, frozenset[int]]:
    """Returns the units of time of all languages and how many seconds they have: "hour", "Std.". A word
    may be the unit of several languages, such as "m". Scripts without spaces have the unit and "ago" in
    one word."""
    found: dict[str, set[int]] = {}
    for pattern, seconds in _patterns():
        if tail := pattern.partition("{0}")[2].split():
            found.setdefault(" ".join(tail[: 2 if tail[0] == "de" else 1]), set()).add(seconds)
    return {unit: frozenset(seconds) for unit, seconds in found.items()}


@cache
def units() -> dict[str, frozenset[int]]:
    """Returns the units of `seconds_of_units` in small letters and without the points of abbreviations."""
    found: dict[str, frozenset[int]] = {}
    for unit, seconds in seconds_of_units().items():
        name = plain_unit(unit)
        found[name] = found.get(name, frozenset()) | seconds
    return found


def plain_unit(unit: str) -> str:
    return " ".join(unit.lower().replace(".", "").split())


@cache
def _patterns() -> list[tuple[str, int]]:
    """Returns each pattern with the seconds of its unit."""
    return [
        (pattern.strip(), seconds)
        for cells in _cells("relative.txt")
        for seconds, of_unit in zip(_UNITS, cells, strict=True)
        for pattern in of_unit.split("|")
        if pattern.strip()
    ]


def _cells(name: str) -> Iterator[list[str]]:
    """Yields what each language has in a file of words, unit by unit."""
    for line in Path(__file__).with_name(name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield line.partition(":")[2].split(";")


def _any_of(texts: set[str]) -> str:
    return "|".join(_spaced(one) for one in sorted(texts, key=lambda one: (-len(one), one)))


def _spaced(text: str) -> str:
    """Returns an expression for a text: any white space may stand between its words, and the point of an
    abbreviation may be left out."""
    return r"\s+".join(re.escape(word).replace(r"\.", r"\.?") for word in text.split())
