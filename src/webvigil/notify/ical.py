"""Moments in, a calendar out, in the format iCalendar (RFC 5545), for calendar programs (N7).

An event keeps its UID for ever and never moves: what happens at another moment is another event. Equal events
therefore give equal bytes, and a program that has them already is told so.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from webvigil.notify.render import cleaned, href

# RFC 5545, 3.1: a line has at most 75 octets without its end; a longer one is continued after a space.
LONGEST_LINE = 75
_SPECIAL = re.compile(r"[\\;,]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One moment. `key` is unique in this installation; `known_since` is when the moment was first known.
    `remind` is how long before the moment the program reminds of it; None: not at all."""

    key: str
    at: datetime
    known_since: datetime
    title: str
    lines: tuple[str, ...] = ()
    link: str = ""
    topics: tuple[str, ...] = ()
    remind: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """A calendar and its events. `place` names this installation. `again` is how long a program may wait
    before it asks again."""

    place: str
    title: str
    again: timedelta
    events: Sequence[Event]


def as_ical(calendar: Calendar) -> bytes:
    lines = [line for one in _lines(calendar) for line in _folded(one)]
    return b"".join(line + b"\r\n" for line in lines)


def _lines(calendar: Calendar) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield "PRODID:-//WebVigil//WebVigil//EN"
    yield "CALSCALE:GREGORIAN"
    # The second of each pair is for programs that are older than RFC 7986.
    yield f"NAME:{_text(calendar.title)}"
    yield f"X-WR-CALNAME:{_text(calendar.title)}"
    yield f"REFRESH-INTERVAL;VALUE=DURATION:{_duration(calendar.again)}"
    yield f"X-PUBLISHED-TTL:{_duration(calendar.again)}"
    for event in calendar.events:
        yield from _event(calendar.place, event)
    yield "END:VCALENDAR"


def _event(place: str, event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{uuid.uuid5(uuid.NAMESPACE_URL, f'webvigil:{place}/{event.key}')}"
    yield f"DTSTAMP:{_time(event.known_since)}"
    yield f"DTSTART:{_time(event.at)}"
    yield f"SUMMARY:{_text(event.title)}"
    if event.lines:
        yield f"DESCRIPTION:{_text(chr(10).join(event.lines))}"
    if href(event.link):
        yield f"URL:{_plain(event.link)}"
    if event.topics:
        yield f"CATEGORIES:{','.join(map(_text, event.topics))}"
    yield "CLASS:PRIVATE"
    yield "TRANSP:TRANSPARENT"
    if event.remind is not None:
        yield "BEGIN:VALARM"
        yield "ACTION:DISPLAY"
        yield f"DESCRIPTION:{_text(event.title)}"
        yield f"TRIGGER:-{_duration(event.remind)}"
        yield "END:VALARM"
    yield "END:VEVENT"


def _text(text: str) -> str:
    """Returns the text with the characters escaped that have a meaning in a value (3.3.11)."""
    lines = cleaned(text.replace("\r\n", "\n")).split("\n")
    return r"\n".join(_SPECIAL.sub(r"\\\g<0>", one).replace("\t", " ") for one in lines)


def _plain(address: str) -> str:
    """Returns an address, which is not escaped, without anything that could end its line."""
    return "".join(one for one in cleaned(address) if one not in "\r\n\t")


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _duration(length: timedelta) -> str:
    seconds = max(0, int(length.total_seconds()))
    days, rest = divmod(seconds, 86_400)
    return f"P{days}D" if not rest else f"PT{seconds // 3600}H{seconds % 3600 // 60}M{seconds % 60}S"


def _folded(line: str) -> Iterator[bytes]:
    """Yields the line in pieces that are short enough. No character of several octets is cut."""
    piece, room = bytearray(), LONGEST_LINE
    for letter in line:
        octets = letter.encode()
        if len(piece) + len(octets) > room:
            yield bytes(piece)
            piece = bytearray(b" ")
        piece += octets
    yield bytes(piece)
