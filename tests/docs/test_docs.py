"""The documentation is true: its examples run, its links lead somewhere, and nothing is left out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs.examples import ROOT, examples, pages, run
from tests.whole.serving import webvigil
from webvigil.cli.commands import COMMANDS


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_example_runs(page: Path, tmp_path: Path):
    names: dict[str, Any] = {"__name__": "example"}
    for example in examples(page):
        run(example, names, tmp_path)


def test_the_installed_command_answers_as_in_the_examples(tmp_path: Path):
    """Examples ask a process that has imported everything; a user's command is a program of its own."""
    command = [str(Path(sys.executable).with_name("webvigil")), "list", "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == webvigil("list", "--data", str(tmp_path)).stdout


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path):
    for target, _, heading in re.findall(r"\]\(([^)#\s]*)(#([^)\s]+))?[^)]*\)", prose(page)):
        if "://" in target:
            continue
        file = page.parent / target if target else page
        assert file.exists(), f"{page.name} links to {target}"
        if heading and file.suffix == ".md":
            assert heading in anchors(file), f"{page.name} links to {target}#{heading}"


def prose(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Returns the names by which links reach the headings of a page, as web pages of Markdown have them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one).strip().lower().replace(" ", "-") for one in headings}


def test_every_command_has_a_heading_in_the_reference():
    text = (ROOT / "docs/reference/command-line.md").read_text(encoding="utf-8")
    headings = {found.strip("` ") for found in re.findall(r"^#{2,4} (.+)$", text, flags=re.MULTILINE)}
    missing = [name for name in COMMANDS if name not in headings]
    assert not missing, f"run scripts/reference.py: command-line.md has no heading for {missing}"


def test_the_pages_made_from_tables_are_up_to_date():
    check = [sys.executable, "scripts/reference.py", "--check"]
    done = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_each_package_says_what_goes_in_and_what_comes_out():
    packages = sorted((ROOT / "src/webvigil").glob("*/__init__.py"))
    assert packages
    for package in packages:
        first = package.read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith('"""'), package
        assert first.count(" ") >= 5, package
