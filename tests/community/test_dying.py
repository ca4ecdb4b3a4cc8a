"""An agent survives that both servers are killed with -9 after each of their writes (V5, B2)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.site import Site


@pytest.mark.slow
def test_whenever_servers_are_killed_one_watches_and_everything_is_told_once(site: Site, tmp_path: Path):
    page = site.page("/", lambda _: (tmp_path / "page").read_text())
    lives = afterlives(tmp_path, page.url)
    assert len(lives) > 7
    for number, one in enumerate(lives, 1):
        about = f"killed after write {2 * number}: {one}"
        away = one["away"] == ["at work"]
        assert one["at home"] is not away, about
        assert one["away"] == one["guests"], about
        assert one["users"] == len(one["guests"]), about
        assert one["last"] == 1, about
        assert one["then"] <= 1, about
        assert one["then"] == 1 or not (away and one["changed before"]), about
        assert one["told"] == one["changes"], about
    assert lives[-1]["at home"], "the last is not killed, and recalls its agent"


def afterlives(folder: Path, url: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.community.dying", str(folder), url]
    root = Path(__file__).parents[2]
    paths = {"PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])}
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
