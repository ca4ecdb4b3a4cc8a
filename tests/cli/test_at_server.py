"""Commands about sentinels print the same for a server as for a local database; the server is real."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json

PAGES = """
Create Sentinel news Using {site}/news Monitor all links Fetch 1 day To 2099-12-31
Create Sentinel gone Using {site}/gone Monitor any change Fetch 1 day To 2099-12-31
Create Sentinel deep Using {site}/deep Monitor all words Fetch 1 day To 2099-12-31 Depth 1
Create Sentinel later Using https://a.test/ Monitor keywords: {{sale}} From 2099-01-01 To 2099-12-31
Create Sentinel "two words" Using https://a.test/x?y=%20 Monitor all images To end(news)
"""


class Known(NamedTuple):
    """A database, and the server that runs on it."""

    data: tuple[str, str]
    address: str
    token: str

    def at_server(self, *command: str, text: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        asked = {"WEBVIGIL_TOKEN": self.token} | more
        return webvigil(*command, "--server", self.address, text=text, **asked)

    def in_store(self, *command: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return webvigil(*command, *self.data, text=text)

    def twice(self, *command: str) -> tuple[tuple[int, str, str], tuple[int, str, str]]:
        return told(self.at_server(*command)), told(self.in_store(*command))


def told(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def token(data: tuple[str, str], scope: str, *more: str) -> str:
    return webvigil("token", "add", "test", "--scope", scope, *data, *more).stdout.strip()


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """Yields a server with versions, linked pages and a failed page. Its worker has ended, so that nothing
    changes any more."""
    folder = tmp_path_factory.mktemp("looked-at")
    data = ("--data", str(folder))
    with Site() as site:
        site.page("/news", "<p>News: <a href=/1>one</a> <a href=/2>two</a>")
        site.page("/gone").answers(410)
        site.page("/deep", "<p>See <a href=/news>the news</a>")
        assert webvigil("add", "-", *data, text=PAGES.format(site=site.url)).returncode == 0
        with Serving(folder):
            eventually(lambda: all_looked_at(data))
    with Serving(folder, "--no-worker") as serving:
        yield Known(data, serving.address, token(data, "read"))


def all_looked_at(data: tuple[str, str]) -> bool:
    found = {one["name"]: one for one in webvigil_json("list", *data)}
    looks = [
        page["versions"] + page["failures"]
        for name in ("news", "gone", "deep")
        for page in found[name]["pages"]
    ]
    return all(looks) and found["deep"]["linked"] == 1


@pytest.mark.parametrize(
    "command",
    [
        ("list",),
        ("list", "--json"),
        *(("show", name) for name in ("news", "gone", "deep", "later", "two words", "none")),
        *(("show", name, "--json") for name in ("gone", "deep", "none")),
        ("show", "--timeline"),
        ("show", "--timeline", "--json"),
        ("show", "later", "--timeline"),
        ("show", "none", "--timeline"),
        ("show", "", "--json"),
        ("show",),
    ],
    ids=" ".join,
)
def test_a_server_is_told_of_as_its_store(looked_at: Known, command: tuple[str, ...]):
    at_server, in_store = looked_at.twice(*command)
    assert at_server == in_store


def test_what_is_shown_is_there(looked_at: Known):
    """Makes sure that the comparison of the two outputs does not compare empty ones."""
    news, gone = (looked_at.at_server("show", name).stdout for name in ("news", "gone"))
    assert "all links: 2 objects" in news
    assert "ends 2099-12-31" in news
    assert "410" in gone
    assert "pages that it links to: 1" in looked_at.at_server("show", "deep").stdout
    assert len(looked_at.at_server("show", "--timeline").stdout.splitlines()) > 8


def test_a_token_to_read_with_changes_nothing(looked_at: Known):
    before = looked_at.in_store("list", "--json").stdout
    for command in (
        ("enable", "news"),
        ("disable", "news"),
        ("remove", "news"),
        ("run", "news"),
        ("add", "-"),
    ):
        done = looked_at.at_server(*command, text="Create Sentinel x Using https://a.test/")
        assert done.returncode == 2
        assert done.stderr.startswith(
            "webvigil: the token's scope is read; this needs write; 'webvigil token add"
        )
    assert looked_at.in_store("list", "--json").stdout == before


@pytest.mark.parametrize("wrong", ["nonsense", "wv_nonsense", "x" * 5000])
def test_a_token_that_is_not_known_is_told_and_not_shown(looked_at: Known, wrong: str):
    done = looked_at.at_server("add", "-", text="-- much\n" * 50_000, WEBVIGIL_TOKEN=wrong)
    assert (done.returncode, wrong in done.stderr) == (2, False)
    assert f"{looked_at.address} does not know this token; 'webvigil token add" in done.stderr


def test_long_lists_come_whole(looked_at: Known, tmp_path: Path):
    data = ("--data", str(tmp_path))
    text = "".join(f"Create Sentinel s{n} Using https://a.test/{n % 3}\n" for n in range(1001))
    assert webvigil("add", "-", *data, text=text).returncode == 0
    with Serving(tmp_path, "--no-worker") as serving:
        known = Known(data, serving.address, token(data, "read"))
        names = [one["name"] for one in json.loads(known.at_server("list", "--json").stdout)]
    assert names == [f"s{n}" for n in reversed(range(1001))]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """Yields an empty server. `data` is another database that gets the same commands."""
    folder, twin = tmp_path_factory.mktemp("server"), tmp_path_factory.mktemp("store")
    with Serving(folder, "--no-worker") as serving:
        yield Known(("--data", str(twin)), serving.address, token(("--data", str(folder)), "write"))


NEWS = "Create Sentinel news Using https://a.test/ Monitor all links To 2099-12-31"
CONVERSATION: list[tuple[tuple[str, ...], str]] = [
    (("add", "-"), NEWS),
    (("add", "-"), NEWS),
    (("add", "-"), NEWS.replace("links", "images")),
    (("add", "-"), "Create Sentinel bad Usng https://b.test/"),
    (
        ("add", "-"),
        f"{NEWS.replace('news', 'good')}\n\nCreate Sentinel bad Using https://b.test/ Fetch 0 day",
    ),
    (
        ("add", "-"),
        "Create Sentinel a Using http://10.0.0.1/ Fetch 1 hour\nCreate Sentinel b Using sentinel none",
    ),
    (("add", "-"), "Create Sentinel a Using sentinel b\nCreate Sentinel b Using sentinel a"),
    (("add", "-"), "Create Sentinel x Using https://a.test/ Fetch 1 year"),
    (("add", "-"), "Create Sentinel late Using https://a.test/ From 2020-01-01 To 2020-02-01"),
    (("add", "-"), ""),
    (("add", "-"), "-- nothing but words: ü \x1b[31m \u202e"),
    (("add", "-"), NEWS.replace("news", "more") + "\n" + NEWS.replace("news", '"two words"')),
    (("add", "nowhere.txt"), ""),
    (("watch", "https://a.test/prices", "--monitor", "all links", "--every", "2 hour"), ""),
    (("watch", "https://a.test/prices"), ""),
    (("watch", "https://a.test/prices", "--name", "news"), ""),
    (("watch", "https://a.test/prices", "--monitor", "all linsk"), ""),
    (("watch", "nonsense"), ""),
    (("list",), ""),
    (("disable", "news"), ""),
    (("list",), ""),
    (("enable", "news"), ""),
    (("enable", "two words"), ""),
    (("run", "news"), ""),
    (("run", "none"), ""),
    (("enable", "none"), ""),
    (("disable", "n%6Fne?x#"), ""),
    (("disable", "x/y"), ""),
    (("disable", ".."), ""),
    (("remove", ""), ""),
    (("remove", "two words"), ""),
    (("remove", "two words"), ""),
    (("list",), ""),
]


def test_a_server_and_a_store_answer_the_same_all_along(server: Known):
    nothing = f"No sentinels yet at {server.address}. Add some: webvigil add FILE\n"
    assert server.at_server("list").stdout == nothing
    for command, text in CONVERSATION:
        at_server = told(server.at_server(*command, text=text))
        assert at_server == told(server.in_store(*command, text=text)), (command, text)
        assert "Traceback" not in at_server[2]


def test_the_environment_names_server_and_token(looked_at: Known, tmp_path: Path):
    named = {"WEBVIGIL_SERVER": looked_at.address + "/", "WEBVIGIL_TOKEN": looked_at.token}
    assert webvigil("list", **named).stdout == looked_at.in_store("list").stdout
    # The command line wins over the environment.
    assert webvigil("list", "--data", str(tmp_path), **named).stdout.startswith("No sentinels yet in")
    assert webvigil("list", "--token", "nonsense", **named).returncode == 2


def test_other_commands_do_not_take_a_store_for_the_server(looked_at: Known, tmp_path: Path):
    named = {"WEBVIGIL_SERVER": looked_at.address, "WEBVIGIL_TOKEN": looked_at.token}
    done = webvigil("changes", **named)
    assert done.returncode == 2
    assert "WEBVIGIL_SERVER is set, but this is only there with a store: name it with --data" in done.stderr
    assert webvigil("watch", "https://a.test/", "--data", str(tmp_path), **named).returncode == 0
    assert webvigil("changes", WEBVIGIL_DATA=str(tmp_path), **named).returncode == 0


def test_run_says_that_nobody_looks_if_no_worker_runs(server: Known):
    server.in_store("add", "-", text=NEWS.replace("news", "alone"))
    ran = server.in_store("run", "alone")
    assert ran.stdout == "alone: 1 page will be looked at now\n"
    assert "no WebVigil is at work here: start webvigil serve, or look once with" in ran.stderr
