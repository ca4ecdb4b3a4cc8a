"""`scripts/coverage_table.py` sums up the files of each package."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

SCRIPT = Path(__file__).parents[1] / "scripts/coverage_table.py"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coverage_table", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _file(lines: tuple[int, int], branches: tuple[int, int]) -> dict[str, Any]:
    names = ("covered_lines", "num_statements", "covered_branches", "num_branches")
    return {"summary": dict(zip(names, (*lines, *branches), strict=True))}


def test_files_are_summed_up_by_package_and_in_all():
    table = _script()
    files = {
        "src/webvigil/pace/bea.py": _file((1, 2), (0, 4)),
        "src/webvigil/pace/simulate/bed.py": _file((2, 2), (2, 4)),
        "src/webvigil/errors.py": _file((5, 6), (0, 0)),
    }
    assert [table.row(*one) for one in table.by_package(files).items()] == [
        "| errors.py | 6 | 83.3% | – |",
        "| pace | 4 | 75.0% | 25.0% |",
        "| the whole tree | 10 | 80.0% | 25.0% |",
    ]
