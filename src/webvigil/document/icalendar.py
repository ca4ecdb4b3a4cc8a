"""The text of an iCalendar file (RFC 5545) in, a Page Digest with one list of its events out (F9).

Each event, task or journal entry is an item: what, when, where, and what else it says. Items stand in the
order of their times, however the file is sorted. What a server writes anew in each answer (DTSTAMP, SEQUENCE,
LAST-MODIFIED) is left out, so it is never told. A rule of recurrence stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from webvigil.document.digest import PageDigest
from webvigil.document.sink import Sink

# Further entries are not read; a calendar that people keep has some thousand.
MOST_ENTRIES = 100_000
_ENTRIES = {"VEVENT", "VTODO", "VJOURNAL"}
_FOLD = re.compile(r"\r?\n[ \t]")
_LINE = re.compile(
    r"([A-Za-z0-9-]+)((?:;[^:;=]+=(?:\"[^\"]*\"|[^\":;]*)(?:,(?:\"[^\"]*\"|[^\":;,]*))*)*):(.*)", re.DOTALL
)
_PARAMETER = re.compile(r";([^:;=]+)=(\"[^\"]*\"|[^\":;]*)")
_ESCAPE = re.compile(r"\\([\\;,nN])")
_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
# What is shown besides summary and times, with the words before it.
_SHOWN = {
    "LOCATION": "",
    "STATUS": "Status: ",
    "RRULE": "Repeats: ",
    "RDATE": "Also: ",
    "EXDATE": "Not: ",
    "RECURRENCE-ID": "Instead of: ",
    "CATEGORIES": "Categories: ",
    "DESCRIPTION": "",
}
_TIMES = {"RDATE", "EXDATE", "RECURRENCE-ID"}
CUT = "The calendar ends in the middle of an entry."


class Property(NamedTuple):
    name: str
    parameters: dict[str, str]
    value: str


@dataclass(slots=True)
class Entry:
    """One event, task or journal entry."""

    properties: list[Property] = field(default_factory=list)

    def first(self, *names: str) -> Property | None:
        return next((one for name in names for one in self.properties if one.name == name), None)

    @property
    def order(self) -> tuple[str, str, str]:
        start = self.first("DTSTART", "DUE")
        uid, again = self.first("UID"), self.first("RECURRENCE-ID")
        return start.value if start else "", uid.value if uid else "", again.value if again else ""


def read_icalendar(text: str, url: str = "") -> PageDigest | None:
    """Returns the digest of a calendar; None for a text that is no calendar."""
    text = text.removeprefix("\ufeff").lstrip()
    if not text[:15].upper().startswith("BEGIN:VCALENDAR"):
        return None
    title, entries, is_cut = _read(text)
    return _digest(title, sorted(entries, key=lambda one: one.order), is_cut, url)


def _read(text: str) -> tuple[str, list[Entry], bool]:
    """Returns the name of the calendar, its complete entries, and whether it ends too early."""
    title, entries, inside = "", list[Entry](), list[str]()
    entry: Entry | None = None
    for one in _properties(text):
        if one.name == "BEGIN":
            inside.append(one.value.upper())
            if inside[-1] in _ENTRIES and entry is None:
                entry = Entry()
        elif one.name == "END":
            ended = inside.pop() if inside else ""
            if entry is not None and ended in _ENTRIES:
                entries.append(entry)
                entry = None
        elif entry is not None and inside[-1] in _ENTRIES:
            entry.properties.append(one)
        elif one.name == "X-WR-CALNAME" and not title:
            title = _plain(one.value)
        if len(entries) >= MOST_ENTRIES:
            break
    return title, entries, entry is not None


def _properties(text: str) -> Iterator[Property]:
    """Yields the lines of the file, unfolded. A line that is no property is left out."""
    for line in _FOLD.sub("", text).splitlines():
        match = _LINE.fullmatch(line)
        if match:
            given = {name.upper(): value.strip('"') for name, value in _PARAMETER.findall(match[2])}
            yield Property(match[1].upper(), given, match[3])


def _plain(value: str) -> str:
    return _ESCAPE.sub(lambda one: "\n" if one[1] in "nN" else one[1], value).strip()


# --- what is shown --------------------------------------------------------------------------------


def _when(one: Property) -> str:
    """Returns a time as people write it: `2026-12-24 18:00 Europe/Berlin`. Several stay separated by
    commas."""
    zone = one.parameters.get("TZID", "")
    return ", ".join(_moment(text, zone) for text in one.value.split(","))


def _moment(text: str, zone: str) -> str:
    match = _MOMENT.fullmatch(text.strip())
    if not match:
        return text.strip()
    year, month, day, hour, minute, second, utc = match.groups()
    date = f"{year}-{month}-{day}"
    if hour is None:
        return date
    clock = f"{hour}:{minute}" + (f":{second}" if second != "00" else "")
    return " ".join(filter(None, (date, clock, "UTC" if utc else zone)))


def _times(entry: Entry) -> str:
    start, end, lasts = entry.first("DTSTART"), entry.first("DTEND", "DUE"), entry.first("DURATION")
    said = [_when(start)] if start else []
    if end:
        said.append(f"until {_when(end)}" if start else f"due {_when(end)}")
    elif lasts:
        said.append(f"for {lasts.value}")
    return " ".join(said)


def _digest(title: str, entries: list[Entry], is_cut: bool, url: str) -> PageDigest:
    sink = Sink()
    sink.start_element("html", ())
    sink.start_element("head", ())
    if title:
        _element(sink, "title", title)
    sink.end_element("head")
    sink.start_element("body", ())
    if title:
        _element(sink, "h1", title)
    sink.start_element("ul", ())
    for entry in entries:
        _item(sink, entry)
    sink.end_element("ul")
    if is_cut:
        _element(sink, "p", CUT)
    sink.end_element("body")
    sink.end_element("html")
    return sink.digest("html", url)


def _item(sink: Sink, entry: Entry) -> None:
    uid, again = entry.first("UID"), entry.first("RECURRENCE-ID")
    name = " ".join(one.value for one in (uid, again) if one)
    sink.start_element("li", (("id", name),) if name else ())
    if summary := entry.first("SUMMARY"):
        _element(sink, "h2", _plain(summary.value))
    if times := _times(entry):
        _element(sink, "p", times)
    for shown, words in _SHOWN.items():
        for one in entry.properties:
            if one.name == shown:
                _element(sink, "p", words + (_when(one) if shown in _TIMES else _plain(one.value)))
    if address := entry.first("URL"):
        _element(sink, "a", address.value, (("href", address.value),))
    sink.end_element("li")


def _element(sink: Sink, tag: str, text: str, attributes: tuple[tuple[str, str], ...] = ()) -> None:
    sink.start_element(tag, attributes)
    if text:
        sink.characters(text)
    sink.end_element(tag)
