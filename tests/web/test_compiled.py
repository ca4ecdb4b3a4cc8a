"""A compiled template is stored beside the compiled modules, and is never an old one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from webvigil.web import compiled
from webvigil.web.compiled import Compiled


class Counting(Environment):
    """An environment that counts the templates it compiles."""

    compilations = 0

    def compile(self, *given, **more):
        self.compilations += 1
        return super().compile(*given, **more)


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the folder for compiled templates, into which Python may write."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "__pycache__").mkdir()
    return tmp_path / "__pycache__"


def rendered(folder: Path, text: str) -> tuple[str, bool]:
    """Returns the rendered template, and whether it was compiled for this."""
    cache = Compiled(str(folder.parent / "templates.py"))
    environment = Counting(loader=DictLoader({"one.html": text}), bytecode_cache=cache)
    return environment.get_template("one.html").render(name="you"), environment.compilations > 0


def test_a_template_is_compiled_once_and_again_when_its_text_changed(stored: Path):
    assert rendered(stored, "Hello {{ name }}") == ("Hello you", True)
    assert rendered(stored, "Hello {{ name }}") == ("Hello you", False)
    assert rendered(stored, "Bye {{ name }}") == ("Bye you", True)
    assert [one.name for one in stored.iterdir()] == [f"one.html.{sys.implementation.cache_tag}"]


def test_another_version_compiles_again(stored: Path, monkeypatch: pytest.MonkeyPatch):
    rendered(stored, "Hello {{ name }}")
    monkeypatch.setattr(compiled, "_VERSIONS", "another\n")
    assert rendered(stored, "Hello {{ name }}") == ("Hello you", True)


@pytest.mark.parametrize("content", [b"", b"nonsense"], ids=["empty", "foreign"])
def test_a_damaged_file_is_replaced(stored: Path, content: bytes):
    rendered(stored, "Hello {{ name }}")
    (file,) = stored.iterdir()
    file.write_bytes(content)
    assert rendered(stored, "Hello {{ name }}") == ("Hello you", True)
    assert rendered(stored, "Hello {{ name }}") == ("Hello you", False)


def test_nothing_is_written_when_python_writes_no_compiled_modules(
    stored: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert rendered(stored, "Hello {{ name }}") == ("Hello you", True)
    assert list(stored.iterdir()) == []


def test_a_full_disk_does_not_keep_a_page_from_being_shown(stored: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    assert rendered(stored, "Hello {{ name }}") == ("Hello you", True)


def test_all_templates_are_stored_where_python_stores_compiled_modules(tmp_path: Path):
    code = "from webvigil.web import templates; templates.compile_all(); print(templates.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPYCACHEPREFIX": str(tmp_path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    written = {file.name for file in tmp_path.rglob(f"*.html.{sys.implementation.cache_tag}")}
    source = Path(done.stdout.strip()).parent / "templates"
    assert written == {f"{file.name}.{sys.implementation.cache_tag}" for file in source.glob("*.html")}
