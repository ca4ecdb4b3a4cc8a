"""What the dashboard says about the language can be written so."""

from __future__ import annotations

import pytest
from lxml import html

from webvigil.language import parse
from webvigil.web.templates import _environment

HELP = html.fromstring(_environment.get_template("language.html").render())
CLAUSES = (
    "Quiet",
    "Only",
    "Within",
    "Ignore",
    "When",
    "Fetch",
    "From",
    "To",
    "Notify By",
    "Topic",
    "Priority",
    "Steps",
    "Render",
)
WRITTEN = [one.text for one in HELP.xpath("//dd/code")]


@pytest.mark.parametrize("text", [one for one in WRITTEN if one not in ("AND", "OR", "NOT")])
def test_each_example_is_read(text: str):
    clause = text if text.startswith((*CLAUSES, "Using")) else f"Monitor {text}"
    target = "" if clause.startswith("Using") else "Using https://example.org/"
    assert len(parse(f"Create Sentinel s {target} {clause}")) == 1


def test_the_whole_example_is_read():
    assert [one.name for one in parse(HELP.xpath("string(//pre)"))] == ["prices", "room"]
