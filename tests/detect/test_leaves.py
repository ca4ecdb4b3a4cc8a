"""Leaves of JSON that got another value are told as one change each."""

from __future__ import annotations

import pytest

from webvigil import diff


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            '{"price": 10, "name": "lamp"}',
            '{"price": "sold out", "name": "lamp"}',
            ("10", "sold out", "$.price"),
        ),
        ('{"price": null}', '{"price": 5}', ("null", "5", "$.price")),
        ('{"a": 1, "b": 2, "c": 3}', '{"c": 30, "b": 2, "a": 1}', ("3", "30", "$.c")),
    ],
)
def test_a_member_that_is_of_another_kind_or_at_another_place_is_known_by_its_name(
    before: str, after: str, told: tuple[str, str, str]
):
    (one,) = diff(before, after, "any change").findings[0].objects
    assert (one.before, one.after, *one.where) == told
