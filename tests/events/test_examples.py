"""The examples in the reference of events run and give what the reference says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import webvigil.events

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "events.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs_by_itself(number: int) -> None:
    exec(compile(EXAMPLES[number], f"{PAGE.name} example {number + 1}", "exec"), {})


def test_every_operator_and_context_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    names = [*webvigil.events.__all__, *webvigil.events.Context.__members__]
    promises = {"Expression", "Timed", "Occurrence"}
    assert [name for name in names if f"`{name}" not in page and name not in promises] == []
