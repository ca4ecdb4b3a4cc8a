"""Every list of an empty store says so in words, is empty as JSON, and ends with 0."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.whole.serving import webvigil

LISTS = {
    "login list": "No log-ins.\n",
    "notices": "No notices.\n",
    "topic list": "No topics yet.\n",
    "contact list": "No contacts.\n",
    "changes": "No changes yet.\n",
    "summary": "No sentinels.\n",
    "agent list": "No agents are away, and none are guests here.\n",
    "list --trouble": "No sentinel is in trouble.\n",
}


@pytest.mark.parametrize("command", LISTS)
def test_an_empty_list_says_so(tmp_path: Path, command: str):
    done = webvigil(*command.split(), "--data", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, LISTS[command], "")


@pytest.mark.parametrize("command", LISTS)
def test_an_empty_list_as_json_is_empty(tmp_path: Path, command: str):
    done = webvigil(*command.split(), "--json", "--data", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert not json.loads(done.stdout) or command in ("summary", "agent list")


def test_a_list_with_something_in_it_does_not_say_that_it_is_empty(tmp_path: Path):
    assert webvigil("topic", "say", "press", "Priority 3", "--data", str(tmp_path)).returncode == 0
    done = webvigil("topic", "list", "--data", str(tmp_path))
    assert done.stdout == "press  0 sentinels\n  Priority 3\n"
