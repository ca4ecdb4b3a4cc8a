"""Recognisers find runs, several parts, alternatives and repetitions, each as often as is asked for."""

from __future__ import annotations

import pytest

from webvigil.discover import recognisers
from webvigil.discover.description import View
from webvigil.discover.recognisers import (
    Either,
    Every,
    Recogniser,
    Run,
    Several,
    Sight,
    _windows,
    can_never_match,
    compiled,
    in_bytes,
)
from webvigil.errors import PatternRefused


def texts(view: View) -> str:
    return {"text": "tea rum tea  and\n tea", "source": "<p>", "links": ""}[view]


TEA, RUM, GIN = Run("tea", "text"), Run("rum", "text"), Run("gin", "text")


@pytest.mark.parametrize(
    ("recogniser", "sight", "size", "says_nothing"),
    [
        (TEA, Sight((), ("tea",), 3), 1, False),
        (Run("tea", "text", 3), Sight((), ("tea",), 3), 1, False),
        (Run("tea", "text", 4), None, 1, False),
        (Run("gin", "text", 0), Sight((), (), 0), 1, True),
        (GIN, None, 1, False),
        (Run("tea", "source"), None, 1, False),
        (Run("a*", "text"), Sight((), ("a",), 4), 1, True),
        (Run("^ tea$", "text"), Sight((), ("tea",), 1), 1, False),
        (Run(r"tea\s+and", "text"), Sight((), ("tea and",), 1), 1, False),
        (Run("tea|rum", "text"), Sight((), ("tea", "rum"), 4), 1, False),
        (Every((TEA, RUM)), Sight((), ("tea", "rum"), 1), 2, False),
        (Every((TEA, GIN)), None, 2, False),
        (Every((Run("gin", "text", 0), TEA)), Sight((), ("tea",), 0), 2, False),
        (Every((Run("gin", "text", 0), Run("a*", "text"))), Sight((), ("a",), 0), 2, True),
        (Either((("a", GIN), ("b", RUM), ("c", TEA)), optional=False), Sight(("b",), ("rum",), 1), 3, False),
        (Either((("a", GIN),), optional=False), None, 1, False),
        (Either((("a", GIN),), optional=True), Sight(), 1, True),
        (Either((("a", TEA), ("b", Run("x*", "text"))), optional=False), Sight(("a",), ("tea",), 3), 2, True),
        (
            Every((Either((("a", TEA),), optional=False), Either((("b", RUM),), optional=False))),
            Sight(("a", "b"), ("tea", "rum"), 1),
            2,
            False,
        ),
        (Several(TEA, 3), Sight((), ("tea",), 3), 1, False),
        (Several(TEA, 4), None, 1, False),
        (Several(GIN, 0), Sight(), 1, True),
        (Several(TEA, 0), Sight((), ("tea",), 3), 1, True),
        (Several(GIN, 1), None, 1, False),
        (Several(Run("a*", "text"), 1), Sight((), ("a",), 4), 1, True),
    ],
)
def test_what_is_looked_for_is_found_as_often_as_is_asked_for(
    recogniser: Recogniser, sight: Sight | None, size: int, *, says_nothing: bool
):
    assert recogniser.find(texts) == sight
    assert (recogniser.size, recogniser.says_nothing) == (size, says_nothing)


def test_all_texts_of_all_parts_are_told():
    whole = Every((Either((("a", GIN), ("b", RUM)), optional=False), Several(TEA, 9)))
    assert whole.find(texts) is None
    assert list(whole.texts(texts)) == ["rum", "tea", "tea", "tea"]


@pytest.mark.parametrize(
    ("least", "text", "count"), [(1, "a " * 199, 199), (1, "a " * 201, 200), (300, "a " * 301, 300)]
)
def test_two_hundred_matches_are_collected_or_as_many_as_are_needed(least: int, text: str, count: int):
    found = Run("a", "text", least).find(lambda _: text)
    assert found
    assert found.count == count
    assert len(list(Run("a", "text", least).texts(lambda _: text))) == min(count, 200)


@pytest.mark.parametrize(("letters", "kept"), [(299, 299), (300, 300), (301, 300)])
def test_three_hundred_characters_of_a_match_are_kept(letters: int, kept: int):
    found = Run("é+", "text").find(lambda _: "é" * letters)
    assert found
    assert found.texts == ("é" * kept,)


@pytest.mark.parametrize(
    ("length", "size", "starts"),
    [
        (0, 0, [0]),
        (1, 0, [0]),
        (8_000, 0, [0]),
        (8_001, 0, [0, 6_000]),
        (14_000, 0, [0, 6_000]),
        (14_001, 0, [0, 6_000, 12_000]),
        (10_000, 10_000, [0]),
        (10_001, 10_000, [0, 8_000]),
    ],
)
def test_windows_overlap_by_two_thousand_bytes(length: int, size: int, starts: list[int]):
    data = bytes(number % 251 for number in range(length))
    found = list(_windows(data, size))
    assert [start for start, _ in found] == starts
    assert all(window == data[start : start + max(size, 8_000)] for start, window in found)
    assert found[-1][1].endswith(data[-1:])


def test_a_match_across_two_windows_is_found_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recognisers, "_WINDOW_STEPS", 0)
    text = "x" * 7_000 + "tea" + "x" * 7_000 + "rum"
    found = Run("tea|rum", "text").find(lambda _: text)
    assert found == Sight((), ("tea", "rum"), 2)


@pytest.mark.parametrize(
    ("pattern", "never"), [("a", False), ("", False), ("[^\\x00-\\x{10FFFF}]", True), ("(", False)]
)
def test_an_expression_that_can_match_nothing_is_known(pattern: str, *, never: bool):
    assert can_never_match(pattern) is never


def test_an_expression_that_cannot_be_used_says_why():
    with pytest.raises(PatternRefused, match=r"^the type cannot be used: .*missing"):
        compiled("(")
    assert in_bytes("é\udcff") == b"\xc3\xa9?"
