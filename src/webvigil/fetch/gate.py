"""The browser's only way out: a proxy on loopback that judges every address before it connects (F5, F6).

A browser resolves names and opens connections by itself, for pictures, scripts, frames, redirects, sockets
and what a page's script asks for. So it is told that it has no network but this gate. The gate looks the
name up, judges each address, and connects to the address it judged: a name that changes its mind gains
nothing. Each visit has a password of its own, by which its bytes are counted and its troubles remembered.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from webvigil.fetch.addresses import Network, is_address, may_visit
from webvigil.fetch.names import Lookup, Names, system_lookup

_HEAD = 65536
_PIECE = 65536
_CONNECT = 10.0
_NOT_PASSED_ON = ("proxy-", "connection", "keep-alive", "te", "upgrade-insecure-requests")


@dataclass(slots=True)
class Pass:
    """One visit's permission to pass: how much it may still bring in, and what it was refused.

    `forbidden` has the address of each host that may not be visited, `unreachable` says of each host why
    there was no connection.
    """

    password: str
    left: int
    forbidden: dict[str, str] = field(default_factory=dict)
    unreachable: dict[str, str] = field(default_factory=dict)


class Gate:
    """Use as an async context manager; `url` is where it listens."""

    def __init__(self, *, allowed: Iterable[Network] = (), lookup: Lookup = system_lookup) -> None:
        self._allowed = tuple(allowed)
        self._names = Names(lookup)
        self._passes: dict[str, Pass] = {}
        self._open: set[asyncio.Task[None]] = set()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=_HEAD)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()
        await self._names.close()

    def admit(self, limit: int) -> Pass:
        made = Pass(secrets.token_urlsafe(16), limit)
        self._passes[made.password] = made
        return made

    def dismiss(self, visit: Pass) -> None:
        self._passes.pop(visit.password, None)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # the browser, or the other side, is gone; the browser tells its own story
        finally:
            self._open.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request, *headers = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
        method, target, _ = request.decode("latin-1").split(" ", 2)
        visit = self._visit(headers)
        if visit is None:
            writer.write(b'HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm="gate"\r\n')
            writer.write(b"Content-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            return
        host, port = _place(method, target)
        way = await self._way(host, port, visit)
        if way is None:
            writer.write(b"HTTP/1.1 403 No way\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            return
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Go on\r\n\r\n")
        else:
            way[1].write(_passed_on(method, target, headers))
        await _both_ways((reader, writer), way, visit)

    def _visit(self, headers: list[bytes]) -> Pass | None:
        for header in headers:
            name, _, value = header.partition(b":")
            if name.strip().lower() == b"proxy-authorization":
                with contextlib.suppress(ValueError):
                    said = base64.b64decode(value.strip().removeprefix(b"Basic ")).decode("latin-1")
                    return self._passes.get(said.partition(":")[2])
        return None

    async def _way(
        self, host: str, port: int, visit: Pass
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        try:
            addresses = [host] if is_address(host) else await self._names.addresses(host)
        except OSError as error:
            visit.unreachable[host] = f"{error.strerror or error}"
            return None
        for address in addresses:
            if not may_visit(address, self._allowed):
                visit.forbidden[host] = address
                continue
            try:
                async with asyncio.timeout(_CONNECT):
                    return await asyncio.open_connection(address, port)
            except (OSError, TimeoutError) as error:
                visit.unreachable[host] = f"{error or 'no connection in time'}"
        return None


def _place(method: str, target: str) -> tuple[str, int]:
    parts = urlsplit(f"//{target}" if method == "CONNECT" else target)
    if method != "CONNECT" and parts.scheme not in ("http", "ws"):
        raise ValueError(f"{parts.scheme} does not pass")
    return parts.hostname or "", parts.port or (443 if method == "CONNECT" else 80)


def _passed_on(method: str, target: str, headers: list[bytes]) -> bytes:
    """The request as the server wants it, on a connection for this request alone."""
    parts = urlsplit(target)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    kept = [one for one in headers if not one.lower().startswith(tuple(map(str.encode, _NOT_PASSED_ON)))]
    return b"\r\n".join(
        [f"{method} {path} HTTP/1.1".encode("latin-1"), *kept, b"Connection: close", b"", b""]
    )


async def _both_ways(
    browser: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    visit: Pass,
) -> None:
    out = asyncio.create_task(_pump(browser[0], server[1], None))
    back = asyncio.create_task(_pump(server[0], browser[1], visit))
    try:
        await asyncio.wait({out, back}, return_when=asyncio.FIRST_COMPLETED)
        if out.done() and not back.done() and not out.cancelled() and out.exception() is None:
            await back  # the browser has said all it wants to say, and still listens
    finally:
        for task in (out, back):
            task.cancel()
        await asyncio.gather(out, back, return_exceptions=True)
        server[1].close()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, visit: Pass | None) -> None:
    while piece := await source.read(_PIECE):
        if visit is not None:
            visit.left -= len(piece)
            if visit.left < 0:
                return
        sink.write(piece)
        await sink.drain()
    if visit is None and sink.can_write_eof():
        sink.write_eof()
