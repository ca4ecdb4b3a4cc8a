"""Each id of a requirement in the code has a row on the page of requirements, and each row is named there."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.docs.examples import ROOT

PAGE = ROOT / "docs" / "requirements.md"
# An id stands by itself: not in a range of characters (A-Z0-9), a version or a name.
ID = re.compile(r"(?<![\w.-])[A-Z]\d{1,2}(?![\w.-]\w|\w)")
# Looks like an id at first sight. A file without such a text is not parsed.
PERHAPS = re.compile(r"(?<![A-Z_\d])[A-Z]\d{1,2}(?!\w)")
TREES = {"src": "src/webvigil", "tests": "tests"}

Row = tuple[str, str, list[str], list[str]]


@cache
def cited(tree: str) -> dict[str, set[str]]:
    """Returns the files below a tree in whose comments and docstrings each id stands."""
    found: dict[str, set[str]] = {}
    root = ROOT / TREES[tree]
    for file in sorted(root.rglob("*.py")):
        for text in _prose(file):
            for one in ID.findall(text):
                found.setdefault(one, set()).add(file.relative_to(root).as_posix())
    return found


def _prose(file: Path) -> Iterator[str]:
    text = file.read_text(encoding="utf-8")
    if not PERHAPS.search(text):
        return
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    yield from (token.string for token in tokens if token.type == tokenize.COMMENT)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def rows() -> list[Row]:
    lines = re.findall(
        r"^\| ([A-Z]\d+) \| (.+?) \| (.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return [(one, asks, _files(done), _files(tested)) for one, asks, done, tested in lines]


def _files(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_id_in_the_code_has_a_row():
    known = {one for one, *_ in rows()}
    for tree in TREES:
        unknown = {one: min(files) for one, files in cited(tree).items() if one not in known}
        assert not unknown, f"add a row to docs/requirements.md for each of these ids: {unknown}"


def test_every_row_is_named_in_the_code():
    named = {*cited("src"), *cited("tests")}
    unnamed = [one for one, *_ in rows() if one not in named]
    assert not unnamed, f"no module and no test names {unnamed}: name them there, or remove their rows"


def test_an_id_has_one_row():
    ids = [one for one, *_ in rows()]
    assert len(ids) == len(set(ids)) > 100


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_a_row_leads_to_its_module_and_its_test(row: Row):
    one, asks, done, tested = row
    assert asks.strip()
    for tree, files in (("src", done), ("tests", tested)):
        assert files, f"{one} names no file below {TREES[tree]}"
        for file in files:
            assert (ROOT / TREES[tree] / file).is_file(), f"{one} leads to {file}, which is gone"
            if one in cited(tree):
                assert file in cited(tree)[one], f"{one} leads to {file}, which does not name it"
