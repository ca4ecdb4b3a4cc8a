"""The site: pages by path, a log, and a real server on loopback in a thread of its own.

Several hosts are several sites: `Site("127.0.0.2")` has another address than `Site()`, so clients must treat
it as another host.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, TypeVar

from aiohttp import web

from tests.site.answer import answer
from tests.site.forms import Field, Form, Respond, markup
from tests.site.log import Entry, Log, Request, gaps
from tests.site.look import Content
from tests.site.page import SitePage
from tests.site.wire import send
from webvigil.fetch.gate import close_listening

T = TypeVar("T")
_START = 60.0  # seconds that a loaded machine may take to start or stop a thread
_FAREWELL = 0.05  # seconds that answers under way have left when the site goes down
ANY = "*"  # the path of the page that answers where no other page does


class Site:
    """Serves from `start` to `stop`, or as a context manager, which raises the errors of functions that make
    pages."""

    def __init__(
        self,
        address: str = "127.0.0.1",
        *,
        port: int = 0,
        clock: Callable[[], float] = time.time,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.tls = tls
        self.address = address
        self.port = port
        self.clock = clock
        self.log = Log()
        self._pages: dict[str, SitePage] = {}
        self._mistakes: list[Exception] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reserved: socket.socket | None = None
        self.page(ANY).answers(404)

    # --- pages

    def page(self, path: str, content: Content | list[Content] = "", **look: Any) -> SitePage:
        """Adds a page, or replaces the one at this path. A list holds the contents that `next` steps through.

        The path "*" answers all requests that have no page of their own; at first it answers 404.
        """
        contents = content if isinstance(content, list) else [content]
        self._pages[path] = page = SitePage(self, path, contents, **look)
        return page

    def robots(self, text: str) -> SitePage:
        return self.page("/robots.txt", text, media_type="text/plain")

    def form(
        self,
        path: str,
        fields: Iterable[Field | str],
        *,
        answer: Respond,
        method: str = "GET",
        action: str | None = None,
    ) -> Form:
        """Adds a form at `path`. Fields that are sent to `action` are answered by `answer(fields)`."""
        target = action or path.rstrip("/") + "/answer"
        answers = self.page(target, lambda request: answer(request.fields))
        answers.allows(*(["POST"] if method.upper() == "POST" else ["GET", "HEAD"]))
        return Form(self.page(path, markup(fields, method, target)), answers)

    def page_for(self, request: Request) -> SitePage:
        pages = self._pages
        return pages.get(request.target) or pages.get(request.path) or pages[ANY]

    # --- requests

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}"

    @property
    def host(self) -> str:
        """Returns address and port as in a URL."""
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"

    @property
    def requests(self) -> list[Request]:
        return self.log.requests

    @property
    def connections(self) -> int:
        """Returns how many connections were ever opened, including those without a request."""
        return self.log.connections

    @property
    def most_concurrent(self) -> int:
        return max((request.concurrent for request in self.requests), default=0)

    @property
    def gaps(self) -> list[float]:
        """Returns the seconds between the starts of consecutive requests."""
        return gaps(self.requests)

    def hits(self, path: str) -> int:
        return sum(path in (request.path, request.target) for request in self.requests)

    def wait_for(self, hits: int = 1, within: float = 90.0) -> list[Request]:
        """Blocks until that many requests began. Raises TimeoutError with the requests that came instead."""
        return self.log.wait(lambda requests: len(requests) >= hits, within)

    def wait_until(self, enough: Callable[[list[Request]], bool], within: float = 90.0) -> list[Request]:
        """Blocks until the log is as wanted: `site.wait_until(lambda log: log[0].outcome == "left")`."""
        return self.log.wait(enough, within)

    async def hits_reach(self, hits: int = 1, within: float = 90.0) -> list[Request]:
        """Does the same as `wait_for`, for a client in the test's own event loop."""
        return await asyncio.to_thread(self.wait_for, hits, within)

    # --- up and down

    def start(self) -> Site:
        ready: Future[None] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(ready,), name=f"site {self.address}", daemon=True
        )
        self._thread.start()
        ready.result(_START)
        return self

    def stop(self) -> None:
        self._free_port()
        self.in_loop(self._stopping.set)
        self._thread.join(_START)
        assert not self._thread.is_alive(), "the site does not stop"

    def goes_down(self) -> None:
        """Stops listening and ends open connections; the pages and the log stay, and nobody else gets the
        port."""
        self._call(self._close())
        self._reserved = socket.socket()
        self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._reserved.bind((self.address, self.port))

    def comes_back(self) -> None:
        """Listens again, on the same port."""
        self._free_port()
        self._call(self._listen())

    def _free_port(self) -> None:
        if self._reserved:
            self._reserved.close()
            self._reserved = None

    def in_loop(self, act: Callable[[], object]) -> None:
        """Runs a function in the event loop of the server, so that answers that wait there wake up."""
        if self._loop is None:
            act()
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(act)

    def __enter__(self) -> Site:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if error is None and self._mistakes:
            raise self._mistakes[0]

    # --- in the server's thread

    def _run(self, ready: Future[None]) -> None:
        try:
            asyncio.run(self._serve(ready))
        except OSError as error:
            ready.set_exception(error)

    async def _serve(self, ready: Future[None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        await self._listen()
        ready.set_result(None)
        await self._stopping.wait()
        await self._close()

    async def _listen(self) -> None:
        self._web = web.Server(self._handle, handler_cancellation=True, access_log=None)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connected, self.address, self.port, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        await close_listening(self._server)
        transports = [connection.transport for connection in self._web.connections]
        self._web.pre_shutdown()
        await self._web.shutdown(_FAREWELL)
        for transport in transports:
            if transport:
                transport.abort()  # otherwise a client that does not read would keep it open for ever
        await self._server.wait_closed()

    def _connected(self) -> asyncio.Protocol:
        self.log.connected()
        return self._web()

    async def _handle(self, http: web.BaseRequest) -> web.StreamResponse:
        entry = self.log.begin(**_seen(http))
        try:
            return await self._answer(http, entry)
        except (asyncio.CancelledError, ConnectionError, web.RequestPayloadError):
            entry.ends("left")
            raise
        except Exception as mistake:  # noqa: BLE001 - of the test's own function: raised when the site stops
            self._mistakes.append(mistake)
            entry.answering(500)
            entry.ends("complete")
            return web.Response(status=500, text=repr(mistake))

    async def _answer(self, http: web.BaseRequest, entry: Entry) -> web.StreamResponse:
        request = entry.read(await http.read())
        look, trouble = self.page_for(request).state()
        return await send(http, answer(look, trouble, request), trouble, entry)

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        assert self._loop is not None, "the site was never started"
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_START)


def _seen(http: web.BaseRequest) -> dict[str, Any]:
    peer = http.transport.get_extra_info("peername") if http.transport else None
    return {
        "connection": peer[1] if peer else 0,
        "method": http.method,
        "path": http.path,
        "query": tuple(http.query.items()),
        "headers": http.headers,
    }
