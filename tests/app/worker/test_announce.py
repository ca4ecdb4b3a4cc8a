"""Findings become changes and notices: made once for all who share them, sent as each user wants (G4, N4)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings

from tests.graph.test_nodes import due, watch
from tests.language.strategies import sentinels
from webvigil.app.worker.announce import changes_of, doubts_of, judge, telling, to_judge, troubles_of
from webvigil.app.worker.interests import interest_of
from webvigil.document import read
from webvigil.graph.due import Compared, Found
from webvigil.graph.nodes import interest
from webvigil.language import parse, print_sentinel
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.doubt import Doubt
from webvigil.model.sentinel import Contact, Sentinel, WhenCondition
from webvigil.model.trouble import Trouble, Why
from webvigil.rules.doubts import Verdict

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
FOUND = Found(
    old=1,
    new=2,
    findings=(
        Finding(type="all links", objects=(ObjectChange(object="https://a.org/", status=Status.NEW),)),
    ),
)
TEXT = "Create Sentinel s{n} Using https://example.org/\nMonitor all links\nNotify By email a{n}@b.org\n"


@settings(max_examples=100, deadline=None)
@given(sentinels)
def test_of_any_canonical_text_the_lines_that_matter_say_the_same_as_the_whole(sentinel: Sentinel):
    text = print_sentinel(sentinel)
    whole, told = parse(text)[0], telling(text)
    for name in ("contacts", "notify", "title", "topics", "priority"):
        assert getattr(told, name) == getattr(whole, name)
    assert interest_of(text) is interest(whole)


def test_equal_ways_of_telling_are_read_once():
    text = "Create Sentinel s{n} Using https://a.org/{n}\nMonitor all links\nNotify By log\nTopic news\n"
    told = [telling(text.format(n=number)) for number in range(100)]
    assert all(one is told[0] for one in told)
    assert told[0].contacts == (Contact("log", ""),)


def test_members_of_a_group_share_the_report_and_nothing_else():
    watches = [watch(number, TEXT.format(n=number)) for number in range(3)]
    compared = [Compared(one, 2, found=(FOUND,)) for one in watches]
    changes = changes_of(due(*watches), compared, NOON)
    (first, *others) = [notice for change in changes for notice in change.notices]
    assert [one.sentinel for one in changes] == [0, 1, 2]
    assert [one.address for one in (first, *others)] == ["a0@b.org", "a1@b.org", "a2@b.org"]
    assert len({one.dedup for one in (first, *others)}) == 3
    assert [one.body["sentinel"] for one in (first, *others)] == ["s0", "s1", "s2"]
    assert all(one.body["findings"] is first.body["findings"] for one in others)
    assert first.body["findings"][0]["objects"][0]["object"] == "https://a.org/"


def test_who_has_no_title_is_told_with_the_title_of_the_page():
    titled = watch(1, TEXT.format(n=1) + 'Title "The links"\n')
    watches = [watch(0, TEXT.format(n=0)), titled, watch(2, TEXT.format(n=2))]
    asked: list[int] = []

    def title() -> str:
        asked.append(1)
        return "Prices · Demo town"

    compared = [Compared(one, 2, found=(FOUND,)) for one in watches]
    changes = changes_of(due(*watches), compared, NOON, title=title)
    told = [notice.body["title"] for change in changes for notice in change.notices]
    assert told == ["Prices · Demo town", "The links", "Prices · Demo town"]
    assert len(asked) == 1


def test_a_sentinel_that_catches_up_is_told_of_every_step():
    """L7: each change names the two versions that were compared."""
    later = Found(old=2, new=3, findings=FOUND.findings)
    (one,) = [watch(7, TEXT.format(n=7))]
    changes = changes_of(due(one), [Compared(one, 3, found=(FOUND, later))], NOON)
    assert [(change.old_version, change.new_version) for change in changes] == [(1, 2), (2, 3)]
    assert [change.notices[0].dedup for change in changes] == ["1:7:1-2:0", "1:7:2-3:0"]
    assert [change.notices[0].body["old_version"] for change in changes] == [1, 2]


SALE = parse('Create Sentinel s Using https://example.org/ When means "there is a sale"')[0].when


@pytest.mark.parametrize(
    ("clause", "unjudged", "model", "asks", "is_judged"),
    [
        ("", None, "little", False, False),
        ("Summary on\n", None, "", False, False),
        ("Summary on\n", None, "little", True, False),
        ("", SALE, "little", True, False),
        ("", SALE, "", False, True),
        ("Summary on\n", SALE, "", False, True),
    ],
)
def test_a_model_is_asked_what_depends_on_the_meaning(
    clause: str, unjudged: WhenCondition | None, model: str, *, asks: bool, is_judged: bool
):
    one = watch(7, TEXT.format(n=7) + clause)
    found = Found(old=1, new=2, findings=FOUND.findings, unjudged=unjudged)
    (change,) = changes_of(due(one), [Compared(one, 2, found=(found,))], NOON, model)
    assert (change.question is not None, change.judgement is not None) == (asks, is_judged)
    assert len(change.notices) == 1
    if change.judgement:
        assert "no language model is set up here" in str(change.judgement)


def test_who_has_no_contact_is_told_in_the_inbox_alone():
    one = watch(7, "Create Sentinel s7 Using https://example.org/\nMonitor all links\n")
    (change,) = changes_of(due(one), [Compared(one, 2, found=(FOUND,))], NOON)
    assert (change.notices, change.findings, change.sentinel) == ((), FOUND.findings, 7)
    assert changes_of(due(one), [Compared(one, 2)], NOON) == ()


DOUBT = Doubt(kind="log-in", said="asks for a log-in", clear=True, since=0)


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        (Verdict(), []),
        (Verdict(doubt=DOUBT), []),
        (Verdict(doubt=DOUBT, tell=True), ["a0@b.org", "a2@b.org"]),
        (Verdict(over=DOUBT), ["a0@b.org"]),
        (Verdict(doubt=DOUBT, over=DOUBT), ["a0@b.org"]),
    ],
)
def test_who_watches_a_named_page_hears_of_a_doubt(verdict: Verdict, told: list[str]):
    failing = Trouble(Why.FAILING, "it is away")
    watches = [
        watch(0, TEXT.format(n=0)),
        replace(watch(1, TEXT.format(n=1)), level=1),
        replace(watch(2, TEXT.format(n=2)), trouble=failing),
    ]
    assert [one.address for one in doubts_of(due(*watches), verdict)] == told


@pytest.mark.parametrize(
    ("more", "trouble", "judged"),
    [
        ({}, "", False),
        ({}, "it broke", True),
        ({"reference": 1}, "", True),
        ({"trouble": Trouble(Why.UNSEEN)}, "", True),
        ({"trouble": Trouble(Why.FAILING)}, "", True),
        ({"trouble": Trouble(Why.NOTHING)}, "", False),
        ({"reference": 1, "level": 1}, "it broke", False),
    ],
)
def test_what_may_show_something_else_is_judged(more: dict[str, Any], trouble: str, *, judged: bool):
    one = Compared(replace(watch(0, ""), **({"reference": 2} | more)), 2, trouble=trouble)
    assert to_judge([one], 2) == [one] * judged


def test_each_sentinel_has_its_own_trouble():
    digest = read(b"<p class=a>x", "text/html", "https://example.org/")
    texts = {
        0: 'Monitor value css ".a"',
        1: 'Monitor value css ".b"',
        2: "Monitor all links",
        3: 'Monitor value css ".a"',
    }
    compared, interests = [], []
    for number, clause in texts.items():
        text = f"Create Sentinel s{number} Using https://example.org/\n{clause}\n"
        broken = "s3: it broke" if number == 3 else ""
        compared.append(Compared(watch(number, text), 2, trouble=broken))
        interests.append(interest_of(text))
    found = judge(compared, interests, lambda: digest)
    assert [found[number].why for number in range(4)] == [Why.FINE, Why.NOTHING, Why.FINE, Why.BROKEN]
    assert found[3].words == "it broke"
    assert ".b" in found[1].words
    assert troubles_of(due(), [], "key") == ()
