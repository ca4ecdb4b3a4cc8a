"""What a sentinel says, as values: its conditions, how its pages are approached, and what is refused."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from webvigil.model.approach import PLAIN, Approach, Step
from webvigil.model.request import Request
from webvigil.model.sentinel import (
    MAIN,
    NEVER_ENDS,
    STATUS,
    AllConditions,
    AnyCondition,
    Becomes,
    ChangeType,
    Condition,
    FormPage,
    Not,
    NotCondition,
    Or,
    Part,
    RequestPage,
    Sentinel,
    SeveralTargets,
    WebPage,
    WhenCondition,
    approach_of,
    change_types,
    conditions_of,
    is_about_meaning,
    is_never,
    no_part,
    no_question,
    no_state,
    part_key,
    questions_of,
    render_of,
    requests_in,
)

CONTAINS = Condition("contains", text="sold out")
DROPS = Condition("value", "drops", 10.0, "%")
MEANS = Condition("means", text="it is sold out")
CSS, REGEX, JQ = Part("css", "#a"), Part("regex", "a"), Part("words", ("a",))


@pytest.mark.parametrize(
    ("condition", "is_state"),
    [
        (CONTAINS, True),
        (Condition("value", "<", 10.0), True),
        (Condition("status", ">=", 500.0), True),
        (Condition("price", "<", 10.0), True),
        (Condition("in stock"), True),
        (Condition("out of stock"), True),
        (DROPS, False),
        (Condition("price", "rises", 1.0), False),
        (Condition("value", "moves", 1.0), False),
        (Condition("appears", text="a"), False),
        (Condition("changed", ">", 50.0, "%"), False),
        (MEANS, False),
    ],
)
def test_which_conditions_tell_how_something_stands(condition: Condition, is_state: bool):
    assert condition.is_state is is_state


SAID = "becomes takes what is there, such as contains or value <; {} tells what happens by itself"


@pytest.mark.parametrize(
    ("condition", "trouble"),
    [
        (CONTAINS, ""),
        (AllConditions((CONTAINS, NotCondition(Condition("value", "<", 1.0)))), ""),
        (DROPS, SAID.format("drops")),
        (Condition("changed", ">", 1.0), SAID.format("changed")),
        (AnyCondition((CONTAINS, MEANS)), SAID.format("means")),
        (Becomes(CONTAINS), "becomes stands once before a condition"),
        (NotCondition(Becomes(CONTAINS)), "becomes stands once before a condition"),
        (AllConditions((CONTAINS, Becomes(CONTAINS))), "becomes stands once before a condition"),
    ],
)
def test_what_can_stand_behind_becomes(condition: WhenCondition, trouble: str):
    assert no_state(condition) == trouble


@pytest.mark.parametrize(
    ("condition", "trouble"),
    [
        (Condition("changed", ">", 1.0), ""),
        (Condition("value", "<", 1.0, part=REGEX), ""),
        (Condition("contains", text="a", part=MAIN), ""),
        (Condition("disappears", text="a", part=CSS), ""),
        (Condition("value", "<", 1.0, part=MAIN), "value … in takes css, xpath, json or regex, not main"),
        (
            Condition("contains", text="a", part=REGEX),
            "contains … in takes css, xpath, json or main, not regex",
        ),
        (
            Condition("contains", "matches", text="a", part=REGEX),
            "matches … in takes css, xpath, json or main, not regex",
        ),
        (
            Condition("appears", text="a", part=JQ),
            "appears … in takes css, xpath, json or main, not words",
        ),
        (Condition("status", "=", 1.0, part=CSS), "status is about the page, not about a part of it"),
    ],
)
def test_which_part_a_condition_can_be_about(condition: Condition, trouble: str):
    assert no_part(condition) == trouble


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("it is sold out", ""),
        ("x" * 500, ""),
        ("x" * 501, "the sentence behind means has more than 500 letters"),
        ("", "means takes a sentence in one line"),
        ("two\nlines", "means takes a sentence in one line"),
        (" a", "means takes a sentence in one line"),
    ],
)
def test_what_can_stand_behind_means(text: str, trouble: str):
    assert no_question(text) == trouble


def test_the_sentences_behind_means_are_asked_once_in_their_order():
    other = Condition("means", text="a")
    assert questions_of(AllConditions((MEANS, CONTAINS, NotCondition(other), MEANS))) == (
        "it is sold out",
        "a",
    )
    assert questions_of(None) == ()
    assert [is_about_meaning(one) for one in (MEANS, CONTAINS, NotCondition(MEANS))] == [True, False, False]


def test_the_leaves_of_what_is_joined_are_found_in_their_order():
    links, words = ChangeType("all links"), ChangeType("all words")
    assert list(change_types(Or((links, Not(words))))) == [links, words]
    assert list(change_types(None)) == []
    assert list(conditions_of(Becomes(CONTAINS))) == [CONTAINS]
    assert list(conditions_of(None)) == []


def test_the_pages_with_a_request_of_their_own():
    asked, other = RequestPage("a", Request()), RequestPage("b", Request(method="POST"))
    several = SeveralTargets("AND", (WebPage("c"), asked, SeveralTargets("OR", (FormPage("d"), other))))
    assert list(requests_in(several)) == [asked, other]
    assert list(requests_in(asked)) == [asked]
    assert list(requests_in(WebPage("a"))) == []


def test_equal_parts_have_equal_keys_and_the_whole_page_has_none():
    assert part_key((), ()) == ""
    keys = [part_key((CSS,), ()), part_key((), (CSS,)), part_key((CSS,), (CSS,)), part_key((REGEX,), ())]
    assert len({*keys}) == 4
    assert {len(key) for key in keys} == {32}
    assert part_key((Part("css", "#a"),), ()) == keys[0]


@pytest.mark.parametrize(("year", "never"), [(9998, False), (9999, True)])
def test_a_sentinel_that_ends_in_the_last_year_never_ends(year: int, never: bool):
    assert is_never(datetime(year, 12, 30)) is never


def sentinel(**said) -> Sentinel:
    return Sentinel(name="s", target=WebPage("http://a.test/"), **said)


STEP = Step("click", "css", "#go")


@pytest.mark.parametrize(
    ("said", "render"),
    [
        ({}, "http"),
        ({"steps": (STEP,)}, "browser"),
        ({"render": "browser"}, "browser"),
        ({"steps": (STEP,), "render": "http"}, "http"),
        ({"monitor": STATUS, "render": "browser"}, "status"),
        ({"monitor": ChangeType("all links")}, "http"),
    ],
)
def test_how_the_pages_of_a_sentinel_are_fetched(said: dict, render: str):
    assert render_of(sentinel(**said)) == render


def test_how_the_pages_of_a_sentinel_are_approached():
    assert approach_of(sentinel()) is PLAIN
    wait = Step("wait", seconds=1)
    said = sentinel(steps=(STEP,), wait=wait, through="p", agent="a", timeout=timedelta(seconds=20))
    assert approach_of(said) == Approach(steps=(STEP,), wait=wait, through="p", agent="a", timeout=20)
    assert approach_of(sentinel(timeout=timedelta(minutes=1))).timeout == 60


def test_what_never_ends_ends_on_the_last_day_that_can_be_named():
    assert NEVER_ENDS.date() == date.max
    ends = (NEVER_ENDS, datetime(9999, 1, 1), datetime(9998, 12, 31), datetime(2026, 12, 31))
    assert [is_never(end) for end in ends] == [True, True, False, False]
