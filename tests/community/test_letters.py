"""Goals, states and changes in letters between servers: what fits is read, the rest is refused (B1, B2)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from webvigil.community.letters import agent_in, found_from, goals_as_json, goals_from, letter_of, state_from
from webvigil.community.messages import Message
from webvigil.errors import MessageRefused
from webvigil.model.agent import Agent, Goals
from webvigil.model.change import Change, Finding, ObjectChange, Status
from webvigil.model.version import Answer

GOALS = Goals(name="n" * 200, text="t" * 20_000, taste="s" * 20_000, zone="z" * 60)
AGENT = Agent(id="0123456789abcdef" * 2, side="away", peer="p", user="jill", goals=GOALS, state="at work")
LINK = ObjectChange("/a", Status.NEW, old=0, new=1, where=("/html/body/a",))
FINDING = Finding(type="all links", objects=(LINK,), score=256, share=0.5)
CHANGE = Change(
    id=3,
    sentinel="s",
    user="jill",
    page=9,
    url="http://a.test/",
    old_version=4,
    new_version=5,
    found_at=datetime(2026, 3, 1, tzinfo=UTC),
    findings=(FINDING,),
)


def message(content: dict[str, Any], body: bytes = b"") -> Message:
    return Message(sender="a", receiver="b", kind="letter", id="i", sent=1, content=content, body=body)


def answer(number: int, size: int = 1) -> Answer:
    return Answer(url="http://a.test/", status=200, headers=(), body=b"%d" % number * size)


def is_refused(read: Any, content: dict[str, Any], body: bytes = b"") -> bool:
    with pytest.raises(MessageRefused) as caught:
        read(message(content, body))
    return caught.value.reason == "content"


def test_goals_as_long_as_they_may_be_are_read():
    content = json.loads(json.dumps(goals_as_json(AGENT)))
    assert (agent_in(message(content)), goals_from(message(content))) == (AGENT.id, GOALS)


@pytest.mark.parametrize("field", ["name", "text", "taste", "zone"])
def test_goals_that_are_longer_or_of_another_kind_are_refused(field: str):
    plain = goals_as_json(AGENT)["goals"]
    for wrong in (plain[field] + "x", 7, None):
        assert is_refused(goals_from, {"goals": plain | {field: wrong}})
    assert is_refused(goals_from, {"goals": {name: text for name, text in plain.items() if name != field}})
    assert is_refused(goals_from, {"goals": plain | {"more": ""}})
    assert is_refused(goals_from, {"goals": [plain]})


@pytest.mark.parametrize("id_", [None, 7, "", "a" * 31, "a" * 33, "g" * 32, "A" * 32])
def test_an_agent_is_named_by_thirty_two_digits(id_: object):
    assert is_refused(agent_in, {"agent": id_})


def test_a_state_is_read_with_its_reason():
    for state in ("waiting", "at work", "refused"):
        assert state_from(message({"state": state, "reason": "x\n" + "y" * 500})) == (state, "x" + "y" * 498)
    assert is_refused(state_from, {"state": "gone", "reason": ""})
    assert is_refused(state_from, {"state": "waiting", "reason": None})


def test_a_letter_without_a_change_says_the_state():
    content, body = letter_of(replace(AGENT, reason="why"), None, lambda page, number: None)
    assert (content, body) == ({"agent": AGENT.id, "state": "at work", "reason": "why"}, b"")
    assert found_from(message(content, body)) is None


def test_a_change_travels_with_both_versions():
    content, body = letter_of(AGENT, CHANGE, lambda page, number: answer(number) if page == 9 else None)
    found = found_from(message(json.loads(json.dumps(content)), body))
    assert found is not None
    assert (found.number, found.url, found.old, found.new) == (3, "http://a.test/", 4, 5)
    assert (found.at, found.findings) == (1_772_323_200_000, (FINDING,))
    assert {number: one.body for number, one in found.answers.items()} == {4: b"4", 5: b"5"}


def test_a_version_that_is_gone_is_left_out():
    content, body = letter_of(AGENT, CHANGE, lambda page, number: answer(5) if number == 5 else None)
    found = found_from(message(content, body))
    assert found is not None
    assert list(found.answers) == [5]


SAID, BODY = letter_of(AGENT, CHANGE, lambda page, number: answer(number))
LINE = json.loads(BODY.partition(b"\n")[0])
REST = BODY.partition(b"\n")[2]


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            {name: value}
            for name in ("number", "old", "new", "at")
            for value in (0, -1, True, 2**53, "1", None)
        ),
        {"url": "no address"},
        {"url": 7},
        {"old": 5},
        {"old": 6},
    ],
)
def test_a_change_that_makes_no_sense_is_refused(wrong: dict[str, Any]):
    assert is_refused(found_from, {**SAID, "found": SAID["found"] | wrong}, BODY)


@pytest.mark.parametrize("number", [1, 2**53 - 1])
def test_the_smallest_and_the_largest_number_are_read(number: int):
    found = found_from(message({**SAID, "found": SAID["found"] | {"number": number}}, BODY))
    assert found is not None
    assert found.number == number


def body(**more: Any) -> bytes:
    return json.dumps(LINE | more).encode() + b"\n" + REST


def finding(**more: Any) -> bytes:
    return body(findings=[LINE["findings"][0] | more])


def first_object(**more: Any) -> bytes:
    return finding(objects=[LINE["findings"][0]["objects"][0] | more])


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"{}\n",
        b"[" * 100_000,
        body(findings=[]),
        body(versions={"5": 0}),
        body(versions={"5": len(REST) + 1}),
        body(versions={"5": "1"}),
        body(versions=[]),
        finding(share=2**53),
        finding(score=-(2**53)),
        finding(score="1"),
        finding(type=7),
        first_object(object=7),
        first_object(old=2**53),
        first_object(where=[7]),
    ],
)
def test_a_body_that_makes_no_sense_is_refused(wrong: bytes):
    assert is_refused(found_from, SAID, wrong)


def test_numbers_below_the_largest_are_taken():
    assert found_from(message(SAID, finding(score=2**53 - 1)))
