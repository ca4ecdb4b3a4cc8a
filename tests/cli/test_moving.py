"""Import, export, backup and restore from the command line; a backup is taken while the server works."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json
from webvigil.cli.main import webvigil as command


def run(*words: str, typed: bytes = b"") -> Result:
    return CliRunner().invoke(command, words, input=typed)


def test_a_list_is_tried_imported_and_exported(tmp_path: Path):
    data, listed = str(tmp_path / "data"), tmp_path / "urls.txt"
    listed.write_text("https://a.test/\nnonsense://x\n")
    tried = run("import", str(listed), "--dry-run", "--json", "--data", data)
    assert [row["name"] for row in json.loads(tried.stdout)["sentinels"]] == ["a-test", ""]
    assert json.loads(run("list", "--json", "--data", data).stdout) == []
    assert "1 are installed, 1 refused" in run("import", str(listed), "--data", data).stdout
    assert "Create Sentinel a-test" in run("export", "--data", data).stdout
    assert run("export", str(tmp_path / "x.opml"), "--format", "opml", "--data", data).exit_code == 0
    assert b"https://a.test/" in (tmp_path / "x.opml").read_bytes()


def test_a_backup_is_taken_while_the_server_works(site: Site, tmp_path: Path):
    page = site.page("/news", "<p>One")
    saved = str(tmp_path / "b.zip")
    data, fresh = ("--data", str(tmp_path / "data")), ("--data", str(tmp_path / "fresh"))
    with Serving(tmp_path / "data"):
        webvigil("watch", page.url, "--name", "news", "--every", "5 second", *data)
        eventually(lambda: webvigil_json("list", *data)[0]["pages"][0]["versions"])
        done = webvigil("backup", saved, *data)
        assert "holds" in done.stdout, done.stderr
        assert "is whole" in webvigil("restore", saved, "--check").stdout
    done = webvigil("restore", saved, *fresh)
    assert "restored" in done.stdout, done.stderr
    assert "One" in webvigil("show", "news", *fresh).stdout
    refused = webvigil("restore", saved, *fresh)
    assert refused.returncode == 2
    assert "sentinels already" in refused.stderr
