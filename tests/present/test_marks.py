"""Which white space belongs under the mark of a run."""

from __future__ import annotations

import pytest

from webvigil.present.marks import _leads
from webvigil.present.runs import Run


@pytest.mark.parametrize(
    ("run", "rest", "leads"),
    [
        (Run("-", " old"), [], False),  # at the end of a block there is space enough
        (Run("-", " old"), [Run("=", " stays")], False),
        (Run("-", " old"), [Run("=", ", stays")], True),
        (Run("-", " old"), [Run("-", " older"), Run("=", ", stays")], True),
        (Run("-", "old"), [Run("=", ", stays")], False),
        (Run("+", " new"), [Run("-", ".")], True),
    ],
)
def test_the_space_before_a_run_belongs_to_it_where_none_would_be_left(
    run: Run, rest: list[Run], leads: bool
):
    assert _leads(run, rest) is leads
