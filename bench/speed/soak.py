"""Does a worker that looks for days take more and more memory? It must not, whatever it looks at.

    python -m bench.speed.soak [--sentinels N] [--looks N] [--hostile N] [--size BYTES] [--after SECONDS]
                               [--json]

A loopback site in a process of its own has N pages (300) on 50 addresses, each with a sentinel; some honour
validators, some do not, and a page is another one at every twentieth look. A worker as in `webvigil serve`
looks at all of them again and again, on a clock that runs a hundred times as fast, with sentinels of many
kinds and a store on disk, until it has looked N times (100,000). Its resident memory after a tenth of the
looks, when its caches are full, is the measure for its memory at the end.

Then come pages made to hurt: the shapes of `shapes.py`, N of them (all by default), in two versions of SIZE
bytes each (4 MB), and some ordinary looks. Told is the most that the worker took, and what it takes
when they are over.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from bench.speed.shapes import SHAPES
from webvigil.app.operating.memory import resident
from webvigil.app.operating.metrics import Metrics
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.process import work
from webvigil.model.page import Page
from webvigil.store.sql.knowledge import SqlKnowledge

_CHECKOUT = Path(__file__).parents[2]
Row = dict[str, Any]
LOOKS = 100_000
SIZE = 4_000_000
AFTER = 20  # seconds of ordinary looks after the hostile pages
PAGES = 300
ADDRESSES = 50
FASTER = 100
MOST_AFTER = 250.0  # MB that the worker may occupy after the hostile pages
_ONE_CHANGE_IN = 20
_AT_ONCE = 1_000  # sentinels that are installed together
_PATIENCE = 300.0
_ALL = "any change AND all links AND all images AND all words AND keywords: {word, a}"
_SYLLABLES = ("ba", "do", "fi", "ku", "le", "ma", "no", "pri", "sta", "to", "vu", "wen")


def rows(
    looks: int = LOOKS,
    hostile: int | None = None,
    size: int = SIZE,
    after: int = AFTER,
    sentinels: int = PAGES,
) -> list[Row]:
    with _site() as port, tempfile.TemporaryDirectory() as folder:
        told = asyncio.run(_soaked(Path(folder), port, looks, hostile, size, after, sentinels))
    return [
        _row(
            f"memory after {looks:,} looks, MB against a tenth of them", told["end"], told["tenth"], "start"
        ),
        _row(f"memory after {looks:,} looks, MB, {sentinels:,} sentinels", told["end"], MOST_AFTER, "limit"),
        _row("memory after the pages made to hurt, MB", told["after"], MOST_AFTER, "limit"),
        _row("most memory while they were looked at, MB", told["most"], MOST_AFTER, "limit after"),
        {
            "name": "looks a second",
            "ours": round(told["speed"], 1),
            "peer": None,
            "against": "",
            "ratio": None,
        },
    ]


def _row(name: str, ours: float, limit: float, against: str) -> Row:
    return {
        "name": name,
        "ours": round(ours, 1),
        "peer": round(limit, 1),
        "against": against,
        "ratio": limit / ours,
    }


# --- the worker ----------------------------------------------------------------------------------------

_KINDS = (
    "any change",
    "all links AND all images",
    "all words",
    "keywords: {price, offer}",
    "structure",
    "table: {1}",
)
_TEXT = "Create Sentinel {name} Using {url}\nMonitor {kind}\nFetch 1 minute\nNotify By log\n"


async def _soaked(
    folder: Path, port: int, looks: int, hostile: int | None, size: int, after: int, sentinels: int
) -> dict[str, float]:
    given = {
        "data": str(folder),
        "allow_networks": "127.0.0.0/8",
        "host_delay": "0",
        "host_concurrency": "4",
        "lease": "30000",
        "obey_robots": "no",
        "fetch_timeout": "60",
        "log_level": "error",
    }
    settings = read_settings(given, environment={})
    began = time.time()

    def clock() -> int:
        return int((began + (time.time() - began) * FASTER) * 1000)

    knowledge = SqlKnowledge(settings.database_url, delay=0, concurrency=4, clock=clock)
    knowledge.users.add(settings.user)
    for first in range(0, sentinels, _AT_ONCE):
        numbers = range(first, min(first + _AT_ONCE, sentinels))
        install_text(knowledge, settings, "\n".join(_text(number, port) for number in numbers))
    metrics, told = Metrics(knowledge), asyncio.Event()
    worker = asyncio.create_task(work(settings, knowledge, metrics, told))
    try:
        found = await _looked(metrics, worker, looks)
        if hostile != 0:
            for one in knowledge.sentinels.all(settings.user)[5:]:
                knowledge.sentinels.enable(settings.user, one.name, enabled=False)
        found |= await _hurt(knowledge, settings, worker, port, hostile, size, after)
    finally:
        told.set()
        await asyncio.wait_for(worker, 60)
        knowledge.close()
    return found


def _text(number: int, port: int) -> str:
    url = f"http://127.0.0.{number % ADDRESSES + 1}:{port}/page/{number}"
    return _TEXT.format(name=f"s{number}", url=url, kind=_KINDS[number % len(_KINDS)])


async def _looked(metrics: Metrics, worker: asyncio.Task[None], looks: int) -> dict[str, float]:
    """Waits until the worker has made so many looks. Returns its memory after a tenth of the looks and after
    all, and the looks per second."""
    began, tenth = time.monotonic(), 0.0
    while (done := metrics.shared()[1]) < looks:
        _still_alive(worker)
        tenth = tenth or (_memory() if done >= looks / 10 else 0.0)
        await asyncio.sleep(0.2)
    return {"tenth": tenth, "end": _memory(), "speed": looks / (time.monotonic() - began)}


async def _hurt(
    knowledge: SqlKnowledge,
    settings: Settings,
    worker: asyncio.Task[None],
    port: int,
    hostile: int | None,
    size: int,
    after: int,
) -> dict[str, float]:
    most = _memory()
    for number in range(len(SHAPES) if hostile is None else hostile):
        url, name = f"http://127.0.0.1:{port}/hurt/{number}/{size}", f"hurt{number}"
        install_text(knowledge, settings, _TEXT.format(name=name, url=url, kind=_ALL))
        page = knowledge.versions.page_id(Page(url=url))
        until = time.monotonic() + _PATIENCE
        while len(knowledge.journal.fetch_log(page, limit=2)) < 2 and time.monotonic() < until:
            _still_alive(worker)
            most = max(most, _memory())
            await asyncio.sleep(0.05)
        knowledge.sentinels.enable(settings.user, name, enabled=False)
    for _ in range(after):
        await asyncio.sleep(1)
        _still_alive(worker)
    return {"most": max(most, _memory()), "after": _memory()}


def _still_alive(worker: asyncio.Task[None]) -> None:
    assert not worker.done(), f"the worker has ended: {worker.exception()}"


def _memory() -> float:
    """Returns what this process takes now, in MB."""
    return resident() / 1e6


# --- the site ------------------------------------------------------------------------------------------


@contextmanager
def _site() -> Iterator[int]:
    command = [sys.executable, "-m", "bench.speed.soak", "--site"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_CHECKOUT) as server:
        assert server.stdout
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


class _Talk(asyncio.Protocol):
    hits: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._heard = b""

    def data_received(self, data: bytes) -> None:
        self._heard += data
        while b"\r\n\r\n" in self._heard:
            head, _, self._heard = self._heard.partition(b"\r\n\r\n")
            self._transport.write(self._answer(head.decode("latin-1")))

    def _answer(self, head: str) -> bytes:
        path = head.split(" ", 2)[1]
        self.hits[path] += 1
        body, kind, tag = _shown(path, self.hits[path] - 1)
        if tag and f"If-None-Match: {tag}" in head:
            return f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode()
        said = f"ETag: {tag}\r\n" if tag else ""
        told = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{said}\r\n"
        return told.encode() + body


def _shown(path: str, hit: int) -> tuple[bytes, str, str]:
    """Returns the body, its type, and its ETag, if the page has one."""
    parts = path.split("/")
    if parts[1] == "hurt":
        versions, kind = list(SHAPES.values())[int(parts[2])](int(parts[3]))
        return versions[min(hit, 1)].encode(), kind, ""
    number, version = int(parts[2]), hit // _ONE_CHANGE_IN
    tag = f'"{number}-{version}"' if number % 3 == 0 else ""
    return _page(number, version), "text/html; charset=utf-8", tag


@lru_cache(4 * PAGES)
def _page(number: int, version: int) -> bytes:
    """Returns a page of about thirty KB, in which a few words and prices differ from version to version."""
    dice = random.Random(number)
    words = [f"{dice.choice(_SYLLABLES)}{dice.choice(_SYLLABLES)}" for _ in range(3_000)]
    for place in range(5):
        words[(version * 37 + place * 11) % len(words)] = f"new{version}x{place}"
    paragraphs = "".join(
        f"<p>{' '.join(words[at : at + 60])} <a href='/p/{words[at]}'>{words[at + 1]}</a>"
        for at in range(0, len(words), 60)
    )
    table = "".join(f"<tr><td>offer {n}<td>EUR {n + version}.99" for n in range(30))
    return f"<!doctype html><title>Page {number}</title>{paragraphs}<table>{table}</table>".encode()


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Talk, "0.0.0.0", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="webvigil bench soak")
    parser.add_argument("--sentinels", type=int, default=PAGES, help="How many, each on a page of its own.")
    parser.add_argument("--looks", type=int, default=LOOKS)
    parser.add_argument("--hostile", type=int, help="How many shapes; all of them by default.")
    parser.add_argument("--size", type=int, default=SIZE, help="Bytes of each page made to hurt.")
    parser.add_argument("--after", type=int, default=AFTER, help="Seconds until memory is told at the end.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--site", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.site:
        asyncio.run(_serve())
        return
    found = rows(given.looks, given.hostile, given.size, given.after, given.sentinels)
    if given.json:
        print(json.dumps(found, indent=1))
        return
    for row in found:
        peer, ratio = (f"{row[name]:10.2f}" if row[name] else "" for name in ("peer", "ratio"))
        print(f"{row['name']:62} {row['ours']:10.1f} {peer:>10} {row['against']:12} {ratio:>8}")


if __name__ == "__main__":
    main()
