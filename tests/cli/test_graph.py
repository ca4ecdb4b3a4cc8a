"""`webvigil graph` shows what is computed when a page changes, and who shares it (G1)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from webvigil.cli.main import webvigil

SENTINELS = """
Create Sentinel a Using https://example.org/ Monitor all links
Create Sentinel b Using https://example.org/ Monitor all links Compare every 3
Create Sentinel c Using https://example.org/ Monitor all links AND all words Within css "main"
Create Sentinel d Using https://example.org/ Monitor all links
Create Sentinel e Using https://example.org/ Monitor all links AND NOT keywords: {say "no"}
"""

TREE = """\
https://example.org/  5 sentinels
├─ the whole page
│  ├─ all links  4 sentinels
│  │  ├─ AND  1 sentinel
│  │  │  └─ me/e  Compare pairwise  version: none yet
│  │  ├─ me/a, me/d  Compare pairwise  version: none yet
│  │  └─ me/b  Compare every 3  version: none yet
│  └─ keywords: {"say \\"no\\""}  1 sentinel
│     └─ NOT  1 sentinel
│        └─ AND  1 sentinel (above)
└─ Within css "main"
   ├─ all links  1 sentinel
   │  └─ AND  1 sentinel
   │     └─ me/c  Compare pairwise  version: none yet
   └─ all words  1 sentinel
      └─ AND  1 sentinel (above)
"""


@pytest.fixture
def data(tmp_path: Path) -> str:
    run("add", "-", "--data", str(tmp_path), text=SENTINELS)
    return str(tmp_path)


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(webvigil, arguments, input=text, standalone_mode=False)


def test_equal_things_are_there_once_with_how_many_share_them(data: str):
    assert run("graph", "https://example.org/", "--data", data).output == TREE


def test_programs_get_the_nodes_and_who_subscribes_to_them(data: str):
    found = json.loads(run("graph", "https://example.org/", "--data", data, "--json").output)
    nodes = {node["id"]: node for node in found["nodes"]}
    (links,) = [node for node in found["nodes"] if (node["label"], node["sentinels"]) == ("all links", 4)]
    assert sorted(nodes[name]["kind"] for name in links["to"]) == ["composite", "interest", "interest"]
    assert links["part"] == "the whole page"
    assert found["sentinels"] == 5


def test_the_graph_is_drawn_for_graphviz(data: str):
    drawn = run("graph", "https://example.org/", "--data", data, "--dot").output.splitlines()
    assert drawn[0] == "digraph page {"
    assert drawn[-1] == "}"
    assert sum("->" in line for line in drawn) == 4 + 9
    assert any(r"say \\\"no\\\"" in line for line in drawn)


def test_a_page_that_nobody_watches_has_none(data: str):
    failed = run("graph", "https://nobody.example/", "--data", data)
    assert "watches http" in str(failed.exception)


def test_what_a_user_cares_about_is_said_and_told(data: str):
    said = run("user", "scores", "--interest", "merger", "--weight", "link=3", "--data", data)
    assert said.output.startswith("weights: link 3, applet 256")
    assert said.output.endswith("words of interest: merger\n")
    assert run("user", "scores", "--data", data).output == said.output
    assert "words of interest: none" in run("user", "scores", "--reset", "--data", data).output
    assert "is not a weight" in str(run("user", "scores", "--weight", "link", "--data", data).exception)
