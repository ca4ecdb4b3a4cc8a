"""Expressions, requests and steps are read by themselves, and a mistake in them has its place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from webvigil.errors import MistakeInText, SentinelRefused
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


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step("wait"), "wait for"),
        (Step("wait", seconds=61), "wait 61 second"),
        (Step("wait", seconds=-1), "wait -1 second"),
        (Step("wait", text="rest", seconds=1), "wait 1 second"),
        (Step("click", "css", "#a", text="x"), 'click css "#a"'),
        (Step("click", "css", "#a", seconds=1), 'click css "#a"'),
        (Step("scroll", "css", "#a", secret="x"), 'scroll to css "#a"'),
        (Step("scroll", text="top"), "scroll to top"),
        (Step("type", "css", "#a", text="x", secret="y"), 'type css "#a" secret y'),
        (Step("type", "css", "#a", secret="a/b"), 'type css "#a" secret a/b'),
        (Step("choose", "css", "#a", secret="y"), 'choose css "#a" "secret y"'),
        (Step("press", text="Foo"), "press Foo"),
        (Step("press", text="Enter", seconds=1), "press Enter"),
        (Step("open", text="http://a.test/", secret="x"), "open secret x"),
    ],
)
def test_a_step_whose_parts_do_not_fit_together_is_not_printed(step: Step, said: str):
    with pytest.raises(SentinelRefused) as caught:
        print_steps([step])
    assert str(caught.value) == (
        f"the step cannot be written: the step {said!r} has a part that is missing, wrong or too much"
    )


@pytest.mark.parametrize(
    ("step", "refusal"),
    [
        (Step("run", text=" "), "a text is empty or has a character that cannot be written"),
        (Step("click", "css", "\x00"), "a text is empty or has a character that cannot be written"),
        (
            Step("open", text="a.test"),
            "'a.test' is not a web address: it must start with http:// or https://",
        ),
    ],
)
def test_a_step_with_a_text_that_cannot_be_written_is_not_printed(step: Step, refusal: str):
    with pytest.raises(SentinelRefused) as caught:
        print_steps([step])
    assert str(caught.value) == f"the step cannot be written: {refusal}"


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Step("wait", seconds=60), "wait 1 minute"),
        (Step("wait", seconds=1), "wait 1 second"),
        (Step("wait", text="rest"), "wait for rest"),
        (Step("wait", "text", "Welcome"), 'wait for text "Welcome"'),
        (Step("open", text="http://a.test/a)b"), "open <http://a.test/a)b>"),
        (Step("open", text="http://a.test/"), "open http://a.test/"),
        (Step("press", text="Control+a"), 'press "Control+a"'),
        (Step("press", text="F5"), "press F5"),
        (Step("scroll", text="bottom"), "scroll to bottom"),
        (Step("scroll", "xpath", "//p"), 'scroll to xpath "//p"'),
        (Step("type", "css", "#a", text="x"), 'type css "#a" "x"'),
        (Step("type", "css", "#a", secret="my word"), 'type css "#a" secret "my word"'),
        (Step("type", "css", "#a", secret="word"), 'type css "#a" secret word'),
        (Step("choose", "css", "#a", text="x"), 'choose css "#a" "x"'),
        (Step("run", text="x = 1"), 'run "x = 1"'),
    ],
)
def test_a_step_is_printed_as_it_is_read(step: Step, text: str):
    assert print_steps([step]) == text
    assert parse_steps(text) == (step,)
