"""What it costs to start a command or a server: CPU and memory of the whole process.

    python -m bench.speed.commands [--json]

Each command is run several times in turn with a Python that loads click and NumPy or SQLAlchemy and does
nothing, and the least CPU of each counts. A ratio above 1 means that the whole command takes less than that.
The memory of a server some seconds after its start, on a new folder, when `/healthz` and `/metrics` were
asked for, and after somebody has opened its dashboard, is compared with a Python that loads the libraries
that the whole server needs, and its CPU while nothing happens with what we hold ourselves to.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil

from bench.peers import pages
from bench.speed.telling import tell

Row = dict[str, Any]
TIMES = 5
_LIBRARIES = "aiohttp, fastapi, jinja2, numpy, sqlalchemy, uvicorn"
# Seconds that a server gets to finish its start, and seconds for which its idle CPU is then measured.
_SETTLING, _IDLE = 8, 20
_HOLD_IDLE = 0.2  # the most percent of a core that an idle server may use


class Used(NamedTuple):
    """What a process used: seconds of CPU, and megabytes at its largest."""

    cpu: float
    memory: float


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _prepare(place)
        found = [
            row
            for name, (command, beside) in _commands().items()
            for row in _rows(name, place, command, beside)
        ]
        return [*found, *_serving(place)]


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


def _rows(name: str, place: Path, command: Sequence[str], beside: str) -> Iterator[Row]:
    ours, other = [], []
    for _ in range(TIMES):
        ours.append(_used([sys.executable, "-m", "webvigil", *command], place))
        other.append(_used([sys.executable, "-c", f"import click, {beside}"], place))
    against = f"python with {beside}"
    yield _row(f"{name}, s of CPU", min(ours).cpu, min(other).cpu, against)
    largest, theirs = (max(one.memory for one in some) for some in (ours, other))
    yield _row(f"{name}, MB", largest, theirs, against)


def _row(name: str, ours: float, peer: float, against: str) -> Row:
    return {"name": name, "ours": ours, "peer": peer, "against": against, "ratio": peer / ours}


def _serving(place: Path) -> Iterator[Row]:
    libraries = f"import {_LIBRARIES}, sys; print('running', flush=True); sys.stdin.read()"
    with _running([sys.executable, "-c", libraries], place) as beside:
        peer = beside.memory_info().rss / 1e6
    port = _free_port()
    serve = ["serve", "--data", "served", "--port", str(port)]
    with _running([sys.executable, "-m", "webvigil", *serve], place) as server:
        time.sleep(_SETTLING)
        before = sum(server.cpu_times()[:2])
        against = f"python with {_LIBRARIES}"
        yield _row("serve, MB after its start", server.memory_info().rss / 1e6, peer, against)
        time.sleep(_IDLE)
        used = (sum(server.cpu_times()[:2]) - before) / _IDLE * 100
        yield _row("serve, % of a core while nothing happens", max(used, 0.01), _HOLD_IDLE, "held")
        for path in ("healthz", "metrics"):
            urlopen(f"http://127.0.0.1:{port}/{path}").read()
        yield _row("serve, MB while it is supervised", server.memory_info().rss / 1e6, peer, against)
        with suppress(HTTPError):  # the page for signing in has the status 401
            urlopen(f"http://127.0.0.1:{port}/").read()
        yield _row("serve, MB once its dashboard was opened", server.memory_info().rss / 1e6, peer, against)


@contextmanager
def _running(command: Sequence[str], place: Path) -> Iterator[psutil.Process]:
    """Runs a process for the block, from the moment on at which it says that it is running."""
    with subprocess.Popen(
        command, cwd=place, env=_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        assert process.stdout
        next(line for line in process.stdout if "running" in line)
        try:
            yield psutil.Process(process.pid)
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def _used(command: Sequence[str], place: Path) -> Used:
    """Runs a process, and returns what it used."""
    with subprocess.Popen(
        command, cwd=place, env=_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return Used(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _environment() -> dict[str, str]:
    found = {name: value for name, value in os.environ.items() if not name.startswith("WEBVIGIL_")}
    found.pop("PYTHONDONTWRITEBYTECODE", None)  # modules of an installed program are compiled
    return found


def main() -> None:
    tell(rows(), "{name:44}{ours:8.3f} {against:60}{peer:8.3f} {ratio:6.2f}")


if __name__ == "__main__":
    main()
