"""A sentinel is written as the promised JSON, and read back from it."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.language import strategies
from webvigil.errors import SentinelRefused
from webvigil.language import check, mistake_as_json, parse, sentinel_as_json, sentinel_from_json

laws = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@laws
@given(strategies.sentinels)
def test_a_sentinel_survives_json(sentinel):
    assert sentinel_from_json(json.loads(json.dumps(sentinel_as_json(sentinel)))) == sentinel


def test_the_form_is_promised():
    (one,) = parse(
        r"""Create Sentinel s1 Using
        (https://a.example/ OR sentinel s0) AND form POST https://b.example/ {q = 1}
        Title "A page" Monitor NOT all links AND (phrase: {low risk} OR value css "b")
        Fetch 2 day From 12/02/2026 To end(s0) + 1 hour, From Now
        Notify By email a@b.example, log Every 5 changes
        Compare moving 4 Within css "main" Ignore words {a b} When changed > 50% OR NOT appears "x"
        Depth 1 Render browser Topic news Priority 3 Present dual"""
    )
    assert sentinel_as_json(one) == {
        "name": "s1",
        "target": {
            "and": [
                {"or": [{"url": "https://a.example/"}, {"sentinel": "s0"}]},
                {"form": {"url": "https://b.example/", "method": "POST", "fields": [["q", "1"]]}},
            ]
        },
        "title": "A page",
        "monitor": {
            "and": [
                {"not": {"type": "all links"}},
                {
                    "or": [
                        {"type": "phrase", "arguments": ["low risk"]},
                        {"type": "value", "arguments": ["b"], "option": "css"},
                    ]
                },
            ]
        },
        "fetch": {"every": 172800},
        "life": [
            {"from": {"at": "2026-12-02T00:00:00"}, "to": {"event": "end", "sentinel": "s0", "plus": 3600}},
            {"from": {"at": "now"}},
        ],
        "contacts": [{"channel": "email", "address": "a@b.example"}, {"channel": "log"}],
        "notify": {"changes": 5},
        "compare": {"how": "moving", "n": 4},
        "within": [{"by": "css", "argument": "main"}],
        "ignore": [{"by": "words", "argument": ["a", "b"]}],
        "when": {
            "or": [
                {"subject": "changed", "operator": ">", "unit": "%", "number": 50.0},
                {"not": {"subject": "appears", "text": "x"}},
            ]
        },
        "depth": 1,
        "render": "browser",
        "topic": "news",
        "priority": 3,
        "present": "dual",
    }


def test_what_is_left_out_stays_out():
    (one,) = parse("Create Sentinel s1 Using https://example.org/ Depth 0 Priority 0")
    assert sentinel_as_json(one) == {
        "name": "s1",
        "target": {"url": "https://example.org/"},
        "depth": 0,
        "priority": 0,
    }


def test_a_mistake_has_a_form_too():
    (mistake,) = check("Create Sentinel s1 Using sentinel t\nPresent daul").mistakes
    assert mistake_as_json(mistake) == {
        "message": "expected dual, single, only or auto, but found 'daul'; did you mean dual?",
        "line": 2,
        "column": 9,
        "word": "daul",
        "expected": ["dual", "single", "only", "auto"],
        "suggestion": "dual",
    }


def with_(**members):
    return {"name": "s1", "target": {"url": "https://example.org/"}} | members


@pytest.mark.parametrize(
    ("plain", "reason"),
    [
        (None, "the whole is not an object"),
        ([], "the whole is not an object"),
        ({}, "the whole has no name"),
        ({"name": "s1"}, "the whole has no target"),
        (with_(colour="red"), "has an unknown member 'colour'"),
        (with_(name=5), "name is not a string"),
        (with_(name="a/b"), "a name cannot contain '/'"),
        (with_(target="https://example.org/"), "target is not an object"),
        (with_(target={}), "target must have exactly one member"),
        (with_(target={"url": "ftp://example.org/"}), "is not a web address"),
        (with_(target={"form": {}}), "target.form has no url"),
        (
            with_(target={"form": {"url": "https://x.example/", "fields": [["a"]]}}),
            r"fields\[0\] is not a pair",
        ),
        (with_(target={"and": [{"sentinel": "a"}]}), "AND joins at least two"),
        (with_(monitor={"type": "smell"}), "there is no change type 'smell'"),
        (
            with_(monitor={"and": [{"type": "visual"}, {"kind": "x"}]}),
            r"monitor.and\[1\] has an unknown member",
        ),
        (with_(monitor={"type": "phrase", "arguments": "a"}), "monitor.arguments is not a list"),
        (with_(monitor={"not": {}}), "monitor.not must have exactly one member"),
        (with_(fetch="daily"), "fetch is not an object"),
        (with_(fetch={"every": "2"}), "fetch.every is not a number"),
        (with_(fetch={"every": True}), "fetch.every is not a number"),
        (with_(fetch={"every": 0.5}), "whole seconds"),
        (with_(fetch={"every": 1e300}), "fetch.every is too long an interval"),
        (with_(fetch={"every": float("nan")}), "fetch.every is not a number"),
        (with_(life=[{}]), "a life span has a start or an end"),
        (with_(life=[{"from": {}}]), r"life\[0\].from has neither a time nor an event"),
        (with_(life=[{"from": {"at": "tomorrow"}}]), r"life\[0\].from.at is not a time"),
        (with_(notify="sometimes"), "notify is none of immediate, best effort, interactive"),
        (with_(notify={"changes": 1.5}), "notify.changes is not a whole number"),
        (with_(compare={"n": 1}), "compare does not say how"),
        (with_(contacts=[{"address": "a@b.example"}]), r"contacts\[0\] has no channel"),
        (with_(within=[{"by": "css"}]), r"within\[0\] needs both by and argument"),
        (with_(when={"subject": "changed", "operator": ">"}), "there is no condition 'changed >'$"),
        (
            with_(when={"subject": "smells", "operator": ">", "number": 5, "unit": "%", "text": "tea" * 40}),
            r"there is no condition 'smells > 5% (tea)+t?e?…'$",
        ),
        (
            with_(when={"subject": "price", "operator": "between", "number": 5}),
            "there is no condition 'price between 5'$",
        ),
        (with_(within=[{"by": "css", "argument": ["a"]}]), "the part css takes one text$"),
        (with_(within=[{"by": "words", "argument": "a"}]), "the part words takes a list of words$"),
        (with_(within=[{"by": "main", "argument": "a"}]), "the part main takes no text$"),
        (with_(within=[{"by": "smell", "argument": "a"}]), "there is no part 'smell'$"),
        (with_(render="browser", steps=[{"do": "dance"}]), "there is no step 'dance'$"),
        (
            with_(render="browser", steps=[{"do": "press", "text": "Foo"}]),
            "the step 'press Foo' has a part that is missing, wrong or too much$",
        ),
        (
            with_(render="browser", steps=[{"do": "wait", "seconds": 600}]),
            "the step 'wait 600 second' has a part that is missing, wrong or too much$",
        ),
        (
            with_(render="browser", steps=[{"do": "click"}]),
            "the step 'click' has a part that is missing, wrong or too much$",
        ),
        (with_(when={"maybe": 1}), "when has an unknown member"),
        (with_(depth=float("inf")), "depth is not a number"),
        (with_(priority=10**400), "priority is not a number"),
        (with_(render="lynx"), "'lynx' is none of http, browser"),
    ],
)
def test_what_is_no_sentinel_is_refused_with_its_place(plain, reason):
    with pytest.raises(SentinelRefused, match=reason):
        sentinel_from_json(plain)


def test_deep_data_is_refused_without_a_crash():
    deep: object = {"type": "visual"}
    for _ in range(5_000):
        deep = {"not": deep}
    with pytest.raises(SentinelRefused, match="nested more than 100 levels"):
        sentinel_from_json(with_(monitor=deep))
    with pytest.raises(SentinelRefused, match="nested more than 100 levels"):
        sentinel_from_json(with_(when=deep))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_MEMBERS = [
    "target",
    "title",
    "monitor",
    "fetch",
    "life",
    "contacts",
    "notify",
    "compare",
    "within",
    "when",
    "depth",
    "render",
    "topic",
    "priority",
]


@laws
@given(
    st.sampled_from(_MEMBERS),
    st.one_of(
        _JSON,
        st.sampled_from(["and", "or", "not", "every"]).flatmap(
            lambda key: st.fixed_dictionaries({key: _JSON})
        ),
    ),
)
def test_any_data_at_all_is_refused_or_is_a_sentinel(member, value):
    try:
        one = sentinel_from_json(with_(**{member: value}))
    except SentinelRefused:
        return
    assert sentinel_from_json(sentinel_as_json(one)) == one
