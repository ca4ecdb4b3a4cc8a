"""What it costs to start a command: CPU and memory of the whole process.

    python -m bench.speed.commands [--json]

Each command is run several times in turn with a Python that loads click and NumPy or SQLAlchemy and does
nothing, and the least CPU of each counts. A ratio above 1 means that the whole command takes less than that.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.peers import pages
from bench.speed.telling import tell

Row = dict[str, Any]
TIMES = 5


class Used(NamedTuple):
    """What a process used: seconds of CPU, and megabytes at its largest."""

    cpu: float
    memory: float


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _prepare(place)
        return [_row(name, place, command, beside) for name, (command, beside) in _commands().items()]


def _commands() -> dict[str, tuple[list[str], str]]:
    return {
        "list": (["list", "--data", "store"], "sqlalchemy"),
        "check": (["check", "one.sentinels"], "sqlalchemy"),
        "diff": (["diff", "old.html", "new.html"], "numpy"),
        "query": (["query", "page.xpk", "//a", "--count"], "numpy"),
    }


def _prepare(place: Path) -> None:
    for name, page in zip(("old.html", "new.html"), pages.edit(1), strict=True):
        (place / name).write_text(page, encoding="utf-8")
    (place / "one.sentinels").write_text("Create Sentinel s1 Using https://example.org/ Monitor all links\n")
    for command in (["pack", "old.html", "-o", "page.xpk"], ["list", "--data", "store"]):
        subprocess.run(
            [sys.executable, "-m", "webvigil", *command], cwd=place, check=True, capture_output=True
        )


def _row(name: str, place: Path, command: Sequence[str], beside: str) -> Row:
    ours, other = [], []
    for _ in range(TIMES):
        ours.append(_used([sys.executable, "-m", "webvigil", *command], place))
        other.append(_used([sys.executable, "-c", f"import click, {beside}"], place))
    mine, peer = min(ours), min(other)
    return {
        "name": f"{name}, s of CPU",
        "ours": mine.cpu,
        "peer": peer.cpu,
        "against": f"python with {beside}",
        "ratio": peer.cpu / mine.cpu,
        "MB": max(one.memory for one in ours),
    }


def _used(command: Sequence[str], place: Path) -> Used:
    """Runs a process, and returns what it used."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WEBVIGIL_")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # modules of an installed program are compiled
    with subprocess.Popen(
        command, cwd=place, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return Used(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> None:
    tell(rows(), "{name:24}{ours:8.3f} {against:24}{peer:8.3f} {ratio:6.2f} {MB:6.0f} MB")


if __name__ == "__main__":
    main()
