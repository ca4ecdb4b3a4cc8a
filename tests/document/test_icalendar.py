"""Calendars are read as a list of their entries (F9)."""

from __future__ import annotations

import pytest

from webvigil.document.icalendar import CUT, read_icalendar


def shown(*lines: str, end: str = "END:VCALENDAR") -> list[str]:
    """Returns the texts of a calendar, each element for itself."""
    digest = read_icalendar("\r\n".join(["BEGIN:VCALENDAR", *lines, end]))
    assert digest is not None
    nodes = digest.nodes_of("h1", "h2", "p", "a").tolist()
    return [f"{digest.tag(node)} {digest.text(node)}" for node in nodes]


def event(*lines: str, kind: str = "VEVENT") -> list[str]:
    return shown(f"BEGIN:{kind}", *lines, f"END:{kind}")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("SUMMARY:Tea\\, cake\\; both\\\\", "h2 Tea, cake; both\\"),
        ("SUMMARY;LANGUAGE=en:Tea", "h2 Tea"),
        ("summary:Tea", "h2 Tea"),
        ("DTSTART:20261224T180000", "p 2026-12-24 18:00"),
        ("DTSTART:20261224T180030Z", "p 2026-12-24 18:00:30 UTC"),
        ("DTSTART;TZID=Europe/Berlin:20261224T180000", "p 2026-12-24 18:00 Europe/Berlin"),
        ('DTSTART;X="a;b:c";TZID="Europe/Berlin":20261224T180000', "p 2026-12-24 18:00 Europe/Berlin"),
        ("DTSTART;TZID=Europe/Berlin:20261224T180000Z", "p 2026-12-24 18:00 UTC"),
        ("DTSTART;VALUE=DATE:20261224", "p 2026-12-24"),
        ("DTSTART:soon", "p soon"),
        ("DUE:20261224", "p due 2026-12-24"),
        ("DURATION:PT1H", "p for PT1H"),
        ("LOCATION:Berlin", "p Berlin"),
        ("STATUS:CANCELLED", "p Status: CANCELLED"),
        ("RRULE:FREQ=DAILY", "p Repeats: FREQ=DAILY"),
        ("RDATE:20261224,20261225", "p Also: 2026-12-24, 2026-12-25"),
        ("EXDATE:20261224", "p Not: 2026-12-24"),
        ("RECURRENCE-ID:20261224", "p Instead of: 2026-12-24"),
        ("CATEGORIES:A,B", "p Categories: A,B"),
        ("DESCRIPTION:one\\ntwo", "p one\ntwo"),
        ("URL:http://e.org/", "a http://e.org/"),
        ("SUM\r\n MARY:Folded", "h2 Folded"),
    ],
)
def test_each_property_is_told_in_words(line: str, text: str):
    assert event(line) == [text]


@pytest.mark.parametrize(
    "line", ["DTSTAMP:20261224", "SEQUENCE:7", "LAST-MODIFIED:20261224", "X-Y:1", "nothing"]
)
def test_what_a_server_writes_anew_is_left_out(line: str):
    assert event(line) == []


def test_a_beginning_has_an_end_or_a_length():
    start = "DTSTART:20261224T180000"
    assert event(start, "DTEND:20261224T190000") == ["p 2026-12-24 18:00 until 2026-12-24 19:00"]
    assert event(start, "DURATION:PT1H") == ["p 2026-12-24 18:00 for PT1H"]
    assert event(start, "DUE:20261225", "DURATION:PT1H") == ["p 2026-12-24 18:00 until 2026-12-25"]


def test_an_entry_tells_what_when_where_and_the_rest_in_this_order():
    lines = ["DESCRIPTION:d", "URL:http://e.org/", "LOCATION:l", "DTSTART:20261224", "STATUS:s", "SUMMARY:w"]
    assert event(*lines) == ["h2 w", "p 2026-12-24", "p l", "p Status: s", "p d", "a http://e.org/"]


@pytest.mark.parametrize("kind", ["VEVENT", "VTODO", "VJOURNAL"])
def test_events_tasks_and_journals_are_entries(kind: str):
    assert event("SUMMARY:Tea", kind=kind) == ["h2 Tea"]


def test_other_parts_are_none_and_an_alarm_is_no_part_of_its_event():
    assert event("TZID:Europe/Berlin", "SUMMARY:x", kind="VTIMEZONE") == []
    alarm = ["BEGIN:VALARM", "DESCRIPTION:Wake up", "SUMMARY:Alarm", "END:VALARM"]
    assert event(*alarm, "SUMMARY:Tea", *alarm) == ["h2 Tea"]


def test_entries_stand_in_the_order_of_their_times_then_of_their_names():
    def entry(name: str, *lines: str) -> list[str]:
        return ["BEGIN:VEVENT", f"SUMMARY:{name}", *lines, "END:VEVENT"]

    lines = [
        *entry("d", "DTSTART:20261225"),
        *entry("c", "DTSTART:20261224", "UID:2", "RECURRENCE-ID:2"),
        *entry("b", "DTSTART:20261224", "UID:2", "RECURRENCE-ID:1"),
        *entry("a2", "DUE:20261224", "UID:1"),
        *entry("none"),
    ]
    titles = [text for text in shown(*lines) if text.startswith("h2")]
    assert titles == ["h2 none", "h2 a2", "h2 b", "h2 c", "h2 d"]


def test_an_entry_is_known_by_its_name():
    digest = read_icalendar(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:7\nRECURRENCE-ID:1\nEND:VEVENT\nEND:VCALENDAR"
    )
    (item,) = digest.nodes_of("li").tolist()
    assert digest.attribute(item, "id") == "7 1"


def test_the_first_name_of_a_calendar_is_its_title():
    assert shown("X-WR-CALNAME:Mine", "X-WR-CALNAME:Other") == ["h1 Mine"]
    digest = read_icalendar("BEGIN:VCALENDAR\nX-WR-CALNAME:Mine\\, all\nEND:VCALENDAR")
    assert digest.title == "Mine, all"


def test_a_calendar_that_ends_within_an_entry_says_so():
    begun = ["BEGIN:VEVENT", "SUMMARY:a", "END:VEVENT", "BEGIN:VEVENT", "SUMMARY:b"]
    assert shown(*begun, end="") == ["h2 a", f"p {CUT}"]
    assert shown("END:VEVENT", "END:VEVENT", end="") == []


@pytest.mark.parametrize("text", ["", "BEGIN:VCARD", "x BEGIN:VCALENDAR", "BEGIN:VCALENDA"])
def test_another_text_is_no_calendar(text: str):
    assert read_icalendar(text) is None


@pytest.mark.parametrize("text", ["BEGIN:VCALENDAR", "begin:vcalendar\n", "\ufeff\n BEGIN:VCALENDAR\n"])
def test_an_empty_calendar_is_one(text: str):
    assert len(read_icalendar(text).nodes_of("li")) == 0
