"""Expressions of users never hold a worker (C9)."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document.patterns import compile_pattern
from webvigil.errors import PatternRefused


@given(
    st.sampled_from([r"\d+", "a+b", "(x|yz)*", r"\bw", "[^a]", "é.", "(?i)ABC"]),
    st.text("abcxyzwé12 \n", max_size=20),
)
def test_matches_are_those_of_the_standard_library(pattern, text):
    expected = [match.span() for match in re.finditer(pattern, text) if match.group()]
    assert compile_pattern(pattern).spans(text) == expected


@given(
    st.sampled_from([r"\d+", "a+b", "(?:x|yz)*", r"\bw", r"\B1", "[a-y ]+", "a.?", r"\S+", r"x\.", "1{2,}"]),
    st.lists(st.text("abcxyzw12. ", max_size=6), max_size=5),
)
def test_an_expression_that_matches_within_lines_finds_in_each_line_what_it_finds_in_all(pattern, lines):
    compiled, text = compile_pattern(pattern), "\n".join(lines)
    assert compiled.is_linewise(text)
    alone = [line[slice(*span)] for line in lines for span in compiled.spans(line)]
    assert alone == [text[slice(*span)] for span in compiled.spans(text)]


@pytest.mark.parametrize(
    "pattern",
    [
        "a$", "^a", r"\s", r"\W", r"\D", "[^a]", "(?s)a.b", "(?m)a", r"a\n", "a\nb", r"[[:space:]]", r"\x0a",
        r"\pZ", r"\Qa\E", r"a\z", r"\Ca", "(?i)a", "(?<=a)b", r"(a)\1", r"[\t-z]", "é",
    ],
)  # fmt: skip
def test_an_expression_that_might_see_more_than_its_line_is_not_taken_for_one_that_matches_within_lines(
    pattern,
):
    assert not compile_pattern(pattern).is_linewise("a\nb")


def test_look_around_and_references_back_work_too():
    assert compile_pattern(r"(?<=€)\d+").spans("€12 13") == [(1, 3)]
    assert compile_pattern(r"(\w)\1").spans("hello") == [(2, 4)]
    assert not compile_pattern(r"(\w)\1").is_linear
    assert compile_pattern(r"\w").is_linear


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(a|aa)+$"])
def test_the_classic_catastrophes_are_harmless(pattern):
    started = time.process_time()
    compile_pattern(pattern).spans("a" * 50_000 + "!")
    assert time.process_time() - started < 1


def test_a_catastrophe_with_look_around_is_stopped():
    started = time.process_time()
    with pytest.raises(PatternRefused, match="too long"):
        compile_pattern(r"^(?:a|aa)+$(?=b)").spans("a" * 60 + "!")
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    "pattern",
    ["(", "[", "*a", r"(?P<x", "a{99999999}", "(?=a{99999999})", r"(?=((a{100}){100}){100})", "x" * 20_000],
)
def test_a_bad_expression_is_refused_with_a_reason(pattern):
    with pytest.raises(PatternRefused, match="expression"):
        compile_pattern(pattern)


def test_matches_can_be_cut_out():
    assert compile_pattern(r"\d+ views").cut("x 12 views y 3 views") == "x  y "


def test_classes_mean_unicode_as_in_the_language_of_the_page():
    assert compile_pattern(r"\w+").spans("été naïve") == [(0, 3), (4, 9)]
    assert compile_pattern(r"[\w-]+").spans("mi-août") == [(0, 7)]
    assert compile_pattern(r"\bd\S+").spans("éd da") == [(3, 5)]
    assert compile_pattern(r"\d+").spans("٣٤") == [(0, 2)]
    assert compile_pattern(r"हि\w+").spans("हिन्दी") == [(0, 6)]
    assert compile_pattern(r"[\]\w]+").spans("é]") == [(0, 2)]
    assert compile_pattern(r"a\sb").spans("a\u00a0b") == [(0, 3)]


def test_a_literal_run_keeps_its_backslashes():
    assert compile_pattern(r"\Q\w\E").spans(r"é\w") == [(1, 3)]


def test_groups_nested_too_deeply_are_told_in_words():
    with pytest.raises(PatternRefused, match="its groups are nested too deeply"):
        compile_pattern("(?=a" * 400 + ")" * 400)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(", "missing ): ("),
        ("[b-a]", "invalid character class range: b-a"),
        ("a**", "multiple repeat at position 2"),
    ],
)
def test_what_is_wrong_with_an_expression_is_told_by_the_engine_that_knows_it(text: str, said: str):
    with pytest.raises(PatternRefused) as refused:
        compile_pattern(text)
    assert str(refused.value) == f"the expression {text!r} cannot be used: {said}"
