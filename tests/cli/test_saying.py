"""Commands print JSON in one way: exact, and harmless on a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import webvigil.cli

COMMANDS = sorted(Path(webvigil.cli.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("file", COMMANDS, ids=lambda file: file.stem)
def test_a_command_prints_json_by_say_json(file: Path):
    printed = re.search(r"echo\(.*json\.dumps|print\(.*json\.dumps", file.read_text(encoding="utf-8"))
    assert not printed, f"{file.name}: print values with cli.saying.say_json"
