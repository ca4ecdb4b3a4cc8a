"""`webvigil summary` tells how each sentinel stands, in the order that was asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.cli.summary import summary

TEXTS = (
    'Create Sentinel tide Using http://a.test/ Monitor any change Title "High water" Topic sea Priority 1',
    "Create Sentinel news Using http://b.test/ Monitor all links Topic town Priority 9",
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


@pytest.fixture
def data(tmp_path: Path) -> list[str]:
    settings = read_settings({"data": str(tmp_path)}, environment={})
    with opened(settings) as knowledge:
        install_text(knowledge, settings, "\n".join(TEXTS))
    return ["--data", str(tmp_path)]


def told(*words: str) -> list[str]:
    done = CliRunner().invoke(summary, words)
    assert done.exit_code == 0, done.output
    return _TIME.sub("THEN", done.output).splitlines()


def test_each_sentinel_is_told_with_its_times_and_numbers(data: list[str]):
    assert told(*data, "--topic", "sea") == [
        "High water  tide · anything · sea · active",
        "    http://a.test/",
        "    changed never, looked at never, seen never, told never",
        "    installed THEN, ends THEN; 0 looks, 0 changes, 0 notices",
    ]


@pytest.mark.parametrize(("order", "first"), [("topic", "High water"), ("priority", "news")])
def test_the_order_is_that_which_was_asked_for(data: list[str], order: str, first: str):
    assert told(*data, "--order", order)[0].startswith(first)
