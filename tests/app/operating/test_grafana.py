"""The dashboard for Grafana in deploy/ asks for metrics that exist, and shows every one of them (U7)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webvigil.app.operating.memory import Relief
from webvigil.app.operating.metrics import Metrics
from webvigil.store.memory import MemoryKnowledge

FILE = Path(__file__).parents[3] / "deploy/grafana/webvigil.json"
WIDTH = 24


def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def queries() -> Iterator[tuple[str, str]]:
    """Yields the title of each panel with each of its expressions."""
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


def offered() -> dict[str, set[str]]:
    """Returns the kinds of line that /metrics of a process with a worker has, each with its labels."""

    class Stages:
        remembered = 0

    metrics = Metrics(MemoryKnowledge(clock=lambda: 0))
    metrics.watch_memory(Relief(), Stages())
    metrics.checks.inc(1, "same")
    metrics.findings.inc(1, "all links")
    return {
        line.name: {line.label} - {""}
        for figure in metrics.figures
        for family in figure.families()
        for line in family.lines
        if not line.name.endswith("_created")
    }


def test_every_metric_that_a_panel_asks_for_exists():
    known = offered()
    asked = [
        (title, name, set(re.findall(r"by \(([\w, ]+)\)", expression)))
        for title, expression in queries()
        for name in re.findall(r"webvigil_\w+", expression)
    ]
    assert asked
    for title, name, grouped in asked:
        assert name in known, title
        assert grouped <= known[name] | {"instance"}, title
    for variable in dashboard()["templating"]["list"]:
        for name in re.findall(r"webvigil_\w+", json.dumps(variable)):
            assert name in known


def test_every_metric_is_on_a_panel():
    shown = " ".join(expression for _, expression in queries())
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in offered()}
    assert {one for one in families if one not in shown} == set()


def test_every_panel_can_be_narrowed_to_a_job_and_an_instance():
    for title, expression in queries():
        chosen = re.findall(r"webvigil_\w+\{([^}]*)\}", expression)
        assert chosen, title
        assert set(chosen) == {'job=~"$job",instance=~"$instance"'}, title


def test_panels_fit_beside_each_other():
    taken: set[tuple[int, int]] = set()
    for panel in dashboard()["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < WIDTH
        taken |= cells
    ids = [panel["id"] for panel in dashboard()["panels"]]
    assert len(ids) == len(set(ids))
