"""Settings in, one process out that runs the dashboard, the worker and, if wanted, the demo site."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import uvicorn

from webvigil.app.operating.chosen import with_choices
from webvigil.app.operating.logs import log_from
from webvigil.app.operating.metrics import Metrics
from webvigil.app.operating.signals import told_to_stop
from webvigil.app.operating.stores import opened, repository, sole_worker
from webvigil.app.operating.when_asked import WhenAsked
from webvigil.app.pages.display import Sights
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.pages.logins import seal_of
from webvigil.app.peers.wiring import ADDRESS, receiver_of
from webvigil.app.people.passes import passes_of
from webvigil.app.sentinels.install import InstallStore, install
from webvigil.app.sentinels.lookup import named
from webvigil.app.settings import Settings
from webvigil.app.waiting import happens
from webvigil.app.worker.process import work as working_on
from webvigil.errors import ServerRefused
from webvigil.language import parse
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository

if TYPE_CHECKING:
    from fastapi import FastAPI

_LOOPBACK = ipaddress.ip_network("127.0.0.0/8")
# Seconds that requests under way get when the server stops.
_GOODBYE_SECONDS = 3

# The web layer is imported by name, because `app` may not depend on `web`, which stands above it.
_APPLICATION = ("webvigil.web.application", "create_application")
_PROBES = ("webvigil.web.probes", "Probes")
_SHOWN = ("webvigil.web.second_origin", "create_shown")

Announce = Callable[[Knowledge, str], None]


async def serve(settings: Settings, announce: Announce, *, demo: bool, work: bool) -> None:
    """Runs until a signal or the end of a part stops it. `announce` is called when the dashboard answers
    requests."""
    if demo:
        settings = replace(settings, allow_networks=(*settings.allow_networks, _LOOPBACK))
    with (
        _listening(settings.host, settings.port) as door,
        _listening(settings.host, _shown_port(settings), "shown_port") as side_door,
        opened(settings) as knowledge,
        sole_worker(settings, knowledge) if work else contextlib.nullcontext(),
    ):
        settings = with_choices(settings, knowledge.journal)
        log_from(settings.log_level)
        knowledge.journal.remember(ADDRESS, _address(door))
        metrics = Metrics(knowledge)
        application = _application(knowledge, settings, side_door.getsockname()[1], metrics)
        async with (
            _demo(settings, knowledge) if demo else contextlib.nullcontext(),
            _shown(settings, knowledge, repository(settings, knowledge.versions), side_door),
        ):
            web = _WebServer(application, door, lambda: announce(knowledge, _address(door)))
            if not work:  # such a server is there for the dashboard alone
                await application.made()
            with told_to_stop() as told:
                working = (
                    asyncio.create_task(working_on(settings, knowledge, metrics, told)) if work else None
                )
                await _run(web, working, told)


def _application(knowledge: Knowledge, settings: Settings, shown_port: int, metrics: Metrics) -> WhenAsked:
    """Returns the dashboard. What can be refused about its settings is refused now, and not when somebody
    opens it."""
    seal, passes, receiver = seal_of(settings), passes_of(settings), receiver_of(knowledge, settings)

    def make() -> FastAPI:
        made: FastAPI = furnished(_made(_APPLICATION, knowledge, settings))
        made.state.seal, made.state.passes, made.state.receiver = seal, passes, receiver
        return made

    def make_probes() -> Any:
        return furnished(_made(_PROBES, knowledge, settings))

    def furnished(made: Any) -> Any:
        made.state.shown_port, made.state.shown_url = shown_port, settings.shown_url.rstrip("/")
        made.state.metrics = metrics
        return made

    return WhenAsked(make, make_probes)


def _made(what: tuple[str, str], *given: object) -> Any:
    module, name = what
    return getattr(import_module(module), name)(*given)


@asynccontextmanager
async def _shown(
    settings: Settings, knowledge: Knowledge, pages: PageRepository, door: socket.socket
) -> AsyncIterator[None]:
    """Runs the second web server, on its own port, that shows copies of other people's pages apart from the
    dashboard."""
    async with http_fetcher(settings) as fetcher:
        sights, passes = Sights(knowledge, pages, fetcher.client), passes_of(settings)

        def make() -> FastAPI:
            made: FastAPI = _made(_SHOWN, knowledge.changes, sights, passes)
            return made

        server = _WebServer(WhenAsked(make), door, lambda: None)
        running = asyncio.create_task(server.run())
        try:
            yield
        finally:
            server.stop()
            await running


def _shown_port(settings: Settings) -> int:
    return settings.shown_port or (settings.port + 2 if 0 < settings.port < 65_534 else 0)


async def _run(web: _WebServer, working: asyncio.Task[None] | None, told: asyncio.Event) -> None:
    """Runs the parts until Ctrl-C, SIGTERM or the end of one of them, then lets all of them finish their
    current work."""
    tasks = {asyncio.create_task(web.run())} | ({working} if working else set())
    waiting = asyncio.create_task(told.wait())
    await asyncio.wait({*tasks, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    told.set()
    web.stop()
    await asyncio.gather(*tasks)


class _QuietServer(uvicorn.Server):
    """A uvicorn server that installs no signal handlers, because `signals` handles them for all parts, and
    that wakes once a second instead of ten times, for the date in the headers of its answers."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._left = asyncio.Event()

    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            await happens(self._left, 1.0)

    def leave(self) -> None:
        self.should_exit = True
        self._left.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _WebServer:
    """Runs uvicorn on a socket that is already listening."""

    def __init__(self, application: WhenAsked, door: socket.socket, when_ready: Callable[[], None]) -> None:
        self._application = application
        self._door = door
        self._when_ready = when_ready
        config = uvicorn.Config(
            application,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # the application itself decides which proxy headers to trust
            timeout_graceful_shutdown=_GOODBYE_SECONDS,
        )
        self._server = _QuietServer(config)

    async def run(self) -> None:
        telling = asyncio.create_task(self._tell_when_ready())
        try:
            await self._server.serve(sockets=[self._door])
        finally:
            telling.cancel()

    def stop(self) -> None:
        self._server.leave()
        self._application.stop()

    async def _tell_when_ready(self) -> None:
        while not self._server.started:
            await asyncio.sleep(0.02)
        self._when_ready()


@asynccontextmanager
async def _demo(settings: Settings, knowledge: InstallStore) -> AsyncIterator[None]:
    """Runs the demo site, and installs its sentinels unless they are there from an earlier run."""
    from webvigil.app.demo import demo_sentinels, start_demo

    demo = await start_demo("127.0.0.1", settings.demo_port)
    try:
        wanted = parse(demo_sentinels(demo.url))
        there = named(knowledge.sentinels, settings.user, (one.name for one in wanted))
        install(knowledge, settings, [one for one in wanted if one.name not in there])
        yield
    finally:
        await demo.stop()


@contextmanager
def _listening(host: str, port: int, option: str = "--port") -> Iterator[socket.socket]:
    """Opens the listening socket before anything else starts, so that a port in use is reported before the
    database is touched. Raises ServerRefused."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        door = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no name of a host"
        raise ServerRefused(f"{host!r} is no address to listen on: {reason}") from error
    with door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind(address)
            door.listen(128)
        except OSError as error:
            raise _cannot_listen(host, port, option, error) from error
        yield door


def _cannot_listen(host: str, port: int, option: str, error: OSError) -> ServerRefused:
    if error.errno == errno.EADDRINUSE:
        return ServerRefused(f"port {port} on {host} is in use; choose another with {option}")
    return ServerRefused(f"cannot listen on port {port} of {host}: {error.strerror}")


def _address(door: socket.socket) -> str:
    host, port = door.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104  (shown, not bound)
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
