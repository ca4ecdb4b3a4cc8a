"""A mistake in a text is shown with its line and a caret under the word, whatever the letters are."""

from __future__ import annotations

import pytest

from webvigil.errors import ChannelBusy, HostBusy, MistakeInText, ModelBusy


def pointed(text: str, line: int, column: int, word: str) -> list[str]:
    one = MistakeInText("no", line=line, column=column, word=word)
    said, shown, caret = one.pointed(text).split("\n")
    assert said == str(one) == f"line {line}, column {column}: no"
    return [shown, caret]


@pytest.mark.parametrize(
    ("text", "line", "column", "word", "shown", "caret"),
    [
        ("Watch this page", 1, 7, "this", "  Watch this page", "        ^^^^"),
        ("one\r\ntwo three\r\n", 2, 5, "three", "  two three", "      ^^^^^"),
        ("\ufeffone", 1, 1, "one", "  one", "  ^^^"),
        ("one", 1, 2, "", "  one", "   ^"),
        ("one", 1, 4, "", "  one", "     ^"),
        ("one", 2, 1, "x", "  ", "  ^"),
        ("\tone two", 1, 6, "two", "  \tone two", "  \t    ^^^"),
        ("日本 x", 1, 4, "x", "  日本 x", "       ^"),
        ("x 日本", 1, 3, "日本", "  x 日本", "    ^^^^"),
        ("x 日本", 1, 3, "", "  x 日本", "    ^^"),
        ("ｘ y", 1, 3, "y", "  ｘ y", "     ^"),
        ("a\u0308b c", 1, 5, "c", "  a\u0308b c", "     ^"),
        ("a\x07b", 1, 3, "b", "  a\ufffdb", "    ^"),
        ("x" * 60 + "!", 1, 61, "!", "  " + "x" * 60 + "!", "  " + " " * 60 + "^"),
        ("y" + "x" * 60 + "!", 1, 62, "!", "  " + "x" * 60 + "!", "  " + " " * 60 + "^"),
        ("!" + "x" * 99, 1, 1, "!", "  !" + "x" * 99, "  ^"),
        ("!" + "x" * 99 + "y", 1, 1, "!", "  !" + "x" * 99, "  ^"),
        ("a" * 60 + "b" * 50, 1, 61, "b" * 50, "  " + "a" * 60 + "b" * 40, "  " + " " * 60 + "^" * 40),
    ],
)
def test_the_caret_stands_under_the_word(
    text: str, line: int, column: int, word: str, shown: str, caret: str
):
    assert pointed(text, line, column, word) == [shown, caret]


def test_nothing_is_said_that_was_not_given():
    assert str(MistakeInText("no")) == "line 1, column 1: no"
    assert [error("x").wait for error in (HostBusy, ChannelBusy, ModelBusy)] == [0, 0, 0]
    assert ModelBusy("x").worked is False
