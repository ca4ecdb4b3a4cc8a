"""The built grammar is stored beside the compiled modules, and is never an old one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lark
import pytest

from webvigil.language import parse, parser, print_sentinel

TEXT = "Create Sentinel s Using https://example.org/ Monitor all links OR phrase: {low risk}\n"


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yields the file of the built grammar, which does not exist yet."""
    file = tmp_path / "sentinel.lark"
    monkeypatch.setattr(parser, "_built", lambda: str(file))
    parser.grammar.cache_clear()
    yield file
    parser.grammar.cache_clear()


def again() -> str:
    parser.grammar.cache_clear()
    return print_sentinel(parse(TEXT)[0])


def is_built(monkeypatch: pytest.MonkeyPatch) -> bool:
    """Returns whether reading the text again builds the grammar anew."""
    built: list[bool] = []
    real = lark.lark.load_grammar
    monkeypatch.setattr(lark.lark, "load_grammar", lambda *given: built.append(True) or real(*given))
    again()
    monkeypatch.setattr(lark.lark, "load_grammar", real)
    return bool(built)


def test_the_grammar_is_built_once(stored: Path, monkeypatch: pytest.MonkeyPatch):
    first = again()
    assert stored.exists()
    assert not is_built(monkeypatch)
    assert again() == first


def test_another_grammar_is_built_again(stored: Path, monkeypatch: pytest.MonkeyPatch):
    again()
    with_comment = parser.with_change_types
    monkeypatch.setattr(parser, "with_change_types", lambda text: with_comment(text) + "\n// another\n")
    assert is_built(monkeypatch)
    assert not is_built(monkeypatch)


@pytest.mark.parametrize("content", [b"", b"nonsense", None], ids=["empty", "foreign", "cut off"])
def test_a_damaged_file_is_replaced(stored: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None):
    first = again()
    stored.write_bytes(stored.read_bytes()[:5000] if content is None else content)
    assert again() == first
    assert not is_built(monkeypatch)


def test_a_mistake_is_told_alike_by_a_built_and_by_a_stored_grammar(stored: Path):
    def told() -> str:
        parser.grammar.cache_clear()
        with pytest.raises(parser.MistakeInText) as refused:
            parse("Create Sentinel s Using https://example.org/ Monitor all lnks")
        return str(refused.value)

    assert told() == told()


def test_the_grammar_is_stored_where_python_stores_compiled_modules(tmp_path: Path):
    code = "from webvigil.language import parser; parser.grammar(); print(parser._built())"
    run = [sys.executable, "-c", code]
    done = subprocess.run(
        run, env={"PYTHONPYCACHEPREFIX": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    file = Path(done.stdout.strip())
    assert file.is_relative_to(tmp_path)
    assert file.exists()
    unwritten = subprocess.run([*run[:1], "-B", *run[1:]], env={"PYTHONPYCACHEPREFIX": str(tmp_path / "x")},
                               capture_output=True, text=True, check=True)  # fmt: skip
    assert unwritten.stdout.strip() == ""
