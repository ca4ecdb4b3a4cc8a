"""The soak runs a real worker against a real site, and tells its memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from webvigil.app.operating.memory import resident

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_short_soak_tells_memory_that_stays_in_bounds():
    command = [sys.executable, "-m", "bench.speed.soak", "--looks", "60", "--hostile", "1"]
    command += ["--size", "100000", "--after", "2", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    rows = {row["name"].partition(",")[0]: row["ours"] for row in json.loads(done.stdout)}
    assert rows["looks a second"] > 0
    if resident():
        assert 30 < rows["memory after the pages made to hurt"] < 250
        assert rows["most memory while they were looked at"] >= rows["memory after the pages made to hurt"]
