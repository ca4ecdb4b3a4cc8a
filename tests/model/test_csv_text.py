"""Texts that look like formulas are harmless in a spreadsheet; everything comes back as it was."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from webvigil.model.csv_text import csv_text


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=2, max_size=2)))
def test_every_text_comes_back_and_none_is_a_formula(rows: list[list[str]]):
    read = list(csv.reader(io.StringIO(csv_text(("one", "two"), rows), newline="")))
    assert read[0] == ["one", "two"]
    for row, found in zip(rows, read[1:], strict=True):
        for text, kept in zip(row, found, strict=True):
            assert kept.removeprefix("'") == text.removeprefix("'")
            assert not kept.startswith(("=", "+", "-", "@"))


def test_numbers_stay_numbers():
    assert csv_text(("n",), [(-1.5,)]) == "n\r\n-1.5\r\n"
