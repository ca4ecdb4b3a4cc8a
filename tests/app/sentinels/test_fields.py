"""A form shows everything that a sentinel says, and gives it back unchanged."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.language.strategies import sentinels
from webvigil.app.sentinels.fields import Fields, fields_of, with_fields
from webvigil.errors import MistakeInText
from webvigil.language import parse
from webvigil.model.sentinel import Part, Sentinel

ALL = (
    "Create Sentinel s Using http://a.test/ Monitor all links AND phrase: {low risk}\n"
    'Within css "main" Fetch 2 hour Topic money Notify By email jill@example.org, log Every 4 day Priority 3'
)


def test_the_fields_read_as_people_write_them():
    assert fields_of(parse(ALL)[0]) == Fields(
        monitor="all links AND phrase: {low risk}",
        within='css "main"',
        fetch="2 hour",
        topic="money",
        notify="email jill@example.org, log Every 4 day",
        means="",
        summary=False,
    )


@settings(max_examples=150, deadline=None)
@given(sentinels)
def test_a_form_that_is_sent_as_it_came_changes_nothing(sentinel: Sentinel):
    assert with_fields(sentinel, fields_of(sentinel)) == sentinel


def test_an_empty_field_leaves_its_clause_out_and_the_rest_stays():
    (sentinel,) = parse(ALL)
    assert with_fields(sentinel, Fields()) == parse("Create Sentinel s Using http://a.test/ Priority 3")[0]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("main, #prices", (Part("css", "main, #prices"),)),
        ('xpath "//main"', (Part("xpath", "//main"),)),
        ('css "main", xpath "//p"', (Part("css", "main"), Part("xpath", "//p"))),
    ],
)
def test_a_part_is_a_selector_or_a_clause(text: str, parts: tuple[Part, ...]):
    assert with_fields(parse(ALL)[0], Fields(within=text)).within == parts


def test_a_field_cannot_say_something_else():
    changed = with_fields(parse(ALL)[0], Fields(monitor="all words Priority 9 Topic other"))
    assert (changed.priority, changed.topics) == (3, ())


@pytest.mark.parametrize("field", ["monitor", "fetch", "notify"])
def test_what_is_wrong_is_told_with_its_clause(field: str):
    with pytest.raises(MistakeInText, match="no such thing"):
        with_fields(parse(ALL)[0], Fields(**{field: "no such thing"}))


def test_a_part_of_json_stays_one():
    (one,) = parse('Create Sentinel s Using https://a.example/ Within json "$.items[?@.price < 10]"')
    fields = fields_of(one)
    assert fields.within == 'json "$.items[?@.price < 10]"'
    assert with_fields(one, fields) == one
