"""Two servers run as in the example of docs/community.md, and one is killed with -9 (B4, B5)."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.docs.examples import ROOT, examples
from tests.ports import unused_port
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil
from webvigil.app.operating.stores import opened
from webvigil.app.peers.wiring import identity_of
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.community.location import responsible
from webvigil.model.page import Page
from webvigil.store.promises import Knowledge

QUICK = {"WEBVIGIL_PEER_CHECKS": "0", "WEBVIGIL_HOST_DELAY": "0", "WEBVIGIL_MINIMUM_INTERVAL": "1"}
PORTS = ("8430", "8440")


def free_ports() -> list[str]:
    """Returns free ports whose next but one is free as well: that one shows pages."""
    first = unused_port(2, 10, 12)
    return [str(first), str(first + 10)]


class Example:
    """Plays the shell lines of the documentation with real processes, on free ports."""

    def __init__(self, folder: Path, ports: list[str]) -> None:
        (text,) = [one.text for one in examples(ROOT / "docs" / "community.md") if one.language == "sh"]
        for shown, port in zip(PORTS, ports, strict=True):
            text = text.replace(shown, port)
        self._lines = text.splitlines()
        self._folder = folder
        self.environment = dict(QUICK)
        self.servers: list[Serving] = []
        self.said = ""

    def play(self, running: ExitStack) -> None:
        for line in self._lines:
            if line.startswith("export "):
                self.environment |= dict(word.split("=") for word in line.split()[1:])
            elif line.startswith("sleep "):
                for server in self.servers:
                    running.enter_context(server)  # waits until the server is up
            elif line.endswith("&"):
                _, _, _, data, *rest = shlex.split(line[:-1])
                self.servers.append(Serving(self._folder / data, *rest, **self.environment))
            else:
                self.said += self._run(line)

    def _run(self, line: str) -> str:
        line = re.sub(r"\$\((.*?)\)", lambda inner: self._run(inner[1]).strip(), line)
        words = re.sub(r"--data (\w+)", rf"--data {self._folder}/\1", line)
        done = webvigil(*shlex.split(words)[1:], **self.environment)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        return done.stdout


class Server:
    """Reads the data folder of one server."""

    def __init__(self, data: Path, port: str, knowledge: Knowledge, settings: Settings) -> None:
        self.data = data
        self.port = port
        self.knowledge = knowledge
        self.key = identity_of(settings).key

    @property
    def changes(self) -> int:
        return len(self.knowledge.changes.all())

    def log(self) -> str:
        (page,) = self.knowledge.sentinels.pages()
        return " ".join(look["reason"] for look in self.knowledge.journal.fetch_log(page.id))


@contextmanager
def server(data: Path, port: str, text: str) -> Iterator[Server]:
    given = {"data": str(data), "minimum_interval": "1", "allow_networks": "127.0.0.1"}
    settings = read_settings(given, environment={})
    with opened(settings) as knowledge:
        install_text(knowledge, settings, text)
        yield Server(data, port, knowledge, settings)


@pytest.mark.slow
def test_two_servers_share_a_page_and_one_outlives_the_other(site: Site, tmp_path: Path):
    page = site.page("/news", "<p>one")
    text = (
        f"Create Sentinel s Using {page.url}\nMonitor any change\nQuiet off\nFetch 2 second\nNotify By log\n"
    )
    ports = free_ports()
    with ExitStack() as running:
        both = [
            running.enter_context(server(tmp_path / name, port, text))
            for name, port in zip("ab", ports, strict=True)
        ]
        key = responsible(Page(url=page.url).key, [one.key for one in both])
        first, other = sorted(both, key=lambda one: one.key != key)
        example = Example(tmp_path, ports)
        example.play(running)
        assert "is invited. It becomes a peer when" in example.said
        assert "is a peer now: pages that both watch are fetched once." in example.said
        eventually(lambda: f"from peer 127.0.0.1:{first.port}" in other.log(), within=60)
        page.becomes("<p>two")
        eventually(lambda: other.changes == first.changes == 1, within=60)
        example.servers[both.index(first)].kill()
        page.becomes("<p>three")
        eventually(lambda: other.changes == 2, within=60)
        (peer,) = other.knowledge.peers.all()
        assert (peer.shown_state, peer.figures.strikes) == ("resting", 0)
        found = webvigil("peer", "where", page.url, "--data", str(other.data), **example.environment)
        assert (found.returncode, peer.url in found.stdout) == (0, True)
        running.enter_context(Serving(first.data, "--port", first.port, **example.environment))
        eventually(lambda: first.changes == 2, within=60)
        assert other.changes == 2


def shown_at(serving: Serving, path: str) -> str:
    """Returns a page of the dashboard, as its user sees it."""
    with httpx2.Client(follow_redirects=True, timeout=60) as window:
        window.get(serving.link)
        return " ".join(re.sub(r"<[^>]*>", " ", window.get(serving.address + path).text).split())


@pytest.mark.slow
def test_a_letter_and_a_broadcast_go_from_one_server_to_the_other(site: Site, tmp_path: Path):
    page = site.page("/news", "<p>one")
    text = (
        f"Create Sentinel s Using {page.url}\nMonitor any change\nQuiet off\nFetch 2 second\nNotify By log\n"
    )
    ports = free_ports()
    with ExitStack() as running:
        home = running.enter_context(server(tmp_path / "a", ports[0], text))
        example = Example(tmp_path, ports)
        example.environment["WEBVIGIL_AGENT_INTERVAL"] = "1"
        example.play(running)
        at_home, away = example.servers
        data = ("--data", str(home.data))
        sent = webvigil("agent", "send", "s", "--peer", f"127.0.0.1:{ports[1]}", *data, **example.environment)
        assert sent.returncode == 0, sent.stderr
        eventually(lambda: "at work" in webvigil("agent", "list", *data, **example.environment).stdout)
        seen = page.hits
        eventually(lambda: page.hits > seen + 1)
        page.becomes("<p>two")
        eventually(lambda: home.changes == 1, within=120)
        (change,) = home.knowledge.changes.all()
        assert (change.sentinel, change.url, change.user) == ("s", page.url, "me")
        said = webvigil("agent", "broadcast", "We move on Friday", *data, **example.environment)
        assert said.returncode == 0, said.stderr
        eventually(lambda: "We move on Friday" in shown_at(away, "/"), within=120, every=1.0)
        assert "We move on Friday" in shown_at(at_home, "/")


@pytest.mark.slow
def test_the_utilisation_on_the_dashboard_is_that_of_counted_requests(site: Site, tmp_path: Path):
    page = site.page("/news", lambda request: f"<p>{request.number}")
    text = "\n".join(
        f"Create Sentinel s{number} Using {page.url}\nMonitor any change\nFetch 2 second\nNotify By log\n"
        for number in range(4)
    )
    with server(tmp_path / "a", "0", text) as alone, Serving(tmp_path / "a", **QUICK) as serving:
        eventually(lambda: page.hits >= 6)
        for number in range(4):
            webvigil("disable", f"s{number}", "--data", str(alone.data))
        told = eventually(lambda: _same(serving), within=60)
        looks, fetches = told
        assert fetches == page.hits
        # Each request served all four, but for those that came while one after the other was disabled.
        assert 4 * (page.hits - 4) < looks <= 4 * page.hits
        shown = re.search(r"([0-9.]+) looks saved for each", shown_at(serving, "/community"))
        assert shown is not None
        assert float(shown[1]) == round((looks - page.hits) / page.hits, 2)


def _same(serving: Serving) -> tuple[int, int] | None:
    """Returns looks and fetches as the dashboard shows them, once they stand still."""
    seen = [_figures(serving) for _ in range(2)]
    return seen[0] if seen[0] == seen[1] else None


def _figures(serving: Serving) -> tuple[int, int]:
    time.sleep(3)
    shown = shown_at(serving, "/community")
    found = re.search(r"(\d+) looks asked for .*? (\d+) pages fetched", shown)
    assert found is not None, shown
    return int(found[1]), int(found[2])
