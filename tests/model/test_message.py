"""Messages in the user's own words: how long they may be, and what is said of wrong ones."""

from __future__ import annotations

import pytest

from webvigil.model.message import FIELDS, Message, filled, pieces, trouble_with


@pytest.mark.parametrize(
    ("message", "trouble"),
    [
        (Message("x" * 300, "x" * 10_000), ""),
        (Message("x"), ""),
        (Message(body="x"), ""),
        (Message(), 'Message says nothing; write Message title "…", body "…" or both'),
        (Message(" ", "\n"), 'Message says nothing; write Message title "…", body "…" or both'),
        (Message("x" * 301), "the title of Message has more than 300 letters"),
        (Message("x\ny"), "the title of Message is one line"),
        (Message("x\ry"), "the title of Message is one line"),
        (Message("x", "x" * 10_001), "the body of Message has more than 10,000 letters"),
        (
            Message("{{ headlin }}"),
            "{{ headlin }} is no field of Message; did you mean {{ headline }}?",
        ),
        (
            Message(body="{{ xyzzy }}"),
            f"{{{{ xyzzy }}}} is no field of Message; the fields are {', '.join(FIELDS)}",
        ),
        (
            Message(body="{{ }}"),
            "{{ begins a field of Message and needs a name and }}, such as {{ headline }}",
        ),
        (Message(body="{{ after }} {"), ""),
    ],
)
def test_what_is_wrong_with_a_message_is_said(message: Message, trouble: str):
    assert trouble_with(message) == trouble


def test_a_name_of_forty_letters_is_a_field_and_a_longer_one_is_text():
    assert list(pieces("a{{ " + "x" * 40 + " }}b")) == [("a", False), ("x" * 40, True), ("b", False)]
    assert list(pieces("{{ " + "x" * 41 + " }}")) == [("{{ " + "x" * 41 + " }}", False)]


def test_values_are_filled_in_and_never_read_as_fields():
    assert filled("{{before}} → {{\tafter }}.{{ gone }}", {"before": "{{ after }}", "after": "7"}) == (
        "{{ after }} → 7."
    )
