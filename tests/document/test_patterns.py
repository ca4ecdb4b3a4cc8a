"""Expressions of users never hold a worker (C9)."""

import re
import time

import pytest
import re2
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


def found(pattern: str, text: str) -> list[str]:
    return [text[start:end] for start, end in compile_pattern(pattern).spans(text)]


@pytest.mark.parametrize(
    ("pattern", "text", "pieces", "is_linear"),
    [
        (r"[^\w]", "é-a", ["-"], True),
        (r"\W", "é-a", ["-"], True),
        (r"[\W]", "é-", ["-"], False),
        (r"\D", "٣a", ["a"], True),
        (r"[\D]", "٣a", ["a"], True),
        (r"\S+", "é\u00a0b", ["é", "b"], True),
        (r"[\S]+", "é -", ["é", "-"], False),
        (r"[\s]", "a\u00a0", ["\u00a0"], True),
        (r"\bé", "aé é", ["é"], False),
        # What stands in brackets begins with a bracket, or ends behind an escaped one.
        (r"[]\w]+", "é]", ["é]"], True),
        (r"[^]\w]+", "é]x-", ["-"], True),
        (r"[a[\w]+", "é[a", ["é[a"], True),
        (r"[\]]\w", "]é", ["]é"], True),
        (r"\]\w", "]é", ["]é"], True),
        (r"a]\w", "a]é", ["a]é"], True),
        (r"é[x]\w", "éxé", ["éxé"], True),
        (r"\\w", "é\\w", ["\\w"], True),
        (r"\Qa\w", "éa\\w", ["a\\w"], True),
        (r"[[:alpha:]]\w", "aé", ["aé"], True),
        (r"é+", "aéé é", ["éé", "é"], True),
    ],
)
def test_classes_are_spelled_out_where_they_stand(
    pattern: str, text: str, pieces: list[str], is_linear: bool
):
    assert found(pattern, text) == pieces
    assert compile_pattern(pattern).is_linear is is_linear


@pytest.mark.parametrize(
    ("pattern", "text", "spans"),
    [
        ("(a)|(b)|c", "abcab", [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
        ("x(a)?(b)?", "xxaxb", [(0, 1), (2, 3), (4, 5)]),
        ("(?<=x)(a)|(b)", "xab", [(1, 2), (2, 3)]),
        ("an", "banana", [(1, 3), (3, 5)]),
        ("b(an)", "banana", [(1, 3)]),
        ("()a", "ba", []),
        ("(a)é", "éaé", [(1, 2)]),
    ],
)
def test_of_a_match_its_first_group_that_took_part_counts(
    pattern: str, text: str, spans: list[tuple[int, int]]
):
    assert compile_pattern(pattern).groups(text) == spans


@pytest.mark.parametrize(
    ("pattern", "text", "occurs"),
    [
        ("^$", "", True),
        ("^$", "a", False),
        ("(?m)^$", "a\n\nb", True),
        ("a*", "b", True),
        ("b", "a", False),
        ("b", "ab", True),
        ("(?<!a)b", "ab", False),
        ("(?<!a)b", "b", True),
    ],
)
def test_an_empty_match_is_a_match_that_occurs(pattern: str, text: str, occurs: bool):
    assert compile_pattern(pattern).occurs_in(text) is occurs


def test_a_replacement_names_groups_by_their_numbers():
    assert compile_pattern("(a)(b)").replaced("xabab", "$2$1") == "xbaba"
    assert compile_pattern("(a)").replaced("a", r"\$1$") == "$1$"
    with pytest.raises(PatternRefused) as refused:
        compile_pattern("a").replaced("a", "$1")
    assert str(refused.value) == "the replacement '$1' cannot be used: invalid group reference at position 5"


def test_plain_words_are_found_as_they_stand():
    assert compile_pattern("aa").spans("aaaaa") == [(0, 2), (2, 4)]
    assert compile_pattern("é").spans("éa é") == [(0, 1), (3, 4)]
    assert compile_pattern("a b").spans("a b") == [(0, 3)]
    assert compile_pattern("x").spans("") == []
    assert compile_pattern("ab").cut("xabyabz") == "xyz"
    assert compile_pattern("ab").cut("xyz") == "xyz"


def test_an_expression_has_at_most_ten_thousand_characters():
    assert found("a" * 10_000, "a" * 20_001) == ["a" * 10_000] * 2
    with pytest.raises(PatternRefused) as refused:
        compile_pattern("a" * 10_001)
    assert str(refused.value) == "the expression is too long: at most 10,000 characters"


def test_a_long_expression_is_run_by_re2_on_texts_up_to_eight_million_steps():
    pattern = compile_pattern("(?:abcde){100}")
    longest = 8_000_000 // re2.compile("(?:abcde){100}").programsize
    assert pattern.spelled_for("a" * longest) == "(?:abcde){100}"
    assert pattern.spelled_for("a" * (longest + 1)) == ""
    text = "abcde" * 100
    for length in (longest - 500, longest - 499):
        assert pattern.spans("x" * length + text) == [(length, length + 500)]
    assert compile_pattern(r"\w").spelled_for("a") == r"\w"
    assert compile_pattern(r"\w").spelled_for("é") == r"[\p{L}\p{M}\p{N}\p{Pc}]"
    assert compile_pattern("(?=a)").spelled_for("a") == ""


def test_a_search_in_a_longer_text_gets_more_time():
    with pytest.raises(PatternRefused) as refused:
        compile_pattern(r"^(?:a|aa)+$(?=b)").spans("a" * 60 + "!" + " " * 399_939)
    assert str(refused.value) == (
        "the expression '^(?:a|aa)+$(?=b)' takes too long on this page (80 ms); a simpler one, with fewer "
        "nested repetitions, will do better"
    )


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("x{1001}", "invalid repetition size: {1001}"),
        ("(?<=a", "missing ) at position 5"),
        (r"(a)\2", "invalid group reference at position 5"),
        (r"\p{Foo}", r"invalid character class range: \p{Foo}"),
        ("(?i", "unknown extension at position 3"),
    ],
)
def test_the_reason_is_told_for_an_expression_that_cannot_be_read(pattern: str, reason: str):
    with pytest.raises(PatternRefused) as refused:
        compile_pattern(pattern)
    assert str(refused.value) == f"the expression {pattern!r} cannot be used: {reason}"
