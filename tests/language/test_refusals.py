"""Values that no text can say, and data that is no sentinel, are refused with the reason, to the letter."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Literal

import pytest

from webvigil.errors import SentinelRefused
from webvigil.language import parse, print_sentinel, sentinel_from_json
from webvigil.language.from_json import _At, _reading
from webvigil.model.approach import Step
from webvigil.model.message import Message
from webvigil.model.request import Header, Request
from webvigil.model.sentinel import (
    AllConditions,
    And,
    AtEvent,
    AtTime,
    Becomes,
    ChangeType,
    Compare,
    Condition,
    Contact,
    FetchAt,
    FetchCron,
    FetchEvery,
    FetchOnChange,
    FormPage,
    Hours,
    LifeSpan,
    Not,
    NotifyEachChanges,
    Or,
    Part,
    RequestPage,
    Sentinel,
    SentinelPages,
    SeveralTargets,
    WebPage,
)

URL = "http://a.test/"
PLAIN = Sentinel(name="s", target=WebPage(URL))
PART = (Part("css", "#a"),)
CHANGED = Condition("changed", ">", 1)


def at_hours(*between: tuple[int, int], days: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"fetch": FetchOnChange(Hours(days=days, between=between))}


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"quiet": "on", "loud": PART}, 'Quiet on except css "#a"'),
        ({"quiet": "off"}, "Quiet off"),
        ({"only": "new"}, "Only new"),
        ({"render": "browser", "wait": Step("wait", seconds=3)}, "Render browser wait 3 second"),
        ({"when": Condition("value", "<", 1e15)}, "When value < 1000000000000000.0"),
        ({"when": Condition("value", "<", 999_999_999_999_999.0)}, "When value < 999999999999999"),
        ({"when": Condition("value", "<", 0.5)}, "When value < 0.5"),
        ({"when": Condition("value", "between", 5, upper=5)}, "When value between 5 and 5"),
        ({"fetch": FetchAt((30, 60), (0, 1, 2, 3, 4))}, "Fetch at 0:30, 1:00 on weekdays"),
        (at_hours((1380, 1440)), "Fetch on change between 23:00 and 24:00"),
        (at_hours(days=(5, 6)), "Fetch on change on weekends"),
        (at_hours(days=(0, 6)), "Fetch on change on monday, sunday"),
        ({"fetch": FetchEvery(timedelta(seconds=1))}, "Fetch 1 second"),
        ({"compare": Compare("moving", 2)}, "Compare moving 2"),
        ({"compare": Compare("every", 1)}, "Compare every 1"),
        ({"compare": Compare("pairwise", 1)}, "Compare pairwise"),
        ({"notify": NotifyEachChanges(1)}, "Every 1 changes"),
        ({"contacts": (Contact("email", "[x"),)}, 'Notify By email "[x"'),
        ({"depth": 0}, "Depth 0"),
        ({"priority": 1_000_000}, "Priority 1000000"),
    ],
)
def test_a_value_has_its_text(fields: dict[str, Any], text: str):
    one = replace(PLAIN, **fields)
    printed = print_sentinel(one)
    assert printed.splitlines()[-1].strip() == text
    assert parse(printed) == [one]


IN_ORDER = "times and days are written in their order, each of them once"


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"loud": PART}, "parts are excepted from Quiet on, and it is not said"),
        ({"quiet": "off", "loud": PART}, "'off' is none of on"),
        ({"quiet": "maybe"}, "'maybe' is none of on, off"),
        ({"only": "old"}, "'old' is none of new"),
        ({"wait": Step("wait", seconds=3)}, "only Render browser waits, and it is not said"),
        ({"render": "http", "wait": Step("wait", seconds=3)}, "'http' is none of browser"),
        ({"render": "x"}, "'x' is none of http, browser"),
        ({"topics": ("a,b",)}, "a topic has a comma in it, or stands there twice"),
        ({"topics": ("a", "a")}, "a topic has a comma in it, or stands there twice"),
        ({"message": Message()}, 'Message says nothing; write Message title "…", body "…" or both'),
        ({"agent": "Mozilla"}, "Agent must say WebVigil, for we do not pass for another client"),
        (
            {"target": FormPage(URL, "GET", (("a", "\x00"),))},
            "a field of the form has a character that cannot be written",
        ),
        ({"target": FormPage(URL, "PUT", ())}, "'PUT' is none of GET, POST, MULTIPART, FILL"),
        ({"target": SeveralTargets("AND", (WebPage(URL),))}, "AND joins at least two"),
        ({"target": SeveralTargets("XOR", (WebPage(URL),) * 2)}, "'XOR' is none of AND, OR"),
        (
            {"target": WebPage(f"{URL} b")},
            "an address is too long or has a character that must be written as %…",
        ),
        (
            {"target": WebPage("a.test")},
            "'a.test' is not a web address: it must start with http:// or https://",
        ),
        ({"when": Condition("value", "between", 9, upper=5)}, "there is no value between 9 and 5"),
        ({"when": Condition("changed", "between", 1, upper=5)}, "there is no changed between 1 and 5"),
        ({"when": Condition("value", "<", float("inf"))}, "inf is no number to compare with"),
        ({"when": Condition("means", text="")}, "means takes a sentence in one line"),
        ({"when": AllConditions((CHANGED,))}, "AND joins at least two"),
        (
            {"when": Becomes(CHANGED)},
            "becomes takes what is there, such as contains or value <; changed tells what happens by itself",
        ),
        ({"fetch": FetchAt(())}, "Fetch at names no time"),
        ({"fetch": FetchAt((60, 30))}, IN_ORDER),
        ({"fetch": FetchCron("* *  * * *")}, "a cron expression has single spaces"),
        (at_hours((60, 60)), "there is no time between the minutes 60 and 60 of a day"),
        (at_hours((1440, 60)), "there is no time between the minutes 1440 and 60 of a day"),
        (at_hours(days=(0, 1, 2, 3, 4, 5, 6)), "all days of the week are the same as none: leave them out"),
        (at_hours(days=(7,)), "a day is a number from 0 (Monday) to 6 (Sunday)"),
        (at_hours(days=(-1,)), "a day is a number from 0 (Monday) to 6 (Sunday)"),
        (at_hours(days=(6, 5)), IN_ORDER),
        (
            {"fetch": FetchEvery(timedelta(0))},
            "an interval has whole seconds and lasts at most 100 years, not 0:00:00",
        ),
        ({"compare": Compare("moving", 1)}, "1 is not a whole number from 2 to 1000000"),
        ({"compare": Compare("every", 0)}, "0 is not a whole number from 1 to 1000000"),
        ({"compare": Compare("pairwise", 2)}, "'pairwise' is none of every, moving"),
        ({"notify": NotifyEachChanges(0)}, "0 is not a whole number from 1 to 1000000"),
        ({"depth": 3}, "3 is not a whole number from 0 to 2"),
        ({"priority": -1}, "-1 is not a whole number from 0 to 1000000"),
        ({"priority": 1_000_001}, "1000001 is not a whole number from 0 to 1000000"),
        ({"contacts": (Contact("Email", "a@b"),)}, "'Email' cannot be the name of a channel"),
        (
            {"steps": (Step("type", "css", "#a"),)},
            "a text is empty or has a character that cannot be written",
        ),
    ],
)
def test_a_value_that_no_text_can_say_is_refused(fields: dict[str, Any], refusal: str):
    with pytest.raises(SentinelRefused) as caught:
        print_sentinel(replace(PLAIN, **fields))
    assert str(caught.value) == f"the sentinel 's' cannot be written: {refusal}"


DAYS = "monday, tuesday, wednesday, thursday, friday, saturday, sunday"


@pytest.mark.parametrize(
    ("more", "refusal"),
    [
        ({"target": {"request": {}}}, "target.request has no url"),
        (
            {"target": {"request": {"url": URL, "json": "{}", "body": "x"}}},
            "target.request has more than one body",
        ),
        (
            {"target": {"request": {"url": URL, "headers": [{"text": "x"}]}}},
            "target.request.headers[0] has no name",
        ),
        (
            {"target": {"form": {"url": URL, "fields": [["a"]]}}},
            "target.form.fields[0] is not a pair of name and value",
        ),
        ({"target": {"form": {}}}, "target.form has no url"),
        ({"target": URL}, "target is not an object"),
        ({"monitor": {}}, "monitor must have exactly one member"),
        ({"monitor": {"not": 1, "and": 2}}, "monitor must have exactly one member"),
        ({"monitor": {"xor": 1}}, "monitor has an unknown member 'xor'; known are not, and, or"),
        ({"when": {}}, "when must have exactly one member"),
        ({"when": {"subject": 7}}, "when.subject is not a string"),
        ({"fetch": {"cron": "* * * * *", "days": ["monday"]}}, "fetch is no time to look"),
        ({"fetch": {"at": ["7:30"], "between": [["7:00", "8:00"]]}}, "fetch is no time to look"),
        ({"fetch": {"on": "x"}}, "fetch is no time to look"),
        ({"fetch": {"at": ["7:60"]}}, "fetch.at[0] is not a time of day such as 7:30"),
        ({"fetch": {"at": ["7:30"], "days": ["Moonday"]}}, f"fetch.days[0] is none of {DAYS}"),
        (
            {"fetch": {"every": 3600, "between": [["7:00"]]}},
            "fetch.between[0] is not a pair of times of day",
        ),
        ({"fetch": "sometimes"}, "fetch is not an object"),
        ({"notify": {}}, "notify must have exactly one member"),
        ({"compare": {}}, "compare does not say how"),
        ({"steps": [{}]}, "steps[0] does not say what to do"),
        ({"within": [{"by": "css"}]}, "within[0] needs both by and argument"),
        ({"name": 7}, "name is not a string"),
        ({"depth": True}, "depth is not a number"),
        ({"depth": 1.5}, "depth is not a whole number"),
        ({"contacts": [{}]}, "contacts[0] has no channel"),
    ],
)
def test_data_that_is_no_sentinel_is_refused_with_its_place(more: dict[str, Any], refusal: str):
    with pytest.raises(SentinelRefused) as caught:
        sentinel_from_json({"name": "s", "target": {"url": URL}, **more})
    assert str(caught.value) == f"not a sentinel: {refusal}"


def test_data_at_the_edges_of_a_day_is_read():
    one = sentinel_from_json(
        {"name": "s", "target": {"url": URL}, "fetch": {"on": "change", "between": [["0:00", "7:59"]]}}
    )
    assert one.fetch == FetchOnChange(Hours(between=((0, 479),)))


@pytest.mark.parametrize(
    ("plain", "how"),
    [
        ({"how": "pairwise"}, Compare("pairwise", 1)),
        ({"how": "every"}, Compare("every", 1)),
        ({"how": "moving", "n": 2}, Compare("moving", 2)),
    ],
)
def test_a_comparison_that_names_no_number_means_one(plain: dict[str, Any], how: Compare):
    assert sentinel_from_json({"name": "s", "target": {"url": URL}, "compare": plain}).compare == how


def test_how_a_clause_is_read_follows_from_the_type_of_its_values():
    assert _reading(int | None) is _reading(int) is _At.count
    assert _reading(Literal["a", "b"]) is _reading(Literal["a"] | None) is _At.word
    assert _reading(WebPage | Sentinel) is _At.target
    assert _reading(tuple[str, ...])(_At(["a", "b"], "")) == ("a", "b")
    with pytest.raises(TypeError, match="a clause has values of the type <class 'bytes'>: add the type to"):
        _reading(bytes)


LINKS, VISUAL, TAGS = ChangeType("all links"), ChangeType("visual"), ChangeType("tags")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"monitor": Not(And((VISUAL, LINKS)))}, "Monitor NOT (visual AND all links)"),
        ({"monitor": Or((And((VISUAL, LINKS)), TAGS))}, "Monitor visual AND all links OR tags"),
        ({"monitor": And((Or((VISUAL, LINKS)), TAGS))}, "Monitor (visual OR all links) AND tags"),
        ({"monitor": And((And((VISUAL, LINKS)), TAGS))}, "Monitor (visual AND all links) AND tags"),
        ({"when": Condition("value", "<", 5, "%")}, "When value < 5%"),
        ({"when": Condition("appears", "matches", text="a/b")}, "When appears /a\\/b/"),
        ({"when": Condition("contains", "matches", text="a")}, "When contains /a/"),
        ({"when": Condition("status", "between", 200.0, upper=299.0)}, "When status between 200 and 299"),
        ({"when": Condition("out of stock")}, "When out of stock"),
        ({"contacts": (Contact("bulletin"),)}, "Notify By bulletin"),
        ({"contacts": (Contact("email", "a\u202eb"),)}, 'Notify By email "a\\u202eb"'),
        ({"through": "a b"}, 'Through "a b"'),
        ({"timeout": timedelta(seconds=5)}, "Timeout 5 second"),
    ],
)
def test_a_joined_or_odd_value_has_its_text(fields: dict[str, Any], text: str):
    printed = print_sentinel(replace(PLAIN, **fields))
    assert printed.splitlines()[-1] == text
    assert parse(printed) == [replace(PLAIN, **fields)]


NO_TEXT = "a text is empty or has a character that cannot be written"


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"within": (Part("x" * 80, ""),)}, f"there is no part '{'x' * 80}'"),  # type: ignore[arg-type]
        ({"within": (Part("x" * 81, ""),)}, f"there is no part '{'x' * 79}…'"),  # type: ignore[arg-type]
        ({"when": Condition("x" * 80)}, f"there is no condition '{'x' * 80}'"),
        ({"when": Condition("x" * 81)}, f"there is no condition '{'x' * 79}…'"),
        ({"steps": (Step("x" * 80),)}, f"there is no step '{'x' * 80}'"),  # type: ignore[arg-type]
        ({"steps": (Step("x" * 81),)}, f"there is no step '{'x' * 79}…'"),  # type: ignore[arg-type]
        ({"life": (LifeSpan(),)}, "a life span has a start or an end"),
        (
            {"life": (LifeSpan(end=AtEvent("during", "x")),)},
            "during(…) can only begin a life span",
        ),
        (
            {"life": (LifeSpan(AtEvent("during", "x", timedelta(1))),)},
            "during(x) takes no interval",
        ),
        (
            {"life": (LifeSpan(AtTime(datetime(9999, 12, 31), timedelta(days=2))),)},
            "the calendar ends with the year 9999",
        ),
        (
            {"contacts": (Contact("personalised web bulletin"),)},
            "'personalised web bulletin' cannot be the name of a channel",
        ),
        ({"contacts": (Contact("a b"),)}, "'a b' cannot be the name of a channel"),
        ({"title": " "}, NO_TEXT),
        ({"title": "a\x00"}, NO_TEXT),
        ({"depth": 1.5}, "1.5 is not a whole number from 0 to 2"),
        ({"when": Condition("value", "<", 5, "x")}, "there is no condition 'value < 5x'"),
        ({"when": Condition("status", "drops", 5)}, "there is no condition 'status drops 5'"),
        ({"when": Condition("changed", "drops", 5)}, "there is no condition 'changed drops 5'"),
        ({"when": Condition("in stock", "<", 5)}, "there is no condition 'in stock < 5'"),
        ({"when": Condition("appears", "<", 5, upper=7)}, "there is no condition 'appears < 5 7'"),
        (
            {"when": Becomes(Becomes(Condition("contains", text="a")))},
            "becomes stands once before a condition",
        ),
        ({"target": SentinelPages("a/b")}, "a name cannot contain '/'"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(fields: dict[str, Any], refusal: str):
    with pytest.raises(SentinelRefused) as caught:
        print_sentinel(replace(PLAIN, **fields))
    assert str(caught.value) == f"the sentinel 's' cannot be written: {refusal}"


def test_a_hundred_letters_of_a_long_name_are_shown():
    with pytest.raises(SentinelRefused) as caught:
        print_sentinel(replace(PLAIN, name="x" * 102))
    refusal = "a name has at most 100 characters, this one 102"
    assert str(caught.value) == f"the sentinel '{'x' * 100}' cannot be written: {refusal}"


TOO_LONG = "not a sentinel: fetch.every is too long an interval"
NO_INTERVAL = (
    "the sentinel 's' cannot be written: an interval has whole seconds and lasts at most 100 years, not"
)


@pytest.mark.parametrize(
    ("more", "refusal"),
    [
        ({"fetch": {"every": 1e12}}, f"{NO_INTERVAL} 11574074 days, 1:46:40"),
        ({"fetch": {"every": 1e12 + 1}}, TOO_LONG),
        ({"fetch": {"every": -1e12}}, f"{NO_INTERVAL} -11574075 days, 22:13:20"),
        ({"fetch": {"every": -1e12 - 1}}, TOO_LONG),
        (
            {"life": [{"from": {"event": "start"}}]},
            "not a sentinel: life[0].from has neither a time nor an event with its sentinel",
        ),
        (
            {"life": [{"from": {"sentinel": "x"}}]},
            "not a sentinel: life[0].from has neither a time nor an event with its sentinel",
        ),
        (
            {"steps": [{"do": "wait", "seconds": 1.5}]},
            "not a sentinel: steps[0].seconds is not a whole number",
        ),
        (
            {"fetch": {"at": ["24:00"]}},
            "the sentinel 's' cannot be written: 1440 minutes after midnight are no time of day",
        ),
        ({"fetch": {"at": ["7:5"]}}, "not a sentinel: fetch.at[0] is not a time of day such as 7:30"),
        (
            {"target": {"request": {"url": URL, "query": [["a"]]}}},
            "not a sentinel: target.request.query[0] is not a pair of name and value",
        ),
        ({"when": {"and": {}}}, "not a sentinel: when.and is not a list"),
    ],
)
def test_numbers_and_members_that_do_not_fit_are_refused(more: dict[str, Any], refusal: str):
    with pytest.raises(SentinelRefused) as caught:
        sentinel_from_json({"name": "s", "target": {"url": URL}, **more})
    assert str(caught.value) == refusal


def test_forty_letters_of_an_unknown_member_are_shown():
    with pytest.raises(SentinelRefused) as caught:
        sentinel_from_json({"x" * 41: 1})
    said = f"not a sentinel: the whole has an unknown member '{'x' * 40}'; known are name, target, title,"
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("more", "field", "value"),
    [
        ({"priority": 1.0}, "priority", 1),
        ({"title": None}, "title", None),
        ({"topic": "a"}, "topics", ("a",)),
        ({"topics": ["a", "b"]}, "topics", ("a", "b")),
        ({"topic": "a", "topics": ["b"]}, "topics", ("b",)),
        ({"within": [{"by": "words", "argument": ["a"]}]}, "within", (Part("words", ("a",)),)),
        ({"message": {"title": "x"}}, "message", Message("x")),
        ({"render": "browser", "wait": {"do": "wait", "seconds": 3}}, "wait", Step("wait", seconds=3)),
        (
            {"life": [{"to": {"at": "now", "plus": 86400}}]},
            "life",
            (LifeSpan(end=AtTime(None, timedelta(1))),),
        ),
        (
            {"fetch": {"on": "change", "between": [["7:00", "24:00"]]}},
            "fetch",
            FetchOnChange(Hours(between=((420, 1440),))),
        ),
    ],
)
def test_data_is_read_as_it_is_meant(more: dict[str, Any], field: str, value: Any):
    one = sentinel_from_json({"name": "s", "target": {"url": URL}, **more})
    assert getattr(one, field) == value


@pytest.mark.parametrize(
    ("plain", "request_"),
    [
        ({}, Request()),
        (
            {"method": "POST", "form": [["a", "b"], ["c", ""]]},
            Request(method="POST", kind="form", fields=(("a", "b"), ("c", ""))),
        ),
        ({"method": "PUT", "json": "{}"}, Request(method="PUT", kind="json", body="{}")),
        ({"method": "PATCH", "body": "x"}, Request(method="PATCH", kind="body", body="x")),
        ({"query": [["q", "1"]]}, Request(query=(("q", "1"),))),
        (
            {"headers": [{"name": "A", "text": "t"}, {"name": "B", "secret": "k"}]},
            Request(headers=(Header("A", "t"), Header("B", "", "k"))),
        ),
    ],
)
def test_a_request_is_read_from_data(plain: dict[str, Any], request_: Request):
    one = sentinel_from_json({"name": "s", "target": {"request": {"url": URL, **plain}}})
    assert one.target == RequestPage(URL, request_)
