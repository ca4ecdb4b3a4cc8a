"""Ten thousand hosts in flight: each takes seconds to answer, and none keeps another waiting (F4).

    python -m bench.speed.hosts [--hosts N] [--json]

A loopback site in a process of its own answers under N names on a few hundred addresses (127.x.y.z), each
request after ten seconds, one host only after fifty. One fetcher asks them all at once. Told are how many the
site saw waiting at the same moment, the memory that takes beyond a fetcher at rest, the CPU of each fetch,
and how long a host waits that answers at once. Each request in flight needs a file descriptor here and one
at the site: raise `ulimit -n` to N + 500 if we say so.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from webvigil.errors import PageError
from webvigil.fetch.client import Limits
from webvigil.fetch.http import HttpFetcher
from webvigil.model.page import Page

Row = dict[str, Any]
HOSTS = 10_000
DELAY = 10.0
SLOW = 50.0
MOST_MEMORY = 60  # KB for each request in flight with its page; a connection with TLS takes about as much
MOST_CPU = 3.0  # ms: a connection, a request and an answer on a busy machine
_ADDRESSES = 250
_BODY = b"<!DOCTYPE html><title>A host</title>" + b"<p>It took its time.</p>" * 40


def rows(hosts: int = HOSTS) -> list[Row]:
    hosts = _room_for(hosts)
    with _site() as port:
        told = asyncio.run(_measured(hosts, port))
    return [
        _row(f"{hosts:,} hosts in flight, KB of memory each", told["memory"], MOST_MEMORY),
        _row(f"{hosts:,} hosts in flight, CPU ms each", told["cpu"], MOST_CPU),
        _row(f"{hosts:,} hosts in flight, seconds a quick host waits", told["quick"], DELAY),
        _row(f"{hosts:,} hosts asked at once, share in flight together", 1 / told["together"], 1 / 0.9),
    ]


def _row(name: str, ours: float, limit: float) -> Row:
    return {
        "name": name,
        "ours": round(ours, 3),
        "peer": limit,
        "against": "limit",
        "ratio": limit / max(ours, 1e-9),
    }


async def _measured(hosts: int, port: int) -> dict[str, float]:
    async with HttpFetcher(
        user_agent="bench",
        limits=Limits(timeout=60),
        allowed=(ipaddress.ip_network("127.0.0.0/8"),),
        lookup=_address,
        obey_robots=False,
    ) as fetcher:
        await _fetched(fetcher, f"http://quick.test:{port}/")
        before, began = _memory(), time.process_time()
        slow = asyncio.create_task(_fetched(fetcher, f"http://slow.test:{port}/"))
        all_others = [
            asyncio.create_task(_fetched(fetcher, f"http://h{number}.test:{port}/"))
            for number in range(hosts)
        ]
        await asyncio.sleep(DELAY / 2)
        quick_at = time.monotonic()
        await _fetched(fetcher, f"http://quick.test:{port}/")
        quick = time.monotonic() - quick_at
        failed = [one for one in await asyncio.gather(*all_others) if one]
        cpu = (time.process_time() - began) * 1000 / hosts
        together = await _most_at_once(fetcher, port) / hosts
        memory = (_memory() - before) / hosts
        assert not failed, f"{len(failed)} of {hosts} failed: {failed[0]}"
        assert not slow.done(), "the slow host is still thinking"
        slow.cancel()
    return {"memory": memory, "cpu": cpu, "quick": quick, "together": together}


async def _most_at_once(fetcher: HttpFetcher, port: int) -> int:
    answer = (await fetcher.fetch(Page(url=f"http://quick.test:{port}/"), {})).answer
    assert answer is not None
    return int(answer.header("x-most-at-once") or 0)


async def _fetched(fetcher: HttpFetcher, url: str) -> str:
    """Fetches a page. Returns the reason if that fails, "" if the right page came."""
    try:
        answer = (await fetcher.fetch(Page(url=url), {})).answer
    except PageError as error:
        return str(error)
    return "" if answer and answer.body == _BODY else "another page came"


def _address(name: str) -> list[str]:
    number = int(name[1:].partition(".")[0]) if name[1:2].isdigit() else 0
    return [f"127.0.{number % _ADDRESSES // 50}.{number % 50 + 1}"]


def _memory() -> float:
    """Returns the largest memory that this process has had so far, in KB."""
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _room_for(hosts: int) -> int:
    wanted = hosts + 500
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        if most < wanted:
            hosts = most - 500
            print(
                f"only {hosts:,} hosts: raise the limit of open files (ulimit -n {wanted})", file=sys.stderr
            )
    return hosts


# --- the site ------------------------------------------------------------------------------------------


class _site:  # noqa: N801
    def __enter__(self) -> int:
        command = [sys.executable, str(Path(__file__)), "--site"]
        self._server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._server.stdout
        return int(self._server.stdout.readline())

    def __exit__(self, *_: object) -> None:
        self._server.kill()
        self._server.wait()
        assert self._server.stdout
        self._server.stdout.close()


class _Talk(asyncio.Protocol):
    waiting = most_at_once = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def data_received(self, data: bytes) -> None:
        delay = SLOW if b"slow.test" in data else 0.0 if b"quick.test" in data else DELAY
        _Talk.waiting += 1
        _Talk.most_at_once = max(_Talk.most_at_once, _Talk.waiting)
        asyncio.get_running_loop().call_later(delay, self._answer)

    def _answer(self) -> None:
        _Talk.waiting -= 1
        kind = f"Content-Type: text/html\r\nContent-Length: {len(_BODY)}\r\n"
        head = f"HTTP/1.1 200 OK\r\n{kind}X-Most-At-Once: {_Talk.most_at_once}\r\n\r\n"
        if not self._transport.is_closing():
            self._transport.write(head.encode() + _BODY)


async def _serve() -> None:
    _room_for(HOSTS)
    loop, port = asyncio.get_running_loop(), 0
    for address in sorted({_address(f"h{number}")[0] for number in range(_ADDRESSES)}):
        server = await loop.create_server(_Talk, address, port, backlog=1024)
        port = server.sockets[0].getsockname()[1]
    print(port, flush=True)
    await asyncio.Event().wait()


def main() -> None:
    arguments = sys.argv[1:]
    hosts = int(arguments[arguments.index("--hosts") + 1]) if "--hosts" in arguments else HOSTS
    found = rows(hosts)
    if "--json" in arguments:
        print(json.dumps(found, indent=1))
        return
    for row in found:
        print("{name:60} {ours:10.3f} {peer:10.3f} {against:10} {ratio:8.1f}".format(**row))


if __name__ == "__main__":
    asyncio.run(_serve()) if "--site" in sys.argv else main()
