"""Texts with a shape of their own: CSV and TSV as tables, iCalendar as a list, NDJSON as records (F9)."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil import diff
from webvigil.document import PageDigest, read
from webvigil.document.icalendar import CUT
from webvigil.document.jsontext import NotJson, read_ndjson

SHOP = b'Name;Price;Stock\r\n"Lamp; red";12,50;3\r\nSofa;480,00;0\r\n'


def rows_of(
    body: bytes, content_type: str = "text/csv", url: str = ""
) -> tuple[tuple[str, ...], list[list[str]]]:
    (table,) = read(body, content_type, url).tables
    return table.header, [list(row.texts) for row in table.rows]


# --- CSV and TSV ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "header", "rows"),
    [
        (SHOP, ("Name", "Price", "Stock"), [["Lamp; red", "12,50", "3"], ["Sofa", "480,00", "0"]]),
        (b"a,b\n1,2\n3,4", ("a", "b"), [["1", "2"], ["3", "4"]]),
        (b"a|b\n1|2\n", ("a", "b"), [["1", "2"]]),
        (b"a\tb\n1\t2\n", ("a", "b"), [["1", "2"]]),
        (b"\xef\xbb\xbfa,b\n1,2\n", ("a", "b"), [["1", "2"]]),
        (b'a,b\n"x ""y"", z","two\nlines"\n', ("a", "b"), [['x "y", z', "two lines"]]),
        (b"1,2\n3,4\n", ("", ""), [["1", "2"], ["3", "4"]]),
        (b"2026-01-01,5\n2026-01-02,6\n", ("", ""), [["2026-01-01", "5"], ["2026-01-02", "6"]]),
        (b"a,b\n\n1,2\n,\n3\n", ("a", "b"), [["1", "2"], ["3"]]),
        (b"a,b\r1,2\r", ("a", "b"), [["1", "2"]]),
        ("Straße;Ort\nWeg 1;Köln\n".encode("windows-1252"), ("Straße", "Ort"), [["Weg 1", "Köln"]]),
        ("a,b\n1,é\n".encode("utf-16"), ("a", "b"), [["1", "é"]]),
        (
            b'city,note\nRome,"1,5; 2,5"\nOslo,"3,5; 4"\n',
            ("city", "note"),
            [["Rome", "1,5; 2,5"], ["Oslo", "3,5; 4"]],
        ),
    ],
)
def test_a_file_is_a_table(body: bytes, header: tuple[str, ...], rows: list[list[str]]):
    found, written = rows_of(body)
    assert tuple(found or ("",) * len(rows[0])) == header
    assert [[cell for cell in row if cell] for row in written] == rows


@pytest.mark.parametrize(
    ("content_type", "url", "shown"),
    [
        ("text/csv; charset=utf-8", "", True),
        ("text/plain", "https://a.example/x.csv?raw=1", True),
        ("application/octet-stream", "https://a.example/x.CSV", True),
        ("", "https://a.example/x.csv", True),
        ("application/vnd.ms-excel", "https://a.example/x.csv", True),
        ("text/plain", "https://a.example/x.txt", False),
        ("application/json", "https://a.example/x.csv", False),
    ],
)
def test_the_type_decides_and_else_the_name(content_type: str, url: str, shown: bool):
    assert bool(read(b"a,b\n1,2\n", content_type, url).tables) == shown


def test_a_page_of_an_error_is_no_table():
    assert read(b"<!doctype html><p>Not found, sorry", "text/plain", "https://a.example/x.csv").kind != "csv"
    assert not read(b"<html><p>a,b\n", "text/csv").tables


@pytest.mark.parametrize(("said", "header"), [("present", ("1", "2")), ("absent", ())])
def test_the_type_may_say_whether_there_is_a_header(said: str, header: tuple[str, ...]):
    found, rows = rows_of(b"1,2\n3,4\n", f"text/csv; header={said}")
    assert (tuple(filter(None, found)), len(rows)) == (header, 1 if header else 2)


@pytest.mark.parametrize("monitor", ["any change", "table: {1}", 'table: {css "table"}'])
def test_rows_and_cells_are_told_by_their_names(monitor: str):
    new = SHOP.replace(b"480,00", b"455,00") + b"Cup;4,00;9\r\n"
    told = {
        (one.status, one.label, one.before, one.after)
        for one in diff(SHOP, new, monitor, content_type="text/csv").findings[0].objects
    }
    assert told == {("u", "Sofa · Price", "480,00", "455,00"), ("i", "Cup", None, "Cup | 4,00 | 9")}


def test_how_cells_are_quoted_and_lines_end_does_not_count():
    same = b'"Name";"Price";"Stock"\n"Lamp; red";"12,50";"3"\n"Sofa";"480,00";"0"'
    assert not diff(SHOP, same, "any change", content_type="text/csv").changed


def test_a_hundred_thousand_rows_are_read_in_time():
    body = ("id,name,price\n" + "".join(f"{n},item {n},{n % 97}.5\n" for n in range(100_000))).encode()
    begun = time.process_time()
    digest = read(body, "text/csv")
    assert time.process_time() - begun < 3
    assert len(digest.tables[0].rows) == 100_000


def test_a_file_of_mere_delimiters_is_a_text():
    assert read(b"a,b\n" + b"," * 2_000_000, "text/csv").kind == "text"


@given(st.binary(max_size=200))
def test_any_bytes_give_a_digest(body: bytes):
    for content_type in ("text/csv", "text/tab-separated-values", "text/calendar", "application/x-ndjson"):
        assert isinstance(read(body, content_type), PageDigest)


# --- iCalendar ------------------------------------------------------------------------------------

CHOIR = """BEGIN:VEVENT
UID:1@town
DTSTAMP:20260101T000000Z
SEQUENCE:1
SUMMARY:Choir\\, open
DTSTART;TZID=Europe/Berlin:20261224T180000
DTEND;TZID="Europe/Berlin":20261224T200000
LOCATION:Hall 3
DESCRIPTION:A long
  text\\nand more
URL:https://town.example/choir
BEGIN:VALARM
DESCRIPTION:Soon
END:VALARM
END:VEVENT
"""
MARKET = """BEGIN:VEVENT
UID:2@town
SUMMARY:Market
DTSTART;VALUE=DATE:20261201
RRULE:FREQ=WEEKLY;BYDAY=TU
EXDATE;VALUE=DATE:20261208,20261215
STATUS:CONFIRMED
END:VEVENT
"""


def calendar(*events: str) -> bytes:
    whole = "BEGIN:VCALENDAR\nVERSION:2.0\nX-WR-CALNAME:Town\n" + "".join(events) + "END:VCALENDAR\n"
    return whole.replace("\n", "\r\n").encode()


def lines_of(body: bytes) -> list[str]:
    return read(body, "text/calendar").reading.text.split("\n")


def test_a_calendar_is_a_list_of_events_in_the_order_of_their_times():
    assert lines_of(calendar(CHOIR, MARKET)) == [
        "Town",
        "Market",
        "2026-12-01",
        "Status: CONFIRMED",
        "Repeats: FREQ=WEEKLY;BYDAY=TU",
        "Not: 2026-12-08, 2026-12-15",
        "Choir, open",
        "2026-12-24 18:00 Europe/Berlin until 2026-12-24 20:00 Europe/Berlin",
        "Hall 3",
        "A long text",
        "and more",
        "https://town.example/choir",
    ]
    assert read(calendar(CHOIR, MARKET), "text/calendar").title == "Town"


def test_what_each_answer_writes_anew_is_not_told():
    new = (
        calendar(MARKET, CHOIR)
        .replace(b"20260101T000000Z", b"20260202T000000Z")
        .replace(b"SEQUENCE:1", b"SEQUENCE:2")
    )
    for monitor in ("any change", "list: {1}", "content"):
        assert not diff(calendar(CHOIR, MARKET), new, monitor, content_type="text/calendar").changed


def test_events_are_told():
    fair = "BEGIN:VEVENT\nUID:3\nSUMMARY:Fair\nDTSTART:20261231T090000Z\nDURATION:PT2H\nEND:VEVENT\n"
    new = calendar(CHOIR.replace("Hall 3", "Hall 5"), fair)
    found = diff(calendar(CHOIR, MARKET), new, "list: {1}", content_type="text/calendar").findings[0].objects
    assert {(one.status, one.label) for one in found} == {
        ("i", "Fair"),
        ("u", "Choir, open"),
        ("d", "Market"),
    }
    assert any(one.after == "Fair 2026-12-31 09:00 UTC for PT2H" for one in found)


@pytest.mark.parametrize("cut", range(60, 420, 40))
def test_a_calendar_that_is_cut_keeps_its_whole_events(cut: int):
    body = calendar(MARKET, CHOIR)[:cut]
    lines = lines_of(body)
    assert ("Market" in lines) == (b"END:VEVENT" in body)
    assert CUT in lines or body.count(b"BEGIN:VEVENT") == body.count(b"END:VEVENT")


def test_a_text_that_is_no_calendar_is_a_text():
    assert read(b"Not today", "text/calendar").kind == "text"


# --- NDJSON ---------------------------------------------------------------------------------------

LINES = b'{"name": "a", "n": 1}\n\n{"name": "b",\r\n{"name": "c", "n": 3}\n'


@pytest.mark.parametrize(
    ("content_type", "url"),
    [
        ("application/x-ndjson", ""),
        ("application/jsonl; charset=utf-8", ""),
        ("text/plain", "https://a.example/x.jsonl"),
        ("", "https://a.example/x.ndjson"),
        ("application/json", ""),
    ],
)
def test_each_line_is_a_record_and_a_broken_line_is_named(content_type: str, url: str):
    digest = read(LINES, content_type, url)
    assert digest.kind == "json"
    assert digest.paths([node for node in range(len(digest)) if digest.parents[node] == 1]) == [
        "$[0]",
        "$[1]",
        "$[2]",
    ]
    assert 'line 3 is no JSON (the text ends too early): {"name": "b",' in digest.reading.text


def test_of_very_many_broken_lines_the_first_are_explained():
    digest = read(b'{"a": 1}\n' + b'{"b"\n' * 1002, "application/x-ndjson")
    lines = digest.reading.text.split("\n")
    assert lines[1000:] == ['line 1001 is no JSON (the text ends too early): {"b"', '{"b"', '{"b"']


def test_a_changed_record_is_told_by_its_name():
    (one,) = (
        diff(LINES, LINES.replace(b"3", b"4"), "any change", content_type="application/x-ndjson")
        .findings[0]
        .objects
    )
    assert (one.label, one.before, one.after, one.where) == ("c · n", "3", "4", ("$[2].n",))


def test_text_without_json_is_none():
    with pytest.raises(NotJson):
        read_ndjson("one\ntwo")
    assert read(b"one\ntwo", "application/x-ndjson").kind in ("text", "binary")
    assert read(b'{"a":\n1', "application/json").kind == "text"


@given(
    st.lists(st.recursive(st.integers(), lambda inner: st.lists(inner, max_size=2), max_leaves=4), min_size=1)
)
def test_lines_read_as_the_array_of_them(values: list[object]):
    lines = "\n".join(map(json.dumps, values)).encode()
    whole = read(json.dumps(values).encode(), "application/json")
    assert read(lines, "application/x-ndjson").as_document() == whole.as_document()


# --- hostile JSON ---------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000 + b"]" * 200_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b"[" + b"9" * 500_000 + b"]",
        b'{"a":1,' + b'"a":1,' * 100_000 + b'"a":2}',
        b'{"a": "\xff\xfe\x80"}',
        b'{"a": 1e' + b"9" * 1000 + b"}",
    ],
    ids=[
        "deep arrays",
        "deep objects",
        "a huge number",
        "one key again and again",
        "no UTF-8",
        "a huge exponent",
    ],
)
def test_hostile_json_is_read_and_searched(body: bytes):
    begun = time.process_time()
    digest = read(body, "application/json")
    assert digest.kind == "json"
    found = diff(body, body + b" ", 'value json "$..a"', content_type="application/json")
    assert not found.changed
    assert time.process_time() - begun < 8
