"""Runs benchmarks and compares their ratios with the floors that must hold.

    python -m bench.floors NAME …          measures these benchmarks and compares; exit 1 under a floor
    python -m bench.floors --file ROWS.json NAME    the same with rows measured before

`bench/floors.json` has a floor per benchmark and row. A row is known by its name, or by its name and what it
is compared with; one without a floor is only printed. A lower floor needs a sentence in the commit message.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

FLOORS = Path(__file__).with_name("floors.json")
_ELSEWHERE = {"peers": "bench.peers.__main__", "quiet": "bench.quality.quiet", "pace": "bench.quality.pace"}

Row = Mapping[str, Any]


def floors() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(FLOORS.read_text(encoding="utf-8"))
    return found


def label(row: Row) -> str:
    return f"{row['name']} | {row['against']}"


def missed(rows: Iterable[Row], held: Mapping[str, float]) -> list[str]:
    """Returns a sentence for each row under its floor, and for each floor without a measured row."""
    ratios = {key: float(row["ratio"]) for row in rows for key in (row["name"], label(row))}
    under = [
        f"{name}: {ratios[name]:.2f}, floor {floor:.2f}"
        for name, floor in held.items()
        if name in ratios and ratios[name] < floor
    ]
    return under + [f"{name}: not measured" for name in held if name not in ratios]


def measured(name: str) -> list[Row]:
    module = import_module(_ELSEWHERE.get(name, f"bench.speed.{name}"))
    return list(getattr(module, "measured", module.rows)())


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("names", nargs="+", choices=sorted(floors()), metavar="NAME")
    arguments.add_argument("--file", type=Path, help="rows as JSON instead of a run")
    chosen = arguments.parse_args()
    found: list[str] = []
    for name in chosen.names:
        rows = json.loads(chosen.file.read_text(encoding="utf-8")) if chosen.file else measured(name)
        for row in rows:
            print(f"{name:10} {label(row):80} {row['ratio']:9.2f}")
        found += [f"{name}: {one}" for one in missed(rows, floors()[name])]
    print("\n".join(found) if found else "every floor is held", file=sys.stderr if found else sys.stdout)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
