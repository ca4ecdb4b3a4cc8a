"""`head -1` of the packages and modules reads like a table of contents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.examples import ROOT

SOURCE = ROOT / "src" / "webvigil"
MODULES = [
    file
    for file in sorted(SOURCE.rglob("*.py"))
    if "migrations" not in file.parts and file.read_text(encoding="utf-8").strip()
]
# A whole sentence: it ends on the line, or a list of forms begins below it.
SENTENCE = re.compile(r'r?"""\S.{14,}(?:[.:…)])(?:""")?')


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.relative_to(SOURCE).as_posix())
def test_the_first_line_of_a_module_is_a_whole_sentence(file: Path):
    first = file.read_text(encoding="utf-8").splitlines()[0]
    assert SENTENCE.fullmatch(first), (
        f"the first line of {file.relative_to(ROOT)} is {first!r}: write one sentence that fits on the line "
        "and says what goes in and what comes out; what else there is to say goes below it"
    )
