"""Import, export, backup and restore work from the command line; a backup is made while the server works."""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.app.moving.kept import kept_pages
from tests.app.moving.old_archive import write
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json
from webvigil.app.moving.formats.found import Told
from webvigil.app.moving.imports import Plan, Planned
from webvigil.app.moving.past import Brought, BroughtPage
from webvigil.app.settings import read_settings
from webvigil.cli import moving
from webvigil.cli.main import webvigil as command
from webvigil.language import parse
from webvigil.store.archive import Summary


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


def code(*words: str) -> int:
    done = CliRunner().invoke(command, words, standalone_mode=False)
    assert done.exception is None, done.exception
    found: int = done.return_value
    return found


@pytest.mark.parametrize("tried", [("--dry-run",), ()])
def test_an_import_ends_with_1_if_something_was_refused(tmp_path: Path, tried: tuple[str, ...]):
    data, listed = ("--data", str(tmp_path / "data")), tmp_path / "urls.txt"
    listed.write_text("https://a.test/\n")
    assert code("import", str(listed), *tried, *data) == 0
    listed.write_text("https://b.test/\nnonsense://x\n")
    assert code("import", str(listed), *tried, *data) == 1


def test_bringing_an_archive_ends_with_1_if_it_is_damaged(tmp_path: Path):
    data = ("--data", str(tmp_path / "data"))
    assert code("import", str(write(tmp_path / "old.warc.gz")), "--dry-run", *data) == 0
    content = write(tmp_path / "old.warc").read_bytes()
    (tmp_path / "cut.warc").write_bytes(content[: len(content) - 100])
    assert code("import", str(tmp_path / "cut.warc"), "--dry-run", *data) == 1


def test_archives_and_backups_end_with_1_if_a_version_is_lost(tmp_path: Path):
    settings = read_settings({"data": str(tmp_path), "user": "jill"}, environment={})
    data = ("--data", str(tmp_path))
    archive, saved = str(tmp_path / "x.warc.gz"), str(tmp_path / "saved.tar")
    with kept_pages(settings) as knowledge:
        gone = knowledge.versions.get(1, 2).object
    assert code("export", archive, "--user", "jill", *data) == code("backup", saved, *data) == 0
    with closing(sqlite3.connect(settings.database_url.removeprefix("sqlite:///"))) as database, database:
        database.execute("UPDATE version SET delta = '' WHERE object = ?", [gone])
    assert code("export", archive, "--user", "jill", *data) == 1
    assert code("backup", str(tmp_path / "again.tar"), *data) == 1


def test_old_and_new_stand_side_by_side_with_what_both_find(site: Site, tmp_path: Path):
    page = site.page("/news", "<nav>Home</nav><ul class=news><li>Anna sails<li>Berta rests</ul>")
    jobs, configuration = tmp_path / "jobs.yaml", tmp_path / "configuration.yaml"
    filters = "filter:\n  - css: ul.news\n  - html2text\n  - grepi: Berta\n"
    jobs.write_text(f"name: News\nurl: {page.url}\nmax_tries: 3\n{filters}")
    configuration.write_text("display: {new: true}\njob_defaults: {all: {tags: [ships]}}\n")
    data = ("--data", str(tmp_path / "data"))
    given = {"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8", "WEBVIGIL_OBEY_ROBOTS": "off"}
    given |= {"WEBVIGIL_FIRST_LOOK": "20"}
    words = ("import", str(jobs), str(configuration), "--dry-run", *data)
    tried = CliRunner().invoke(command, words, env=given)
    lines = [" ".join(line.split()) for line in tried.stdout.splitlines()]
    assert lines[0] == "urlwatch: 1 would be installed, 0 refused"
    for line in (
        'filter 1 css: ul.news Within css "ul.news"',
        "filter 3 grepi: Berta Ignore /.*Berta.*/",
        'tags: ["ships"] Topic "ships"',
        "both find the same 4 words on the page",
    ):
        assert line in lines, tried.stdout
    assert any(line.startswith('display: {"new": true} ! not taken along') for line in lines)
    assert any(line.startswith("max_tries: 3 ! not taken along; it says how many errors") for line in lines)
    assert json.loads(run("list", "--json", *data).stdout) == []
    shown = json.loads(CliRunner().invoke(command, [*words, "--json"], env=given).stdout)["sentinels"][0]
    assert shown["on_the_page"] == "both find the same 4 words on the page"
    assert {"key": "tags", "value": '["ships"]', "becomes": 'Topic "ships"', "remark": ""} in shown["keys"]
    listed = tmp_path / "urls.txt"
    listed.write_text("https://a.test/\n")
    assert run("import", str(listed), str(listed), *data).exit_code == 2


def test_standard_input_is_read_for_lists_and_refused_for_archives(tmp_path: Path):
    data = ("--data", str(tmp_path))
    assert "1 are installed" in webvigil("import", "-", *data, text="https://a.test/\n").stdout
    done = webvigil("import", "-", *data, text=b"WARC/1.0\r\n\r\n")
    assert done.returncode == 2
    assert "a web archive is read from a file; name one" in done.stderr


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


def test_a_store_restored_without_its_key_says_what_is_locked_and_tells_when_the_key_is_brought(
    site: Site, hooks: Hooks, tmp_path: Path
):
    page = site.page("/news", "<p>One")
    old, new, saved = tmp_path / "old", tmp_path / "new", str(tmp_path / "b.zip")
    text = tmp_path / "s.txt"
    text.write_text(
        f"Create Sentinel news Using {page.url} Monitor any change Fetch 2 second\n"
        f"Notify By webhook {hooks.url}"
    )
    webvigil("add", str(text), "--data", str(old))
    webvigil("contact", "add", "webhook", hooks.url, "--data", str(old))
    webvigil("backup", saved, "--data", str(old))
    done = webvigil("restore", saved, "--data", str(new))
    assert done.returncode == 0
    assert f"me: contact webhook {hooks.url}" in done.stderr
    assert f"Copy that file of the old data folder to {new / 'secret_key'}" in done.stderr
    assert not (new / "secret_key").exists()
    with Serving(new):

        def waiting() -> list[dict[str, Any]]:
            found = webvigil_json("notices", "--data", str(new))
            return [one for one in found if "another secret_key" in one["error"]]

        eventually(waiting)
        assert {one["state"] for one in waiting()} == {"pending"}
        assert hooks.bodies == []
        shutil.copy(old / "secret_key", new / "secret_key")
        eventually(lambda: hooks.bodies)
    again = webvigil("restore", saved, "--data", str(tmp_path / "third"), WEBVIGIL_SECRET_KEY=_key(old))
    assert "cannot be opened" not in again.stderr


# --- what is printed, to the letter ------------------------------------------------------------------

(NEWS,) = parse("Create Sentinel news Using https://a.test/ Monitor any change")
KEYS = (
    Told("url", "https://a.test/", "Using https://a.test/"),
    Told("tries", "3", remark="not taken along"),
    Told("x" * 49, "", "Fetch 1 hour", "another"),
    Told("empty", ""),
)
PLAN = Plan(
    "urlwatch",
    (
        Planned(source="file\x07", remarks=("tries: not taken along", "the rest is fine"), told=KEYS[1:2]),
        Planned(
            source="job 1",
            name="news",
            remarks=("url, tries: both", "other: kept"),
            told=KEYS,
            sentinel=NEWS,
        ),
        Planned(source="job 2", name="plain", sentinel=NEWS),
        Planned(source="job 3", name="resting", enabled=False, remarks=("it rests",), sentinel=NEWS),
        Planned(source="job 4", trouble="no address"),
    ),
)


def test_what_would_be_installed_stands_beside_what_it_was(capsys: pytest.CaptureFixture[str]):
    moving._print_plan(PLAN, True, False, {"news": "both find the same"})
    wide = 48
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "urlwatch: 3 would be installed, 1 refused",
        "file\ufffd:",
        "    tries: 3  ! not taken along",
        "    the rest is fine",
        "+ news",
        f"    {'url: https://a.test/':<{wide}}  Using https://a.test/",
        f"    {'tries: 3':<{wide}}  ! not taken along",
        f"    {'x' * 47}…  Fetch 1 hour",
        f"    {'':<{wide}}  ! another",
        f"    {'empty':<{wide}}  ",
        "    other: kept",
        "    both find the same",
        "+ plain",
        "+ resting (disabled)",
        "    it rests",
    ]
    assert printed.err == "- job 4: no address\n"


def test_what_was_installed_is_told_with_its_remarks(capsys: pytest.CaptureFixture[str]):
    moving._print_plan(PLAN, False, False, {})
    assert capsys.readouterr().out.splitlines() == [
        "urlwatch: 3 are installed, 1 refused",
        "file\ufffd:",
        "    tries: not taken along",
        "    the rest is fine",
        "+ news",
        "    url, tries: both",
        "    other: kept",
        "+ resting (disabled)",
        "    it rests",
    ]


def past(**more: Any) -> BroughtPage:
    return BroughtPage(1, "https://a.test/", 1200, 2, unchanged=3, later=4, not_pages=5, **more)


@pytest.mark.parametrize(
    ("done", "dry_run", "lines"),
    [
        (
            Brought(),
            False,
            ["No capture is of a page that you watch. Watch it first: webvigil watch URL"],
        ),
        (
            Brought([past()], others=1),
            True,
            [
                "https://a.test/: 1,200 versions would be its past",
                "    3 captures changed nothing, 5 were no page, 4 are not older than the first version here",
                "1 captures are of other addresses",
            ],
        ),
        (
            Brought([past(oldest=datetime(2020, 1, 2, tzinfo=UTC), newest=datetime(2021, 3, 4, tzinfo=UTC))]),
            False,
            [
                "https://a.test/: 1,200 versions are its past, 2020-01-02 to 2021-03-04; 2 changes",
                "    3 captures changed nothing, 5 were no page, 4 are not older than the first version here",
            ],
        ),
    ],
)
def test_what_became_of_the_past_is_told(
    capsys: pytest.CaptureFixture[str], done: Brought, dry_run: bool, lines: list[str]
):
    moving._print_past(done, dry_run, False)
    assert capsys.readouterr() == ("\n".join(lines) + "\n", "")


@pytest.mark.parametrize(
    ("troubles", "untold", "said"),
    [
        ((), 0, ""),
        (("line 3",), 0, "webvigil: left out: line 3\n"),
        (("line 3",), 1, "webvigil: left out: line 3\nwebvigil: left out: 1 more\n"),
    ],
)
def test_what_could_not_be_read_of_the_past_is_named(
    capsys: pytest.CaptureFixture[str], troubles: tuple[str, ...], untold: int, said: str
):
    moving._print_past(Brought([past()], troubles=[*troubles], untold=untold), False, False)
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("lost", "ends_with", "said"),
    [
        ((), 0, ""),
        (("a 1",), 1, "webvigil: 1 version cannot be read any more:\n  a 1\n"),
        (("a 1", "a 2"), 1, "webvigil: 2 versions cannot be read any more:\n  a 1\n  a 2\n"),
    ],
)
def test_a_backup_says_what_it_holds_and_lacks(
    capsys: pytest.CaptureFixture[str], lost: tuple[str, ...], ends_with: int, said: str
):
    made = Summary(created="now", version="1", schema="0042", rows=1234, objects=5, bytes=6789, lost=lost)
    assert moving._print_summary(made, "b.zip holds", False) == ends_with
    told = "b.zip holds 1,234 rows and 5 objects, 6,789 bytes (0042)\n"
    assert capsys.readouterr() == (told, said)
    assert moving._print_summary(made, "b.zip holds", True) == ends_with
    assert json.loads(capsys.readouterr().out)["lost"] == [*lost]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", "x.txt", "--page", "https://a.test/"), "choose what goes into a WARC or WACZ file"),
        (("export", "x.txt", "--sentinel", "news"), "choose what goes into a WARC or WACZ file"),
        (("export", "x.warc", "--page", "p", "--sentinel", "s"), "choose a page or a sentinel, not both"),
        (("export", "-", "--format", "warc"), "a web archive is written to a file; name one"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(tmp_path: Path, words: tuple[str, ...], said: str):
    done = run(*words, "--data", str(tmp_path / "data"))
    assert done.exit_code == 2
    assert said in done.output


def _key(data: Path) -> str:
    return (data / "secret_key").read_text().strip()


class Hooks:
    """A receiver of webhooks on loopback that stores the bodies it gets."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        hooks = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                hooks.bodies.append(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def hooks() -> Iterator[Hooks]:
    made = Hooks()
    yield made
    made.server.shutdown()
    made.server.server_close()
