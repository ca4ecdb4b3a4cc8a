"""A text that is too long is cut to the length that is allowed, and ends with an ellipsis."""

from __future__ import annotations

import pytest

from webvigil.model.short_text import short_text


@pytest.mark.parametrize(
    ("text", "shown"), [("", ""), ("abc", "abc"), ("abcd", "abcd"), ("abcde", "abc…"), ("abcdefgh", "abc…")]
)
def test_a_text_has_at_most_the_given_length(text: str, shown: str):
    assert short_text(text, 4) == shown
