"""`scripts/mutants.py` makes every small fault it promises, and nothing else."""

from __future__ import annotations

import importlib
import os
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


def test_tests_with_kept_results_run_before_many_others(mutating: ModuleType):
    small = [f"tests/test_{number}.py::test" for number in range(300)]
    kept = ["tests/detect/test_golden.py::test_kept", "tests/whole/test_week.py::test_week"]
    rounds = list(mutating.rounds_of([*small, *kept]))
    assert [len(some) for some in rounds] == [5, 15, 40, 120, 122]
    assert rounds[2] == [*kept, *small[20:58]]
    assert sorted(one for some in rounds for one in some) == sorted([*small, *kept])
    assert list(mutating.rounds_of(["a", "b"])) == [["a", "b"]]


LABORATORY = {
    "src/webvigil/__init__.py": "",
    "src/webvigil/shapes.py": "class Line:\n    length = 7\n",
    "src/webvigil/web/ways.py": "def way(most: int = 5):\n    return most\n",
    "src/webvigil/steps.py": "_MOST = 5\n\n\ndef larger(a, b):\n    return a > b\n\n\n"
    "def at_most(a):\n    return min(a, _MOST)\n\n\n"
    "def drawn():\n    from webvigil.shapes import Line\n    return Line().length\n\n\n"
    "def half(a: int) -> int:\n    return a // 2\n",
    "tests/test_steps.py": "from webvigil.steps import at_most, larger\n\n\n"
    "def test_larger():\n    assert larger(2, 1)\n    assert not larger(1, 2)\n\n\n"
    "def test_at_most():\n    assert at_most(4) == 4\n",
    "tests/test_shapes.py": "from webvigil.steps import drawn\n\n\n"
    "def test_drawn():\n    assert drawn() == 7\n",
    "tests/test_program.py": "import subprocess\nimport sys\n\n\n"
    "def test_as_a_program():\n"
    "    told = 'from webvigil.steps import at_most; assert at_most(9) == 5'\n"
    "    subprocess.run([sys.executable, '-c', told], check=True)\n",
    "tests/test_broken.py": "from webvigil.steps import larger\n\n\n"
    "def test_steps():\n    assert not larger(2, 1)\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tree whose tests were traced."""
    root = tmp_path_factory.mktemp("laboratory") / "tree"
    for name, text in LABORATORY.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    told = (
        "import sys, pathlib, reached; reached.trace(pathlib.Path('.'), pathlib.Path('found').absolute(), [])"
    )
    paths = {"PYTHONPATH": str(SCRIPT.parent)}
    subprocess.run([sys.executable, "-c", told], cwd=root, env=os.environ | paths, check=True)
    return root


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "tests", "beside"),
    [
        (5, ["tests/test_broken.py::test_steps", "tests/test_steps.py::test_larger"], "test_at_most"),
        (9, ["tests/test_program.py::test_as_a_program", "tests/test_steps.py::test_at_most"], "test_larger"),
        (1, ["tests/test_program.py::test_as_a_program", "tests/test_steps.py::test_at_most"], "test_larger"),
        (4, ["tests/test_broken.py::test_steps", "tests/test_steps.py::test_larger"], "test_at_most"),
    ],
)
def test_the_tests_that_reach_a_line_are_known_and_those_beside_them(
    mutating: ModuleType, tree: Path, line: int, tests: list[str], beside: str
):
    first, second, *others = mutating.Reached(tree, tree / "found").tests(Path("steps.py"), line, line)
    assert sorted([first, second]) == tests
    assert others == [f"tests/test_steps.py::{beside}"]


@pytest.mark.slow
def test_a_default_of_a_class_is_reached_by_those_who_make_one(mutating: ModuleType, tree: Path):
    reached = mutating.Reached(tree, tree / "found")
    assert reached.tests(Path("shapes.py"), 2, 2) == ["tests/test_shapes.py::test_drawn"]


@pytest.mark.slow
def test_what_a_route_takes_is_reached_by_the_list_of_routes(mutating: ModuleType, tree: Path):
    reached = mutating.Reached(tree, tree / "found")
    kept = "tests/web/test_routes.py::test_every_route_takes_what_it_took"
    assert reached.tests(Path("web/ways.py"), 1, 1) == [kept]
    assert reached.tests(Path("web/ways.py"), 2, 2) == []


def test_the_tests_that_compare_with_kept_results_are_there(mutating: ModuleType):
    gone = [one for one in mutating._KEPT if not (SCRIPT.parents[1] / one).is_file()]
    assert not gone, "name where these tests are now"
    for kept in {one for some in importlib.import_module("reached")._KEPT.values() for one in some}:
        path, _, name = kept.partition("::")
        assert f"def {name}(" in (SCRIPT.parents[1] / path).read_text("utf-8")


JUDGE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import mutants
mutants.ROOT = Path("tree").absolute()
laboratory = mutants.Laboratory(Path("laboratory").absolute(), limit=60)
source = Path("tree/src/webvigil/steps.py").read_text()
for mutant in mutants.mutants(Path("steps.py"), source):
    if mutant.line in (1, 5, 18):
        print(mutant.after, *(laboratory.verdict(mutant, tests.split()) for tests in sys.argv[2:]))
laboratory.close()
"""


@pytest.mark.slow
def test_a_mutant_is_killed_by_a_test_that_passes_without_it(tree: Path):
    larger, broken = "tests/test_steps.py::test_larger", "tests/test_broken.py::test_steps"
    program = "tests/test_program.py::test_as_a_program"
    done = subprocess.run(
        [sys.executable, "-c", JUDGE, str(SCRIPT.parent), larger, broken, f"{broken} {larger}", program],
        cwd=tree.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "(6) survived survived survived killed",
        "(4) survived survived survived killed",
        "return None killed survived killed survived",
        "(a >= b) survived survived survived survived",
        "return None killed killed killed killed",  # by its type
        "(3) survived survived survived survived",
        "(1) survived survived survived survived",
    ]
