"""`webvigil edit` and `webvigil search` work as they are typed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.store.making import checked, claim_all, new_change, new_version
from tests.whole.serving import webvigil, webvigil_json
from webvigil.app.operating.stores import opened
from webvigil.app.settings import read_settings

NEWS = "Create Sentinel news Using https://a.test/ Monitor all links Topic press"


@pytest.fixture
def data(tmp_path: Path) -> tuple[str, str]:
    found = ("--data", str(tmp_path))
    assert webvigil("add", "-", *found, text=NEWS).returncode == 0
    return found


def test_a_file_gives_a_sentinel_another_text(data: tuple[str, str], tmp_path: Path):
    file = tmp_path / "new.sentinel"
    file.write_text(NEWS.replace("links", "images"))
    done = webvigil("edit", "news", str(file), *data)
    assert (done.returncode, done.stdout) == (0, "news has a new text: https://a.test/\n")
    assert "all images" in webvigil_json("edit", "news", str(file), *data)["text"]
    assert webvigil("edit", "other", str(file), *data).returncode == 1
    refused = webvigil("edit", "news", "-", *data, text="Create Sentinel news")
    assert (refused.returncode, "Traceback" in refused.stderr) == (2, False)


def test_an_editor_is_opened_without_a_file(data: tuple[str, str], tmp_path: Path):
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys\nfile = sys.argv[1]\ntext = open(file).read()\n"
        "open(file, 'w').write(text.replace('press', 'papers'))\n"
    )
    done = webvigil("edit", "news", *data, EDITOR=f"{sys.executable} {script}")
    assert done.returncode == 0, done.stderr
    assert "Topic papers" in webvigil_json("show", "news", *data)["text"]
    left = webvigil("edit", "news", *data, EDITOR="true")
    assert (left.returncode, "stays as it is" in left.stderr) == (1, True)


def test_changes_are_searched(data: tuple[str, str]):
    with opened(read_settings({"data": data[1]}, environment={})) as knowledge:
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        change = new_change(due.watches[0].sentinel, 1, 2)
        knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    assert "news" in webvigil("search", "x", *data).stdout
    for words, found in (
        (("x", "--topic", "press"), 1),
        (("x", "--sentinel", "news", "--type", "all links", "--since", "2020-01-01"), 1),
        (("x", "--until", "2020-01-01"), 0),
        (("nothing",), 0),
    ):
        done = webvigil("search", *words, "--json", *data)
        assert (done.returncode, done.stdout.count('"sentinel"')) == (0 if found else 1, found), words
    assert webvigil("search", "nothing", *data).stdout == "Nothing found.\n"
    assert webvigil("search", "x", "--since", "soon", *data).returncode == 2
