"""`webvigil digest` prints the containers for people and for programs (U3, D1)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.whole.serving import webvigil
from webvigil.cli.digest import _some

PAGE = "<title>Fish</title><p class=x>Fresh <a href=/cod>cod</a></p>"


def test_people_get_a_summary(tmp_path: Path):
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    done = webvigil("digest", str(tmp_path / "page.html"))
    assert (done.returncode, done.stderr) == (0, "")
    lines = dict(line.split(None, 1) for line in done.stdout.splitlines() if "signature" not in line)
    assert lines["kind"] == "html"
    assert lines["title"] == "Fish"
    assert lines["objects"] == "1 links, 2 words"


def test_programs_get_the_containers(tmp_path: Path):
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    done = webvigil("digest", str(tmp_path / "page.html"), "--json", "--url", "https://e.org/")
    found = json.loads(done.stdout)
    assert found["nodes"] == len(found["ST"]) == len(found["TM"]) == len(found["CM"])
    assert sum(found["ST"]) == found["nodes"] - 1
    assert [found["TL"][index] for index in found["TM"]][:3] == ["#document", "html", "head"]
    assert [found["AL"]["values"][index] for index in found["AM"]["value"]] == ["x", "/cod"]
    assert found["CL"] == ["Fish", "Fresh ", "cod"]
    assert found["counts"]["links"] == 1


def test_a_file_that_is_not_there_is_told_in_one_line():
    done = webvigil("digest", "nowhere.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "webvigil: nowhere.html: No such file or directory\n"


def test_a_type_can_be_given(tmp_path: Path):
    (tmp_path / "data").write_text('{"a": [1]}', "utf-8")
    assert json.loads(webvigil("digest", str(tmp_path / "data"), "--json").stdout)["kind"] == "json"
    told = webvigil("digest", str(tmp_path / "data"), "--json", "--type", "text/plain").stdout
    assert json.loads(told)["kind"] == "text"


@pytest.mark.parametrize(("count", "told"), [(0, ""), (1, "a"), (12, "a b c d e f g h i j k l"),
                                             (13, "a b c d e f g h i j k l …")])  # fmt: skip
def test_twelve_names_are_told(count: int, told: str):
    assert _some(tuple("abcdefghijklmnop"[:count])) == told
