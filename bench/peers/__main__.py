"""Runs every program through every scenario, and prints who needed how much and missed what."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from bench.peers.environments import PEERS, NoPeer, python_of, version_of
from bench.peers.pages import EDITS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OURS = ("ours", "fetch")
_RUNNERS = {
    "ours": "runner_ours.py",
    "fetch": "runner_fetch.py",
    "urlwatch": "runner_urlwatch.py",
    "changedetection.io": "runner_changedetection.py",
}
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scenario:
    """The pages that every program looks at, and how often. With `text` a program must also find out what
    changed, not only whether something did."""

    name: str
    path: str
    pages: int
    rounds: int
    text: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program needed: milliseconds of CPU per page in its best round, and how many pages it reported
    as changed."""

    cpu: float
    changed: int


UNCHANGED = Scenario("unchanged page of 47 KB, with an ETag", "etag", 100, 4, False)
PLAIN = Scenario("unchanged page of 47 KB, without validators", "plain", 100, 4, False)
NOISE = Scenario("byte noise only", "noise", 30, 2, True)
EDITED = Scenario("changed page", "edit", EDITS, 1, True)
_WARMING = range(1000, 1010)
"""Other edits, which each program sees first: what it loads and compiles once is not measured. In scenarios
with several rounds the best one counts, which leaves it out as well."""


def rows() -> list[Row]:
    """Runs all programs through all scenarios, and returns the rows that compare ours with each peer. Raises
    NoPeer if a peer cannot be installed."""
    found: list[Row] = []
    for scenario, told in played((*OURS, *PEERS)):
        found += _cpu_rows(scenario, told) + _count_rows(scenario, told)
    return found


def played(names: Sequence[str]) -> Iterator[tuple[Scenario, dict[str, Outcome]]]:
    """Runs the programs of these names, and yields the outcome of each, scenario by scenario. Raises NoPeer
    if a peer cannot be installed."""
    for peer in PEERS:
        if peer in names:
            python_of(peer)
    with _site() as site:
        for scenario in (UNCHANGED, PLAIN, NOISE, EDITED):
            yield (
                scenario,
                {name: _played(name, scenario, site) for name in names if _plays(name, scenario)},
            )


def _plays(name: str, scenario: Scenario) -> bool:
    """Says whether a program takes part in a scenario. Fetching alone does not compare texts, so it only
    looks at pages that do not change."""
    return name != "fetch" or not scenario.text


def _cpu_rows(scenario: Scenario, told: dict[str, Outcome]) -> list[Row]:
    names = {"ours": "the whole check", "fetch": "fetch and signature"}
    return [
        {
            "name": f"{scenario.name}, {names[ours]}, CPU ms",
            "ours": round(told[ours].cpu, 4),
            "peer": round(told[peer].cpu, 4),
            "against": peer,
            "ratio": told[peer].cpu / told[ours].cpu,
        }
        for ours in OURS
        if ours in told
        for peer in PEERS
    ]


def _count_rows(scenario: Scenario, told: dict[str, Outcome]) -> list[Row]:
    """Returns the rows that count mistakes: missed edits, or alarms about pages that did not change. A ratio
    of 1 means that both programs made equally many."""
    if scenario is EDITED:
        what, counts = "edits missed", {name: EDITS - one.changed for name, one in told.items()}
    else:
        what, counts = "false alarms", {name: one.changed for name, one in told.items()}
    return [
        {
            "name": f"{scenario.name}, {what} of {scenario.pages * scenario.rounds}",
            "ours": counts["ours"],
            "peer": counts[peer],
            "against": peer,
            "ratio": (counts[peer] + 1) / (counts["ours"] + 1),
        }
        for peer in PEERS
    ]


def _played(name: str, scenario: Scenario, site: str) -> Outcome:
    urls = [f"{site}/{scenario.path}/{number}" for number in range(scenario.pages)]
    # Each program gets addresses of its own, because the site serves the page before an edit only once.
    urls = [f"{url}/{name}" for url in urls]
    with _runner(name) as (wishes, answers):
        if scenario.rounds == 1:
            others = [f"{site}/{scenario.path}/{number}/{name}" for number in _WARMING]
            for _ in range(2):
                _look(name, wishes, answers, others, scenario.text)
        looks = [_look(name, wishes, answers, urls, scenario.text) for _ in range(scenario.rounds + 1)][1:]
    return Outcome(
        cpu=min(one["cpu"] for one in looks) * 1000 / scenario.pages,
        changed=sum(sum(one["changed"]) for one in looks),
    )


def _look(name: str, wishes: TextIO, answers: TextIO, urls: list[str], text: bool) -> dict[str, Any]:
    wishes.write(json.dumps({"urls": urls, "text": text}) + "\n")
    wishes.flush()
    line = answers.readline()
    if not line:
        raise RuntimeError(f"the runner of {name} ended; run it by hand to see why")
    answer: dict[str, Any] = json.loads(line)
    if answer["errors"]:
        raise RuntimeError(f"{name} failed to fetch: {answer['errors'][0]}")
    return answer


@contextmanager
def _site() -> Iterator[str]:
    command = [sys.executable, "-m", "bench.peers.site"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            _pin(server.pid, last=True)
            yield f"http://127.0.0.1:{int(server.stdout.readline())}"
        finally:
            server.kill()


@contextmanager
def _runner(name: str) -> Iterator[tuple[TextIO, TextIO]]:
    python = sys.executable if name in OURS else str(python_of(name))
    command = [python, str(HERE / _RUNNERS[name])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src") if name in OURS else ""}
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    ) as program:
        try:
            assert program.stdin
            assert program.stdout
            _pin(program.pid, last=False)
            yield program.stdin, program.stdout
        finally:
            program.kill()


def _pin(process: int, *, last: bool) -> None:
    """Keeps a process on one core, so that the program and the site do not share a core if there are two."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(process, {cores[-1] if last else cores[0]})


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m bench.peers")
    arguments.add_argument("--json", action="store_true", help="the rows as JSON")
    arguments.add_argument("--only", choices=("ours", *PEERS), help="one program, compared with nobody")
    chosen = arguments.parse_args()
    try:
        if chosen.only:
            _print_alone(OURS if chosen.only == "ours" else (chosen.only,))
        else:
            _print_rows(rows(), as_json=chosen.json)
    except NoPeer as error:
        sys.exit(f"bench: {error}")


def _print_alone(names: Sequence[str]) -> None:
    for scenario, told in played(names):
        for name, one in told.items():
            print(f"{scenario.name:45} {name:20} {one.cpu:9.3f} ms {one.changed:5} told", flush=True)


def _print_rows(found: list[Row], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(found, indent=1))
        return
    versions = ", ".join(f"{peer} {version_of(peer)}" for peer in PEERS)
    print(f"against {versions}; a ratio above 1 means that we are ahead")
    for row in found:
        print("{name:66} {ours:9.3f} {peer:9.3f} {against:20} {ratio:8.1f}".format(**row))


if __name__ == "__main__":
    main()
