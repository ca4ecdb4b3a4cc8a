"""Messages in the user's own words: fields are filled, nothing else is run, no change is lost (K7)."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.notify.telling import START, change
from tests.notify.test_email import HOME, renderer, report
from tests.notify.test_render import HOSTILE
from webvigil.errors import MistakeInText
from webvigil.language import parse
from webvigil.model.message import FIELDS, Message, filled, pieces, trouble_with
from webvigil.model.notice import Notice, Waiting
from webvigil.notify.render import Links
from webvigil.notify.summary import summary
from webvigil.notify.webhook import payload

LAMP = {
    "type": "value",
    "changed": True,
    "objects": [
        {
            "object": "price",
            "status": "u",
            "before": "€ 49.90",
            "after": "€ 44.90",
            "label": "Aurora lamp · Price",
            "where": [],
        }
    ],
}


NOW = datetime(2026, 5, 4, tzinfo=UTC)


def told(title: str = "", body: str = "", **more) -> Notice:
    more = {"findings": [LAMP], "headline": "Aurora lamp: € 49.90 → € 44.90"} | more
    return report(message=asdict(Message(title, body)), **more)


def said(text: str, **more) -> str:
    return renderer().render(told(body=text, **more)).text.removesuffix("\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ label }} is {{after}} now", "Aurora lamp · Price is € 44.90 now"),
        ("was {{ before }}", "was € 49.90"),
        ("{{ headline }}", "Aurora lamp: € 49.90 → € 44.90"),
        ("{{ changes }}", "~ Aurora lamp · Price: € 49.90 → € 44.90"),
        ("{{ added }} / {{ removed }}", "€ 44.90 / € 49.90"),
        ("{{ topic }} {{ old_version }} {{ new_version }}", "money 1 2"),
        ("{{ time }}", "Mon 04 May 2026, 12:00"),
        ("{{ report }}", f"{HOME}/reports/s1/7/1-2"),
        ('{"text": "{{ after }}"}', '{"text": "€ 44.90"}'),
        ("two\n\nlines", "two\n\nlines"),
    ],
)
def test_fields_are_filled_and_the_rest_stays(text: str, expected: str):
    assert said(text) == expected


def test_the_title_is_the_subject_and_the_rest_stays_ours_without_a_body():
    rendered = renderer().render(told(title="Cheaper: {{ after }}"))
    assert rendered.subject == "Cheaper: € 44.90"
    assert "€ 49.90" in rendered.text
    assert "version 1 → 2" in rendered.text


def test_a_mail_keeps_the_link_that_ends_it():
    links = Links(home=HOME, stop=f"{HOME}/stop")
    rendered = renderer().render(told(title="x", body="only {{ after }}"), links)
    assert rendered.text.startswith("only € 44.90\n")
    assert f"{HOME}/stop" in rendered.text
    assert f"{HOME}/stop" in rendered.html
    assert "only € 44.90" in rendered.html


def test_every_field_has_a_value_or_is_empty_never_itself():
    text = "|".join(f"{{{{ {name} }}}}" for name in FIELDS)
    for notice in (told(body=text), told(body=text, findings=[], headline="")):
        assert "{{" not in renderer().render(notice).text


@pytest.mark.parametrize("hostile", [*HOSTILE, "{{ before }}", "{{ report }}"])
def test_what_a_page_says_is_never_read_as_a_field_or_markup(hostile: str):
    one = LAMP["objects"][0] | {"after": hostile, "label": hostile}
    finding = LAMP | {"objects": [one]}
    notice = told(title="{{ label }}", body="{{ after }}", findings=[finding])
    rendered = renderer().render(notice)
    assert rendered.text.strip() == hostile
    assert "<script>" not in rendered.html
    assert "<img src=x" not in rendered.html


def test_a_summary_tells_the_title_in_place_of_the_headline():
    waiting = [
        Waiting(id=number, since=START, due=0, notice=change(str(number), body=one.body, sentinel="s"))
        for number, one in enumerate([told(title="Lamp at {{ after }}", body="b"), told(title="{{ added }}")])
    ]
    rendered = renderer().render(summary(waiting, "time"))
    assert "Lamp at € 44.90" in rendered.text
    assert "Lamp at € 44.90" in rendered.html
    assert "s1: Aurora lamp: € 49.90 → € 44.90" in rendered.text, "a title without a value is left to us"
    assert "{{" not in rendered.text


def test_a_program_gets_the_message_filled_beside_the_rest():
    notice = renderer().in_own_words(told(title="{{ after }}", body="was {{ before }}"))
    sent = json.loads(payload(notice, NOW))
    assert sent["message"] == {"title": "€ 44.90", "body": "was € 49.90"}
    assert sent["findings"][0]["objects"][0]["after"] == "€ 44.90"
    body = told("{{ url }}").body
    waiting = [Waiting(id=n, since=START, due=0, notice=change(str(n), body=body)) for n in (1, 2)]
    together = renderer().in_own_words(summary(waiting, "time"))
    assert "{{" not in payload(together, NOW).decode()


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        ("Message", "expected"),
        ('Message title " "', "empty"),
        ('Message title "{{ headine }}"', "did you mean {{ headline }}?"),
        ('Message body "{{ xyzzy }}"', "the fields are headline"),
        ('Message body "{{ after|upper }}"', "needs a name"),
        ('Message body "{{ 7 * 7 }}"', "needs a name"),
        ('Message body "{{ after"', "needs a name"),
        (r'Message title "a\nb"', "one line"),
        (f'Message title "{"x" * 301}"', "300"),
        (f'Message body "{"x" * 10_001}"', "10,000"),
        ('Message boddy "x"', "did you mean body?"),
    ],
)
def test_what_is_wrong_with_a_message_is_said(clause: str, reason: str):
    with pytest.raises(MistakeInText) as caught:
        parse(f"Create Sentinel s Using https://example.org/ {clause}")
    assert reason in str(caught.value)


def test_a_title_behind_a_message_is_the_title_of_the_sentinel():
    (one,) = parse('Create Sentinel s Using https://a.b/ Message body "x" Title "Sofa"')
    assert (one.title, one.message) == ("Sofa", Message("", "x"))


@given(st.text(alphabet="{} ab%#\n", max_size=40), st.text(alphabet="{} after%", max_size=20))
def test_a_message_that_is_accepted_never_says_braces_of_a_field(text: str, value: str):
    """Law: filling replaces the fields and nothing else, whatever the values say."""
    if trouble_with(Message(body=text)):
        return
    plain = [piece for piece, is_field in pieces(text) if not is_field]
    names = [piece for piece, is_field in pieces(text) if is_field]
    assert filled(text, dict.fromkeys(FIELDS, value)) == "".join(
        part + (value if number < len(names) else "") for number, part in enumerate(plain)
    )
