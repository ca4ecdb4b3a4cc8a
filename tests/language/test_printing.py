"""Every sentinel has one canonical text, and reading it gives the same sentinel (L9)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.language import strategies
from webvigil.errors import SentinelRefused
from webvigil.language import parse, parse_expression, print_expression, print_sentinel
from webvigil.model.change_types import KINDS
from webvigil.model.sentinel import (
    AllConditions,
    And,
    AtEvent,
    AtTime,
    ChangeType,
    Compare,
    Condition,
    Contact,
    FetchEvery,
    FormPage,
    LifeSpan,
    Not,
    NotifyEachChanges,
    Or,
    Part,
    Sentinel,
    SentinelPages,
    SeveralTargets,
    WebPage,
)

laws = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
END_OF_TIME = datetime(9999, 12, 31)
PLAIN = Sentinel(name="s1", target=WebPage("https://example.org/"))


@laws
@given(strategies.sentinels)
def test_what_is_printed_reads_as_the_same_sentinel(sentinel):
    text = print_sentinel(sentinel)
    (again,) = parse(text)
    assert again == sentinel
    assert print_sentinel(again) == text


@laws
@given(strategies.expressions)
def test_an_expression_reads_back(expression):
    assert parse_expression(print_expression(expression)) == expression


@laws
@given(strategies.change_types)
def test_a_change_type_reads_back(change):
    assert parse_expression(print_expression(change)) == change


@settings(laws, max_examples=60)
@given(strategies.sentinels, strategies.sentinels)
def test_sentinels_in_one_text_stay_apart(first, second):
    both = [replace(first, name="first"), replace(second, name="second")]
    assert parse("\n".join(map(print_sentinel, both))) == both
    assert parse(" ".join(print_sentinel(one).strip() for one in both)) == both


_ANY_TEXT = st.one_of(st.text(st.characters(), max_size=6), strategies.texts)
_ANY_CHANGE = st.builds(
    ChangeType,
    st.sampled_from(sorted(KINDS)) | _ANY_TEXT,
    st.lists(_ANY_TEXT, max_size=2).map(tuple),
    st.sampled_from(["", "except", "css", "caption", "all appear", "in text", "content"]) | _ANY_TEXT,
)
_ANYTHING = st.builds(
    Sentinel,
    name=st.just("s1") | _ANY_TEXT,
    target=st.one_of(
        st.just(PLAIN.target),
        st.builds(WebPage, _ANY_TEXT.map(lambda text: f"https://example.org/{text}")),
        st.builds(SentinelPages, _ANY_TEXT),
    ),
    title=st.none() | _ANY_TEXT,
    monitor=st.none() | _ANY_CHANGE,
    contacts=st.lists(st.builds(Contact, st.just("email") | _ANY_TEXT, _ANY_TEXT), max_size=1).map(tuple),
    within=st.lists(st.builds(Part, st.sampled_from(["css", "regex", "words"]), _ANY_TEXT), max_size=1).map(
        tuple
    ),
    when=st.none() | st.builds(Condition, st.just("appears"), text=_ANY_TEXT),
    topics=st.lists(_ANY_TEXT, max_size=2).map(tuple),
    priority=st.none() | st.integers() | st.floats(),
)


@settings(laws, max_examples=400)
@given(_ANYTHING)
def test_anything_at_all_is_refused_or_reads_back(sentinel):
    try:
        text = print_sentinel(sentinel)
    except SentinelRefused:
        return
    assert parse(text) == [sentinel]


def test_parentheses_stand_only_where_they_say_something():  # L2
    a, b, c = ChangeType("all links"), ChangeType("all images"), ChangeType("visual")
    assert print_expression(Or((And((a, b)), c))) == "all links AND all images OR visual"
    assert print_expression(And((Or((a, b)), c))) == "(all links OR all images) AND visual"
    assert print_expression(And((And((a, b)), c))) == "(all links AND all images) AND visual"
    assert print_expression(Not(Not(a))) == "NOT NOT all links"
    assert print_expression(Not(And((a, b)))) == "NOT (all links AND all images)"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (ChangeType("keywords", ("a", "b c")), "keywords: {a, b c}"),
        (ChangeType("keywords", ("a, b", 'say "no"')), r'keywords: {"a, b", "say \"no\""}'),
        (ChangeType("keywords", ("}",), "all disappear"), r'keywords all {"\}"} disappear'),
        (ChangeType("phrase", ("Hello, world",)), "phrase: {Hello, world}"),
        (ChangeType("phrase", ("one", "two")), 'phrase: {"one", "two"}'),
        (ChangeType("phrase", ("a b",), "context 5 tags"), "phrase: {a b} context 5 tags"),
        (ChangeType("phrase", (' "quoted"',)), r'phrase: {" \"quoted\""}'),
        (ChangeType("all words", ("the", "of"), "except"), "all words except {the, of}"),
        (ChangeType("all words", ("New York",), "except"), 'all words except {"New York"}'),
        (ChangeType("regular expression", (r"\d{3}-\d+",)), r"regular expression: {\d{3}-\d+}"),
        (ChangeType("regular expression", ("}{",), "in text"), 'regular expression: "}{" in text'),
        (ChangeType("table", ("2",)), "table: {2}"),
        (ChangeType("list", ("#news > ul",), "css"), 'list: {css "#news > ul"}'),
        (ChangeType("value", (r"(\d+) EUR",), "regex"), r'value regex "(\d+) EUR"'),
        (ChangeType("value", (r"\n",), "regex"), r'value regex "\\n"'),
        (ChangeType("phrase", ("a\nb",)), r'phrase: {"a\nb"}'),
        (ChangeType("phrase", ("a\u202eb",)), r'phrase: {"a\u202eb"}'),
    ],
)
def test_texts_are_quoted_only_where_they_must_be(change, text):
    assert print_expression(change) == text
    assert parse_expression(text) == change


IMPOSSIBLE = {
    "an unknown change type": {"monitor": ChangeType("smell")},
    "a phrase with too much around it": {"monitor": ChangeType("phrase", ("a",), "context 1001")},
    "a phrase with nothing around it": {"monitor": ChangeType("phrase", ("a",), "context 0")},
    "a phrase without a text": {"monitor": ChangeType("phrase")},
    "links with a text": {"monitor": ChangeType("all links", ("a",))},
    "two patterns": {"monitor": ChangeType("regular expression", ("a", "b"))},
    "an empty keyword": {"monitor": ChangeType("keywords", ("a", ""))},
    "an unknown option": {"monitor": ChangeType("all images", (), "colour")},
    "a text with a NUL": {"monitor": ChangeType("phrase", ("a\0b",))},
    "half a character": {"monitor": ChangeType("phrase", ("a\ud800b",))},
    "AND of one": {"monitor": And((ChangeType("visual"),))},
    "a blank title": {"title": "  "},
    "a name of spaces": {"name": "  "},
    "a name with a hidden character": {"name": "s\u200f1"},
    "a name that looks like another": {"name": "e\u0301"},
    "a name without end": {"name": "n" * 101},
    "no address": {"target": WebPage("example")},
    "an address with a space": {"target": WebPage("https://example.org/a b")},
    "an address with brackets": {"target": WebPage("https://example.org/<b>")},
    "a method of its own": {"target": FormPage("https://example.org/", "PUT")},
    "a field with a NUL": {"target": FormPage("https://example.org/", "GET", (("a", "\0"),))},
    "an unknown joint": {"target": SeveralTargets("XOR", (SentinelPages("a"), SentinelPages("b")))},
    "half a second": {"fetch": FetchEvery(timedelta(milliseconds=500))},
    "no interval": {"fetch": FetchEvery(timedelta(0))},
    "a thousand years": {"fetch": FetchEvery(timedelta(days=365_250))},
    "an empty life span": {"life": (LifeSpan(),)},
    "during at the end": {"life": (LifeSpan(end=AtEvent("during", "s2")),)},
    "during and later": {"life": (LifeSpan(start=AtEvent("during", "s2", timedelta(1))),)},
    "beyond the calendar": {"life": (LifeSpan(end=AtTime(END_OF_TIME, timedelta(1))),)},
    "an unknown event": {"life": (LifeSpan(start=AtEvent("noon", "s2")),)},
    "a clause as channel": {"contacts": (Contact("every"),)},
    "a channel in capitals": {"contacts": (Contact("Email"),)},
    "a channel by another name": {"contacts": (Contact("web-bulletin"),)},
    "every zeroth change": {"notify": NotifyEachChanges(0)},
    "a window of one": {"compare": Compare("moving", 1)},
    "pairwise by two": {"compare": Compare("pairwise", 2)},
    "a part without words": {"within": (Part("words", ()),)},
    "a part with two selectors": {"ignore": (Part("css", ("a", "b")),)},
    "an unknown subject": {"when": Condition("weight", ">", 1.0)},
    "a move of an amount": {"when": Condition("changed", "drops", 1.0)},
    "no number": {"when": Condition("changed", ">")},
    "not a number": {"when": Condition("changed", ">", float("nan"))},
    "an appearance with a number": {"when": Condition("appears", "", 1.0, "", "a")},
    "a comparison with a text": {"when": Condition("changed", ">", 1.0, "", "a")},
    "all of one": {"when": AllConditions((Condition("changed", ">", 1.0),))},
    "three levels down": {"depth": 3},
    "an unknown engine": {"render": "lynx"},
    "a priority below zero": {"priority": -1},
    "an unknown look": {"present": "cube"},
    "an endless text": {"monitor": ChangeType("phrase", ("x" * 100_001,))},
}


@pytest.mark.parametrize("fields", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_what_no_text_can_say_is_refused(fields):
    with pytest.raises(SentinelRefused, match="cannot be written"):
        print_sentinel(replace(PLAIN, **fields))


def test_deep_nesting_is_refused_without_a_crash():
    deep = ChangeType("visual")
    for _ in range(20_000):
        deep = Not(deep)
    with pytest.raises(SentinelRefused, match="nested more than 100 levels"):
        print_sentinel(replace(PLAIN, monitor=deep))
    with pytest.raises(SentinelRefused, match="nested more than 100 levels"):
        print_expression(deep)


def test_an_expression_as_deep_as_allowed_reads_back():
    deep = ChangeType("visual")
    for _ in range(99):
        deep = Not(deep)
    assert parse(print_sentinel(replace(PLAIN, monitor=deep))) == [replace(PLAIN, monitor=deep)]


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("weekdays", "weekdays"),
        ("monday, tuesday, wednesday, thursday, friday", "weekdays"),
        ("sunday, saturday", "weekends"),
        ("friday, monday", "monday, friday"),
    ],
)
def test_days_are_printed_in_order_and_by_the_word_for_them(written: str, printed: str):
    (sentinel,) = parse(f"Create Sentinel s Using https://a.org/ Fetch 1 hour on {written}")
    assert print_sentinel(sentinel).rstrip().endswith(f"Fetch 1 hour on {printed}")
