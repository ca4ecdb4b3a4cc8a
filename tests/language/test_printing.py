"""L9: every sentinel has one canonical text, and reading it gives the same sentinel."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.language import strategies
from webvigil.errors import SentinelRefused
from webvigil.language import parse, parse_expression, print_change_type, print_expression, print_sentinel
from webvigil.model.sentinel import *  # noqa: F403 - wip

moderate = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@moderate
@given(strategies.sentinels)
def test_what_is_printed_reads_as_the_same_sentinel(sentinel):
    assert parse(print_sentinel(sentinel)) == [sentinel]


@moderate
@given(strategies.sentinels)
def test_the_canonical_text_of_a_canonical_text_is_itself(sentinel):
    text = print_sentinel(sentinel)
    assert "".join(map(print_sentinel, parse(text))) == text


@moderate
@given(strategies.expressions)
def test_an_expression_reads_back(expression):
    assert parse_expression(print_expression(expression)) == expression


@moderate
@given(st.lists(strategies.sentinels, max_size=5, unique_by=lambda one: one.name))
def test_many_sentinels_in_one_text_stay_apart(sentinels):
    assert parse("\n".join(map(print_sentinel, sentinels))) == sentinels
