"""Topics of sentinels are read, written, counted and given clauses."""

from __future__ import annotations

import pytest

from webvigil.model.topics import counted, has_topic, topics_in, topics_text, with_topic


def test_topics_are_read_once_each_and_written():
    assert topics_in(" a, b ,,a , ") == ("a", "b")
    assert topics_text(("a", "b")) == "a, b"


def test_sentinels_are_counted_for_each_topic():
    assert list(counted([("b, a", 2), ("a", 3), ("", 7)]).items()) == [("a", 5), ("b", 2)]


def test_a_topic_says_clauses_or_nothing():
    assert with_topic({"a": "x"}, "b", "y") == {"a": "x", "b": "y"}
    assert with_topic({"a": "x"}, "a", "y") == {"a": "y"}
    assert with_topic({"a": "x", "b": "y"}, "a", "") == {"b": "y"}


@pytest.mark.parametrize(
    ("text", "wanted", "has"),
    [
        ("a, b", "a", True),
        ("a, b", "c", False),
        ("", "a", False),
        ("a", "", False),
        ("", "", True),
        ("", None, True),
    ],
)
def test_a_topic_is_wanted(text: str, wanted: str | None, has: bool):
    assert has_topic(text, wanted) is has
