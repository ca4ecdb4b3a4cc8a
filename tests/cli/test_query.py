"""What `query` prints for each kind of answer, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from webvigil.cli import query
from webvigil.cli.main import webvigil

BOOKS = "<books><book><title>One</title></book><book><title>Two</title></book></books>"


def run(*words: str) -> Result:
    return CliRunner().invoke(webvigil, words, standalone_mode=False)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder with a packed file of one document, and one of two."""
    folder = tmp_path_factory.mktemp("packed")
    for name, text in (("a.xml", BOOKS), ("b.xml", "<books/>")):
        (folder / name).write_text(text)
    assert run("pack", str(folder / "a.xml"), "-o", str(folder / "one.xpk")).exception is None
    both = [str(folder / name) for name in ("a.xml", "b.xml")]
    assert run("pack", *both, "-o", str(folder / "two.xpk")).exception is None
    return folder


@pytest.mark.parametrize(
    ("words", "code", "lines"),
    [
        (("//title",), 0, ["/books/book[1]/title", "/books/book[2]/title"]),
        (("//title", "--text"), 0, ["One", "Two"]),
        (("//title", "--count"), 0, ["2"]),
        (("//nothing",), 1, []),
        (("//nothing", "--count"), 0, ["0"]),
        (("count(//nothing)",), 0, ["0"]),
        (("string(//nothing)",), 0, [""]),
        (("//book[2]",), 0, ["/books/book[2]"]),
        (("count(//p:x)", "--ns", "p=urn:p"), 0, ["0"]),
        (("1 = 2",), 0, ["false"]),
        (("1 = 1",), 0, ["true"]),
        (("1 div 4",), 0, ["0.25"]),
        (("$n + 1", "--var", "n=2"), 0, ["3"]),
        (("concat($n, '!')", "--var", "n=x=y"), 0, ["x=y!"]),
    ],
)
def test_an_answer_is_printed_line_by_line(packed: Path, words: tuple[str, ...], code: int, lines: list[str]):
    done = run("query", str(packed / "one.xpk"), *words)
    assert (done.output.splitlines(), done.return_value) == (lines, code)


def test_lines_of_several_documents_name_theirs(packed: Path):
    done = run("query", str(packed / "two.xpk"), "count(//book)")
    assert [line.rpartition(": ")[2] for line in done.output.splitlines()] == ["2", "0"]
    assert run("query", str(packed / "two.xpk"), "//book").return_value == 0
    for which, code in (("1", 0), ("2", 1)):
        done = run("query", str(packed / "two.xpk"), "//book", "--document", which)
        assert done.return_value == code
        assert all(line.startswith("/books/book") for line in done.output.splitlines())
    for which in ("0", "3", "x"):
        done = run("query", str(packed / "two.xpk"), "//book", "--document", which)
        assert str(done.exception) == f"there is no document {which!r}: the file has 2"


@pytest.mark.parametrize(
    ("xpath", "plain"),
    [
        ("count(//book)", {"type": "number", "value": 2}),
        ("1 div 4", {"type": "number", "value": 0.25}),
        ("0 div 0", {"type": "number", "value": "NaN"}),
        ("(-1) div 0", {"type": "number", "value": "-Infinity"}),
        ("1 = 1", {"type": "boolean", "value": True}),
        ("'x'", {"type": "string", "value": "x"}),
        (
            "//book[1]/title",
            {"type": "nodes", "count": 1, "nodes": [{"path": "/books/book[1]/title", "text": "One"}]},
        ),
    ],
)
def test_programs_get_the_type_and_the_value(packed: Path, xpath: str, plain: dict[str, Any]):
    found = json.loads(run("query", str(packed / "one.xpk"), xpath, "--json").output)
    assert {name: value for name, value in found.items() if name != "document"} == plain
    several = json.loads(run("query", str(packed / "two.xpk"), xpath, "--json").output)
    assert len(several) == 2


def test_a_whole_number_has_no_point():
    found = [query._whole(one) for one in (2.0, 2.5, "2.0", True)]
    assert [(one, type(one)) for one in found] == [(2, int), (2.5, float), ("2.0", str), (True, bool)]


@pytest.mark.parametrize("option", ["--ns", "--var"])
def test_a_pair_needs_both_sides(packed: Path, option: str):
    done = run("query", str(packed / "one.xpk"), "//x", option, "nonsense")
    assert str(done.exception) == f"{option} needs NAME=VALUE"
