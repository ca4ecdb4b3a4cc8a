"""Fragments are compared in the lines that differ, and told as if the whole page had been compared (C9)."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect import regular_expression
from webvigil.detect.find import find
from webvigil.document import read
from webvigil.document.patterns import Pattern
from webvigil.model.sentinel import ChangeType

_LINES = st.lists(st.text("ab12. ", max_size=5), max_size=6)


def _page(lines):
    return read("".join(f"<p>{line}</p>" for line in lines).encode())


@given(
    st.sampled_from([(r"\d+",), ("a+b",), (r"\d", "b"), ("[ab]+ ?",), (r"\b1",)]),
    _LINES, _LINES, _LINES, _LINES,
)  # fmt: skip
def test_the_same_is_found_whether_all_lines_are_searched_or_those_that_differ(
    patterns, first, old, new, last
):
    change = ChangeType("regular expression", patterns)
    pages = [first + middle + last for middle in (old, new)]
    found = find(*map(_page, pages), change)
    with patch.object(regular_expression, "_matches_the_same", return_value=False):
        assert find(*map(_page, pages), change) == found


@pytest.mark.parametrize(("after", "characters"), [("other words", 30), ("other 2.00", 300)])
def test_only_lines_that_differ_are_searched_unless_their_fragments_differ(after, characters):
    lines = [f"line with price {number}.00" for number in range(100)]
    searched = []
    edges = Pattern.edges
    with patch.object(Pattern, "edges", lambda self, text: searched.append(len(text)) or edges(self, text)):
        change = ChangeType("regular expression", (r"\d+\.\d+",))
        find(_page([*lines, "some words"]), _page([*lines, after]), change)
    assert (sum(searched) < characters) is (after == "other words")
