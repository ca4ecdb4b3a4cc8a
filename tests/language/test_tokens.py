"""What stands in a clause is taken at its limits, and one beyond is refused with its place and the reason."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from webvigil.language import check
from webvigil.model.sentinel import (
    Compare,
    Condition,
    FetchAt,
    FetchCron,
    FetchEvery,
    FetchOnChange,
    FormPage,
    Hours,
    NotifyEachChanges,
    Part,
)

PLAIN = "Create Sentinel s Using http://a.test/ "
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("clause", "field", "value"),
    [
        ("Compare every 1", "compare", Compare("every", 1)),
        ("Compare every 1000000", "compare", Compare("every", 1_000_000)),
        ("Compare moving 2", "compare", Compare("moving", 2)),
        ("Compare pairwise", "compare", Compare("pairwise", 1)),
        ("Priority 0", "priority", 0),
        ("Priority 1000000", "priority", 1_000_000),
        ("Every 1 changes", "notify", NotifyEachChanges(1)),
        ("Every 1000000 changes", "notify", NotifyEachChanges(1_000_000)),
        ("When status 0", "when", Condition("status", "=", 0.0)),
        ("When status >= 999", "when", Condition("status", ">=", 999.0)),
        ("When status ≥ 5", "when", Condition("status", ">=", 5.0)),
        ("When value between 5 and 5", "when", Condition("value", "between", 5.0, upper=5.0)),
        ("When price between -1.5 and 9", "when", Condition("price", "between", -1.5, upper=9.0)),
        ("When price below 5", "when", Condition("price", "<", 5.0)),
        ("When price above 5", "when", Condition("price", ">", 5.0)),
        ("When matches /a/", "when", Condition("contains", "matches", text="a")),
        ("When contains /a/", "when", Condition("contains", "matches", text="a")),
        (
            'When contains regex "a" in css "b"',
            "when",
            Condition("contains", "matches", text="a", part=Part("css", "b")),
        ),
        ("Fetch at 0:00, 23:59", "fetch", FetchAt((0, 1439))),
        ("Fetch at 8, 7:59, 8:00", "fetch", FetchAt((479, 480))),
        ("Fetch at 7 on weekdays, saturday", "fetch", FetchAt((420,), (0, 1, 2, 3, 4, 5))),
        ("Fetch 1 day on weekends", "fetch", FetchEvery(DAY, Hours((5, 6)))),
        ("Fetch 1 day on sun, mon, sunday", "fetch", FetchEvery(DAY, Hours((0, 6)))),
        ("Fetch 1 day on weekdays, weekends", "fetch", FetchEvery(DAY)),
        ("Fetch 1 second", "fetch", FetchEvery(timedelta(seconds=1))),
        ("Fetch 36524 day 24 hour", "fetch", FetchEvery(36_525 * DAY)),
        ("Fetch on change between 8 and 24:00", "fetch", FetchOnChange(Hours(between=((480, 1440),)))),
        (
            "Fetch on change between 22:00 and 0:00, between 8:00 and 9:00",
            "fetch",
            FetchOnChange(Hours(between=((480, 540), (1320, 0)))),
        ),
        ('Fetch cron "* *  * * *"', "fetch", FetchCron("* * * * *")),
        ('Topic a, "b, c", a', "topics", ("a", "b", "c")),
        ('Topic "a,,b"', "topics", ("a", "b")),
    ],
)
def test_a_clause_at_its_limits_is_taken(clause: str, field: str, value: Any):
    checked = check(PLAIN + clause)
    assert checked.mistakes == ()
    assert getattr(checked.sentinels[0], field) == value


CLOCK = "is not a time of day such as 7:30 or 19:00"


@pytest.mark.parametrize(
    ("clause", "word", "refusal"),
    [
        ("Compare every 0", "0", "'0' is not a whole number from 1 to 1,000,000"),
        ("Compare every 1000001", "1000001", "'1000001' is not a whole number from 1 to 1,000,000"),
        ("Compare moving 1", "1", "'1' is not a whole number from 2 to 1,000,000"),
        ("Priority 1000001", "1000001", "'1000001' is not a whole number from 0 to 1,000,000"),
        ("Every 0 changes", "0", "'0' is not a whole number from 1 to 1,000,000"),
        ("Every 1000001 changes", "1000001", "'1000001' is not a whole number from 1 to 1,000,000"),
        ("When status 1000", "1000", "'1000' is not a whole number from 0 to 999"),
        ("When value > 1e999", "1e999", "'1e999' is too large"),
        (
            "When value between 5 and 4",
            "between",
            "between 5 and 4 is nothing; the smaller number comes first",
        ),
        (
            'When appears "a" in regex "b"',
            "in",
            "appears … in takes css, xpath, json or main, not regex",
        ),
        ("When value > 5 in main", "in", "value … in takes css, xpath, json or regex, not main"),
        ("Fetch at 24:00", "24:00", f"'24:00' {CLOCK}"),
        ("Fetch at 7:60", "7:60", f"'7:60' {CLOCK}"),
        ("Fetch at 7:5", "7:5", f"'7:5' {CLOCK}"),
        ("Fetch on change between 24:00 and 8:00", "24:00", f"'24:00' {CLOCK}"),
        (
            "Fetch on change between 8:00 and 8",
            "between",
            "between 8:00 and 8 is no time; leave it out for the whole day",
        ),
        ("Fetch 00 second", "00", "an interval is a whole number of at least 1, not '00'"),
        ("Fetch 36525 day 1 second", "36525", "an interval lasts at most 100 years"),
        ("Monitor phrase: {a} context 0", "0", "'0' is not a whole number from 1 to 1,000"),
        ("Monitor phrase: {a} context 1001", "1001", "'1001' is not a whole number from 1 to 1,000"),
        ('Topic ","', '","', "a name has at least one letter or digit"),
        (
            'Quiet off except css "a"',
            "off",
            "Quiet off tells everything; there is nothing to except from it",
        ),
        ("Render http wait 3 second", "http", "only a browser waits; write Render browser wait …"),
        (
            "From 12/02/2026 To during(x)",
            "To",
            "during(…) can only begin a life span; use To end(x)",
        ),
        (
            "From during(x) + 1 day",
            "during",
            "during(…) means now, while that sentinel is active; it takes no + interval",
        ),
        ("Sentinel Object x", "Sentinel", "Sentinel Object needs a Sentinel Type"),
        (
            "Monitor phrase: {a}\nSentinel Object x",
            "Sentinel",
            "Sentinel Object is one text too many: the type has its own",
        ),
    ],
)
def test_a_clause_beyond_its_limits_is_refused(clause: str, word: str, refusal: str):
    (mistake,) = check(PLAIN + clause).mistakes
    assert (mistake.message, mistake.word) == (refusal, word)
    line = (PLAIN + clause).splitlines()[mistake.line - 1]
    assert line[mistake.column - 1 :].startswith(word)


@pytest.mark.parametrize(
    ("fields", "read"),
    [
        ('{"" = ""}', (("", ""),)),
        ("{a = , b = 1,}", (("a", ""), ("b", "1"))),
        ('{"a=b" = "c, d"}', (("a=b", "c, d"),)),
    ],
)
def test_the_fields_of_a_form_may_be_empty(fields: str, read: tuple[tuple[str, str], ...]):
    checked = check(f"Create Sentinel s Using form http://a.test/ {fields}")
    assert [one.target for one in checked.sentinels] == [FormPage("http://a.test/", "GET", read)]


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        (r'{"a\u0000" = }', r"\u0000 and halves of characters (\ud800 to \udfff) cannot stand in a text"),
        (r'{"" = "\u0000"}', r"\u0000 and halves of characters (\ud800 to \udfff) cannot stand in a text"),
        (r'{a = "\ud800"}', r"\u0000 and halves of characters (\ud800 to \udfff) cannot stand in a text"),
        ("{a = 1, b}", "'b' is no field; a field is written name = value"),
    ],
)
def test_a_field_that_cannot_be_sent_is_refused(fields: str, refusal: str):
    (mistake,) = check(f"Create Sentinel s Using form http://a.test/ {fields}").mistakes
    assert (mistake.message, mistake.column) == (refusal, 45)
