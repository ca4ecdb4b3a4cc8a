"""Grafana's own types describe the dashboard for it, and Prometheus answers all of its queries."""

from __future__ import annotations

import json
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.app.operating.test_grafana import FILE, queries
from tests.real.application import free_port
from tests.real.installing import CannotInstall, Debian, npm
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil

pytestmark = pytest.mark.real
NOT_READY = 503

# Enumerations of TypeScript are other types than the texts that stand in JSON; this makes them the same.
TYPED = """import type { Dashboard } from "@grafana/schema";
type Plain<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
export const made: Plain<Dashboard> = """


def test_grafana_knows_every_field_of_the_dashboard(tmp_path: Path):
    try:
        programs = npm("grafana", "@grafana/schema@13", "typescript@5")
    except CannotInstall as error:
        pytest.skip(str(error))
    (tmp_path / "node_modules").symlink_to(programs.parent)
    (tmp_path / "made.ts").write_text(TYPED + FILE.read_text(encoding="utf-8"), encoding="utf-8")
    options = [
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
    ]
    done = subprocess.run(
        [programs / "tsc", *options, "made.ts"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="session")
def programs() -> Debian:
    try:
        found = Debian("prometheus")
        found.path("usr/bin/prometheus")
    except CannotInstall as error:
        pytest.skip(str(error))
    return found


@contextmanager
def prometheus(programs: Debian, target: str, folder: Path) -> Iterator[str]:
    """Yields a running Prometheus that reads the metrics of the target every second; its address."""
    port = free_port()
    scraped = {"job_name": "webvigil", "static_configs": [{"targets": [target]}]}
    settings = {"global": {"scrape_interval": "1s"}, "scrape_configs": [scraped]}
    file = folder / "prometheus.yml"
    file.write_text(json.dumps(settings), encoding="utf-8")
    process = subprocess.Popen(
        [
            programs.path("usr/bin/prometheus"),
            f"--config.file={file}",
            f"--storage.tsdb.path={folder / 'series'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=60)


def asked(address: str, expression: str) -> list[Any]:
    """Returns what Prometheus answers to an expression of a panel, with everything chosen."""
    plain = expression.replace("$__rate_interval", "30s").replace("$job", ".*").replace("$instance", ".*")
    query = urllib.parse.urlencode({"query": plain})
    try:
        with urllib.request.urlopen(f"{address}/api/v1/query?{query}", timeout=20) as answer:
            told = json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code != NOT_READY:
            pytest.fail(f"{plain}: {error.read().decode()}")
        return []
    except urllib.error.URLError:
        return []
    assert told["status"] == "success", told
    found: list[Any] = told["data"]["result"]
    return found


def test_prometheus_answers_every_query(programs: Debian, tmp_path: Path):
    data = tmp_path / "data"
    with Site() as site, Serving(data) as server:
        page = site.page("/", "<p>one</p>")
        text = f"Create Sentinel s Using {page.url} Monitor any change Fetch 1 second"
        assert webvigil("add", "-", "--data", str(data), text=text).returncode == 0
        with urllib.request.urlopen(f"{server.address}/metrics", timeout=20) as answer:
            checked = subprocess.run(
                [programs.path("usr/bin/promtool"), "check", "metrics"],
                input=answer.read(),
                capture_output=True,
                check=False,
            )
        assert b"error" not in checked.stderr.lower(), checked.stderr
        with prometheus(programs, server.address.removeprefix("http://"), tmp_path) as address:
            eventually(lambda: asked(address, "webvigil_database_up == 1"))
            for number in range(8):
                page.becomes(f"<p>version {number}</p>")
                time.sleep(2)
            for title, expression in queries():
                assert eventually(lambda asking=expression: asked(address, asking), within=30), title
