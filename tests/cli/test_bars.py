"""Long commands show how far they are, on a terminal and nowhere else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.whole.serving import webvigil

_PAGES = 30


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    for number in range(_PAGES):
        (tmp_path / f"{number}.html").write_text(f"<h1>Page {number}</h1>", "utf-8")
    made = webvigil(
        "pack", *(str(file) for file in sorted(tmp_path.glob("*.html"))), "-o", str(tmp_path / "all.xpk")
    )
    assert made.returncode == 0, made.stderr
    return tmp_path / "all.xpk"


def test_a_terminal_shows_how_many_documents_are_done(archive: Path):
    shown, answers = _on_a_terminal("query", str(archive), "count(//h1)")
    assert "Documents" in shown
    assert f"{_PAGES}/{_PAGES}" in shown
    assert answers.count(": 1") == _PAGES


def test_a_pipe_shows_nothing_but_the_answers(archive: Path):
    asked = webvigil("query", str(archive), "count(//h1)")
    assert asked.stderr == ""
    assert asked.stdout.count(": 1") == _PAGES


def test_a_bar_of_unknown_length_tells_how_much_is_done():
    program = "from webvigil.cli.bars import bar\nwith bar('Writing objects') as told:\n    told(7); told(5)"
    shown, _ = _seen([sys.executable, "-c", program])
    assert "Writing objects" in shown
    assert "12" in shown


def test_what_is_said_beside_a_bar_stands_on_a_line_of_its_own():
    program = (
        "from webvigil.cli.bars import bar_with_words, clear_bar\n"
        "from webvigil.cli.saying import say\n"
        "with bar_with_words('Pages', 9) as told:\n"
        "    told(3, '1 form'); clear_bar(); say('found it', err=True); told(9, '2 forms')"
    )
    shown, _ = _seen([sys.executable, "-c", program])
    assert "\r\x1b[Kfound it\x1b[0m\r\n" in shown
    assert "3/9" in shown
    assert "2 forms" in shown


def _on_a_terminal(*arguments: str) -> tuple[str, str]:
    return _seen([sys.executable, "-m", "webvigil", *arguments])


def _seen(command: list[str]) -> tuple[str, str]:
    """Runs a program whose standard error is a terminal. Returns what the terminal got, and the output."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, encoding="utf-8") as run:
        os.close(theirs)
        output = run.communicate(timeout=300)[0]
    assert run.returncode == 0
    found = os.read(ours, 1 << 20).decode()
    os.close(ours)
    return found, output
