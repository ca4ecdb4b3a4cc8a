"""A mistake gives one message: line, column, the wrong word, what was expected, a suggestion (L10)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.language import strategies
from webvigil.errors import MistakeInText
from webvigil.language import check, parse, parse_expression, print_sentinel
from webvigil.model.objection import Objection

MISTAKES = tomllib.loads((Path(__file__).parent / "mistakes.toml").read_text("utf-8"))["mistake"]


@pytest.mark.parametrize("sample", MISTAKES, ids=lambda sample: sample["about"])
def test_what_people_are_told(sample):
    (mistake,) = check(sample["text"]).mistakes
    assert str(mistake) == sample["says"]
    assert mistake.suggestion == sample.get("suggestion", "")


@pytest.mark.parametrize("sample", MISTAKES, ids=lambda sample: sample["about"])
def test_the_word_stands_where_it_is_said_to_stand(sample):
    (mistake,) = check(sample["text"]).mistakes
    line = sample["text"].split("\n")[mistake.line - 1]
    assert line[mistake.column - 1 :].startswith(mistake.word.removesuffix("…"))


def test_there_are_enough_samples():
    assert len(MISTAKES) >= 40


def test_expected_words_are_told_to_programs():
    (mistake,) = check("Create Sentinel s Using sentinel t Present triple").mistakes
    assert mistake.expected == ("dual", "single", "only", "auto")


@pytest.mark.parametrize("words", ["value css", "value xpath", "table caption", "list css", "keywords part"])
def test_a_text_that_is_lacking_behind_such_words_is_asked_for_without_an_example_of_other_words(words: str):
    (mistake,) = check(f"Create Sentinel s Using https://example.org/ Monitor {words}").mistakes
    assert mistake.message.startswith("expected :, a text in quotes")
    assert mistake.message.endswith("but the text ends")


def test_of_several_change_types_that_lack_a_text_the_last_is_told_with_its_own_example():
    (mistake,) = check("Create Sentinel s Using https://example.org/ Monitor keywords AND table").mistakes
    assert (mistake.word, mistake.message) == (
        "table",
        "table needs a text in braces, for example table: {Opening hours}",
    )


def test_a_mistake_points_at_the_word():
    text = "Create Sentinel s1 Using https://example.org/\n\tMontior all links"
    (mistake,) = check(text).mistakes
    assert mistake.pointed(text).splitlines()[1:] == ["  \tMontior all links", "  \t^^^^^^^"]


def test_the_caret_stands_under_wide_letters():
    text = "Create Sentinel 映画の日 Uisng https://example.org/"
    _, excerpt, carets = check(text).mistakes[0].pointed(text).splitlines()
    wide = sum(2 if letter in "映画の日" else 1 for letter in excerpt[: excerpt.index("Uisng")])
    assert carets == " " * wide + "^^^^^"


def test_a_name_with_a_mark_that_nobody_sees_is_not_asked_to_stand_in_quotes():
    (mistake,) = check("Create Sentinel s\u200f1 Using https://example.org/").mistakes
    assert str(mistake) == "line 1, column 17: a name cannot contain U+200F right-to-left mark"


def test_a_mistake_in_a_long_line_shows_its_surroundings():
    text = f"Create Sentinel s1 Using https://example.org/{'x' * 1000} Montior all links {'y' * 1000}"
    (mistake,) = check(text).mistakes
    _, excerpt, carets = mistake.pointed(text).splitlines()
    assert len(excerpt) <= 102
    assert excerpt[carets.index("^") :].startswith("Montior")


def test_all_mistakes_of_a_text_are_found():
    text = """
        Create Sentinel a Using https://example.org/ Montior all links
        Create Sentinel b Using https://example.org/ Monitor all links
        Create Sentinel c Using https://example.org/ Monitor phrase: {never closed
        Create Sentinel d Using https://example.org/ Title "never closed
        Create Sentinel e Using https://example.org/ Fetch 2 moons
    """
    checked = check(text)
    assert [one.name for one in checked.sentinels] == ["b"]
    assert [(mistake.line, mistake.word) for mistake in checked.mistakes] == [
        (2, "Montior"),
        (4, "{"),
        (5, '"'),
        (6, "moons"),
    ]


def test_verification_adds_its_refusals():
    text = "Create Sentinel a Using sentinel x\nCreate Sentinel b Using sentinel y"
    checked = check(text, verify=lambda _: {"a": ["there is no sentinel x"]})
    assert [one.name for one in checked.sentinels] == ["b"]
    assert [str(mistake) for mistake in checked.mistakes] == ["line 1, column 17: there is no sentinel x"]


@pytest.mark.parametrize(
    ("about", "pointed"),
    [
        ((), "a Using"),
        (("Using", "sentinel"), "sentinel x"),
        (("x",), "x\n"),
        (("fetch",), "Fetch 1 second"),
        (("Notify", "Fetch"), "Fetch 1 second"),
        (("Within", "no such word"), "Within css"),
        (("Within", "a[b"), "a[b"),
        (("never", "there"), "a Using"),
    ],
)
def test_a_refusal_points_at_the_word_that_it_is_about(about, pointed):
    text = """
-- Fetch once
Create Sentinel b Using https://example.org/
Create Sentinel a Using sentinel x
  -- Fetch 1 hour would do
  Fetch 1 second Within css "a[b"
"""
    checked = check(text, verify=lambda _: {"a": [Objection("it is so", *about)]})
    (mistake,) = checked.mistakes
    lines = text.split("\n")
    rest = "\n".join([lines[mistake.line - 1][mistake.column - 1 :], *lines[mistake.line :]])
    assert rest.startswith(pointed)
    assert mistake.message == "it is so"


@pytest.mark.parametrize(
    ("word", "pointed"),
    [
        ("news", "news Ignore"),
        ("NEWS", "news Ignore"),
        ("#a", '#a" '),
        ("a]", "a] of"),
        ("new", 'new"'),
        ("a-b", "a-b xa]"),
        ("b-a", "b-a xa-b"),
    ],
)
def test_a_refusal_points_at_a_whole_word(word: str, pointed: str):
    text = """Create Sentinel s Using sentinel newsroom
Title "oldnews newsroom b-ax b-a xa-b a-b xa] a] of" Topic news Ignore css "b#a" Within css "new"
"""
    (mistake,) = check(text, verify=lambda _: {"s": [Objection("it is so", word)]}).mistakes
    assert mistake.line == 2
    assert text.splitlines()[1][mistake.column - 1 :].startswith(pointed)
    assert mistake.word == word


@pytest.mark.parametrize(
    ("about", "place"),
    [
        (("sentinel", "x"), (2, 17, "x")),  # behind the name, not in it and not before it
        (("x",), (2, 17, "x")),
        (("Using", "s"), (2, 1, "Using")),
        ((), (1, 18, "x")),
    ],
)
def test_a_refusal_is_about_what_stands_behind_the_name(about: tuple[str, ...], place: tuple[int, int, str]):
    text = " Create Sentinel x\nUsing sentinel  x"
    (mistake,) = check(text, verify=lambda _: {"x": [Objection("it is so", *about)]}).mistakes
    assert (mistake.line, mistake.column, mistake.word) == place


@pytest.mark.parametrize("text", ["", "all lniks", "all links,", "Monitor all links", "phrase"])
def test_an_expression_alone_has_mistakes_of_its_own(text):
    with pytest.raises(MistakeInText, match="line 1, column"):
        parse_expression(text)


mutations = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 8),
        st.one_of(
            st.sampled_from(
                ["", '"', "'", "{", "}", "(", ")", "<", "\\", "/", "--", "\n", "\0", "\u202e", "9" * 30]
            ),
            st.sampled_from(
                ["Create Sentinel", "Monitor", "AND", "12/31/2026", ",", "NOT ", "From", "Every", "%"]
            ),
            st.text(max_size=3),
        ),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategies.sentinels, mutations)
def test_a_damaged_text_gives_a_result_or_a_mistake(sentinel, changes):
    text = print_sentinel(sentinel)
    for place, gone, new in changes:
        at = int(place * len(text))
        text = text[:at] + new + text[at + gone :]
    checked = check(text)
    assert parse("\n".join(map(print_sentinel, checked.sentinels))) == [*checked.sentinels]
    lines = text.split("\n")
    for mistake in checked.mistakes:
        assert mistake.message
        assert mistake.pointed(text)
        assert 1 <= mistake.line <= len(lines)
        assert 1 <= mistake.column <= len(lines[mistake.line - 1]) + 1


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(), max_size=60))
def test_any_text_at_all_gives_a_result_or_a_mistake(text):
    for piece in (text, f"Create Sentinel {text}", f"Create Sentinel s Using https://example.org/ {text}"):
        for mistake in check(piece).mistakes:
            assert str(mistake).startswith("line ")
