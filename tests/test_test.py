"""`./test` gives its arguments to pytest, and spreads the tests over several processes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ASKS_PYTEST = "-m pytest"
SEVERAL = "-n auto --dist worksteal"


@pytest.fixture
def asked(tmp_path: Path):
    """Runs `./test` in a folder where each program of the environment only writes down how it was called."""
    shutil.copy(ROOT / "test", tmp_path)
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True)
    for name in ("python", "ruff", "mypy", "lint-imports", "chromium", "firefox"):
        (programs / name).write_text('#!/bin/sh\necho "${0##*/} $*" >>calls\n')
        (programs / name).chmod(0o755)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/environment.sh").write_text("say() { :; }\nprepare_environment() { :; }\n")

    def run(*arguments: str) -> list[str]:
        subprocess.run(
            [tmp_path / "test", *arguments],
            check=True,
            env={"PATH": f"{programs}:/usr/bin:/bin"},
            capture_output=True,
        )
        return (tmp_path / "calls").read_text().splitlines()

    return run


@pytest.mark.parametrize(
    "arguments",
    ["tests/store", "tests/store -k claim", "--all -k claim", "--durations=30", "-k not_there.pyx"],
)
def test_folders_and_choices_run_in_several_processes(asked, arguments: str):
    assert asked(*arguments.split()) == [f"python -m pytest {SEVERAL} {arguments}"]


@pytest.mark.parametrize(
    "arguments",
    [
        "tests/test_library.py",
        "tests/store tests/test_library.py::test_it -x",
        "tests/store -n 2",
        "tests/store -n0",
        "--numprocesses=3",
        "tests -p no:xdist",
        "tests/store --pdb",
    ],
)
def test_one_file_or_a_given_number_of_processes_is_not_spread(asked, arguments: str):
    assert asked(*arguments.split()) == [f"python -m pytest {arguments}"]


def test_without_arguments_all_checks_run(asked):
    calls = asked()
    assert {call.split()[0] for call in calls} == {"python", "ruff", "mypy", "lint-imports"}
    assert [call for call in calls if ASKS_PYTEST in call] == [f"python -m pytest {SEVERAL}"]


def test_with_all_slow_tests_run_and_then_the_quick_ones_traced(asked):
    slow, *traced = [call for call in asked("--all") if "coverage" in call or ASKS_PYTEST in call]
    assert slow == f"python -m pytest {SEVERAL} --all"
    assert traced == [
        "python -m coverage erase",
        f"python -m coverage run -m pytest -q {SEVERAL}",
        "python -m coverage combine -q",
        "python -m coverage report",
        "python scripts/coverage_table.py",
    ]


@pytest.mark.parametrize(
    ("asked_for", "has", "made"), [("3.13.1", "3.11.7", True), ("3.11.7", "3.11.7", False)]
)
def test_the_python_that_is_asked_for_by_name_gets_an_environment_of_its_own(
    tmp_path: Path, asked_for: str, has: str, made: bool
):
    for place, version in (("asked", asked_for), (".venv/bin/python", has)):
        program = tmp_path / place
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f'#!/bin/sh\n[ "$1" != --version ] || echo "Python {version}"\n')
        program.chmod(0o755)
    script = f'. "{ROOT}/scripts/environment.sh"; make_venv "$PYTHON"'
    environment = {"PATH": "/usr/bin:/bin", "PYTHON": str(tmp_path / "asked")}
    subprocess.run(["sh", "-euc", script], cwd=tmp_path, check=True, env=environment)
    assert (tmp_path / ".venv").exists() is not made, "the one of the other version is gone"
