"""The files in deploy/ use settings and commands that exist, and their services work together."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.databases import fresh_postgres
from tests.ports import unused_port
from tests.site import Site
from tests.whole.serving import ENVIRONMENT, eventually, webvigil, webvigil_json
from webvigil.app.settings import TABLE

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
OURS = ("dashboard", "worker")


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(
    "file", sorted(one for one in DEPLOY.rglob("*") if one.is_file()), ids=lambda file: file.name
)
def test_every_setting_that_is_named_exists(file: Path):
    named = re.findall(r"WEBVIGIL_([A-Z_]+)", file.read_text(encoding="utf-8"))
    assert {name.lower() for name in named} <= TABLE.keys()


def test_units_start_what_the_program_can_do():
    """Runs the arguments of each ExecStart with --help."""
    assert UNITS
    for unit in UNITS:
        started = re.search(r"^ExecStart=\S+/webvigil (.+)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
        assert started, unit
        assert webvigil(*started[1].split(), "--help").returncode == 0


def test_the_second_origin_can_be_reached_from_outside_of_the_container():
    """P4: other people's pages are served at the port two above that of the dashboard."""
    published = [entry.split(":")[-1] for entry in compose()["services"]["dashboard"]["ports"]]
    port = int(TABLE["port"].default)
    assert published == [str(port), str(port + 2)]


def test_a_place_that_is_mounted_belongs_to_the_user_who_writes_there():
    made = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    places = {entry.split(":")[1] for name in OURS for entry in compose()["services"][name]["volumes"]}
    assert places
    for place in places:
        assert re.search(rf"--owner=vigil.* {place}\b", made), f"{place} would belong to root"


@pytest.mark.slow
def test_the_services_of_the_compose_file_work_together(site: Site, tmp_path: Path):
    """Z1: the dashboard and two workers start at the same time on an empty database."""
    page = site.page("/", "<p>one")
    with fresh_postgres() as url, ExitStack() as running:
        given = {"WEBVIGIL_DATABASE": url, "WEBVIGIL_OBJECTS": str(tmp_path / "objects")}
        dashboard = running.enter_context(Service("dashboard", tmp_path / "d", **given))
        workers = [
            running.enter_context(Service("worker", tmp_path / f"w{number}", **given)) for number in (1, 2)
        ]
        for service in (dashboard, *workers):
            assert eventually(service.health)["status"] == "ok"
        store = ("--database", url, "--objects", given["WEBVIGIL_OBJECTS"])
        text = f"Create Sentinel s Using {page.url}\nMonitor any change\nFetch 1 second\nNotify By log\n"
        assert webvigil("add", "-", *store, text=text).returncode == 0
        page.wait_for(1, within=60)
        page.becomes("<p>two")
        eventually(lambda: webvigil_json("changes", *store))
        assert any('webvigil_checks_total{decision="new version"}' in one.metrics() for one in workers)
        for service in (*workers, dashboard):
            assert service.drained() == 0


class Service:
    """One service of the compose file, with its command and environment, and with ports and folders of this
    machine."""

    def __init__(self, name: str, data: Path, **given: str) -> None:
        said = compose()["services"][name]
        self._port = unused_port()
        own = {"WEBVIGIL_DATA": str(data), "WEBVIGIL_SECRET_KEY": "k" * 43 + "="}
        port = "WEBVIGIL_METRICS_PORT" if "WEBVIGIL_METRICS_PORT" in said["environment"] else "WEBVIGIL_PORT"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "webvigil", *said["command"]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ENVIRONMENT, **said["environment"], **own, **given, port: str(self._port)},
        )

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(timeout=30)

    def health(self) -> dict[str, Any] | None:
        assert self._process.poll() is None, "it has ended"
        try:
            with self._opened("/healthz") as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except OSError:
            return None

    def metrics(self) -> str:
        with self._opened("/metrics") as answer:
            text: str = answer.read().decode()
            return text

    def drained(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=90)

    @contextmanager
    def _opened(self, path: str) -> Iterator[Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._port}{path}", timeout=60) as answer:
            yield answer
