"""A function that makes a web application in, an application out that calls it with the first request.

The dashboard, the API and the libraries below them take 34 MB and 0.7 s of processor time
(`python -m bench.speed.commands`). A server that looks at pages and sends notices needs none of this until
somebody opens it. Programs that supervise the server do not open it: what they ask is answered by a smaller
application, which takes 1 to 2 MB.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, TypeVar

from webvigil.errors import WebVigilError

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp, Receive, Scope, Send

T = TypeVar("T")

PROBES = ("/healthz", "/metrics")
# Probes are answered in threads of their own. Asyncio's wait for the worker's comparisons, too, and a busy
# server would seem dead; those of the framework take 2 MB.
_PROBING = ThreadPoolExecutor(8, thread_name_prefix="webvigil-probes")


async def probing(work: Callable[[], T]) -> T:
    """Returns what `work` returns, which runs in one of the threads for probes."""
    return await asyncio.get_running_loop().run_in_executor(_PROBING, work)


class WhenAsked:
    """An ASGI application that stands before another one until the first request, and passes all requests on
    from then on. What the other one opens for its life stays open until the server stops.

    `make_probes` makes the application that answers `PROBES` until then. Where it raises a WebVigilError, the
    whole application answers, which can tell about errors."""

    def __init__(self, make: Callable[[], FastAPI], make_probes: Callable[[], ASGIApp] | None = None) -> None:
        self._make = make
        self._make_probes = make_probes
        self._made: FastAPI | None = None
        self._probes: ASGIApp | None = None
        self._making = asyncio.Lock()
        self._opened = AsyncExitStack()
        self._stopping = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif not await self._probed(scope, receive, send):
            application = await self.made()
            await application(scope, receive, send)

    async def _probed(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Answers a probe while the application is not there yet; False for every other request."""
        if self._made is not None or self._make_probes is None or not _is_probe(scope):
            return False
        if self._probes is None:
            self._probes = await probing(self._make_probes)
        try:
            await self._probes(scope, receive, send)
        except WebVigilError:
            return False
        return True

    async def made(self) -> FastAPI:
        """Returns the application, which is made unless it is there. It is made in a thread, so that looks
        go on meanwhile. If it cannot be made, the next request tries again."""
        async with self._making:
            if self._made is None:
                made = await asyncio.to_thread(self._make)
                await self._opened.enter_async_context(made.router.lifespan_context(made))
                self._made = made
                made.state.stopping = self._stopping
        return self._made

    def stop(self) -> None:
        """Ends the open event streams of the application, so that no browser delays the end of the server."""
        self._stopping = True
        if self._made is not None:
            self._made.state.stopping = True

    async def _live(self, receive: Receive, send: Send) -> None:
        """Answers the server's two messages: the first when it starts, the second when it stops."""
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._opened.aclose()
        await send({"type": "lifespan.shutdown.complete"})


def _is_probe(scope: Scope) -> bool:
    """A request with a body is none: the whole application judges whether the body is too large."""
    return (
        scope["type"] == "http"
        and scope["method"] in ("GET", "HEAD")
        and scope["path"] in PROBES
        and not any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"])
    )
