"""What a person calls a version in, the version out: a number, `latest`, `previous`, `first`, or a time (R6).

A time means the page as it was then: the last version that was fetched before. A day alone means its
beginning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from webvigil.app.pages.view import SeenPage
from webvigil.errors import NotFound
from webvigil.language.times import interval, moment
from webvigil.model.moment import on_clock
from webvigil.model.version import Version

_AGO = re.compile(r"(?:(\d{1,6})\s+|an?\s+)(second|minute|hour|day|week)s?\s+ago", re.IGNORECASE)
_LONGEST = 18  # digits that are read; no version has a longer number
_DAYS = {"now": 0, "yesterday": 1}


def chosen(versions: Sequence[Version], text: str, now: datetime, zone: tzinfo) -> Version:
    """Returns the version that `text` names. `versions` are those of one page, the newest first.

    Raises NotFound if there is no such version, and ValueError if the text cannot mean a version.
    """
    if not versions:
        raise NotFound("the page has no versions yet")
    word = text.strip().lower()
    places = {"latest": 0, "newest": 0, "previous": 1, "first": len(versions) - 1}
    if word in places:
        return _at(versions, places[word])
    if _is_number(word):
        return _numbered(versions, int(word[:_LONGEST]))
    return _as_of(versions, time_of(word, now, zone), zone)


def named(seen: SeenPage, text: str, now: datetime, zone: tzinfo) -> Version:
    """Returns the version of a page that `text` names, without reading all of its versions. Raises NotFound
    and ValueError as `chosen` does."""
    word = text.strip().lower()
    if word == "first":
        piece = seen.some(oldest_first=True, limit=1)
    elif word in ("latest", "newest", "previous"):
        piece = seen.some(limit=2)
    elif _is_number(word):
        piece = seen.some(after=int(word[:_LONGEST]) - 1, oldest_first=True, limit=1)
    elif word:
        piece = seen.some(until=time_of(word, now, zone), limit=1)
    else:
        piece = []
    try:
        return chosen(piece, text, now, zone)
    except NotFound:
        # The error names the versions that there are.
        return chosen(seen.versions(), text, now, zone)


def _is_number(word: str) -> bool:
    """Says whether a word is the number of a version. Versions of the past have negative numbers."""
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit()


def time_of(text: str, now: datetime, zone: tzinfo) -> datetime:
    """Reads `now`, `yesterday`, `2 days ago`, a date or a time. Times without a zone are in the user's
    zone."""
    word = text.strip()
    if word.lower() in _DAYS:
        return now - timedelta(days=_DAYS[word.lower()])
    if ago := _AGO.fullmatch(word):
        return now - interval(int(ago[1] or 1), ago[2].lower())
    try:
        found = moment(word)
    except ValueError as error:
        raise ValueError(
            f"{text!r} is no version: write a number, latest, previous, first, or a time, such as "
            "2026-11-01 12:00, yesterday or 2 days ago"
        ) from error
    return found if found.tzinfo else found.replace(tzinfo=zone)


def _at(versions: Sequence[Version], place: int) -> Version:
    if place >= len(versions):
        raise NotFound("the page has only one version yet")
    return versions[place]


def _numbered(versions: Sequence[Version], number: int) -> Version:
    found = next((one for one in versions if one.number == number), None)
    if found is None:
        raise NotFound(f"the page has no version {number}; there are {_range(versions)}")
    return found


def _as_of(versions: Sequence[Version], time: datetime, zone: tzinfo) -> Version:
    found = next((one for one in versions if one.fetched_at <= time), None)
    if found is None:
        first = versions[-1]
        raise NotFound(
            f"no version is as old as that; the first is {first.number}, "
            f"of {on_clock(first.fetched_at, zone)}"
        )
    return found


def _range(versions: Sequence[Version]) -> str:
    """Returns the numbers of the versions in words, such as `1, 3, 7 to 12`."""
    found: list[list[int]] = []
    for number in sorted(one.number for one in versions):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in found)
