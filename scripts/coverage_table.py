"""Prints how much of each package the traced tests reached: lines, and branches of conditions and loops.

    python -m coverage run -m pytest -q -n auto
    python -m coverage combine -q
    python scripts/coverage_table.py          what `./test --all` does at its end

`coverage report` prints the same for every file, with the lines that were not reached.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path, PurePath
from typing import Any

_COUNTS = ("covered_lines", "num_statements", "covered_branches", "num_branches")


def by_package(files: dict[str, Any]) -> dict[str, Counter[str]]:
    """Adds up the numbers that `coverage json` gives for files, by package. A module outside of the packages
    has a line of its own."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for name, said in sorted(files.items()):
        parts = PurePath(name).parts
        found[parts[parts.index("webvigil") + 1]].update({one: said["summary"][one] for one in _COUNTS})
    found["the whole tree"] = sum(found.values(), Counter())
    return found


def row(package: str, counts: Counter[str]) -> str:
    lines = _share(counts["covered_lines"], counts["num_statements"])
    branches = _share(counts["covered_branches"], counts["num_branches"])
    return f"| {package} | {counts['num_statements']:,} | {lines} | {branches} |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "coverage.json"
        subprocess.run(  # noqa: S603
            [sys.executable, "-m", "coverage", "json", "-q", "-o", told], check=True, stdout=sys.stderr
        )
        files = json.loads(told.read_text("utf-8"))["files"]
    print("| package | lines | reached | branches reached |\n|---|---:|---:|---:|")
    for package, counts in by_package(files).items():
        print(row(package, counts))


if __name__ == "__main__":
    main()
