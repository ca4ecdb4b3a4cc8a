"""Log-ins, rendering and the log of a page work end to end, as a person sees them."""

from __future__ import annotations

from pathlib import Path

from tests.browser import needs_chromium
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


def test_a_login_counts_for_pages_that_were_watched_before_it(site: Site, tmp_path: Path):
    """F7: it counts from the next look on, and versions from before the log-in are not compared with those
    after it."""
    page = site.page("/mine", "<p>hello").requires_cookie("session", "1", status=403)
    data = ("--data", str(tmp_path))
    webvigil("watch", page.url, "--name", "mine", "--every", "1 second", *data)
    with Serving(tmp_path):
        eventually(lambda: webvigil_json("show", "mine", *data)["pages"][0]["failures"])
        webvigil("login", "add", f"{site.url}/", "--cookie", "session=1", *data)
        eventually(lambda: webvigil("versions", page.url, *data).stdout.startswith("     1 "))
        page.requires_cookie("more", "2", status=403)
        webvigil("login", "add", f"{site.url}/", "--cookie", "session=1", "--cookie", "more=2", *data)
        page.becomes("<p>hello again")
        (change,) = eventually(lambda: webvigil_json("changes", "mine", *data), within=60)
    assert change["old_version"] == 1


def test_the_log_of_a_page_reads_like_a_story(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")
    data = ("--data", str(tmp_path))
    webvigil("watch", page.url, "--every", "1 second", *data)
    with Serving(tmp_path):
        page.wait_for(3, within=60)
        page.becomes("<p>two")
        eventually(lambda: "a new version" in webvigil("log", page.url, *data).stdout.partition("\n")[2])
    told = webvigil("log", page.url, *data).stdout.splitlines()
    assert "first look: a new version (6 bytes" in told[0]
    assert "not modified" in told[1]
    assert "the server says so by ETag" in told[1]
    looks = webvigil_json("log", page.url, *data)
    assert looks[-1]["why"] == "first look"
    assert webvigil("log", f"{site.url}/nobody", *data).returncode == 1


@needs_chromium
def test_what_a_script_writes_is_watched(site: Site, tmp_path: Path):
    """F6: the page is rendered, its screenshot is kept, and the change is found and told."""
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


@needs_chromium
def test_what_only_looks_different_is_told(site: Site, tmp_path: Path):
    """C14: only the style sheet changes, not the page; a change of the ignored clock is not told."""
    style = site.page("/style.css", "h1 { color: black } #clock { color: black }").content_type("text/css")
    page = site.page(
        "/look",
        "<link rel=stylesheet href=/style.css><h1>Same words</h1><p>And more of them</p>"
        "<p id=clock style='position:fixed;right:0;bottom:0'>tick</p>",
    )
    data = ("--data", str(tmp_path))
    text = f"""Create Sentinel look Using {page.url} Monitor visual Fetch 2 second Render browser
        Ignore css "#clock" """
    added = webvigil("add", "-", *data, text=text)
    assert added.returncode == 0, added.stderr
    with Serving(tmp_path):
        eventually(lambda: webvigil("versions", page.url, *data).stdout)
        looks = style.hits
        style.becomes("h1 { color: black } #clock { color: orange }")
        style.wait_for(looks + 3, within=60)
        assert webvigil_json("changes", *data) == []
        style.becomes("h1 { color: white; background: navy } #clock { color: orange }")
        (change,) = eventually(lambda: webvigil_json("changes", *data), within=60)
    (finding,) = change["findings"]
    assert finding["type"] == "visual"
    assert 0 < finding["share"] < 0.5
    assert {path for one in finding["objects"] for path in one["where"]} <= {"/html/body", "/html/body/h1"}


def test_looks_are_watched_only_where_the_page_is_rendered(tmp_path: Path):
    text = "Create Sentinel look Using https://example.org/ Monitor visual"
    refused = webvigil("add", "-", "--data", str(tmp_path), text=text)
    assert refused.returncode == 2
    assert "add Render browser" in refused.stderr
