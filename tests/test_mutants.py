"""`scripts/mutants.py` makes every small fault it promises, and nothing else."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts/mutants.py"


@pytest.fixture(scope="module")
def mutating() -> Iterator[ModuleType]:
    sys.path.insert(0, str(SCRIPT.parent))
    yield importlib.import_module("mutants")
    sys.path.remove(str(SCRIPT.parent))


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("a < b", ["(a <= b)"]),
        ("a <= b < c", ["(a < b < c)", "(a <= b <= c)"]),
        ("a in b", ["(a not in b)"]),
        ("a and b", ["(a or b)"]),
        ("not a", ["(a)"]),
        ("ä = 7", ["ä = (8)", "ä = (6)"]),
        ("def f() -> 1:\n    return a", ["def f() -> 1:\n    return None"]),
        ("def f():\n    return None", []),
        ("def f():\n    return False", ["def f():\n    return True"]),
        ("a = True", []),
        ("a = 64_000_000", []),
        ("a: Literal[1]", []),
        ("f'{1}'", []),
        ('"""Said 1 < 2."""', []),
    ],
)
def test_every_fault_of_a_line_is_made(mutating: ModuleType, source: str, faults: list[str]):
    assert [one.source for one in mutating.mutants(Path("x.py"), source)] == faults


def test_a_sample_is_the_same_for_the_same_seed_and_has_every_package(
    mutating: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    packages = {"detect": 1, "pace": 20, "web": 200}  # how many comparisons each has
    for name, count in packages.items():
        folder = tmp_path / mutating.SOURCE / name
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("a < b\n" * count)
    monkeypatch.setattr(mutating, "ROOT", tmp_path)
    first, again, other = (mutating.sampled(9, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert Counter(one.file.parts[0] for one in first) == {"detect": 1, "pace": 4, "web": 4}


def first_tests(mutating: ModuleType, file: str, text: str) -> tuple[str, ...]:
    """Returns the tests that run first for a mutant in the first line that has this text."""
    source = (SCRIPT.parents[1] / "src/webvigil" / file).read_text("utf-8")
    found = (one for one in mutating.mutants(Path(file), source) if text in one.text)
    return next(mutating.rounds_of(next(found)))


def test_tests_that_mirror_a_module_run_first(mutating: ModuleType):
    assert first_tests(mutating, "pace/bea.py", "told is not None")[0] == "tests/pace/test_bea.py"


def test_tests_of_a_module_beside_the_packages_run_first(mutating: ModuleType):
    assert first_tests(mutating, "errors.py", "max(0, self.column")[0] == "tests/test_errors.py"


def test_a_module_without_tests_of_its_name_is_tested_by_those_that_use_it(mutating: ModuleType):
    assert "tests/language/test_printing.py" in first_tests(
        mutating, "language/printer.py", "return _expression(_not_too_deep"
    )


def test_every_judged_mutant_exists_and_has_a_reason(mutating: ModuleType):
    files = {Path(file) for file, _, _ in mutating.judged()}
    root = SCRIPT.parents[1] / "src/webvigil"
    existing = {
        (str(file), one.text, one.after)
        for file in files
        for one in mutating.mutants(file, (root / file).read_text("utf-8"))
    }
    gone = sorted(mutating.judged().keys() - existing)
    assert not gone, f"scripts/mutants.toml tells of code that is no more; move or remove these: {gone}"
    assert all(why.endswith(".") for why in mutating.judged().values())


LABORATORY = {
    "src/webvigil/__init__.py": "",
    "src/webvigil/steps.py": "def larger(a, b):\n    return a > b\n",
    "tests/test_steps.py": "from webvigil.steps import larger\n\n\n"
    "def test_larger():\n    assert larger(2, 1)\n    assert not larger(1, 2)\n",
    "tests/test_broken.py": "def test_steps():\n    assert False\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
}


JUDGE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import mutants
mutants.ROOT = Path("tree").absolute()
laboratory = mutants.Laboratory(Path("laboratory").absolute(), limit=60)
nothing, at_border = mutants.mutants(Path("steps.py"), Path("tree/src/webvigil/steps.py").read_text())
assert (nothing.after, at_border.after) == ("return None", "(a >= b)")
for mutant, test in (nothing, "steps"), (at_border, "steps"), (nothing, "broken"):
    mutants.rounds_of = lambda mutant: [(f"tests/test_{test}.py",)]
    print(laboratory.verdict(mutant))
"""


@pytest.mark.slow
def test_a_mutant_is_killed_by_a_test_that_passes_without_it(tmp_path: Path):
    for name, text in LABORATORY.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", JUDGE, str(SCRIPT.parent)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n") == ["killed", "survived", "no verdict", ""]
