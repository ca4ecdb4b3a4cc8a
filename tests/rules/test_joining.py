"""Which pages must have changed together, through the sentinels that a sentinel is set on (L3, G5)."""

from __future__ import annotations

import pytest

from webvigil.errors import SentinelRefused
from webvigil.language import parse
from webvigil.model.joint import Joint
from webvigil.model.page import Page
from webvigil.model.sentinel import Sentinel
from webvigil.rules.joining import Joining

A, B, C = (Page(url=f"http://{name}.test/") for name in "abc")


def sentinels(text: str) -> dict[str, Sentinel]:
    return {one.name: one for one in parse(text)}


def joined(text: str, name: str = "s", **known: tuple[Page, ...]) -> Joint | None:
    """Returns the joint of a sentinel; `known` are the pages of sentinels whose clauses nobody knows."""
    every = sentinels(text)
    return Joining(lambda other: known.get(other, (A,)), every.get)(every[name])


BOTH = "Create Sentinel both Using http://a.test/ AND http://b.test/\n"
EITHER = "Create Sentinel either Using http://a.test/ OR http://b.test/\n"


@pytest.mark.parametrize(
    ("using", "joint"),
    [
        ("http://a.test/", None),
        ("http://a.test/ OR http://b.test/", None),
        ("http://a.test/ AND http://b.test/", Joint("AND", (A, B))),
        ("http://a.test/ AND http://a.test/", None),
        ("Sentinel both", Joint("AND", (A, B))),
        ("Sentinel either", None),
        ("Sentinel either AND http://c.test/", Joint("AND", (Joint("OR", (A, B)), C))),
        ("Sentinel both OR http://c.test/", Joint("OR", (Joint("AND", (A, B)), C))),
        ("Sentinel unknown AND http://a.test/", Joint("AND", (Joint("OR", (B, C)), A))),
        ("Sentinel unknown", None),
    ],
)
def test_the_joint_of_a_sentinel(using: str, joint: Joint | None):
    text = f"{BOTH}{EITHER}Create Sentinel s Using {using}"
    assert joined(text, unknown=(B, C)) == joint


def test_each_sentinel_is_asked_for_once():
    every = sentinels(
        BOTH
        + "Create Sentinel t Using Sentinel both AND http://c.test/\n"
        + "Create Sentinel s Using Sentinel t AND Sentinel both"
    )
    asked: list[str] = []

    def sentinel_of(name: str) -> Sentinel:
        asked.append(name)
        return every[name]

    joining = Joining(lambda name: pytest.fail(f"the clauses of {name} are known"), sentinel_of)
    inner = Joint("AND", (A, B))
    assert joining(every["s"]) == Joint("AND", (Joint("AND", (inner, C)), inner))
    assert joining(every["t"]) == Joint("AND", (inner, C))
    assert sorted(asked) == ["both", "both", "t", "t"]  # each before and after those that it is set on


def test_in_a_circle_the_pages_count_as_joined_by_or():
    text = "Create Sentinel s Using Sentinel t AND http://c.test/\nCreate Sentinel t Using Sentinel s"
    assert joined(text, s=(A, B)) == Joint("AND", (Joint("OR", (A, B)), C))


def chain(length: int) -> str:
    """The last of so many sentinels, each set on the one before and on a page of its own."""
    rest = "".join(
        f"Create Sentinel s{n} Using Sentinel s{n - 1} AND http://p{n}.test/\n" for n in range(1, length)
    )
    return f"Create Sentinel s0 Using http://a.test/\n{rest}"


def test_a_joint_of_two_hundred_levels_is_taken_and_a_deeper_one_refused():
    every = sentinels(chain(201))
    joining = Joining(lambda name: (A,), every.get)
    assert joining(every["s199"])
    with pytest.raises(SentinelRefused) as caught:
        joining(every["s200"])
    said = "joins pages with AND and OR through more than 200 levels of sentinels; name the pages themselves"
    assert str(caught.value) == f"s200 {said}"


def test_the_levels_of_an_unknown_sentinel_are_two():
    text = chain(201).replace("s0 Using http://a.test/", "s0 Using Sentinel unknown")
    every = sentinels(text)
    joining = Joining(lambda name: (A, B), every.get)
    assert joining(every["s198"])
    with pytest.raises(SentinelRefused):
        joining(every["s199"])


def test_a_joint_of_ten_thousand_pages_is_taken_and_a_larger_one_refused():
    every = sentinels(
        "Create Sentinel s Using Sentinel many AND http://a.test/\n"
        "Create Sentinel t Using Sentinel many AND http://a.test/ AND http://b.test/\n"
    )
    many = tuple(Page(url=f"http://{n}.test/") for n in range(9_999))
    assert Joining(lambda name: many, every.get)(every["s"])
    with pytest.raises(SentinelRefused) as caught:
        Joining(lambda name: many, every.get)(every["t"])
    assert str(caught.value) == "t names 10,001 pages through the sentinels it is set on; at most 10,000"
