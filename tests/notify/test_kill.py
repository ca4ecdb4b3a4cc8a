"""Tests that kill -9 between any two steps of delivery loses nothing and repeats keep their id (N5, V5)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.notify.dying import tell
from tests.notify.telling import change
from webvigil.model.notice import COUNTED
from webvigil.store.sql.knowledge import SqlKnowledge

ROOT = Path(__file__).parents[2]
NAMES = ["1", "2", "3", "4", "5"]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fills an outbox with two notices to be told at once, in order, and three that become a summary."""
    file = tmp_path_factory.mktemp("kill") / "filled.sqlite3"
    knowledge = SqlKnowledge(f"sqlite:///{file}")
    knowledge.users.add("jill")
    for name in NAMES:
        waits = {} if name in "12" else {"lane": COUNTED, "needs": 3}
        knowledge.outbox.add(change(name, channel="webhook", to="https://example.org/", **waits))
    knowledge.close()
    with_all = file.with_name("all.sqlite3")
    shutil.copy(file, with_all)
    steps = tell(str(with_all), file.with_name("all.json"), 10**9)
    file.with_name("steps").write_text(str(steps))
    assert steps > 20
    return file


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_wherever_it_is_killed(filled: Path, tmp_path: Path, part: int):
    steps = int(filled.with_name("steps").read_text())
    for fatal in range(1 + part, steps + 1, 6):
        folder = tmp_path / str(fatal)
        folder.mkdir()
        database, told = folder / "w.sqlite3", folder / "told.json"
        shutil.copy(filled, database)
        paths = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
        done = subprocess.run(
            [sys.executable, "-m", "tests.notify.dying", str(database), str(told), str(fatal)],
            env={**os.environ, **paths},
            cwd=ROOT,
            check=False,
        )
        assert done.returncode == -9, f"it died at step {fatal}"
        tell(str(database), told, 10**9)
        _all_is_told(told, f"killed at step {fatal}")


def _all_is_told(told: Path, when: str) -> None:
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    distinct = {line["id"]: line["names"] for line in lines}
    names = [name for one in distinct.values() for name in one]
    assert sorted(names) == NAMES, f"{when}: each once, for one who drops repeats by their id"
    assert all(distinct[line["id"]] == line["names"] for line in lines), f"{when}: a repeat says the same"
    assert len(lines) <= len(distinct) + 2, f"{when}: only what was under way is repeated"
    first = [line["id"] for line in lines]
    assert first.index("1") < first.index("2"), f"{when}: in order"
