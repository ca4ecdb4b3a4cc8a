"""Two servers as people run them, by the example of docs/community.md; one is killed with -9 (B4, B5)."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.docs.examples import ROOT, examples
from tests.docs.examples import _environment as with_our_commands
from tests.site import Site
from tests.whole.serving import ENVIRONMENT, Serving, eventually, webvigil
from webvigil.app.installing import install_text
from webvigil.app.opening import opened
from webvigil.app.peering import identity_of
from webvigil.app.settings import Settings, read_settings
from webvigil.community.location import responsible
from webvigil.model.page import Page
from webvigil.store.promises import Knowledge

QUICK = {"WEBVIGIL_PEER_CHECKS": "0", "WEBVIGIL_HOST_DELAY": "0", "WEBVIGIL_MINIMUM_INTERVAL": "1"}
PORTS = ("8430", "8440")


def free_ports() -> list[str]:
    """Each with the next but one, at which pages are shown."""
    found: list[str] = []
    with ExitStack() as held:
        while len(found) < len(PORTS):
            port = held.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
            try:
                held.enter_context(socket.create_server(("127.0.0.1", port + 2)))
            except OSError:
                continue
            found.append(str(port))
    return found


def example(ports: list[str]) -> str:
    """As it stands in the documentation, with ports that are free, and no longer asleep than it must be."""
    (block,) = [one.text for one in examples(ROOT / "docs" / "community.md") if one.language == "sh"]
    ready = "".join(
        f"until (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null; do sleep 0.1; done\n" for port in PORTS
    )
    text = re.sub(r"^sleep \d+\n", ready, block, flags=re.MULTILINE)
    for shown, port in zip(PORTS, ports, strict=True):
        text = text.replace(shown, port)
    return f"{text}\njobs -p > pids\nwait\n"


@contextmanager
def running(script: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {**with_our_commands(), **ENVIRONMENT, **QUICK}
    with (folder / "output").open("w") as output:
        started = subprocess.Popen(
            ["bash", "-c", script],
            cwd=folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            start_new_session=True,
        )
        try:
            yield started
        finally:
            os.killpg(started.pid, signal.SIGTERM)
            started.wait(timeout=30)


class Server:
    """What is in the folder of one."""

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
    settings = read_settings(
        {"data": str(data), "minimum_interval": "1", "allow_networks": "127.0.0.1"}, environment={}
    )
    with opened(settings) as knowledge:
        install_text(knowledge, settings, text)
        yield Server(data, port, knowledge, settings)


@pytest.mark.slow
def test_two_servers_share_a_page_and_one_outlives_the_other(site: Site, tmp_path: Path):
    page = site.page("/news", "<p>one")
    text = f"Create Sentinel s Using {page.url}\nMonitor any change\nFetch 2 second\nNotify By log\n"
    ports = free_ports()
    with ExitStack() as held:
        both = [
            held.enter_context(server(tmp_path / name, port, text))
            for name, port in zip("ab", ports, strict=True)
        ]
        key = responsible(Page(url=page.url).key, [one.key for one in both])
        first, other = sorted(both, key=lambda one: one.key != key)
        held.enter_context(running(example(ports), tmp_path))
        eventually(lambda: (tmp_path / "pids").exists(), within=90)
        pids = [int(one) for one in eventually((tmp_path / "pids").read_text).split()]
        said = (tmp_path / "output").read_text()
        assert "is invited. It becomes a peer when" in said
        assert "is a peer now: pages that both watch are fetched once." in said
        eventually(lambda: f"from peer 127.0.0.1:{first.port}" in other.log(), within=60)
        page.becomes("<p>two")
        eventually(lambda: other.changes == first.changes == 1, within=60)
        os.kill(pids[both.index(first)], signal.SIGKILL)
        page.becomes("<p>three")
        eventually(lambda: other.changes == 2, within=60)
        (peer,) = other.knowledge.peers.all()
        assert (peer.shown_state, peer.figures.strikes) == ("resting", 0)
        assert webvigil("peer", "where", page.url, "--data", str(other.data)).returncode == 0
        held.enter_context(Serving(first.data, "--port", first.port, **QUICK))
        eventually(lambda: first.changes == 2, within=60)
        assert other.changes == 2
