"""The gate judges where the browser goes, counts what it loads, and leaves no connection open behind it."""

from __future__ import annotations

import asyncio
import base64
import socket
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.fetch.fetching import LOOPBACK
from webvigil.fetch.gate import Gate, Pass, _passed_on, _place
from webvigil.fetch.ways import Proxy


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


def test_where_a_request_of_the_browser_goes():
    places = {
        ("CONNECT", "a.test:8443"): ("a.test", 8443),
        ("CONNECT", "a.test"): ("a.test", 443),
        ("CONNECT", "[::1]:444"): ("::1", 444),
        ("GET", "http://a.test/x"): ("a.test", 80),
        ("GET", "ws://a.test:81/x"): ("a.test", 81),
    }
    assert {asked: _place(*asked) for asked in places} == places
    for scheme in ("https", "ftp", "file"):
        with pytest.raises(ValueError, match=f"{scheme} does not pass"):
            _place("GET", f"{scheme}://a.test/")


HEADERS = [
    b"Host: a.test",
    b"Proxy-Authorization: Basic x",
    b"Connection: keep-alive",
    b"TE: x",
    b"Accept: y",
]


@pytest.mark.parametrize(
    ("target", "proxy", "head"),
    [
        ("http://a.test", None, b"GET / HTTP/1.1\r\nHost: a.test\r\nAccept: y\r\n"),
        ("http://a.test/x?q=1#top", None, b"GET /x?q=1 HTTP/1.1\r\nHost: a.test\r\nAccept: y\r\n"),
        (
            "http://a.test/x",
            Proxy("office", "http://p.test"),
            b"GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\nAccept: y\r\n",
        ),
        (
            "http://a.test/x",
            Proxy("office", "http://me@p.test"),
            b"GET http://a.test/x HTTP/1.1\r\n%s\r\n"
            % b"\r\n".join([HEADERS[0], HEADERS[-1], b"Proxy-Authorization: Basic bWU6"]),
        ),
    ],
)
def test_what_the_server_hears_of_a_request(target: str, proxy: Proxy | None, head: bytes):
    assert _passed_on("GET", target, HEADERS, proxy) == head + b"Connection: close\r\n\r\n"


class Behind:
    """A gate with a server behind it that answers every request with what it heard."""

    def __init__(self, **options: Any) -> None:
        self.options = {"allowed": LOOPBACK} | options
        self.heard: list[bytes] = []

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100)
        await writer.drain()
        writer.close()

    def asks(self, request: str, limit: int = 10_000, password: str = "") -> tuple[bytes, Pass]:
        """Returns what the gate answers, and the pass of the visit. {port} is that of the server."""

        async def once() -> tuple[bytes, Pass]:
            server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            async with server, Gate(**self.options) as gate:
                visit = gate.admit(limit)
                reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(gate.url).port)
                key = base64.b64encode(f"visit:{password or visit.password}".encode()).decode()
                said = request.replace("{port}", str(port)).replace(
                    "{key}", f"Proxy-Authorization: Basic {key}"
                )
                writer.write(said.encode() + b"\r\n\r\n")
                if said.startswith("CONNECT"):
                    writer.write(b"GET /inside HTTP/1.1\r\n\r\n")
                answer = await asyncio.wait_for(reader.read(), 30)
                writer.close()
                return answer, visit

        return asyncio.run(once())


GET = "GET http://127.0.0.1:{port}/x HTTP/1.1\r\n{key}"


def test_a_request_with_the_password_of_its_visit_is_answered_and_its_bytes_are_counted():
    behind = Behind()
    answer, visit = behind.asks(GET)
    assert answer == b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100
    assert visit.left == 10_000 - len(answer)
    assert behind.heard == [b"GET /x HTTP/1.1\r\nConnection: close\r\n\r\n"]


def test_a_browser_that_has_sent_everything_still_gets_its_answer():
    async def answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()  # to the end of what the browser sends
        for _ in range(20):
            await asyncio.sleep(0)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nlate")
        writer.close()

    async def asked() -> bytes:
        server = await asyncio.start_server(answers, "127.0.0.1", 0)
        async with server, Gate(allowed=LOOPBACK) as gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(gate.url).port)
            key = base64.b64encode(f"visit:{gate.admit(1_000).password}".encode()).decode()
            port = server.sockets[0].getsockname()[1]
            said = GET.replace("{port}", str(port)).replace("{key}", f"Proxy-Authorization: Basic {key}")
            writer.write(said.encode() + b"\r\n\r\n")
            writer.write_eof()
            answer = await asyncio.wait_for(reader.read(), 30)
            writer.close()
            return answer

    assert asyncio.run(asked()) == b"HTTP/1.1 200 OK\r\n\r\nlate"


def test_a_tunnel_passes_bytes_as_they_are():
    behind = Behind()
    answer, visit = behind.asks("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n{key}")
    assert answer.startswith(b"HTTP/1.1 200 Go on\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx")
    assert visit.left == 10_000 - (len(answer) - len(b"HTTP/1.1 200 Go on\r\n\r\n"))
    assert behind.heard == [b"GET /inside HTTP/1.1\r\n\r\n"]


@pytest.mark.parametrize(("limit", "passes"), [(119, True), (118, False)])
def test_a_visit_may_load_its_bytes_and_no_more(limit: int, passes: bool):
    answer, visit = Behind().asks(GET, limit)
    assert (len(answer), visit.left < 0) == ((119, False) if passes else (0, True))


@pytest.mark.parametrize("request_", [GET.replace("{key}", "Accept: x"), GET])
def test_who_does_not_know_the_password_is_not_let_in(request_: str):
    behind = Behind()
    answer, _ = behind.asks(request_, password="wrong")
    assert answer.startswith(b'HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm="gate"\r\n')
    assert behind.heard == []


def test_a_forbidden_address_is_noted_and_refused():
    behind = Behind(allowed=())
    answer, visit = behind.asks(GET)
    assert answer.startswith(b"HTTP/1.1 403 No way\r\n")
    assert (visit.forbidden, visit.unreachable, behind.heard) == ({"127.0.0.1": "127.0.0.1"}, {}, [])


def test_the_first_address_that_may_be_visited_is_taken():
    behind = Behind(lookup=lambda _: ["10.0.0.9", "127.0.0.1"])
    answer, visit = behind.asks(GET.replace("127.0.0.1", "a.test"))
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert visit.forbidden == {"a.test": "10.0.0.9"}


def test_a_host_without_an_address_or_an_answer_is_noted():
    def lookup(_: str) -> list[str]:
        raise OSError(2, "no such name")

    answer, visit = Behind(lookup=lookup).asks(GET.replace("127.0.0.1", "a.test"))
    assert (answer[:12], visit.unreachable) == (b"HTTP/1.1 403", {"a.test": "no such name"})
    answer, visit = Behind().asks(GET.replace("{port}", "1"))
    assert answer.startswith(b"HTTP/1.1 403")
    assert "Connect call failed" in visit.unreachable["127.0.0.1"]


def test_a_pass_that_was_dismissed_is_known_no_more():
    gate = Gate()
    visit = gate.admit(5, "office")
    assert (visit.left, visit.through) == (5, "office")
    key = b"Proxy-Authorization: Basic " + base64.b64encode(f"visit:{visit.password}".encode())
    assert gate._visit([b"Host: a", key]) is visit
    assert gate._visit([b"proxy-authorization: Basic %%%", b"Host: a"]) is None
    gate.dismiss(visit)
    assert gate._visit([key]) is None


@pytest.mark.parametrize(
    ("header", "passes"),
    [
        (b"Host: a.test", True),
        (b"Tenant: 7", True),
        (b"Connection-Id: 7", True),
        (b"TE: trailers", False),
        (b"te : trailers", False),
        (b"Keep-Alive: timeout=5", False),
        (b"Proxy-Authorization: Basic x", False),
        (b"Upgrade-Insecure-Requests: 1", False),
    ],
)
def test_only_headers_for_the_proxy_are_left_out(header: bytes, passes: bool):
    head = _passed_on("GET", "http://a.test/", [header])
    assert (header in head.split(b"\r\n")) is passes
