"""Expressions and selectors of other programs keep what they mean."""

from __future__ import annotations

import pytest

from webvigil.app.moving.formats.patterns import (
    chained,
    either,
    json_value,
    lines,
    literal,
    picked,
    regex_monitor,
    scoped,
    xpaths_of,
)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("abc", "abc"),
        ("a|b", "(?:a|b)"),
        ("^a", "(?:^a)"),
        ("a$", "(?:a$)"),
        ("(?i)a|b", "(?i:a|b)"),
        ("(?xzi)a\nb", "(?ix:a\nb)"),
    ],
)
def test_an_expression_can_be_part_of_a_longer_one(expression: str, expected: str):
    assert scoped(expression) == expected


@pytest.mark.parametrize(
    ("text", "any_case", "as_it_is"),
    [("a.b", r"(?i)a\.b", r"a\.b"), ("ABC", "(?i)ABC", "ABC"), ("1.5", r"1\.5", r"1\.5"), ("", "", "")],
)
def test_a_text_is_found_in_any_case_if_it_has_letters(text: str, any_case: str, as_it_is: str):
    assert (literal(text), literal(text, any_case=False)) == (any_case, as_it_is)


@pytest.mark.parametrize(
    ("keep", "drop", "expected"),
    [
        (["a"], [], ".*a.*"),
        (["^a"], [], "(?m).*(?:^a).*"),
        (["a$"], [], "(?m).*(?:a$).*"),
        (["a", "b"], [], "(?m)^(?=.*a)(?=.*b).+$"),
        (["a"], ["b"], "(?m)^(?=.*a)(?!.*b).+$"),
        ([], ["b"], "(?m)^(?!.*b).+$"),
        (["a"], ["^b"], "(?m)^(?=.*a)(?!.*(?:^b)).+$"),
    ],
)
def test_lines_must_match_what_is_kept_and_not_what_is_dropped(
    keep: list[str], drop: list[str], expected: str
):
    assert lines(keep, drop) == expected


def test_one_of_several_expressions():
    assert (either(["a|b"]), either(["a|b", "c"])) == ("a|b", "(?:a|b)|c")
    assert (regex_monitor("a+"), regex_monitor("a", "first")) == (
        "regular expression: {a+}",
        "regular expression: {a} first",
    )


def test_paths_are_found_in_what_others_found():
    assert chained(["//a", "//c"], ["//b", "//d"]) == [
        "(//a)//b",
        "(//a)/self::b",
        "(//a)//d",
        "(//a)/self::d",
        "(//c)//b",
        "(//c)/self::b",
        "(//c)//d",
        "(//c)/self::d",
    ]
    for inner in ("/b", "//b | //c", "//(b)"):
        with pytest.raises(
            ValueError, match=r"reads the result of the filter before it as a page of its own$"
        ):
            chained(["//a"], [inner])


def test_selectors_are_paths():
    assert xpaths_of("a > b, i") == ["//a/b", "//i"]
    with pytest.raises(ValueError, match=r"^the selector \[ cannot be read: "):
        xpaths_of("[")


@pytest.mark.parametrize(
    ("paths", "skip", "most", "expected"),
    [
        (["//a"], 0, 3, "(//a)[position() > 0 and position() <= 3]"),
        (["//a"], 1, 1, "(//a)[position() > 1 and position() <= 2]"),
        (["//a", "//b"], 2, 0, "(//a | //b)[position() > 2]"),
    ],
)
def test_some_matches_are_picked(paths: list[str], skip: int, most: int, expected: str):
    assert picked(paths, skip, most) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (".", 'json "$"'),
        (".a.b[0]", 'json "$.a.b[0]"'),
        (".[]", 'json "$[*]"'),
        (".a[] | .b", 'json "$.a[*].b"'),
        (" .a | . | .b? ", 'json "$.a.b"'),
        ('.["a key"].b', 'json "$[\\"a key\\"].b"'),
        (".[-1]", 'json "$[-1]"'),
        (".a | length", 'jq ".a | length"'),
        ("..", 'jq ".."'),
    ],
)
def test_a_query_that_only_follows_members_is_a_path(query: str, expected: str):
    assert json_value(query) == f"value {expected}"
