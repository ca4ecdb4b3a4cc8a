"""Calendars as other programs read them (N7): lines are short enough, texts come back as written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import icalendar
from hypothesis import given
from hypothesis import strategies as some

from webvigil.notify.ical import LONGEST_LINE, Calendar, Event, as_ical
from webvigil.notify.render import cleaned

NOON = datetime(2027, 1, 15, 12, 0, tzinfo=UTC)
HOSTILE = (
    "plain",
    "a;b,c\\d",
    "two\nlines",
    "x\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:forged",
    'quote " : = ^n',
    "\\n is no line break, and \\, no comma",
    "ü" * 200,
    "👩‍👩‍👧" * 60,
    " leading and trailing ",
    "\u202eturned round\x00\x07\ufeff\x85\u2028",
    "\ud800 half",
    "",
)


def event(title: str = "s1 ends", **more) -> Event:
    values = {"key": f"end/jill/{title!a}", "at": NOON, "known_since": NOON - timedelta(days=9)} | more
    return Event(title=title, **values)


def calendar(*events: Event, title: str = "WebVigil", place: str = "here") -> Calendar:
    return Calendar(place=place, title=title, again=timedelta(hours=1), events=events)


def read(made: bytes) -> icalendar.Calendar:
    found = icalendar.Calendar.from_ical(made)
    assert not found.errors
    assert not [one for part in found.walk() for one in part.errors]
    return found


def said(text: str) -> str:
    """Returns the text as it has to come back: without what is unseen, a tab as a space."""
    return cleaned(text.replace("\r\n", "\n")).replace("\t", " ")


def test_a_program_reads_all_that_is_in_an_event():
    made = event(
        lines=("https://example.org/a?b=1,2;c", "second"),
        link="https://vigil.example/sentinels/a%2Cb",
        topics=("art, old", "money"),
        remind=timedelta(days=7),
    )
    (one,) = read(as_ical(calendar(made))).walk("VEVENT")
    assert one["SUMMARY"] == "s1 ends"
    assert one.decoded("DTSTART") == NOON
    assert one.decoded("DTSTAMP") == NOON - timedelta(days=9)
    assert one["DESCRIPTION"] == "https://example.org/a?b=1,2;c\nsecond"
    assert one["URL"] == "https://vigil.example/sentinels/a%2Cb"
    assert [str(topic) for topic in one["CATEGORIES"].cats] == ["art, old", "money"]
    (alarm,) = one.walk("VALARM")
    assert alarm.decoded("TRIGGER") == -timedelta(days=7)
    assert alarm["ACTION"] == "DISPLAY"


def test_hostile_names_stay_within_their_lines():
    made = as_ical(calendar(*[event(text, lines=(text,), topics=(text,), link=text) for text in HOSTILE]))
    found = read(made).walk("VEVENT")
    assert [str(one["SUMMARY"]) for one in found] == [said(text) for text in HOSTILE]
    assert all("URL" not in one for one in found), "nothing here is an address"
    assert b"\nSUMMARY:forged" not in made


@given(some.text(), some.lists(some.text(), max_size=3))
def test_every_text_comes_back(title, lines):
    made = as_ical(calendar(event(title, lines=tuple(lines)), title=title))
    for line in made.removesuffix(b"\r\n").split(b"\r\n"):
        assert len(line) <= LONGEST_LINE
        assert b"\n" not in line
        assert b"\r" not in line
        line.decode()
    (one,) = read(made).walk("VEVENT")
    assert str(one["SUMMARY"]) == said(title)
    if lines:
        assert str(one["DESCRIPTION"]) == said("\n".join(lines))


def test_a_long_line_is_folded_at_seventy_five_octets():
    made = as_ical(calendar(event("a" * 200)))
    (first,) = (number for number, line in enumerate(made.split(b"\r\n")) if line.startswith(b"SUMMARY"))
    lines = made.split(b"\r\n")[first : first + 3]
    assert [len(line) for line in lines] == [75, 75, 60]
    assert [line[:1] for line in lines] == [b"S", b" ", b" "]


@given(some.timedeltas(min_value=timedelta(0), max_value=timedelta(days=400)))
def test_a_reminder_comes_as_long_before_as_asked(before):
    (alarm,) = read(as_ical(calendar(event(remind=before)))).walk("VALARM")
    assert alarm.decoded("TRIGGER") == -timedelta(seconds=int(before.total_seconds()))


def test_an_event_is_the_same_wherever_it_is_listed():
    first = read(as_ical(calendar(event("a"), event("b"))))
    second = read(as_ical(calendar(event("b"), title="another")))
    elsewhere = read(as_ical(calendar(event("b"), place="there")))
    uids = [str(one["UID"]) for one in first.walk("VEVENT")]
    assert len(set(uids)) == 2
    assert [str(one["UID"]) for one in second.walk("VEVENT")] == uids[1:]
    assert [str(one["UID"]) for one in elsewhere.walk("VEVENT")] != uids[1:]
