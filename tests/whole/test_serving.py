"""Real processes watch a sentinel end to end over real sockets."""

from __future__ import annotations

from pathlib import Path

from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json

SENTINEL = (
    "Create Sentinel news Using {url}\nMonitor any change\nFetch 1 second\nNotify By log Every immediate\n"
)


def test_a_change_on_the_web_reaches_the_list_of_changes(site: Site, tmp_path: Path):
    page = site.page("/news", "<p>Nothing to report. <a href='/a'>more</a>")
    added = webvigil("add", "-", "--data", str(tmp_path), text=SENTINEL.format(url=page.url))
    assert (added.returncode, added.stderr) == (0, "")
    with Serving(tmp_path) as serving:
        eventually(lambda: _versions(tmp_path, page.url) == 1)
        page.becomes("<p>Something to report. <a href='/b'>more</a>")
        (change,) = eventually(lambda: webvigil_json("changes", "news", "--data", str(tmp_path)))
        eventually(lambda: any('"sentinel": "news"' in line for line in serving.output))
        assert serving.stop() == 0
    statuses = {(one["object"], one["status"]) for one in change["findings"][0]["objects"]}
    assert (site.url + "/b", "i") in statuses
    assert (site.url + "/a", "d") in statuses
    assert any(one.get("after") == "Something" for one in change["findings"][0]["objects"])
    assert "Traceback" not in "".join(serving.output)


def test_an_unchanged_page_is_neither_stored_nor_told_again(site: Site, tmp_path: Path):
    page = site.page("/still", "<p>Still life")
    page.validators = "none"
    webvigil("watch", page.url, "--every", "1 second", "--data", str(tmp_path))
    with Serving(tmp_path):
        page.wait_for(4, within=60)
    assert webvigil_json("changes", "--data", str(tmp_path)) == []
    assert _versions(tmp_path, page.url) == 1


def test_a_known_version_is_asked_for_conditionally(site: Site, tmp_path: Path):
    page = site.page("/still", "<p>Still life")
    page.validators = "etag"
    webvigil("watch", page.url, "--every", "1 second", "--data", str(tmp_path))
    with Serving(tmp_path):
        page.wait_for(3, within=60)
    assert [request.status for request in page.requests[:3]] == [200, 304, 304]


def test_two_sentinels_on_one_page_fetch_it_once(site: Site, tmp_path: Path):
    page = site.page("/both", "<p>one")
    for name in ("first", "second"):
        webvigil("watch", page.url, "--name", name, "--every", "1 hour", "--data", str(tmp_path))
    with Serving(tmp_path):
        eventually(lambda: _versions(tmp_path, page.url) == 1)
        page.becomes("<p>two")
        webvigil("run", "first", "--data", str(tmp_path))
        changes = eventually(
            lambda: len(found := webvigil_json("changes", "--data", str(tmp_path))) == 2 and found
        )
    assert {change["sentinel"] for change in changes} == {"first", "second"}
    assert page.hits == 2


def test_a_page_in_trouble_is_left_alone_for_a_while_and_comes_back(site: Site, tmp_path: Path):
    page = site.page("/shaky", "<p>one")
    webvigil("watch", page.url, "--name", "shaky", "--every", "1 second", "--data", str(tmp_path))
    page.answers(status=503)
    with Serving(tmp_path):
        eventually(lambda: webvigil_json("show", "shaky", "--data", str(tmp_path))["pages"][0]["failures"])
        page.answers_normally()
        webvigil("run", "shaky", "--data", str(tmp_path))
        eventually(lambda: _versions(tmp_path, page.url) == 1)
    assert webvigil_json("show", "shaky", "--data", str(tmp_path))["pages"][0]["failures"] == 0


def test_a_private_address_is_not_visited_unless_allowed(site: Site, tmp_path: Path):
    page = site.page("/secret", "<p>internal")
    webvigil("watch", page.url, "--name", "secret", "--every", "1 second", "--data", str(tmp_path))
    with Serving(tmp_path, WEBVIGIL_ALLOW_NETWORKS=""):
        eventually(lambda: webvigil_json("show", "secret", "--data", str(tmp_path))["pages"][0]["failures"])
    assert site.requests == []


def test_a_disabled_sentinel_rests(site: Site, tmp_path: Path):
    page = site.page("/rest", "<p>one")
    webvigil("watch", page.url, "--name", "rest", "--every", "1 second", "--data", str(tmp_path))
    assert webvigil("disable", "rest", "--data", str(tmp_path)).returncode == 0
    other = site.page("/other", "<p>one")
    webvigil("watch", other.url, "--name", "other", "--every", "1 second", "--data", str(tmp_path))
    with Serving(tmp_path):
        other.wait_for(3, within=60)
        assert page.hits == 0
        webvigil("enable", "rest", "--data", str(tmp_path))
        page.wait_for(1, within=60)


def test_the_demo_shows_a_change_within_a_minute(tmp_path: Path):
    with Serving(tmp_path, "--demo"):
        changes = eventually(lambda: webvigil_json("changes", "--data", str(tmp_path)), within=60)
    assert changes[0]["sentinel"].startswith("demo-")
    webvigil("remove", "demo-news", "--data", str(tmp_path))
    with Serving(tmp_path, "--demo") as again:
        assert again.link, "it starts again on what is there"
    assert len(webvigil_json("list", "--data", str(tmp_path))) == 3


def test_a_second_worker_on_the_same_folder_is_refused(tmp_path: Path):
    with Serving(tmp_path):
        second = webvigil("serve", "--data", str(tmp_path))
    assert second.returncode == 2
    assert "another WebVigil is at work" in second.stderr
    assert len(second.stderr.splitlines()) == 1


def _versions(data: Path, url: str) -> int:
    return len(webvigil_json("versions", url, "--data", str(data)))
