"""The reference of the language: every sentinel in it reads, every clause and change type is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webvigil.language import check, parse, print_sentinel
from webvigil.language.check import MOST_MISTAKES
from webvigil.language.names import LONGEST as LONGEST_NAME
from webvigil.language.nesting import DEEPEST
from webvigil.language.parser import LONGEST
from webvigil.language.tokens import LONGEST_URL
from webvigil.model.change_types import KINDS

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "reference" / "language.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", REFERENCE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks("sentinel"), ids=lambda text: text.splitlines()[0])
def test_every_sentinel_of_the_reference_reads(text):
    checked = check(text)
    assert [str(mistake) for mistake in checked.mistakes] == []
    assert checked.sentinels
    assert parse("\n".join(map(print_sentinel, checked.sentinels))) == [*checked.sentinels]


def test_every_change_type_has_an_example_and_a_row():
    examples = " ".join(blocks("sentinel"))
    for kind in KINDS.values():
        row = re.search(rf"^\| `{kind.name}", REFERENCE, re.MULTILINE)
        assert row, f"add a row '| `{kind.name}` | … |' to docs/reference/language.md"
        used = re.search(rf"\b{kind.name}\b", examples)
        assert used, f"add a sentinel that monitors {kind.name} to docs/reference/language.md"
        for synonym in kind.synonyms:
            assert f"`{synonym}`" in REFERENCE, f"add `{synonym}` to the row of {kind.name}"


def test_every_clause_has_an_example():
    """What no example uses is not in the language: the parsed examples fill every field."""
    sentinels = [one for text in blocks("sentinel") for one in parse(text)]
    for field in sentinels[0].__dataclass_fields__:
        used = any(getattr(one, field) for one in sentinels)
        assert used, f"add a sentinel with the clause {field!r} to docs/reference/language.md"


def test_the_limits_are_the_real_ones():
    for limit in (LONGEST, DEEPEST, LONGEST_NAME, LONGEST_URL, MOST_MISTAKES):
        assert f"| {limit:,} " in REFERENCE or f"| {limit:,} |" in REFERENCE


def test_links_inside_the_page_lead_somewhere():
    headings = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", REFERENCE, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", REFERENCE)) <= headings
    for path in re.findall(r"\]\((\.\.[^)]+)\)", REFERENCE):
        assert (ROOT / "docs" / "reference" / path).exists()
