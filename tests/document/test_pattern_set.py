"""Of many expressions, those that match nothing in a text are told at once (G3)."""

from __future__ import annotations

import pytest

from webvigil.document.pattern_set import PatternSet
from webvigil.document.patterns import compile_pattern


@pytest.mark.parametrize(
    ("expressions", "text", "unmatched"),
    [
        (["a", "b", "c"], "b", {"a", "c"}),
        (["a", "b", "c"], "cab", set()),
        (["a", "b", "c"], "", {"a", "b", "c"}),
        ([r"\d+", "x"], "7", {"x"}),
        ([r"\d+", "x"], "x", {r"\d+"}),
        (["a*"], "b", set()),
        (["é"], "e", {"é"}),
        (["(?=a)", "b"], "c", {"b"}),
        (["(?=a)"], "c", set()),
        ([], "a", set()),
        (["a", "a"], "b", {"a"}),
        ([r"\w"], "é", set()),
        ([r"\bx"], "é", set()),
        ([r"\bx"], "e", {r"\bx"}),
    ],
)
def test_expressions_that_match_nothing_are_told(expressions: list[str], text: str, unmatched: set[str]):
    assert PatternSet(map(compile_pattern, expressions)).unmatched(text) == unmatched
