"""`scripts/mutants.py` makes every small fault it promises, and nothing else."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts/mutants.py"


@pytest.fixture(scope="module")
def mutating() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutants_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


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
        ("a = True", []),
        ("a: Literal[1]", []),
        ("f'{1}'", []),
        ('"""Said 1 < 2."""', []),
    ],
)
def test_every_fault_of_a_line_is_made(mutating: ModuleType, source: str, faults: list[str]):
    assert [one.source for one in mutating.mutants(Path("x.py"), source)] == faults


def test_a_sample_is_the_same_for_the_same_seed_and_has_every_package(mutating: ModuleType):
    first, again, other = (mutating.sampled(40, seed) for seed in (1, 1, 2))
    assert first == again != other
    packages = {path.parent.name for path in (SCRIPT.parents[1] / "src/webvigil").glob("*/__init__.py")}
    assert packages <= {one.file.parts[0] for one in first}


def test_the_tests_of_a_module_mirror_it(mutating: ModuleType):
    assert mutating.tests_of(Path("pace/bea.py"))[0] == "tests/pace/test_bea.py"
    assert mutating.tests_of(Path("graph/nothing_of_the_kind.py")) == ("tests/graph",)
