"""Steps in a browser as messages show them, and which keys can be pressed."""

from __future__ import annotations

import pytest

from webvigil.model.approach import (
    PLAIN,
    Approach,
    Step,
    approach_from_text,
    approach_text,
    shown,
    trouble_with_key,
)
from webvigil.model.request import Header, Request


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step("open", text="https://a.test/"), "open https://a.test/"),
        (Step("click", "css", "#go"), 'click css "#go"'),
        (Step("type", "css", "#name", text="jill"), 'type css "#name" "jill"'),
        (Step("type", "css", "#pass", secret="word"), 'type css "#pass" secret word'),
        (Step("press", text="Enter"), "press Enter"),
        (Step("choose", "css", "#size", text="Large"), 'choose css "#size" "Large"'),
        (Step("scroll", text="bottom"), "scroll to bottom"),
        (Step("scroll", "css", "#more"), 'scroll to css "#more"'),
        (Step("wait", seconds=5), "wait 5 second"),
        (Step("wait", "text", "Welcome"), 'wait for text "Welcome"'),
        (Step("wait", text="rest"), "wait for rest"),
        (Step("run", text="a  =\n1"), 'run "a = 1"'),
        (Step("run", text="x" * 60), f'run "{"x" * 60}"'),
        (Step("run", text="x" * 61), f'run "{"x" * 59}…"'),
        (Step("click", "css", "x" * 61), f'click css "{"x" * 59}…"'),
    ],
)
def test_a_step_is_shown_in_one_line(step: Step, said: str):
    assert shown(step) == said


@pytest.mark.parametrize(
    "key", ["Enter", "a", "+", "Control+a", "Control+Shift+Tab", "Control++", "Meta+F12", "ArrowUp", "ä"]
)
def test_keys_that_can_be_pressed(key: str):
    assert trouble_with_key(key) == ""


NAMED = "Enter, Tab, Escape, Backspace, Delete, Insert, Space, Home, End, PageUp, PageDown, ArrowUp, F1"


@pytest.mark.parametrize(
    ("key", "trouble"),
    [
        ("Return", f"'Return' is no key; write a character or {NAMED} and so on"),
        ("Control+ab", f"'ab' is no key; write a character or {NAMED} and so on"),
        ("", f"'' is no key; write a character or {NAMED} and so on"),
        ("\n", f"'\\n' is no key; write a character or {NAMED} and so on"),
        ("Ctrl+a", "'Ctrl' cannot be held down; write Control, Shift, Alt or Meta"),
        ("Shift+Ctrl++", "'Ctrl' cannot be held down; write Control, Shift, Alt or Meta"),
    ],
)
def test_keys_that_cannot_be_pressed(key: str, trouble: str):
    assert trouble_with_key(key) == trouble


def test_the_plain_approach_is_an_empty_text_and_any_other_is_read_again():
    other = Approach(
        steps=(Step("type", "css", "#pass", secret="word"), Step("type", "css", "#id", secret="word")),
        wait=Step("wait", seconds=5),
        timeout=20,
        request=Request(headers=(Header("X-Key", secret="key"),)),
    )
    assert (approach_text(PLAIN), approach_from_text("")) == ("", PLAIN)
    assert approach_from_text(approach_text(other)) == other
    assert other.secrets == ("word", "key")
    assert (PLAIN.secrets, other.way) == ((), Approach(timeout=20))
