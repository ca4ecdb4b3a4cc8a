"""Sentinels are installed after those that they name; circles and names that are given twice are refused."""

from __future__ import annotations

import pytest

from webvigil.errors import SentinelRefused
from webvigil.language import parse
from webvigil.rules.order import in_order


def order(*edges: str) -> list[str]:
    """Returns the names in order. An edge is a name and, behind a colon, the names that it is set on."""
    text = ""
    for edge in edges:
        name, _, others = edge.partition(":")
        using = " OR ".join(f"Sentinel {other}" for other in others.split()) or "http://a.test/"
        text += f"Create Sentinel {name} Using {using}\n"
    return [one.name for one in in_order(parse(text))]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["a:b", "b"], ["b", "a"]),
        (["a:b c", "b:c", "c"], ["c", "b", "a"]),
        (["a:c b", "b", "c"], ["c", "b", "a"]),
        (["a:elsewhere", "b:a"], ["a", "b"]),
        (["a:c d", "b", "c:d", "d:b"], ["b", "d", "c", "a"]),
    ],
)
def test_sentinels_that_others_name_come_first(edges: list[str], expected: list[str]):
    assert order(*edges) == expected


def refusal(*edges: str) -> str:
    with pytest.raises(SentinelRefused) as caught:
        order(*edges)
    return str(caught.value)


def circle(length: int) -> list[str]:
    return [f"s{n}:s{(n + 1) % length}" for n in range(length)]


def test_a_circle_is_named():
    assert refusal("a:b", "b:c", "c:b") == "these sentinels wait for each other: b → c → b"
    assert refusal("a:a") == "these sentinels wait for each other: a → a"


def test_of_a_long_circle_twelve_are_named():
    eleven = " → ".join([*(f"s{n}" for n in range(11)), "s0"])
    assert refusal(*circle(11)).endswith(f": {eleven}")
    twelve = " → ".join([*(f"s{n}" for n in range(10)), "(1 more)", "s11", "s0"])
    assert refusal(*circle(12)).endswith(f": {twelve}")


def test_a_name_that_is_given_twice_is_refused():
    (one,) = parse("Create Sentinel a Using http://a.test/")
    with pytest.raises(SentinelRefused) as caught:
        in_order([one, one])
    assert str(caught.value) == "the name 'a' is given twice; names are unique"


def test_a_long_chain_is_ordered():
    edges = [f"s{n}:s{n + 1}" for n in range(1_200)]
    assert order(*edges, "s1200") == [f"s{n}" for n in range(1_200, -1, -1)]
