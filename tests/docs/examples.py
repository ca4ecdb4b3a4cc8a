"""Examples in Markdown, taken out and run.

```` ```python ````   runs; blocks of one page share their names; with `>>>` it is a doctest, otherwise its
asserts count. ```` ```console ````  lines with `$ ` run in a shell in a folder of their own, and what
follows is the expected output (`...` stands for anything). ```` ```sentinel ````  must be readable.
Other fences are shown, not run.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.whole.spawning import command_folder, inherited

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Example:
    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    return sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def examples(page: Path) -> list[Example]:
    text = page.read_text(encoding="utf-8")
    fences = ((text.count("\n", 0, found.start()) + 1, found) for found in _FENCE.finditer(text))
    return [Example(page, line, found[1], found[2]) for line, found in fences]


def run(example: Example, names: dict[str, Any], folder: Path) -> None:
    match example.language:
        case "python" if ">>>" in example.text:
            _run_doctest(example, names)
        case "python":
            exec(compile(example.text, example.place, "exec"), names)
        case "console":
            _run_console(example, folder)
        case "sentinel":
            from webvigil.language import parse

            assert parse(example.text), example.place


def _run_doctest(example: Example, names: dict[str, Any]) -> None:
    parser = doctest.DocTestParser()
    parsed = parser.get_doctest(example.text, names, example.place, str(example.page), example.line)
    runner = doctest.DocTestRunner(optionflags=_FLAGS)
    report: list[str] = []
    runner.run(parsed, out=report.append, clear_globs=False)
    names.update(parsed.globs)
    assert runner.failures == 0, "".join(report)


def _run_console(example: Example, folder: Path) -> None:
    for command, expected in _commands(example.text):
        spawner, told = inherited()
        done = subprocess.run(
            ["bash", "-c", command],
            pass_fds=[spawner],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**_environment(), **told},
            timeout=300,
            check=False,
        )
        output = done.stdout + done.stderr
        same = doctest.OutputChecker().check_output(expected, output, _FLAGS)
        assert same or not expected, f"{example.place}\n$ {command}\nexpected:\n{expected}\ngot:\n{output}"
        assert expected or done.returncode == 0, f"{example.place}\n$ {command}\n{output}"


def _commands(text: str) -> list[tuple[str, str]]:
    """Returns commands with their output. A command begins with `$ ` and goes on in lines with `> `."""
    commands: list[tuple[str, str]] = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        more = next((n for n, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
        command = lines[0] + "".join(line.removeprefix("> ") for line in lines[1:more])
        commands.append((command, "".join(lines[more:])))
    return commands


def _environment() -> dict[str, str]:
    paths = [str(command_folder()), str(Path(sys.executable).parent), os.environ["PATH"]]
    source = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    more = {"WEBVIGIL_DOCS": str(ROOT / "docs"), "COLUMNS": "100"}
    return {
        **os.environ,
        **more,
        "PATH": os.pathsep.join(paths),
        "PYTHONPATH": os.pathsep.join(filter(None, source)),
    }
