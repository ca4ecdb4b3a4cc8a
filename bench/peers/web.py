"""What answers of the HTTP API cost, beside those of changedetection.io with equally many watches.

    python -m bench.peers.web [--watches N] [--seconds S] [--json]

Both run as a person starts them, with nothing to fetch. Four connections ask without a pause for
the list of all watches, and then for a single watch. The servers take turns. Compared is the CPU time of the
server for one answer.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.peers.environments import NoPeer, python_of, version_of
from bench.peers.load import Load, asker, load
from bench.speed.web import fill
from webvigil.app.operating.stores import opened
from webvigil.app.people.sign_in import new_api_token
from webvigil.app.settings import read_settings

PEER = "changedetection.io"
ROOT = Path(__file__).parents[2]
WATCHES = 1_000
SECONDS = 4.0
_PATIENCE = 120.0
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Served:
    """A running server: its process, the headers that its API asks for, and the addresses of the list of all
    watches and of one watch."""

    process: int
    headers: dict[str, str]
    list: str
    one: str


def rows(watches: int = WATCHES, seconds: float = SECONDS) -> list[Row]:
    """Measures both servers, and returns the rows that compare them. Raises NoPeer if the peer cannot be
    installed."""
    python_of(PEER)
    with (
        tempfile.TemporaryDirectory() as folder,
        _ours(Path(folder, "ours"), watches) as us,
        _theirs(Path(folder, "theirs"), watches) as them,
    ):
        mine, theirs = _in_turns(us, them, seconds)
    return [
        row
        for what, ours in mine.items()
        for row in (_cpu_row(what.format(watches), ours, theirs[what]), _rate_row(what, ours, theirs[what]))
    ]


def _in_turns(us: Served, them: Served, seconds: float) -> tuple[dict[str, Load], dict[str, Load]]:
    """Measures both servers twice in turns, and returns the best turn of each. Other work of the machine then
    disturbs both alike."""
    rounds = [(_loads(us, seconds / 2), _loads(them, seconds / 2)) for _ in range(2)]
    mine, theirs = (
        {what: min((one[what] for one in side), key=lambda load: load.cpu) for what in side[0]}
        for side in zip(*rounds, strict=True)
    )
    return mine, theirs


def _loads(served: Served, seconds: float) -> dict[str, Load]:
    asked = {"list of all {:,}": served.list, "one of them": served.one}
    return {what: load(url, served.headers, served.process, seconds) for what, url in asked.items()}


def _cpu_row(what: str, ours: Load, theirs: Load) -> Row:
    return {
        "name": f"API, {what}, server CPU ms for an answer",
        "ours": round(ours.cpu, 3),
        "peer": round(theirs.cpu, 3),
        "against": PEER,
        "ratio": theirs.cpu / ours.cpu,
    }


def _rate_row(what: str, ours: Load, theirs: Load) -> Row:
    return {
        "name": f"API, {what.format(WATCHES)}, answers in a second",
        "ours": round(ours.per_second, 1),
        "peer": round(theirs.per_second, 1),
        "against": PEER,
        "ratio": ours.per_second / theirs.per_second,
    }


@contextmanager
def _ours(data: Path, watches: int) -> Iterator[Served]:
    settings = read_settings({"data": str(data)}, environment={})
    with opened(settings) as knowledge:
        user = knowledge.users.add("jill")
        fill(data / "webvigil.sqlite3", watches, watches)
        token = new_api_token(knowledge, user, "bench", "read")
    port = _free_port()
    command = [
        sys.executable,
        "-m",
        "webvigil",
        "serve",
        "--no-worker",
        "--data",
        str(data),
        "--port",
        str(port),
    ]
    home = f"http://127.0.0.1:{port}/api/v1/sentinels"
    with _running(command, f"http://127.0.0.1:{port}/healthz", PYTHONPATH=str(ROOT / "src")) as process:
        headers = {"Authorization": f"Bearer {token}"}
        yield Served(process, headers, f"{home}?limit={watches}", f"{home}/s{watches // 2}")


@contextmanager
def _theirs(data: Path, watches: int) -> Iterator[Served]:
    data.mkdir()
    python = python_of(PEER)
    script = Path(__file__).with_name("store_changedetection.py")
    made = subprocess.run(
        [python, script, data, str(watches)], capture_output=True, text=True, check=True, timeout=_PATIENCE
    )
    known = json.loads(made.stdout.splitlines()[-1])
    port = _free_port()
    command = [str(python.with_name(PEER)), "-d", str(data), "-h", "127.0.0.1", "-p", str(port)]
    home = f"http://127.0.0.1:{port}/api/v1/watch"
    with _running(command, f"http://127.0.0.1:{port}/", LOGGER_LEVEL="CRITICAL") as process:
        yield Served(process, {"x-api-key": known["key"]}, home, f"{home}/{known['one']}")


@contextmanager
def _running(command: list[str], address: str, **more: str) -> Iterator[int]:
    """Starts a server on the first core, waits until it answers at the address, and yields the id of its
    process. Ends the server afterwards."""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **more}
    ) as program:
        try:
            if hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(program.pid, {min(os.sched_getaffinity(0))})
            _wait_for(address, program)
            yield program.pid
        finally:
            program.kill()


def _wait_for(address: str, program: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and program.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{program.args!r} did not answer at {address}")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.peers.web")
    parser.add_argument("--watches", type=int, default=WATCHES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    try:
        found = rows(asked.watches, asked.seconds)
    except NoPeer as error:
        sys.exit(f"bench: {error}")
    if asked.json:
        json.dump(found, sys.stdout, indent=2)
        return
    print(f"against {PEER} {version_of(PEER)}, asked by {asker()}; a ratio above 1 means that we are ahead")
    for row in found:
        print("{name:56} {ours:9.3f} {peer:9.3f} {ratio:8.1f}".format(**row))


if __name__ == "__main__":
    main()
