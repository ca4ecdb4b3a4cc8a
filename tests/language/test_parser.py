"""Expressions, requests and steps are read by themselves, and a mistake in them has its place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from webvigil.errors import MistakeInText
from webvigil.language import parse_expression, parse_request, parse_steps, print_clauses, print_steps
from webvigil.model.approach import Step
from webvigil.model.request import Request
from webvigil.model.sentinel import And, ChangeType

ENTER = Step("press", text="Enter")
A_STEP = (
    "expected Type, open, click, press, choose, scroll, wait or run, but found 'wiat'; did you mean wait?"
)
A_TYPE = "expected links, images or words, but found 'lniks'; did you mean links?"


@pytest.mark.parametrize(
    ("read", "text", "place", "message"),
    [
        (parse_expression, "all lniks", (1, 5), A_TYPE),
        (parse_expression, "\ufeffall links AND\n  all lniks", (2, 7), A_TYPE),
        (
            parse_request,
            "\ufeffPOST heder x",
            (1, 6),
            "expected form, header, query, body or json, but found 'heder'; did you mean header?",
        ),
        (
            parse_request,
            "POST\nheader Accept",
            (2, 14),
            'expected secret or a text in quotes "…", but the text ends',
        ),
        (parse_steps, 'click css "a",\n\npress Enter\nwiat 3 second,', (4, 1), A_STEP),
        (parse_steps, "\ufeffwiat", (1, 1), A_STEP),
        (parse_steps, "press Enter,\n  wiat 3 second", (2, 3), A_STEP),
        (
            parse_steps,
            "press Enter\nwait 61 second\nwiat",
            (2, 1),
            "a step waits at most 60 seconds, not 61",
        ),
        (
            parse_steps,
            "press Enter\n" * 51,
            (1, 1),
            "a page is approached in at most 50 steps, not 51",
        ),
        (parse_steps, "press Enter\n" * 51 + "wiat", (52, 1), A_STEP),
    ],
)
def test_a_mistake_in_a_text_without_a_sentinel_has_its_place(
    read: Callable[[str], object], text: str, place: tuple[int, int], message: str
):
    with pytest.raises(MistakeInText) as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == place
    assert caught.value.message == message


def test_what_stands_without_a_sentinel_is_read_behind_a_byte_order_mark():
    assert parse_expression("\ufeffall links AND visual") == And(
        (ChangeType("all links"), ChangeType("visual"))
    )
    assert parse_request("\ufeffPUT") == Request(method="PUT")
    assert parse_request("") == Request()
    assert parse_steps("\ufeff  press Enter ,\n\n\t\npress Enter") == (ENTER, ENTER)
    assert parse_steps("") == ()


def test_fifty_steps_are_read_and_printed_one_on_a_line():
    text = "\n".join(["press Enter"] * 50)
    assert parse_steps(text) == (ENTER,) * 50
    assert print_steps(parse_steps(text)) == text


def test_clauses_are_printed_without_a_sentinel():
    assert print_clauses(title="a b", depth=1) == 'Title "a b"\nDepth 1'
    assert print_clauses() == ""
