"""Clauses that a sentinel leaves out come from the sentinels that it is set on, and from its topics (L3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webvigil.language import parse
from webvigil.model.sentinel import Sentinel
from webvigil.rules.inherit import by_topics, completed, names, with_topics


def sentinel(clauses: str = "", target: str = "http://a.test/", name: str = "s") -> Sentinel:
    (one,) = parse(f"Create Sentinel {name} Using {target}\n{clauses}")
    return one


CLAUSES = [
    "Monitor all links",
    "Fetch 2 hour",
    "Notify By email jill@a.test",
    "Notify every 5 minute",
    "Compare every 3",
    'Within css "main"',
    'Ignore css ".ad"',
    "Quiet off",
    'Quiet on except css ".price"',
    "Only new",
    "When appears 'x'",
    "Depth 1",
    "Steps press Enter",
    "Render browser",
    "Through office",
    "Timeout 1 minute",
    "Topic press",
    "Summary on",
    "Priority 3",
    "Present dual",
]


@pytest.mark.parametrize("clause", CLAUSES)
def test_what_is_left_out_is_taken_from_the_sentinel_that_it_is_set_on(clause: str):
    parent = sentinel(clause, name="p")
    child = sentinel(target="sentinel p")
    whole = completed(child, {"p": parent}.get)
    assert whole != child
    assert whole == sentinel(clause, target="sentinel p")


@pytest.mark.parametrize("clause", ['Title "News"', "From 01/01/2030 To 01/02/2030"])
def test_a_title_and_a_life_are_a_sentinels_own(clause: str):
    child = sentinel(target="sentinel p")
    assert completed(child, {"p": sentinel(clause, name="p")}.get) == child


def test_what_is_said_is_not_taken_from_another_and_the_first_of_several_counts():
    known = {
        "p": sentinel("Fetch 2 hour Ignore css '.p'", name="p"),
        "q": sentinel("Fetch 3 hour Priority 2", name="q"),
    }
    child = sentinel(
        "Ignore css '.own'", target="sentinel p OR sentinel gone OR (sentinel q OR http://b.test/)"
    )
    expected = sentinel("Ignore css '.own' Fetch 2 hour Priority 2")
    assert completed(child, known.get) == replace(expected, target=child.target)


EXCEPTED = 'Quiet on except css ".price"'


@pytest.mark.parametrize(
    ("own", "expected"), [("", EXCEPTED), ("Quiet on", "Quiet on"), ("Quiet off", "Quiet off")]
)
def test_what_is_excepted_from_quiet_goes_with_it(own: str, expected: str):
    child = sentinel(own, target="sentinel p")
    whole = completed(child, {"p": sentinel(EXCEPTED, name="p")}.get)
    assert whole == sentinel(expected, target="sentinel p")
    said = with_topics(sentinel(f"Topic t {own}"), {"t": sentinel(EXCEPTED)})
    assert said == sentinel(f"Topic t {expected}")


@pytest.mark.parametrize(
    ("clause", "taken"),
    [
        ("Fetch 2 hour", True),
        ("Notify By email jill@a.test", True),
        ("Notify every 5 minute", True),
        ('Ignore css ".ad"', True),
        ("Quiet off", True),
        (EXCEPTED, True),
        ("Only new", True),
        ('Message body "{title}"', True),
        ("Summary on", True),
        ("Priority 3", True),
        ("Monitor all links", False),
        ("Depth 1", False),
        ("Render browser", False),
    ],
)
def test_a_topic_says_what_its_sentinels_leave_out(clause: str, taken: bool):
    own = sentinel("Topic t")
    found = with_topics(own, {"t": sentinel(clause)})
    assert found == (sentinel(f"Topic t\n{clause}") if taken else own)


def test_of_several_topics_the_first_counts_and_ignored_parts_add_up():
    said = {
        "t": sentinel("Fetch 2 hour Ignore css '.own', css '.t'"),
        "u": sentinel("Fetch 3 hour Priority 4 Ignore css '.u', css '.t'"),
        "v": sentinel("Priority 5"),
    }
    own = sentinel("Topic t, gone, u, v Ignore css '.own'")
    expected = "Topic t, gone, u, v Fetch 2 hour Priority 4 Ignore css '.own', css '.t', css '.u'"
    assert with_topics(own, said) == sentinel(expected)
    added = {topic: sorted(values) for topic, values in by_topics(own, said)}
    assert added == {"t": ["fetch", "ignore"], "u": ["ignore", "priority"]}


def test_a_sentinel_names_each_other_once():
    life = "From end(a) To start(c)"
    assert names(sentinel(life, target="sentinel b OR (sentinel a OR sentinel b)")) == ["b", "a", "c"]
    assert names(sentinel()) == []
