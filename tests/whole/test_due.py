"""Without a server: `webvigil run --due` looks at all that is due, tells, and ends; history comes as data."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from tests.site import Site
from tests.whole.serving import webvigil


def test_what_is_due_is_looked_at_told_and_done(site: Site, tmp_path: Path):
    data = ["--data", str(tmp_path)]
    page = site.page("/a", "<p>Price <b>12</b>")
    text = f'Create Sentinel price Using {page.url} Monitor value css "b" Fetch 1 hour Notify By log'
    assert webvigil("add", "-", *data, text=text).returncode == 0

    first = webvigil("run", "--due", *data)
    assert (first.returncode, first.stdout) == (0, "1 look, 0 changes, 0 failed\n")
    again = webvigil("run", "--due", *data, "--json")
    assert (again.returncode, json.loads(again.stdout)["looks"]) == (0, 0)

    page.becomes("<p>Price <b>9</b>")
    webvigil("run", "price", *data)
    found = webvigil("run", "--due", *data, "--json")
    assert found.returncode == 1, found.stderr
    assert json.loads(found.stdout)["changes"] == 1
    told = json.loads(webvigil("notices", *data, "--json").stdout)
    assert "delivered" in {one["state"] for one in told if one["channel"] == "log"}

    site.goes_down()
    webvigil("run", "price", *data)
    failed = webvigil("run", "--due", *data)
    assert failed.returncode == 2
    assert "no connection to" in failed.stderr

    values = json.loads(webvigil("values", "price", *data, "--json").stdout)
    assert [(one["number"], one["text"], one["change"] is None) for one in values] == [
        ("12", "12", True),
        ("9", "9", False),
    ]
    rows = list(csv.reader(io.StringIO(webvigil("values", "price", *data, "--csv").stdout)))
    assert [row[1:] for row in rows] == [["number", "text"], ["12", "12"], ["9", "9"]]
    assert webvigil("values", "price", *data, "--since", "2100-01-01", "--csv").stdout.count("\n") == 2
    changes = list(csv.DictReader(io.StringIO(webvigil("changes", *data, "--csv").stdout)))
    assert [(one["sentinel"], one["headline"]) for one in changes] == [
        ("price", "Price 12 → Price 9 (−25\xa0%)")
    ]


def test_run_wants_a_name_or_due(tmp_path: Path):
    for arguments in (["run"], ["run", "news", "--due"]):
        refused = webvigil(*arguments, "--data", str(tmp_path))
        assert refused.returncode == 2
        assert "name a sentinel, or say --due" in refused.stderr
    server = webvigil("run", "--due", "--server", "https://vigil.example", "--token", "t")
    assert "--due works on a store; a server looks by itself" in server.stderr


def test_values_of_a_sentinel_that_follows_none(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>words")
    data = ["--data", str(tmp_path)]
    webvigil("add", "-", *data, text=f"Create Sentinel words Using {page.url}")
    assert webvigil("values", "words", *data).stdout == "words follows no number.\n"
    assert webvigil("values", "nobody", *data).returncode == 1
