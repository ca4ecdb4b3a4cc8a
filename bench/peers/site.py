"""A loopback site in a process of its own: `python -m bench.peers.site` prints its port and serves.

/etag/N     page N, with an ETag that is honoured
/plain/N    page N, without validators
/noise/N    page N with a new token in each answer
/edit/N     page N before its edit, to the first who asks; then the page after it
"""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import lru_cache
from typing import ClassVar

from bench.peers import pages


class Talk(asyncio.Protocol):
    """One connection, kept open as long as the other side likes."""

    asked: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._head = b""

    def data_received(self, data: bytes) -> None:
        self._head += data
        while b"\r\n\r\n" in self._head:
            request, _, self._head = self._head.partition(b"\r\n\r\n")
            self._transport.write(self._answer(request.decode("latin-1")))  # type: ignore[attr-defined]

    def _answer(self, request: str) -> bytes:
        path = request.split(" ", 2)[1]
        _, kind, number = f"{path}//".split("/")[:3]  # what follows only tells askers apart
        if not number.isdigit():
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        if kind == "etag" and f'"{number}"' in request:
            return f'HTTP/1.1 304 Not Modified\r\nETag: "{number}"\r\n\r\n'.encode()
        Talk.asked[path] += 1
        body = _body(kind, int(number), Talk.asked[path])
        tag = f'ETag: "{number}"\r\n' if kind == "etag" else ""
        kind_and_size = f"Content-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        return f"HTTP/1.1 200 OK\r\n{kind_and_size}{tag}\r\n".encode() + body


def _body(kind: str, number: int, time: int) -> bytes:
    if kind == "edit":
        return _edited(number, time > 1)
    if kind == "noise":
        return pages.page(number, f"{number}-{time}-{time * 7919:x}").encode()
    return _page(number)


@lru_cache(512)
def _page(number: int) -> bytes:
    return pages.page(number).encode()


@lru_cache(512)
def _edited(number: int, after: bool) -> bytes:
    return pages.edit(number)[after].encode()


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Talk, "127.0.0.1", 0, backlog=1000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
