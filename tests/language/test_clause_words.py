"""The words of the language are set apart in a text, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.language import strategies
from webvigil.language import print_sentinel
from webvigil.language.clause_words import clause_words, words_of_clauses

laws = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))

TEXT = """Create Sentinel Name Using sentinel Fetch
Title "Monitor all"
Monitor value css "Within" AND NOT any change
From Now To 2027-01-01
Notify By email Every@example.org Every 1 day
Topic Only
"""


def words(text: str) -> list[str]:
    return [one.text for one in clause_words(text) if one.is_word]


def test_words_that_begin_clauses_are_set_apart_and_names_and_quoted_texts_are_not():
    begin = ["Create", "Sentinel", "Using", "Title", "Monitor", "From", "Now", "To", "Notify", "By", "Every"]
    assert words(TEXT) == [*begin, "Topic"]


def test_the_clauses_of_a_topic_have_them_too():
    parts = words_of_clauses('Fetch 3 day\nIgnore css "Quiet"')
    assert [one.text for one in parts if one.is_word] == ["Fetch", "Ignore"]
    assert "".join(one.text for one in parts) == 'Fetch 3 day\nIgnore css "Quiet"'


@pytest.mark.parametrize("text", ["Crate Sentinel Using", "\0", "<b>Create</b>", "x" * 200_000])
def test_what_cannot_be_read_stays_whole(text: str):
    assert [tuple(one) for one in clause_words(text)] == [(text, False)]


@laws
@given(strategies.sentinels)
def test_the_parts_are_the_text_again_and_each_begins_with_the_same_word(sentinel):
    text = print_sentinel(sentinel)
    parts = clause_words(text)
    assert "".join(one.text for one in parts) == text
    assert [one.text for one in parts if one.is_word][:2] == ["Create", "Sentinel"]


@laws
@given(st.text())
def test_whatever_is_written_stays(text: str):
    assert "".join(one.text for one in clause_words(text)) == text
    assert "".join(one.text for one in words_of_clauses(text)) == text
