"""A form shows everything that a sentinel says, and gives it back unchanged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.language.strategies import sentinels
from webvigil.app.sentinels.fields import (
    Fields,
    fetched_at,
    fields_of,
    own_words,
    told_by,
    told_if,
    ways_to_tell,
    with_fields,
)
from webvigil.errors import MistakeInText
from webvigil.language import parse
from webvigil.model.message import Message
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
        (" .a ", (Part("css", ".a"),)),
        ("main", (Part("main", ""),)),
        (" main ", (Part("main", ""),)),
        ("main, main", (Part("main", ""), Part("main", ""))),
        ('main, css "a"', (Part("main", ""), Part("css", "a"))),
        ("mains", (Part("css", "mains"),)),
        ("a, main", (Part("css", "a, main"),)),
        ("/a+/", (Part("regex", "a+"),)),
        ("words {a b}", (Part("words", ("a", "b")),)),
        ("words", (Part("css", "words"),)),
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


BARE = "Create Sentinel s Using http://a.test/ "


@pytest.mark.parametrize(
    ("clauses", "fields"),
    [
        ("", Fields(means="", summary=False)),
        ('Within css ".a"', Fields(within=".a", means="", summary=False)),
        ("Within main", Fields(within="main", means="", summary=False)),
        ('Within css "main"', Fields(within='css "main"', means="", summary=False)),
        ('Within css "/a/"', Fields(within='css "/a/"', means="", summary=False)),
        ('Within css " .a"', Fields(within='css " .a"', means="", summary=False)),
        ('Within css ".a", css ".b"', Fields(within='css ".a", css ".b"', means="", summary=False)),
        ("Fetch 2 hour on monday", Fields(fetch="2 hour", hours="on monday", means="", summary=False)),
        ("Fetch on change on monday", Fields(fetch="on change", hours="on monday", means="", summary=False)),
        ("Fetch at 7:30", Fields(fetch="at 7:30", means="", summary=False)),
        ("Depth 0", Fields(depth="0", means="", summary=False)),
        ("Depth 2", Fields(depth="2", means="", summary=False)),
        ('Title "Tea"', Fields(title="Tea", means="", summary=False)),
        ("When changed > 20%", Fields(means=None, summary=False)),
        ('When means "there is a sale"', Fields(means="there is a sale", summary=False)),
        ("Summary on", Fields(means="", summary=True)),
        (
            'Message title "New" body "Tea"',
            Fields(message_title="New", message_body="Tea", means="", summary=False),
        ),
    ],
)
def test_each_clause_has_its_field(clauses: str, fields: Fields):
    (sentinel,) = parse(BARE + clauses)
    assert fields_of(sentinel) == fields
    assert with_fields(sentinel, fields) == sentinel


def test_a_title_of_blanks_is_none_unless_it_was_there():
    (bare,) = parse(BARE)
    assert with_fields(bare, Fields(title=" Tea ")).title == "Tea"
    assert with_fields(bare, Fields(title="  ")).title is None
    assert with_fields(replace(bare, title=""), Fields(title="")).title == ""


def test_a_depth_of_zero_stays_what_it_was():
    (bare,), (zero,), (two,) = (parse(BARE + one) for one in ("", "Depth 0", "Depth 2"))
    assert [with_fields(one, Fields(depth="0")).depth for one in (bare, zero, two)] == [None, 0, 0]
    assert [with_fields(one, Fields(depth="")).depth for one in (bare, zero, two)] == [None, None, None]
    assert [with_fields(one, Fields(depth="1")).depth for one in (bare, zero, two)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("clauses", "means", "summary", "expected"),
    [
        ("", None, None, ""),
        ("", "", False, ""),
        ("", " there is\n a sale ", None, 'When means "there is a sale"'),
        ('When means "x y"', None, None, 'When means "x y"'),
        ('When means "x y"', "", None, ""),
        ("When changed > 20%", "there is a sale", None, "When changed > 20%"),
        ("When changed > 20%", "", None, "When changed > 20%"),
        ("", None, True, "Summary on"),
        ("Summary on", None, True, "Summary on"),
        ("Summary on", None, False, ""),
        ("Summary on", None, None, "Summary on"),
        ("Summary off", None, False, "Summary off"),
        ("Summary off", None, True, "Summary on"),
    ],
)
def test_a_meaning_and_summaries_are_set_or_left(
    clauses: str, means: str | None, summary: bool | None, expected: str
):
    assert told_if(parse(BARE + clauses)[0], means, summary) == parse(BARE + expected)[0]


def test_a_meaning_that_cannot_be_used_is_refused():
    with pytest.raises(MistakeInText) as refused:
        told_if(parse(BARE)[0], "x" * 5000, None)
    assert (refused.value.line, refused.value.column) == (1, 1)


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("", "", None),
        (" ", " \r\n", None),
        ("New", "", Message("New", "")),
        ("", "a\r\nb", Message("", "a\nb")),
        (" ", "Tea ", Message("", "Tea ")),
        ("New ", " ", Message("New ", "")),
    ],
)
def test_a_message_has_a_title_or_a_body(title: str, body: str, expected: Message | None):
    assert own_words(title, body) == expected


def test_a_message_that_cannot_be_used_is_refused():
    with pytest.raises(MistakeInText) as refused:
        own_words("", "x" * 100_000)
    assert (refused.value.line, refused.value.column) == (1, 1)


@pytest.mark.parametrize(
    ("fetch", "hours", "clause"),
    [
        ("", "", ""),
        (" ", " ", ""),
        ("2 hour", "", "Fetch 2 hour"),
        ("2 hour", " on monday ", "Fetch 2 hour on monday"),
        ("", "on monday", "Fetch on change on monday"),
        ("on change", "", "Fetch on change"),
    ],
)
def test_an_interval_and_hours_are_one_clause(fetch: str, hours: str, clause: str):
    assert fetched_at(fetch, hours) == parse(BARE + clause)[0].fetch


def test_a_contact_can_be_told_at_once_or_once_a_day():
    contacts = parse(f"{BARE}Notify By email a@b.test, log")[0].contacts
    assert ways_to_tell(contacts) == {
        "email a@b.test": "at once",
        "email a@b.test Every 1 day": "once a day, all in one message",
        "log": "at once",
        "log Every 1 day": "once a day, all in one message",
    }


@pytest.mark.parametrize(
    ("notify", "clause"),
    [
        ("", ""),
        ("log", "Notify By log"),
        ("log Every 1 day", "Notify By log Every 1 day"),
        (" Every 1 day", "Notify Every 1 day"),
    ],
)
def test_contacts_and_times_are_one_field(notify: str, clause: str):
    expected = parse(BARE + clause)[0]
    assert told_by(parse(f"{BARE}Notify By feed")[0], notify) == expected


def test_a_mistake_names_the_clause_and_what_was_written():
    with pytest.raises(MistakeInText) as refused:
        fetched_at(" soon ", "")
    assert refused.value.message.startswith("Fetch soon: ")
    assert (refused.value.line, refused.value.column) == (1, 1)
