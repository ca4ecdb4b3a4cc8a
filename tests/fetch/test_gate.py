"""The gate leaves no connection open behind it."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from webvigil.fetch.gate import Gate


@pytest.mark.parametrize("said", [b"", b"GET http://127.0.0.1/ HTTP/1.1\r\n"])
@pytest.mark.parametrize("breaths", [0, 1, 3])
def test_a_connection_of_the_last_moment_ends_with_the_gate(said: bytes, breaths: int):
    async def ends() -> bytes:
        async with Gate() as gate:
            port = urlsplit(gate.url).port
            client = socket.create_connection(("127.0.0.1", port or 0))
            client.setblocking(False)
            client.sendall(said)
            for _ in range(breaths):
                await asyncio.sleep(0)
        with client, suppress(ConnectionResetError):
            return await asyncio.wait_for(asyncio.get_running_loop().sock_recv(client, 1), 60)
        return b""

    assert asyncio.run(ends()) == b""
