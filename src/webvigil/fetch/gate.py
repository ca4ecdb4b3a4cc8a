"""The browser's only way out: a proxy on loopback that judges every address before it connects (F5, F6).

A browser resolves names and opens connections by itself, for pictures, scripts, frames, redirects, web
sockets and requests of a page's script. So the browser is started without any network but this gate. The gate
looks up the name, judges each address, and connects to the very address it judged, so a name that changes its
address in between gains nothing. Each visit has a password of its own, by which its bytes are counted and its
errors remembered.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import secrets
import ssl
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit
from weakref import WeakSet

from webvigil.fetch.names import Lookup, Names, system_lookup
from webvigil.fetch.networks import Network, is_address, may_visit
from webvigil.fetch.ways import DIRECT, SOCKS, ForbiddenAddress, Proxy, Way, Ways, judge, to_proxy, tunnel

# The largest head of a request, and the piece that is copied at a time, in bytes.
_HEAD = 65536
_PIECE = 65536
_CONNECT = 10.0  # seconds in which a connection must be made
# Turns of the event loop between accepting a connection and calling `_connected`: one for the task, one for
# its transport, one for the call.
_TURNS_TO_ARRIVE = 3
# Headers that are meant for the proxy, beside those that begin with `Proxy-`; the server must not see them.
_NOT_PASSED_ON = frozenset((b"connection", b"keep-alive", b"te", b"upgrade-insecure-requests"))


@dataclass(slots=True)
class Pass:
    """The permission of one visit to use the gate: how many bytes it may still load, and what was refused.

    `through` names the proxy that the visit goes through. `forbidden` holds the address of each host that may
    not be visited, `unreachable` the reason why there was no connection to a host, and `untrusted` the error
    of a host whose certificate is not valid.
    """

    password: str
    left: int
    through: str = ""
    forbidden: dict[str, str] = field(default_factory=dict)
    unreachable: dict[str, str] = field(default_factory=dict)
    untrusted: dict[str, str] = field(default_factory=dict)


class Gate:
    """The proxy. Use it as an async context manager; `url` is its address."""

    def __init__(
        self,
        *,
        allowed: Iterable[Network] = (),
        lookup: Lookup = system_lookup,
        ways: Ways = DIRECT,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`ways` says which hosts are reached through a proxy, `tls` how its certificate is verified."""
        self._allowed = tuple(allowed)
        self._ways = ways
        self._tls = tls or ssl.create_default_context()
        self._names = Names(lookup)
        self._passes: dict[str, Pass] = {}
        self._open: set[asyncio.Task[None]] = set()
        self._writers: WeakSet[asyncio.StreamWriter] = WeakSet()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=_HEAD)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await close_listening(self._server)
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        for writer in list(self._writers):
            writer.transport.abort()  # a connection that still has bytes to send would stay open
        await self._server.wait_closed()
        await self._names.close()

    def admit(self, limit: int, through: str = "") -> Pass:
        """Returns a pass for a visit that may load `limit` bytes, through the proxy of this name."""
        made = Pass(secrets.token_urlsafe(16), limit, through)
        self._passes[made.password] = made
        return made

    def dismiss(self, visit: Pass) -> None:
        """Makes the pass invalid."""
        self._passes.pop(visit.password, None)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Begins to answer a connection of the browser. The connection is noted at once, so that closing the
        gate also closes a connection that has just been made."""
        self._writers.add(writer)
        task = asyncio.get_running_loop().create_task(self._answer(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # the browser or the server closed the connection; the browser reports the failure itself
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request of the browser: refuses it, or connects it to the server."""
        request, *headers = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
        method, target, _ = request.decode("latin-1").split(" ", 2)
        visit = self._visit(headers)
        if visit is None:
            writer.write(b'HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm="gate"\r\n')
            writer.write(b"Content-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            return
        host, port = _place(method, target)
        proxy = self._proxy(method, target, visit)
        forwards = bool(proxy and proxy.scheme not in SOCKS and method != "CONNECT")
        way = await (self._by(proxy, host, port, visit, forwards) if proxy else self._way(host, port, visit))
        if way is None:
            writer.write(b"HTTP/1.1 403 No way\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            return
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Go on\r\n\r\n")
        else:
            way[1].write(_passed_on(method, target, headers, proxy if forwards else None))
        await _both_ways((reader, writer), way, visit)

    def _visit(self, headers: list[bytes]) -> Pass | None:
        """Returns the pass that the password in the request's headers belongs to, or None."""
        for header in headers:
            name, _, value = header.partition(b":")
            if name.strip().lower() == b"proxy-authorization":
                with contextlib.suppress(ValueError):
                    said = base64.b64decode(value.strip().removeprefix(b"Basic ")).decode("latin-1")
                    return self._passes.get(said.partition(":")[2])
        return None

    def _proxy(self, method: str, target: str, visit: Pass) -> Proxy | None:
        """Returns the proxy that leads to the target of a request; None for a direct way."""
        return self._ways.to(f"https://{target}" if method == "CONNECT" else target, visit.through)

    async def _by(self, proxy: Proxy, host: str, port: int, visit: Pass, forwards: bool) -> Way | None:
        """Connects through a proxy, or to a proxy that forwards the request itself. The host is judged before
        its name is handed over. Otherwise notes the reason and returns None."""
        try:
            await judge(host, self._allowed, self._names.addresses)
            async with asyncio.timeout(_CONNECT):
                way = await (to_proxy(proxy, self._tls) if forwards else tunnel(proxy, host, port, self._tls))
        except ForbiddenAddress as error:
            visit.forbidden[host] = error.address
            return None
        except (OSError, TimeoutError) as error:
            visit.unreachable[host] = f"{error.strerror or error or 'no connection in time'}"
            return None
        self._writers.add(way[1])
        return way

    async def _way(
        self, host: str, port: int, visit: Pass
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Connects to the first address of a host that may be visited and answers. Otherwise notes the reason
        and returns None."""
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
                    way = await asyncio.open_connection(address, port)
                self._writers.add(way[1])
                return way
            except (OSError, TimeoutError) as error:
                visit.unreachable[host] = f"{error or 'no connection in time'}"
        return None


async def close_listening(server: asyncio.Server) -> None:
    """Accepts no more connections and closes the listening sockets.

    The event loop makes a connection known some turns after it accepted it. A server that closes between
    these turns loses the connection: nobody closes its socket. So the loop stops to accept first, and the
    sockets are closed when the accepted connections are known.
    """
    for listening in server.sockets:
        asyncio.get_running_loop().remove_reader(listening)
    for _ in range(_TURNS_TO_ARRIVE):
        await asyncio.sleep(0)
    server.close()


def _place(method: str, target: str) -> tuple[str, int]:
    """Returns host and port of a request. Raises ValueError for other schemes than http and ws."""
    parts = urlsplit(f"//{target}" if method == "CONNECT" else target)
    if method != "CONNECT" and parts.scheme not in ("http", "ws"):
        raise ValueError(f"{parts.scheme} does not pass")
    return parts.hostname or "", parts.port or (443 if method == "CONNECT" else 80)


def _passed_on(method: str, target: str, headers: list[bytes], proxy: Proxy | None = None) -> bytes:
    """Returns the head of the request as the server, or a proxy that forwards it, expects it. The connection
    serves this request only."""
    parts = urlsplit(target)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    path = target if proxy else path
    kept = [one for one in headers if _is_passed_on(one.partition(b":")[0].strip().lower())]
    return b"\r\n".join(
        [
            f"{method} {path} HTTP/1.1".encode("latin-1"),
            *kept,
            *_to_proxy(proxy),
            b"Connection: close",
            b"",
            b"",
        ]
    )


def _is_passed_on(name: bytes) -> bool:
    return name not in _NOT_PASSED_ON and not name.startswith(b"proxy-")


def _to_proxy(proxy: Proxy | None) -> list[bytes]:
    if proxy is None or not proxy.authorization:
        return []
    return [f"Proxy-Authorization: {proxy.authorization}".encode("latin-1")]


async def _both_ways(
    browser: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    visit: Pass,
) -> None:
    """Copies bytes in both directions until one side ends. A browser that has sent everything may still
    receive."""
    out = asyncio.create_task(_pump(browser[0], server[1], None))
    back = asyncio.create_task(_pump(server[0], browser[1], visit))
    try:
        await asyncio.wait({out, back}, return_when=asyncio.FIRST_COMPLETED)
        if out.done() and not back.done() and not out.cancelled() and out.exception() is None:
            await back  # the browser has sent everything, and still waits for the answer
    finally:
        for task in (out, back):
            task.cancel()
        await asyncio.gather(out, back, return_exceptions=True)
        server[1].close()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, visit: Pass | None) -> None:
    """Copies bytes from source to sink. Stops if the visit has used up its bytes."""
    while piece := await source.read(_PIECE):
        if visit is not None:
            visit.left -= len(piece)
            if visit.left < 0:
                return
        sink.write(piece)
        await sink.drain()
    if visit is None and sink.can_write_eof():
        sink.write_eof()
