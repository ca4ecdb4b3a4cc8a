"""Values that no text can say, and data that is no sentinel, are refused with the reason, to the letter."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal

import pytest

from webvigil.errors import SentinelRefused
from webvigil.language import parse, print_sentinel, sentinel_from_json
from webvigil.language.from_json import _At, _reading
from webvigil.model.approach import Step
from webvigil.model.message import Message
from webvigil.model.sentinel import (
    AllConditions,
    Becomes,
    Compare,
    Condition,
    Contact,
    FetchAt,
    FetchCron,
    FetchEvery,
    FetchOnChange,
    FormPage,
    Hours,
    NotifyEachChanges,
    Part,
    Sentinel,
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
