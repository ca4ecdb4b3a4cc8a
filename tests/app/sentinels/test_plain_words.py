"""What a sentinel does is told in plain words beside its text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from tests.store.making import sentinel
from webvigil.app.sentinels.plain_words import _asked, plain_words, until
from webvigil.language import parse
from webvigil.model.change_types import KINDS
from webvigil.model.life import LifeRecord
from webvigil.model.request import Header, Request
from webvigil.store.memory import MemoryKnowledge

END = datetime(2027, 4, 4, 12, tzinfo=UTC)
BORN = datetime(2026, 4, 4, 12, tzinfo=UTC)
MAIN_AND_A = "the main part of the page and the part “#a”"


def told(clauses: str, life: LifeRecord | None = None, **more: Any) -> list[str]:
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    alive = life or LifeRecord(installed_at=BORN, within=True, started_at=BORN, next_at=END)
    (installed,) = knowledge.sentinels.add(sentinel("tea", life=alive))
    said = parse(f"Create Sentinel tea Using http://site.test/ {clauses}")[0]
    return [f"{one.before}{one.strong}{one.after}" for one in plain_words(said, installed, UTC, **more)]


def test_a_sentinel_is_told_in_four_sentences():
    assert told(
        'Monitor value css "#day" Notify By email anna@example.org',
        labels=["Polaris sofa · Price"],
        habit="changes about every 3 hours",
    ) == [
        "Tells about the Price of Polaris sofa, whenever it differs.",
        "Looks when the page tends to change; it changes about every 3 hours.",
        "Tells you in the inbox and by mail to anna@example.org.",
        "Until 4 April 2027.",
    ]


@pytest.mark.parametrize(
    ("clauses", "sentence"),
    [
        ("", "Tells about words, links and pictures, whenever it differs."),
        ("Monitor all links OR phrase: {low risk}", "Tells about links or the phrase “low risk”, whenever"),
        ("Monitor all links AND all images", "Tells about links together with pictures, whenever"),
        ("Monitor NOT visual", "Tells about no change of how the page looks, whenever"),
        ('Monitor table: {caption "Prices"}', "Tells about the table “Prices”, whenever it differs."),
        ('Within css "main" Ignore css ".ads"', "in the part “main”, without the part “.ads”, whenever"),
        ("Only new", "only what was never there before, whenever it differs."),
        ("Monitor all links When changed > 20%", "Only when changed > 20%."),
        ("Steps press Enter", "Goes there in a browser in 1 step."),
        (
            'Steps type css "#a" secret b, press Enter',
            "in a browser in 2 steps, and types a secret of yours.",
        ),
        ("Through office", "Goes through the proxy office."),
        ("Fetch 2 hour", "Looks every 2 hours."),
        (
            "Fetch 1 hour on weekdays between 8:00 and 18:00",
            "every hour, on weekdays between 8:00 and 18:00.",
        ),
        ("Fetch at 7:30, 19:00 on monday, friday", "Looks at 7:30 and 19:00 on Monday and Friday."),
        ('Fetch cron "0 9 1 * *"', "Looks at the times of the cron expression 0 9 1 * *."),
        ("Fetch on change on weekends", "Looks when the page tends to change, on weekends."),
        ("Notify By webhook https://a.test/ Every 1 day", "Tells you in the inbox and by web hook to https:"),
        ("Notify By email a@b.test Every 3 changes", "by mail to a@b.test, after 3 changes."),
    ],
)
def test_every_clause_has_its_words(clauses: str, sentence: str):
    assert any(sentence in one for one in told(clauses)), told(clauses)


def test_every_change_type_has_words():
    from webvigil.language.change_types import print_change_type

    for kind in KINDS.values():
        first = told(f"Monitor {print_change_type(kind.example)}")[0]
        assert first.startswith("Tells about ")
        assert len(first) > len("Tells about , whenever it differs.")


def test_what_ended_or_waits_says_so():
    over = LifeRecord(installed_at=BORN, started_at=BORN, ended_at=END, over=True)
    assert told("", over)[-1] == "Ended on 4 April 2027."
    waiting = LifeRecord(installed_at=BORN, next_at=END)
    assert told("", waiting)[-1] == "Starts on 4 April 2027."
    tied = LifeRecord(installed_at=BORN, within=True, started_at=BORN)
    assert told("", tied)[-1] == "Ends with another sentinel."


def test_of_several_values_the_first_are_named():
    clauses = 'Monitor value css ".price"'
    assert (
        told(clauses, labels=["Sofa", "Lamp"])[0] == "Tells about 2 values: Sofa, Lamp, whenever it differs."
    )
    several = told(clauses, labels=["Sofa", "Lamp", "Shelf", "Chair"])[0]
    assert several == "Tells about 4 values: Sofa, Lamp, Shelf and 1 more, whenever it differs."


@pytest.mark.parametrize(
    ("clauses", "sentence"),
    [
        ("Monitor all words", "Tells about the words, whenever it differs."),
        ("Monitor all words except: {tea}", "Tells about all words except “tea”, whenever it differs."),
        ("Monitor table: {1}", "Tells about table “1”, whenever it differs."),
        ("Monitor regular expression: {a+}", "Tells about what matches “a+”, whenever it differs."),
        (
            "Monitor product",
            "Tells about price, availability and name of the product, whenever it differs.",
        ),
        (
            "Monitor product variants",
            "Tells about price, availability and name of each variant of the product, whenever it differs.",
        ),
        ('Monitor value css "#a"', "Tells about the value at “#a”, whenever it differs."),
        (
            "Monitor status",
            "Tells about whether the page is up, its status, address and certificate, whenever it differs.",
        ),
        (
            "Monitor NOT (all links OR all images)",
            "Tells about no change of links or pictures, whenever it differs.",
        ),
        (
            'Monitor all links Within main, css "#a" Only new',
            f"Tells about links, in {MAIN_AND_A}, only what was never there before, whenever it differs.",
        ),
        (
            'Monitor all links Ignore main, css "#a"',
            f"Tells about links, without {MAIN_AND_A}, whenever it differs.",
        ),
        (
            "Within words {a b}",
            "Tells about words, links and pictures, in the words “a”, “b”, whenever it differs.",
        ),
        (
            "Within /a+/",
            "Tells about words, links and pictures, in what matches “a+”, whenever it differs.",
        ),
        (
            'Within json "$.a"',
            "Tells about words, links and pictures, in the data at “$.a”, whenever it differs.",
        ),
        (
            'Within xpath "//a"',
            "Tells about words, links and pictures, in the part “//a”, whenever it differs.",
        ),
    ],
)
def test_the_first_sentence_tells_all_that_is_watched(clauses: str, sentence: str):
    assert told(clauses)[0] == sentence


@pytest.mark.parametrize(
    ("clauses", "sentences"),
    [
        ("Steps press Enter", ["Goes there in a browser in 1 step."]),
        ("Steps press Enter, press Tab", ["Goes there in a browser in 2 steps."]),
        (
            'Steps type css "#a" secret b',
            ["Goes there in a browser in 1 step, and types a secret of yours."],
        ),
        ("Through office", ["Goes through the proxy office."]),
        ("", []),
    ],
)
def test_how_a_page_is_reached_is_told_if_it_is_anything_to_speak_of(clauses: str, sentences: list[str]):
    assert told(clauses)[1:-3] == sentences


@pytest.mark.parametrize(
    ("clauses", "sentence"),
    [
        ("Fetch 1 day on saturday, sunday", "Looks every day, on weekends."),
        ("Fetch 2 hour on monday", "Looks every 2 hours, on Monday."),
        ("Fetch 2 hour on monday, tuesday, friday", "Looks every 2 hours, on Monday, Tuesday and Friday."),
        (
            "Fetch on change between 8:00 and 24:00",
            "Looks when the page tends to change, between 8:00 and 24:00; it sleeps.",
        ),
        (
            "Fetch on change between 0:00 and 6:00",
            "Looks when the page tends to change, between 0:00 and 6:00; it sleeps.",
        ),
        ("Fetch at 7:30", "Looks at 7:30."),
        ("Fetch at 7:30 on weekdays", "Looks at 7:30 on weekdays."),
        ('Fetch cron "0 9 1 * *"', "Looks at the times of the cron expression 0 9 1 * *."),
        ("", "Looks when the page tends to change; it sleeps."),
    ],
)
def test_when_it_looks_is_one_sentence(clauses: str, sentence: str):
    assert told(clauses, habit="sleeps")[-3] == sentence


@pytest.mark.parametrize(
    ("clauses", "sentence"),
    [
        ("", "Tells you in the inbox."),
        (
            "Notify By log, feed, webpush Every 1 day",
            "Tells you in the inbox and by log and by feed and by push message, every day.",
        ),
        ('Notify By bulletin "a"', "Tells you in the inbox."),
        ("Notify Every 3 changes", "Tells you in the inbox, after 3 changes."),
    ],
)
def test_whom_it_tells_is_one_sentence(clauses: str, sentence: str):
    assert told(clauses)[-2] == sentence


@pytest.mark.parametrize(
    ("life", "sentence"),
    [
        (LifeRecord(installed_at=BORN, within=True, started_at=BORN, next_at=END), "Until 4 April 2027."),
        (LifeRecord(installed_at=BORN, next_at=END), "Starts on 4 April 2027."),
        (LifeRecord(installed_at=BORN, within=True), "Ends with another sentinel."),
        (LifeRecord(installed_at=BORN), "Starts with another sentinel."),
        (LifeRecord(installed_at=BORN, over=True, ended_at=END), "Ended on 4 April 2027."),
        (LifeRecord(installed_at=BORN, over=True), "Ended on an unknown day."),
    ],
)
def test_a_life_is_one_sentence(life: LifeRecord, sentence: str):
    assert told("", life)[-1] == sentence
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    (installed,) = knowledge.sentinels.add(sentinel("tea", life=life))
    assert until(installed, UTC) == sentence


def test_a_day_is_that_of_the_reader():
    late = LifeRecord(installed_at=BORN, next_at=datetime(2027, 4, 4, 23, tzinfo=UTC))
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    (installed,) = knowledge.sentinels.add(sentinel("tea", life=late))
    assert until(installed, timezone(timedelta(hours=1))) == "Starts on 5 April 2027."


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("x" * 60, "x" * 60), ("x" * 61, "x" * 59 + "…"), ("x" * 90, "x" * 59 + "…")],
)
def test_a_long_text_is_quoted_by_its_beginning(text: str, quoted: str):
    assert (
        told(f"Monitor phrase: {{{text}}}")[0] == f"Tells about the phrase “{quoted}”, whenever it differs."
    )


@pytest.mark.parametrize(
    ("number", "quoted"),
    [(1, "“a0”"), (5, "“a0”, “a1”, “a2”, “a3”, “a4”"), (6, "“a0”, “a1”, “a2”, “a3”, “a4” and others")],
)
def test_five_texts_are_quoted(number: int, quoted: str):
    words = " ".join(f"a{one}" for one in range(number))
    first = told(f"Within words {{{words}}}")[0]
    assert first == f"Tells about words, links and pictures, in the words {quoted}, whenever it differs."


@pytest.mark.parametrize(
    ("labels", "called"),
    [
        (["Sofa · Price"], "the Price of Sofa"),
        (["A · B · Price"], "the Price of A · B"),
        (["Price"], "the value “Price”"),
        (["A", "B", "C"], "3 values: A, B, C"),
        (["A", "B", "C", "D", "E"], "5 values: A, B, C and 2 more"),
    ],
)
def test_values_are_called_by_what_they_belong_to(labels: list[str], called: str):
    first = told('Monitor value css ".price"', labels=labels)[0]
    assert first == f"Tells about {called}, whenever it differs."


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        (Request(method="PUT"), "PUT"),
        (Request(method="POST", kind="json", body="{}"), "POST with a JSON body"),
        (Request(method="POST", kind="form", body=""), "POST with the fields of a form"),
        (Request(method="GET", headers=(Header("A", "b"),)), "GET with 1 header"),
        (
            Request(method="POST", kind="body", body="x", headers=(Header("A", "b"), Header("C", "d"))),
            "POST with a text and 2 headers",
        ),
    ],
)
def test_a_request_is_told_by_its_method_body_and_headers(request_: Request, asked: str):
    assert _asked(request_) == asked
