"""Fetching as a person sees it: log-ins, and the log that tells what happened."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json


def test_a_page_behind_a_login_is_watched_and_the_secret_rests_sealed(site: Site, tmp_path: Path):
    page = site.page("/mine", "<p>hello").requires_cookie("session", "s3cr3t-cookie")
    data = ("--data", str(tmp_path))
    kept = webvigil("login", "add", f"{site.url}/", "--cookie", "session=s3cr3t-cookie", *data)
    assert kept.stdout == f"Kept 1 cookie for {site.url}/\n", kept.stderr
    webvigil("watch", page.url, "--every", "1 second", *data)
    with Serving(tmp_path):
        eventually(lambda: webvigil("versions", page.url, *data).stdout.startswith("     1 "))
    assert [one["url"] for one in webvigil_json("login", "list", *data)] == [f"{site.url}/"]
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or b"s3cr3t-cookie" not in file.read_bytes(), file


def test_the_log_of_a_page_reads_like_a_story(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")
    data = ("--data", str(tmp_path))
    webvigil("watch", page.url, "--every", "1 second", *data)
    with Serving(tmp_path):
        page.wait_for(3, within=20)
        page.becomes("<p>two")
        eventually(lambda: "a new version" in webvigil("log", page.url, *data).stdout.partition("\n")[2])
    told = webvigil("log", page.url, *data).stdout.splitlines()
    assert "first look: a new version (6 bytes" in told[0]
    assert "not modified" in told[1]
    assert "the server says so by ETag" in told[1]
    looks = webvigil_json("log", page.url, *data)
    assert looks[-1]["why"] == "first look"
    assert webvigil("log", f"{site.url}/nobody", *data).returncode == 1


@pytest.mark.skipif(not any(map(shutil.which, ("chromium", "google-chrome"))), reason="no Chromium here")
def test_what_a_script_writes_is_watched(site: Site, tmp_path: Path):
    """F6: rendered, pictured, compared, told."""
    script = "<body><script>setTimeout(() => document.body.innerHTML = '<p id=x>{}', 300)</script>"
    page = site.page("/app", script.format("one"))
    data = ("--data", str(tmp_path))
    text = f"""Create Sentinel app Using {page.url} Monitor all words Fetch 2 second
        Render browser Within css "#x" """
    added = webvigil("add", "-", *data, text=text)
    assert added.returncode == 0, added.stderr
    with Serving(tmp_path):
        eventually(lambda: webvigil("versions", page.url, *data).stdout)
        page.becomes(script.format("two"))
        (change,) = eventually(lambda: webvigil_json("changes", *data), within=60)
    (finding,) = change["findings"]
    assert {"one", "two"} <= {str(value) for one in finding["objects"] for value in one.values()}
    assert "rendered in a browser" in webvigil("log", page.url, *data).stdout
    pictures = [file for file in (tmp_path / "objects").rglob("*") if file.is_file()]
    assert sum(file.read_bytes().startswith(b"\x89PNG") for file in pictures) == 2
